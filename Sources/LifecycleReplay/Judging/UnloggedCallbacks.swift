import TraceRecords

/// What each app logs: a callback that an app never logs anywhere in the log is not missing.
///
/// Whether it does is known only at the end of the log, so findings about missing callbacks that the app has not logged so
/// far are held back: until the first line that has one of them, or until the log ends. Then one remark says what the app
/// does not log.
struct UnloggedCallbacks {
    /// A finding that counts only if the app logs one of the callbacks.
    struct Held {
        var finding: Finding
        var missing: CallbackSet
        var app: String?
    }

    /// How many findings of an app are held back; further ones are not kept, as if the app did not log the callback.
    private static let heldOfApp = 1024

    /// Numbers of the apps by the hash of their process; by number, what each has logged and what is held back.
    var numbers: [UInt64: Int32] = [:]
    var logged: [CallbackSet] = []
    var held: [[Held]] = []

    /// The number of an app.
    mutating func number(ofApp process: UInt64) -> Int32 {
        if let number = numbers[process] { return number }
        let number = Int32(logged.count)
        numbers[process] = number
        logged.append(CallbackSet())
        held.append([])
        return number
    }

    /// Notes that an app has logged a callback.
    @inline(__always)
    mutating func note(_ callback: UInt16, by app: Int32, _ rows: inout RowWriter) {
        guard !logged[Int(app)].contains(callback) else { return }
        logged[Int(app)].insert(callback)
        if !held[Int(app)].isEmpty { release(app, &rows) }
    }

    /// Hands over what an app does log after all.
    private mutating func release(_ app: Int32, _ rows: inout RowWriter) {
        let seen = logged[Int(app)]
        for one in held[Int(app)] where one.missing.intersects(seen) { rows.add(one.finding) }
        held[Int(app)].removeAll { $0.missing.intersects(seen) }
    }

    /// Hands a finding over, or holds it back.
    mutating func add(_ one: Held, of app: Int32, _ rows: inout RowWriter) {
        if one.missing.isEmpty || one.missing.intersects(logged[Int(app)]) {
            rows.add(one.finding)
        } else if held[Int(app)].count < Self.heldOfApp {
            held[Int(app)].append(one)
        }
    }

    /// The log ends: says once for each app and callback that the app does not log it.
    mutating func finish(_ rules: RuleBook, _ rows: inout RowWriter) {
        for app in held.indices {
            var told = CallbackSet()
            for one in held[app] {
                for callback in one.missing.numbers where !told.contains(callback) {
                    told.insert(callback)
                    var remark = one.finding
                    remark.rule = "not-logged"
                    remark.severity = .info
                    remark.deviation = .missingCallback
                    remark.repair = nil
                    remark.message =
                        "\(one.app ?? "the app") never logs \(rules.name(callback)), so that it is not missing here or later"
                    rows.add(remark)
                }
            }
            held[app] = []
        }
    }
}
