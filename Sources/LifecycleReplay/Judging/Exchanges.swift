import LifecycleModel
import TraceRecords

/// Pushes, pops, presentations: one controller leaves while another arrives.
extension Judge {
    /// Adds an event to those of an exchange, and judges the exchange once it is complete.
    mutating func watchExchange(_ event: CallbackEvent, _ deviant: Deviant, _ machine: inout InstanceMachine) {
        guard let rules = plan.rules.exchanges[Int(machine.states[Int(event.instance)].model)] else { return }
        var window = exchanges.removeValue(forKey: event.run) ?? ExchangeWindow()
        let id = machine.states[Int(event.instance)].id
        window.answer(event.callback, of: id, rules, plan.rules)
        if rules.concerned.contains(event.callback) {
            let seen = instances[Int(event.instance)].seen
            // A controller that began to appear may never have appeared: a swipe to its page was let go.
            let isNew =
                !seen.intersects(rules.arrivingEnds)
                && (!seen.intersects(rules.leavingBegins) || seen.intersects(rules.arrivingBegins))
            window.add(
                ExchangeWindow.Entry(
                    instance: id, slot: event.instance, callback: event.callback, isNew: isNew, time: event.time,
                    line: event.line))
            let hasLeft = rules.leavingEnds.contains(event.callback)
            if hasLeft || rules.arrivingEnds.contains(event.callback) {
                window.dropCalledOff(by: id, hasLeft: hasLeft, rules)
                let ends = hasLeft ? rules.arrivingEnds : rules.leavingEnds
                if let partner = window.entries.last(where: { $0.instance != id && ends.contains($0.callback) }) {
                    let pair = (leaving: hasLeft ? id : partner.instance, arriving: hasLeft ? partner.instance : id)
                    judgeExchange(event, leaving: pair.leaving, arriving: pair.arriving, &window, &machine)
                }
            }
        }
        exchanges[event.run] = window
    }

    private mutating func judgeExchange(
        _ event: CallbackEvent, leaving: Int64, arriving: Int64, _ window: inout ExchangeWindow,
        _ machine: inout InstanceMachine
    ) {
        guard let rules = plan.rules.exchanges[Int(machine.states[Int(event.instance)].model)],
            let leavingBegin = window.place(leaving, rules.leavingBegins),
            let leavingEnd = window.place(leaving, rules.leavingEnds),
            let arrivingBegin = window.place(arriving, rules.arrivingBegins),
            let arrivingEnd = window.place(arriving, rules.arrivingEnds),
            leavingBegin < arrivingEnd, arrivingBegin < leavingEnd
        else { return }
        defer { window.entries.removeAll { $0.instance == leaving || $0.instance == arriving } }
        let (left, came) = (window.entries[leavingBegin], window.entries[arrivingBegin])
        let (isNew, isTabLike) = (came.isNew, arrivingBegin < leavingBegin)
        // A push or presentation begins with the one that leaves, a change of tabs or pages with the one that arrives;
        // what was not pushed or presented is not popped or dismissed either.
        if isNew, isTabLike {
            noteTab(left)
            noteTab(came)
        }
        if isTabLike || !isNew, isTab(left) { return }
        for number in rules.orders where plan.rules.checks[number].concerns(isNew) {
            for pair in plan.rules.orders[number] {
                guard
                    let earlier = window.place(pair.earlierArrives ? arriving : leaving, CallbackSet([pair.earlier])),
                    let later = window.place(pair.laterArrives ? arriving : leaving, CallbackSet([pair.later])),
                    later < earlier
                else { continue }
                let entry = window.entries[later]
                // A controller that is gone has given its place to another.
                guard machine.states[Int(entry.slot)].id == entry.instance else { continue }
                var found = event
                (found.instance, found.callback) = (entry.slot, entry.callback)
                (found.time, found.line, found.before) = (entry.time, entry.line, CompiledModel.unknown)
                violate(number, found, Deviant(), &machine)
            }
        }
        for number in rules.responses where plan.rules.checks[number].concerns(isNew) {
            if window.awaited.count < InstanceMachine.openInstancesKept {
                window.awaited.append(ExchangeWindow.Awaited(instance: leaving, check: number))
            }
        }
    }

