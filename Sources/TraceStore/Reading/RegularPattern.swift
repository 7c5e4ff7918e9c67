#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A compiled POSIX extended regular expression that can take neither much memory nor for ever.
final class RegularPattern {
    struct Refusal: Error {
        var reason: String
    }

    /// Characters that a pattern may stand for once its repetitions are written out. The C library does write them out.
    private static let mostCharacters = 10_000
    /// Groups that may stand in one another. The C library calls itself for each.
    private static let deepest = 250
    /// Bytes after which a pattern is compiled anew, since the C library remembers a state for every byte at worst.
    private static let bytesRemembered = 1 << 17

    private let pattern: String
    private var compiled = regex_t()
    private var bytes = 0

    /// - Throws: ``Refusal`` when the pattern is not valid, too large, or refers back, which may take for ever.
    init(_ pattern: String) throws(Refusal) {
        self.pattern = pattern
        if pattern.contains(/\\[1-9]/) { throw Refusal(reason: "back-references are not supported") }
        guard Self.length(of: pattern) <= Self.mostCharacters else {
            throw Refusal(reason: "the pattern \(pattern.prefix(60)) is too large, written out, or nested too deeply")
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
