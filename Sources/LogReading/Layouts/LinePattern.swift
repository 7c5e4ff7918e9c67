/// A line's layout, compiled from a text such as
/// `{time:yyyy-MM-dd HH:mm:ss.S[Z]} {process}[{pid}:{thread}] {message}`.
struct LinePattern: Sendable {
    /// What is matched, in order.
    let steps: [MatchStep]
    /// The bytes of all literals.
    let pool: [UInt8]
    /// The words of all choices.
    let words: [[UInt8]]
    /// How the time is written; `nil` when the line has none.
    let time: TimePattern?
    /// Steps `1..<headerEnd` between the time and the message depend on nothing after them: a line that repeats
    /// their bytes repeats their meaning. 0 when there are no such steps.
    let headerEnd: Int
    /// Whether nothing but the message follows those steps.
    let endsWithMessage: Bool
    /// What a line of the pattern can begin with.
    let firstBytes: ByteSet

    init(_ text: String) throws(LayoutProblem) {
        var compiler = PatternCompiler()
        try compiler.compile(text)
        steps = compiler.steps
        pool = compiler.pool
        words = compiler.words
        time = compiler.time
        firstBytes = Self.firstBytes(
            of: compiler.steps, pool: compiler.pool, words: compiler.words, time: compiler.time)
        headerEnd = Self.headerEnd(of: compiler.steps)
        endsWithMessage = headerEnd > 0 && headerEnd == steps.count - 1 && Self.isMessage(steps.last)
    }

    private static func isMessage(_ step: MatchStep?) -> Bool {
        if case .rest(.message)? = step { true } else { false }
    }

    private static func headerEnd(of steps: [MatchStep]) -> Int {
        guard case .time? = steps.first else { return 0 }
        var end = 0
        for (index, step) in steps.enumerated().dropFirst() {
            switch step {
            case .group, .rest, .time, .columns, .milliseconds, .noInterval: return end
            case .literal: end = index + 1
            default: continue
            }
        }
        return end
    }
}

/// One step of a compiled pattern. Plain, for the hot path.
enum MatchStep: Sendable {
    /// A field that is kept, or skipped.
    enum Field: UInt8, Sendable {
        case skip, process, device, subsystem, category, level, thread, activity, library, message, pid
    }

    /// Fixed bytes, a range of the pattern's pool. `orEnd`: a blank at its end may be missing at the line's end.
    case literal(start: Int32, count: Int32, orEnd: Bool)
    /// Blanks and tabs, at least so many.
    case blanks(minimum: Int32)
    /// The time of the layout.
    case time
    /// `[ +350 ms]`-like interval: digits that count milliseconds.
    case milliseconds
    /// An interval of nothing, where the layout leaves it out.
    case noInterval
    /// The shortest text after which the rest matches, not empty unless it is a category. It can only end before one of
    /// two bytes (the first bytes of what follows), or anywhere when `anywhere` is set. A `name` holds no brackets, quotes or
    /// colons and does not begin or end with a blank.
    case text(Field, name: Bool, maximum: Int32, stop: UInt8, otherStop: UInt8, anywhere: Bool)
    /// Decimal digits.
    case digits(Field)
    /// Hexadecimal digits, with or without 0x.
    case hex
    /// Everything up to a blank, not empty.
    case word(Field)
    /// One of some words: a range of the pattern's words.
    case choice(Field, first: Int32, count: Int32)
    /// Steps up to `otherwise` are tried, then left out.
    case group(otherwise: Int32)
    /// Everything up to the end of the line.
    case rest(Field)
    /// Columns between tabs, in any order.
    case columns
}

extension LinePattern {
    /// The bytes that a line of this pattern can begin with: the first byte rules out most patterns.
    static func firstBytes(of steps: [MatchStep], pool: [UInt8], words: [[UInt8]], time: TimePattern?) -> ByteSet {
        firstBytes(0, steps, pool, words, time)
    }

    private static func firstBytes(
        _ index: Int, _ steps: [MatchStep], _ pool: [UInt8], _ words: [[UInt8]], _ time: TimePattern?
    ) -> ByteSet {
        guard index < steps.count else { return .all }
        var set = ByteSet()
        switch steps[index] {
        case .literal(let start, _, _):
            set.insert(pool[Int(start)])
        case .blanks(let minimum):
            if minimum == 0 { set = firstBytes(index + 1, steps, pool, words, time) }
            set.insert(0x20)
            set.insert(0x09)
        case .time:
            switch time?.parts.first {
            case .literal(let byte)?: set.insert(byte)
            case .monthName?: for byte in "JFMASOND".utf8 { set.insert(byte) }
            default: for byte in "0123456789".utf8 { set.insert(byte) }
            }
        case .digits, .milliseconds:
            for byte in "0123456789".utf8 { set.insert(byte) }
        case .choice(_, let first, let count):
            for word in words[Int(first)..<Int(first + count)] {
                if let byte = word.first { set.insert(byte) }
            }
        case .group(let otherwise):
            set = firstBytes(index + 1, steps, pool, words, time)
            set.formUnion(firstBytes(Int(otherwise), steps, pool, words, time))
        case .noInterval:
            set = firstBytes(index + 1, steps, pool, words, time)
        case .text, .hex, .word, .rest, .columns:
            return .all
        }
        return set
    }
}