    private mutating func noteTab(_ entry: ExchangeWindow.Entry) {
        if instances[Int(entry.slot)].instance == entry.instance { instances[Int(entry.slot)].isTab = true }
    }

    private func isTab(_ entry: ExchangeWindow.Entry) -> Bool {
        instances[Int(entry.slot)].instance == entry.instance && instances[Int(entry.slot)].isTab
    }

    /// Instances that have left and never got what they should have got.
    mutating func judgeAwaited(_ run: Int32, _ machine: inout InstanceMachine) {
        guard machine.runs.states[Int(run)].isOver, let window = exchanges[run] else { return }
        for one in window.awaited {
            guard let place = machine.place(of: one.instance, in: run) else { continue }
            violate(one.check, ended(machine.runs.details[Int(run)].others[place], &machine), Deviant(), &machine)
        }
    }
}

/// The callbacks of controllers that may belong to an exchange still going on.
struct ExchangeWindow {
    struct Entry: BitwiseCopyable {
        var instance: Int64
        var slot: Int32
        var callback: UInt16
        /// Whether the instance had not been on the screen before.
        var isNew: Bool
        var time: Int64
        var line: Int64
    }

    /// An instance that has left, and the check that waits for what it gets now.
    struct Awaited: BitwiseCopyable {
        var instance: Int64
        var check: Int
    }

    /// How many callbacks are kept.
    private static let reach = 48
    var entries: [Entry] = []
    var awaited: [Awaited] = []

    /// An instance gets what it should get.
    mutating func answer(_ callback: UInt16, of instance: Int64, _ rules: ExchangeRules, _ book: RuleBook) {
        guard !awaited.isEmpty else { return }
        awaited.removeAll { one in
            one.instance == instance
                && (book.checks[one.check].then.contains(callback) || rules.arrivingBegins.contains(callback))
        }
    }

    mutating func add(_ entry: Entry) {
        if entries.count == Self.reach { entries.removeFirst() }
        entries.append(entry)
    }

    func place(_ instance: Int64, _ callbacks: CallbackSet) -> Int? {
        entries.firstIndex { $0.instance == instance && callbacks.contains($0.callback) }
    }

    /// An instance has left or arrived: if it was on its way to the other side before, that was called off (a swipe back
    /// that was let go), and belongs to no exchange.
    mutating func dropCalledOff(by instance: Int64, hasLeft: Bool, _ rules: ExchangeRules) {
        let begins = hasLeft ? rules.leavingBegins : rules.arrivingBegins
        let others =
            hasLeft
            ? rules.arrivingBegins.union(rules.arrivingEnds) : rules.leavingBegins.union(rules.leavingEnds)
        guard
            let begin = entries.lastIndex(where: { $0.instance == instance && begins.contains($0.callback) }),
            let last = entries[..<begin].lastIndex(where: {
                $0.instance == instance && others.contains($0.callback)
            })
        else { return }
        let kept = entries[...last].filter { $0.instance != instance }
        entries.replaceSubrange(...last, with: kept)
    }
}

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
        /// The callbacks for which words have stood.
        var worded = CallbackSet()
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
                // Launch callbacks stand for each other: the first is enough.
                let others = one.missing.numbers.filter { rules.vocabulary[$0].callback.beginsRun }.dropFirst()
                for callback in one.missing.numbers where !told.contains(callback) && !others.contains(callback) {
                    told.insert(callback)
                    var remark = one.finding
                    remark.rule = "not-logged"
                    remark.severity = .info
                    remark.deviation = .missingCallback
                    remark.repair = nil
                    let (app, name) = (one.app ?? "the app", rules.name(callback))
                    let what = one.worded.contains(callback) ? "tells \(name) only in words" : "never logs \(name)"
                    remark.message = "\(app) \(what), so it does not count as missing here or later"
                    rows.add(remark)
                }
            }
            held[app] = []
        }
    }
}
