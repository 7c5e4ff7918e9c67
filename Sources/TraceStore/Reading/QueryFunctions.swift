import Foundation
import GRDBSQLite
import TraceRecords

/// Functions that queries have beyond those of SQLite. The stock `sqlite3` shell does not know them.
package enum QueryFunctions {
    /// What each function does, for help texts.
    package static let documentation: [(call: String, purpose: String)] = [
        ("percentile(x, p)", "the p-th percentile (0 to 100) of the numbers in a column, R type 7; an aggregate"),
        ("median(x)", "percentile(x, 50)"),
        (
            "regexp(pattern, text)",
            "1 when the text has a match of the POSIX extended pattern; also `text REGEXP pattern`"
        ),
        ("duration(ns)", "nanoseconds in human units: 1 h 23 min"),
    ]

    static func register(on connection: OpaquePointer) {
        let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS
        sqlite3_create_function_v2(
            connection, "percentile", 2, flags, nil, nil,
            { context, _, arguments in QueryFunctions.Sample.add(context, arguments?[0], share: arguments?[1]) },
            { QueryFunctions.Sample.finish($0) }, nil)
        sqlite3_create_function_v2(
            connection, "median", 1, flags, nil, nil,
            { context, _, arguments in QueryFunctions.Sample.add(context, arguments?[0], share: nil) },
            { QueryFunctions.Sample.finish($0) }, nil)
        sqlite3_create_function_v2(
            connection, "duration", 1, flags, nil,
            { context, _, arguments in
                guard let value = arguments?[0], sqlite3_value_type(value) != SQLITE_NULL else {
                    return sqlite3_result_null(context)
                }
                QueryFunctions.result(HumanDuration.text(nanoseconds: sqlite3_value_int64(value)), context)
            }, nil, nil, nil)
        sqlite3_create_function_v2(
            connection, "regexp", 2, flags, nil,
            { context, _, arguments in
                guard let pattern = QueryFunctions.text(arguments?[0]), let subject = QueryFunctions.text(arguments?[1])
                else {
                    return sqlite3_result_null(context)
                }
                QueryFunctions.matches(subject, pattern, context)
            }, nil, nil, nil)
    }

    /// The compiled pattern is kept with the statement.
    private static func matches(_ subject: String, _ pattern: String, _ context: OpaquePointer?) {
        if let kept = sqlite3_get_auxdata(context, 0) {
            let pattern = Unmanaged<RegularPattern>.fromOpaque(kept).takeUnretainedValue()
            return sqlite3_result_int(context, pattern.matches(subject) ? 1 : 0)
        }
        do throws(RegularPattern.Refusal) {
            let compiled = try RegularPattern(pattern)
            sqlite3_result_int(context, compiled.matches(subject) ? 1 : 0)
            sqlite3_set_auxdata(context, 0, Unmanaged.passRetained(compiled).toOpaque()) { kept in
                if let kept { Unmanaged<RegularPattern>.fromOpaque(kept).release() }
            }
        } catch {
            sqlite3_result_error(context, "regexp: \(error.reason)", -1)
        }
    }

    private static func text(_ value: OpaquePointer?) -> String? {
        sqlite3_value_text(value).map { String(cString: $0) }
    }

    private static func result(_ text: String, _ context: OpaquePointer?) {
        sqlite3_result_text(context, text, -1, unsafeBitCast(-1, to: sqlite3_destructor_type.self))
    }

    /// The values of one group of the aggregates.
    private final class Sample {
        private var values: [Double] = []
        private var share: Double?
        /// A quarter of a gigabyte; a recursion without an end would fill the memory.
        private static let most = 30_000_000

        static func add(_ context: OpaquePointer?, _ value: OpaquePointer?, share: OpaquePointer?) {
            guard let value, let sample = of(context) else { return }
            if sample.share == nil { sample.share = share.map { sqlite3_value_double($0) } ?? 50 }
            guard sqlite3_value_type(value) != SQLITE_NULL else { return }
            for number in [value, share] {
                guard let number, !isNumber(number) else { continue }
                let text = String((QueryFunctions.text(number) ?? "").prefix(40))
                return sqlite3_result_error(
                    context, "\(share == nil ? "median" : "percentile"): '\(text)' is not a number", -1)
            }
            guard sample.values.count < most else {
                return sqlite3_result_error(
                    context, "\(share == nil ? "median" : "percentile"): more than \(most) numbers", -1)
            }
            sample.values.append(sqlite3_value_double(value))
        }

        /// Whether a value is a number, or a text that is written like one.
        private static func isNumber(_ value: OpaquePointer) -> Bool {
            let type = sqlite3_value_numeric_type(value)
            return type == SQLITE_INTEGER || type == SQLITE_FLOAT
        }

        static func finish(_ context: OpaquePointer?) {
            guard let slot = sqlite3_aggregate_context(context, 0)?.assumingMemoryBound(to: UnsafeRawPointer?.self),
                let kept = slot.pointee
            else { return sqlite3_result_null(context) }
            slot.pointee = nil
            let sample = Unmanaged<Sample>.fromOpaque(kept).takeRetainedValue()
            guard let share = sample.share, !sample.values.isEmpty else { return sqlite3_result_null(context) }
            guard (0...100).contains(share) else {
                return sqlite3_result_error(context, "percentile: the percentage must lie between 0 and 100", -1)
            }
            sample.values.sort()
            sqlite3_result_double(context, Quantile.r7(sample.values, share / 100))
        }

        private static func of(_ context: OpaquePointer?) -> Sample? {
            let size = Int32(MemoryLayout<UnsafeRawPointer?>.size)
            guard let slot = sqlite3_aggregate_context(context, size)?.assumingMemoryBound(to: UnsafeRawPointer?.self)
            else { return nil }
            if let kept = slot.pointee { return Unmanaged<Sample>.fromOpaque(kept).takeUnretainedValue() }
            let sample = Sample()
            slot.pointee = UnsafeRawPointer(Unmanaged.passRetained(sample).toOpaque())
            return sample
        }
    }
}

