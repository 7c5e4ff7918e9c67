/// Turns the text of a pattern into steps.
///
/// In braces stand fields; `{_}` is one blank or more, `{*}` any number; `{(` … `)}` surround what may be missing;
/// `{{` is a brace. Everything else stands for itself.
struct PatternCompiler {
    private(set) var steps: [MatchStep] = []
    private(set) var pool: [UInt8] = []
    private(set) var words: [[UInt8]] = []
    private(set) var time: TimePattern?

    private var openGroups: [Int] = []
    private var literal: [UInt8] = []

    mutating func compile(_ text: String) throws(LayoutProblem) {
        var rest = Substring(text)
        while let character = rest.popFirst() {
            if character == "{" {
                if rest.first == "{" {
                    rest.removeFirst()
                    literal.append(UInt8(ascii: "{"))
                } else if rest.first == "(" {
                    rest.removeFirst()
                    closeLiteral()
                    openGroups.append(steps.count)
                    steps.append(.group(otherwise: 0))
                } else {
                    guard let end = rest.firstIndex(of: "}") else {
                        throw LayoutProblem("'{' without '}' in \(text)")
                    }
                    closeLiteral()
                    try field(String(rest[..<end]))
                    rest = rest[rest.index(after: end)...]
                }
            } else if character == ")", rest.first == "}", !openGroups.isEmpty {
                rest.removeFirst()
                closeLiteral()
                let group = openGroups.removeLast()
                steps[group] = .group(otherwise: Int32(steps.count))
            } else {
                literal.append(contentsOf: String(character).utf8)
            }
        }
        closeLiteral()
        guard openGroups.isEmpty else { throw LayoutProblem("'{(' without ')}' in \(text)") }
        guard !steps.isEmpty else { throw LayoutProblem("an empty pattern") }
        try finish(text)
    }

    private mutating func closeLiteral() {
        guard !literal.isEmpty else { return }
        steps.append(.literal(start: Int32(pool.count), count: Int32(literal.count), orEnd: false))
        pool.append(contentsOf: literal)
        literal.removeAll()
    }

    private mutating func field(_ text: String) throws(LayoutProblem) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let name = parts[0]
        let detail = parts.count > 1 ? parts[1] : nil
        switch name {
        case "_": steps.append(.blanks(minimum: 1))
        case "*": steps.append(.blanks(minimum: 0))
        case "time", "date":
            guard let detail else { throw LayoutProblem("{\(name)} needs a pattern, such as {time:HH:mm:ss.S}") }
            guard time == nil else { throw LayoutProblem("a pattern has one time, not two") }
            time = try TimePattern(detail)
            steps.append(.time)
        case "milliseconds": steps.append(detail == "0" ? .noInterval : .milliseconds)
        case "pid": steps.append(.digits(.pid))
        case "thread": steps.append(.hex)
        case "number": steps.append(.digits(.skip))
        case "word": steps.append(.word(.skip))
        case "message": steps.append(.rest(.message))
        case "process", "device", "subsystem", "level", "library", "category", "text":
            let field = Self.field(named: name)
            guard let detail else {
                steps.append(.text(field, name: false, maximum: 256, stop: 0, otherStop: 0, anywhere: true))
                return
            }
            if detail == "name" {
                steps.append(.text(field, name: true, maximum: 64, stop: 0, otherStop: 0, anywhere: true))
            } else if detail == "word" {
                steps.append(.word(field))
            } else {
                let choices = detail.split(separator: "|").map { Array($0.utf8) }
                guard !choices.isEmpty else { throw LayoutProblem("{\(text)} names no word to choose from") }
                steps.append(.choice(field, first: Int32(words.count), count: Int32(choices.count)))
                words.append(contentsOf: choices)
            }
        default:
            throw LayoutProblem("'{\(text)}' is no field; see `lifestats formats --help`")
        }
    }

    private static func field(named name: String) -> MatchStep.Field {
        switch name {
        case "process": .process
        case "device": .device
        case "subsystem": .subsystem
        case "level": .level
        default: .skip
        }
    }

    /// Fills in what a step must know of its followers.
    private mutating func finish(_ text: String) throws(LayoutProblem) {
        for index in steps.indices {
            switch steps[index] {
            case .text(let field, let name, let maximum, _, _, _):
                guard index + 1 < steps.count else {
                    throw LayoutProblem("the last field of \(text) must be {message}")
                }
                let stops = firstBytes(of: index + 1)
                steps[index] = .text(
                    field, name: name, maximum: maximum, stop: stops?.first ?? 0, otherStop: stops?.last ?? 0,
                    anywhere: stops == nil || (stops?.count ?? 0) > 2)
            case .literal(let start, let count, _):
                guard count > 1, pool[Int(start + count) - 1] == UInt8(ascii: " "), index + 1 < steps.count else {
                    continue
                }
                if case .rest = steps[index + 1] { steps[index] = .literal(start: start, count: count, orEnd: true) }
            case .rest where index + 1 < steps.count:
                throw LayoutProblem("nothing can follow {message} in \(text)")
            default: continue
            }
        }
    }

    /// The bytes that the steps from `index` on can begin with; `nil` when that may be any.
    private func firstBytes(of index: Int) -> [UInt8]? {
        guard index < steps.count else { return nil }
        switch steps[index] {
        case .literal(let start, _, _): return [pool[Int(start)]]
        case .blanks(minimum: 1): return Array(" \t".utf8)
        case .group(let otherwise):
            guard let inside = firstBytes(of: index + 1), let outside = firstBytes(of: Int(otherwise)) else {
                return nil
            }
            return Set(inside + outside).sorted()
        default: return nil
        }
    }
}