/// Turns the text of a pattern into steps.
///
/// Fields are in braces; `{_}` is one blank or more, `{*}` any number; `{(` … `)}` surround what may be missing;
/// `{{` is a brace. Everything else means itself.
struct PatternCompiler {
    private(set) var steps: [MatchStep] = []
    private(set) var pool: [UInt8] = []
    private(set) var words: [[UInt8]] = []
    private(set) var time: TimePattern?

    private var openGroups: [Int] = []
    private var literal: [UInt8] = []

    mutating func compile(_ text: String) throws(LayoutProblem) {
        let bytes = Array(text.utf8)
        var next = 0
        while next < bytes.count {
            let byte = bytes[next]
            next += 1
            switch (byte, next < bytes.count ? bytes[next] : 0) {
            case (UInt8(ascii: "{"), UInt8(ascii: "{")):
                next += 1
                literal.append(byte)
            case (UInt8(ascii: "{"), UInt8(ascii: "(")):
                next += 1
                closeLiteral()
                openGroups.append(steps.count)
                steps.append(.group(otherwise: 0))
            case (UInt8(ascii: "{"), _):
                guard let end = bytes[next...].firstIndex(of: UInt8(ascii: "}")) else {
                    throw LayoutProblem("'{' without '}' in \(text)")
                }
                closeLiteral()
                try field(bytes[next..<end])
                next = end + 1
            case (UInt8(ascii: ")"), UInt8(ascii: "}")) where !openGroups.isEmpty:
                next += 1
                closeLiteral()
                let group = openGroups.removeLast()
                steps[group] = .group(otherwise: Int32(steps.count))
            default:
                literal.append(byte)
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

    private mutating func field(_ bytes: ArraySlice<UInt8>) throws(LayoutProblem) {
        let colon = bytes.firstIndex(of: UInt8(ascii: ":"))
        let name = String(decoding: bytes[..<(colon ?? bytes.endIndex)], as: UTF8.self)
        let detail = colon.map { String(decoding: bytes[($0 + 1)...], as: UTF8.self) }
        switch name {
        case "_": steps.append(.blanks(minimum: 1))
        case "*": steps.append(.blanks(minimum: 0))
        case "columns":
            guard let detail, steps.isEmpty else {
                throw LayoutProblem("{columns} must be alone and needs a time, such as {columns:HH:mm:ss.S}")
            }
            time = try TimePattern(detail)
            steps.append(.columns)
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
                guard !choices.isEmpty else { throw LayoutProblem("{\(name):\(detail)} lists no words to choose from") }
                steps.append(.choice(field, first: Int32(words.count), count: Int32(choices.count)))
                words.append(contentsOf: choices)
            }
        default:
            let text = String(decoding: bytes, as: UTF8.self)
            throw LayoutProblem("'{\(text)}' is not a field; see `lifestats formats --help`")
        }
    }

    private static func field(named name: String) -> MatchStep.Field {
        switch name {
        case "process": .process
        case "device": .device
        case "subsystem": .subsystem
        case "level": .level
        case "category": .category
        case "library": .library
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

/// A set of bytes, as bits.
struct ByteSet: Sendable {
    private var bits: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    static let all: ByteSet = {
        var set = ByteSet()
        set.bits = (.max, .max, .max, .max)
        return set
    }()

    @inline(__always)
    func contains(_ byte: UInt8) -> Bool {
        let bit = UInt64(1) << UInt64(byte & 63)
        return switch byte >> 6 {
        case 0: bits.0 & bit != 0
        case 1: bits.1 & bit != 0
        case 2: bits.2 & bit != 0
        default: bits.3 & bit != 0
        }
    }

    mutating func insert(_ byte: UInt8) {
        let bit = UInt64(1) << UInt64(byte & 63)
        switch byte >> 6 {
        case 0: bits.0 |= bit
        case 1: bits.1 |= bit
        case 2: bits.2 |= bit
        default: bits.3 |= bit
        }
    }

    mutating func formUnion(_ other: ByteSet) {
        bits.0 |= other.bits.0
        bits.1 |= other.bits.1
        bits.2 |= other.bits.2
        bits.3 |= other.bits.3
    }
}