/// A compiled POSIX extended regular expression that can neither take much memory nor run forever.
final class RegularPattern {
    struct Refusal: Error {
        var reason: String
    }

    /// Characters that a pattern may have once its repetitions are written out, which the C library does.
    private static let mostCharacters = 10_000
    /// How deeply groups may be nested. The C library recurses for each.
    private static let deepest = 250
    /// Bytes after which a pattern is compiled again, because the C library may remember a state for every byte.
    private static let bytesRemembered = 1 << 17

    private let pattern: String
    private var compiled = regex_t()
    private var bytes = 0

    /// - Throws: ``Refusal`` when the pattern is not valid, too large, or has back-references, which may take forever.
    init(_ pattern: String) throws(Refusal) {
        self.pattern = pattern
        if pattern.contains(/\\[1-9]/) { throw Refusal(reason: "back-references are not supported") }
        guard Self.length(of: pattern) <= Self.mostCharacters else {
            throw Refusal(reason: "the pattern \(pattern.prefix(60)) is too large when expanded, or nested too deeply")
        }
        guard regcomp(&compiled, pattern, REG_EXTENDED | REG_NOSUB) == 0 else {
            throw Refusal(reason: "the pattern \(pattern.prefix(60)) is not valid")
        }
    }

    deinit {
        regfree(&compiled)
    }

    /// Whether there is a match anywhere in the text.
    func matches(_ text: String) -> Bool {
        bytes += text.utf8.count
        if bytes > Self.bytesRemembered {
            bytes = text.utf8.count
            regfree(&compiled)
            guard regcomp(&compiled, pattern, REG_EXTENDED | REG_NOSUB) == 0 else { return false }
        }
        return regexec(&compiled, text, 0, nil, 0) == 0
    }

    /// How many characters a pattern has when `(ab){3}` is written as `ababab`.
    private static func length(of pattern: String) -> Int {
        /// Of the groups that are open: the length so far, and that of the last piece, which a repetition repeats.
        var open: [(total: Int, last: Int)] = [(0, 0)]
        var rest = Array(pattern)[...]
        while let next = rest.popFirst() {
            var piece = 1
            switch next {
            case "\\": _ = rest.popFirst()
            case "[":
                // A bracket that stands first belongs to the set.
                if rest.first == "^" { rest.removeFirst() }
                if rest.first == "]" { rest.removeFirst() }
                rest = rest.drop { $0 != "]" }.dropFirst()
            case "(":
                guard open.count <= deepest else { return .max }
                open.append((0, 0))
                continue
            case ")":
                guard open.count > 1 else { break }
                piece = open.removeLast().total
            case "{":
                let bounds = rest.prefix { $0 != "}" }.split(separator: ",").compactMap { Int(String($0)) }
                rest = rest.dropFirst(rest.prefix { $0 != "}" }.count + 1)
                piece = open[open.count - 1].last
                open[open.count - 1].total -= piece
                piece = piece.multipliedReportingOverflow(by: max(1, bounds.max() ?? 1)).partialValue
            default: break
            }
            guard (0...mostCharacters).contains(piece) else { return .max }
            open[open.count - 1].total += piece
            open[open.count - 1].last = piece
            guard open[open.count - 1].total <= mostCharacters else { return .max }
        }
        return open.reduce(0) { $0 + $1.total }
    }
}
