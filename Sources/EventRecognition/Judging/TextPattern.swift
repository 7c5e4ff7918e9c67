/// The form of a text: pieces that are always the same, and places for what differs.
///
/// A place is written in braces: `app` (`app<BUNDLE(…)>:PID`, `application<BUNDLE>:PID` or, up to iOS 12, `BUNDLE:PID`),
/// `helper` (`xpcservice<BUNDLE(…)>:PID`, of an app and not of the system), `scene` (`sceneID:BUNDLE-default`), `bundle` (a
/// bundle identifier), `pid` (digits), `domain` and `code` (numbers, decimal or with `0x`), `namespace` (a name without
/// blanks), `name` (a process name), `label` (the label of an instance), `id` and `number` (such a label that has a dot, or
/// digits only), `d` (a digit), `any` (any text), `text` (any text but none), `_` (blanks or none), or the name of a list of
/// alternatives. Letters match in any case.
struct TextPattern: Sendable {
    /// Lists of texts by the names that patterns use, and patterns that stand for several.
    struct Alternatives {
        /// The longest text of a list first.
        private(set) var texts: [String: [[UInt8]]] = [:]
        /// Lists of texts that have places themselves: patterns are written out with each of them.
        private(set) var patterns: [String: [String]] = [:]

        mutating func add(_ list: [String], as name: String) {
            if list.contains(where: { $0.utf8.contains(UInt8(ascii: "{")) }) {
                patterns[name] = list
            } else if !list.isEmpty {
                texts[name] = list.map { Array($0.utf8) }.sorted { $0.count > $1.count }
            }
        }

        /// The patterns that a pattern stands for.
        func expand(_ text: String) -> [String] {
            let bytes = Array(text.utf8)
            var position = 0
            while let place = TextPattern.place(in: bytes, from: position) {
                position = place.upperBound + 1
                guard let list = patterns[String(decoding: bytes[place], as: UTF8.self)] else { continue }
                let before = String(decoding: bytes[..<(place.lowerBound - 1)], as: UTF8.self)
                let behind = String(decoding: bytes[position...], as: UTF8.self)
                return list.flatMap { expand(before + $0 + behind) }
            }
            return [text]
        }
    }

    /// What a text says at the places of its pattern.
    struct Finding {
        var bundle: Range<Int> = 0..<0
        var name: Range<Int> = 0..<0
        var label: Range<Int> = 0..<0
        var namespace: Range<Int> = 0..<0
        var pid: Int32?
        var domain: UInt64?
        var code: UInt64?
        /// Where the text that was matched begins and ends.
        var start = 0
        var end = 0
    }

    /// Where a text may be that has the form.
    enum Bounds {
        /// Anywhere; anywhere, but not inside a word; after nothing but tags and marks; the same, with nothing but marks
        /// behind it; nowhere but in the whole line.
        case anywhere, words, statement, alone, line
    }

    private enum Piece {
        case literal([UInt8])
        case oneOf([[UInt8]])
        case app, helper, scene, bundle, pid, domain, code, namespace, name, label, id, number, digit, any, text, blanks

        init?(place: String, alternatives: Alternatives) {
            switch place {
            case "app": self = .app
            case "helper": self = .helper
            case "scene": self = .scene
            case "bundle": self = .bundle
            case "pid": self = .pid
            case "domain": self = .domain
            case "code": self = .code
            case "d": self = .digit
            case "namespace": self = .namespace
            case "name": self = .name
            case "label": self = .label
            case "id": self = .id
            case "number": self = .number
            case "any": self = .any
            case "text": self = .text
            case "_": self = .blanks
            default:
                guard let texts = alternatives.texts[place] else { return nil }
                self = .oneOf(texts)
            }
        }

        /// The texts that the piece may be; `nil` where they cannot be listed.
        var texts: [[UInt8]]? {
            switch self {
            case .literal(let text): [text]
            case .oneOf(let texts): texts
            default: nil
            }
        }
    }

    private let pieces: [Piece]
    let bounds: Bounds
    /// The bytes that a text may begin with, as one bit for the lower five bits of each; all bits where that is open.
    private let firstBytes: UInt32

    /// The pattern of any text.
    static let empty = TextPattern(pieces: [], bounds: .anywhere)

    /// Reads a pattern; `nil` when it names an unknown place or a brace is not closed.
    init?(_ text: String, alternatives: Alternatives = Alternatives(), bounds: Bounds = .anywhere) {
        var pieces: [Piece] = []
        let bytes = Array(text.utf8)
        var position = 0
        while let place = Self.place(in: bytes, from: position) {
            if place.lowerBound - 1 > position {
                pieces.append(.literal(Array(bytes[position..<place.lowerBound - 1])))
            }
            let name = String(decoding: bytes[place], as: UTF8.self)
            guard let piece = Piece(place: name, alternatives: alternatives) else { return nil }
            pieces.append(piece)
            position = place.upperBound + 1
        }
        if position < bytes.count { pieces.append(.literal(Array(bytes[position...]))) }
        self.init(pieces: pieces, bounds: bounds)
    }

    /// The next name in braces, without them.
    private static func place(in text: [UInt8], from position: Int) -> Range<Int>? {
        guard let open = text[position...].firstIndex(of: UInt8(ascii: "{")),
            let close = text[open...].firstIndex(of: UInt8(ascii: "}"))
        else { return nil }
        return open + 1..<close
    }

    private init(pieces: [Piece], bounds: Bounds) {
        self.pieces = pieces
        self.bounds = bounds
        let texts = pieces.first?.texts ?? [[]]
        firstBytes = texts.reduce(0) { $1.isEmpty ? .max : $0 | 1 << UInt32($1[0] & 0x1F) }
    }

    /// Whether a place has a name without being a list of alternatives.
    static func hasPlace(_ name: String) -> Bool { Piece(place: name, alternatives: Alternatives()) != nil }

    /// The pattern of a model's message: `*` for any text, `<instance>` for the label of what the message is about.
    init?(message: String) {
        let places = message.split(separator: "<instance>", omittingEmptySubsequences: false)
            .map { $0.split(separator: "*", omittingEmptySubsequences: false).joined(separator: "{any}") }
        self.init(places.joined(separator: "{label}"), bounds: .line)
    }

    /// Texts of at least `length` bytes, one of which every text of the form contains: the longest constant piece, else
    /// all beginnings of the first pieces. Empty where there are none.
    func needles(ofLength length: Int) -> [[UInt8]] {
        var longest: [UInt8] = []
        for case .literal(let text) in pieces where text.count > longest.count { longest = text }
        if longest.count >= length { return [longest] }
        for first in pieces.indices {
            var short: [[UInt8]] = [[]]
            var long: [[UInt8]] = []
            for texts in pieces[first...].map(\.texts) {
                guard let texts else { break }
                var next: [[UInt8]] = []
                for form in short {
                    let others = long.count
                    for text in texts {
                        let longer = form + text.prefix(length - form.count)
                        if longer.count < length {
                            next.append(longer)
                        } else if !long[others...].contains(longer) {
                            long.append(longer)
                        }
                    }
                }
                short = next
                if short.isEmpty { return long }
            }
        }
        return []
    }

    // MARK: - Matching

    /// What became of an attempt to match pieces from one position on.
    private enum Outcome {
        case match, none
        /// A later place for any text found no end in all the rest of the line. A place before it that takes more
        /// only leaves less of the line, so it need not try: the work grows with the line, not with a power of it.
        case never
    }

    /// What the line `start..<end` says, when it has the form.
    func match(_ bytes: RawSpan, _ start: Int, _ end: Int) -> Finding? {
        if bounds == .line { return match(bytes, at: start, start, end).finding }
        if bounds == .statement || bounds == .alone {
            var tags = TagCursor(start, end)
            while let position = tags.next(bytes) {
                if let finding = match(bytes, at: position, start, end).finding { return finding }
            }
            return nil
        }
        for position in start..<max(start, end) {
            guard firstBytes >> UInt32(bytes.byte(position) & 0x1F) & 1 != 0 else { continue }
            if bounds == .words, !Boundary.opens(bytes, position, start, takesPrefix: true) { continue }
            let (outcome, finding) = match(bytes, at: position, start, end)
            if let finding { return finding }
            if outcome == .never { return nil }
        }
        return nil
    }

    /// What the text that begins at a position says, when it has the form.
    func matchHere(_ bytes: RawSpan, _ position: Int, _ end: Int) -> Finding? {
        match(bytes, at: position, position, end).finding
    }

    private func match(
        _ bytes: RawSpan, at position: Int, _ start: Int, _ end: Int
    ) -> (outcome: Outcome, finding: Finding?) {
        var finding = Finding()
        finding.start = position
        let outcome = match(bytes, 0, at: position, end, &finding)
        return (outcome, outcome == .match ? finding : nil)
    }

    private func match(
        _ bytes: RawSpan, _ number: Int, at position: Int, _ end: Int, _ finding: inout Finding
    ) -> Outcome {
        guard number < pieces.count else {
            finding.end = position
            return isBound(bytes, position, end) ? .match : .none
        }
        let next: Int?
        switch pieces[number] {
        case .literal(let text): next = literal(bytes, text, position, end)
        case .oneOf(let texts):
            for text in texts {
                guard let next = literal(bytes, text, position, end) else { continue }
                let outcome = match(bytes, number + 1, at: next, end, &finding)
                if outcome != .none { return outcome }
            }
            return .none
        case .app: next = Identity.app(bytes, position, end, &finding)
        case .helper: next = Identity.helper(bytes, position, end, &finding)
        case .scene: next = Identity.scene(bytes, position, end, &finding)
        case .bundle: next = Identity.bundle(bytes, position, end, &finding)
        case .pid: next = Numbers.pid(bytes, position, end, &finding)
        case .domain: next = Numbers.code(bytes, position, end, &finding.domain)
        case .code: next = Numbers.code(bytes, position, end, &finding.code)
        case .id: next = Identity.id(bytes, position, end, &finding)
        case .number:
            let last = Scan.skip(bytes, position, end, ByteClass.isDigit)
            finding.label = position..<last
            next = last > position ? last : nil
        case .digit: next = position < end && ByteClass.isDigit(bytes.byte(position)) ? position + 1 : nil
        case .namespace:
            let last = Scan.skip(bytes, position, end, ByteClass.isName)
            finding.namespace = position..<last
            next = last > position ? last : nil
        case .blanks: next = Scan.skip(bytes, position, end, ByteClass.isBlank)
        case .name, .label, .any, .text: return stretch(bytes, number, at: position, end, &finding)
        }
        return next.map { match(bytes, number + 1, at: $0, end, &finding) } ?? .none
    }

    private func isBound(_ bytes: RawSpan, _ position: Int, _ end: Int) -> Bool {
        switch bounds {
        case .anywhere: true
        case .line: position == end
        case .alone: Scan.skip(bytes, position, end) { !ByteClass.isName($0) || $0 >= 0x80 } == end
        case .words, .statement:
            position == end || !ByteClass.isName(bytes.byte(position)) || bytes.byte(position) >= 0x80
        }
    }

    @inline(__always)
    private func literal(_ bytes: RawSpan, _ text: [UInt8], _ position: Int, _ end: Int) -> Int? {
        position + text.count <= end && bytes.equalsFolded(position, text.span.bytes, 0, count: text.count)
            ? position + text.count : nil
    }

    /// A place for any text: as short as the rest of the pattern allows.
    private func stretch(
        _ bytes: RawSpan, _ number: Int, at position: Int, _ lineEnd: Int, _ finding: inout Finding
    ) -> Outcome {
        let isLast = number + 1 == pieces.count
        var end = lineEnd
        var last = isLast && bounds == .line ? end : position
        if case .any = pieces[number] {} else { last = max(last, position + 1) }
        if case .name = pieces[number] {
            end = Scan.skip(bytes, position, end, isProcessByte)
            if isLast { last = max(last, end) }
        }
        while last <= end {
            switch pieces[number] {
            case .name: finding.name = position..<last
            case .label: finding.label = position..<last
            default: break
            }
            let outcome = match(bytes, number + 1, at: last, lineEnd, &finding)
            guard outcome == .none else { return outcome }
            last += 1
        }
        return end < lineEnd ? .none : .never
    }

    /// Whether a byte can be part of the name of a process, which may have blanks.
    private func isProcessByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x0A, 0x27, 0x3B, 0x3C, 0x3E, 0x5B, 0x5D: false
        default: true
        }
    }
}

/// How the system writes numbers.
private enum Numbers {
    static func pid(_ bytes: RawSpan, _ position: Int, _ end: Int, _ finding: inout TextPattern.Finding) -> Int? {
        let last = Scan.skip(bytes, position, end, ByteClass.isDigit)
        guard let number = number(bytes, position, last, radix: 10), let pid = Int32(exactly: number) else {
            return nil
        }
        finding.pid = pid
        return last
    }

    /// `9`, `0x8badf00d`
    static func code(_ bytes: RawSpan, _ position: Int, _ end: Int, _ code: inout UInt64?) -> Int? {
        let isHex = position + 2 < end && bytes.byte(position) == 0x30 && bytes.byte(position + 1) | 0x20 == 0x78
        let start = isHex ? position + 2 : position
        let last = Scan.skip(bytes, start, end, isHex ? ByteClass.isHex : ByteClass.isDigit)
        guard let number = number(bytes, start, last, radix: isHex ? 16 : 10) else { return nil }
        code = number
        return last
    }

    private static func number(_ bytes: RawSpan, _ start: Int, _ end: Int, radix: UInt64) -> UInt64? {
        guard end > start else { return nil }
        var number: UInt64 = 0
        for position in start..<end {
            let byte = bytes.byte(position)
            let digit = UInt64(ByteClass.isDigit(byte) ? byte & 0xF : (byte & 0xF) + 9)
            let (product, overflow) = number.multipliedReportingOverflow(by: radix)
            let (sum, carry) = product.addingReportingOverflow(digit)
            if overflow || carry { return nil }
            number = sum
        }
        return number
    }
}

/// How the system writes what a process or a scene belongs to.
private enum Identity {
    private static let sceneKey = Array("sceneID:".utf8)
    private static let helperKey = Array("xpcservice<".utf8)
    private static let ofSystem = Array("com.apple.".utf8)
    private static let defaultSuffix = Array("-default".utf8)
    /// A UUID with the dash before it.
    private static let uuidSuffix = 37

    /// `com.example.Tea`
    static func bundle(_ bytes: RawSpan, _ position: Int, _ end: Int, _ finding: inout TextPattern.Finding) -> Int? {
        let last = Scan.skip(bytes, position, end, isBundleByte)
        finding.bundle = position..<last
        return hasDot(bytes, position, last) ? last : nil
    }

    /// `com.example.Tea.refresh`, as a label; a stop after it is not part of it.
    static func id(_ bytes: RawSpan, _ position: Int, _ end: Int, _ finding: inout TextPattern.Finding) -> Int? {
        var last = Scan.skip(bytes, position, end, isBundleByte)
        while last > position, bytes.byte(last - 1) == 0x2E { last -= 1 }
        finding.label = position..<last
        return hasDot(bytes, position, last) ? last : nil
    }

    /// `app<com.example.Tea(UUID)>:12`, `application<com.example.Tea>:12` or `com.example.Tea:12`.
    static func app(_ bytes: RawSpan, _ position: Int, _ end: Int, _ finding: inout TextPattern.Finding) -> Int? {
        let word = Scan.skip(bytes, position, end, ByteClass.isLetter)
        guard word < end, bytes.byte(word) == 0x3C else {
            let last = Scan.skip(bytes, position, end, isBundleByte)
            guard word > position, hasDot(bytes, position, last) else { return nil }
            finding.bundle = position..<last
            return pids(bytes, last, end, &finding)
        }
        guard word - position == 3 || word - position == 11,
            bytes.byte(position) | 0x20 == 0x61, bytes.byte(position + 1) | 0x20 == 0x70
        else { return nil }
        return token(bytes, word + 1, end, &finding)
    }

    /// `xpcservice<com.example.Tea.widget([app<com.example.Tea>:12])(501)>{vt hash: 0}:13`
    static func helper(_ bytes: RawSpan, _ position: Int, _ end: Int, _ finding: inout TextPattern.Finding) -> Int? {
        let start = position + helperKey.count
        guard start < end, bytes.equalsFolded(position, helperKey.span.bytes, 0, count: helperKey.count),
            !bytes.equalsFolded(start, ofSystem.span.bytes, 0, count: min(ofSystem.count, end - start))
        else { return nil }
        return token(bytes, start, end, &finding)
    }

    /// The end of a process whose bundle identifier is in `<>`; an inner bracket may hold another process.
    private static func token(_ bytes: RawSpan, _ start: Int, _ end: Int, _ finding: inout TextPattern.Finding) -> Int?
    {
        let last = Scan.skip(bytes, start, end, isBundleByte)
        var (close, depth) = (last, 1)
        while close < end, depth > 0 {
            depth += bytes.byte(close) == 0x3C ? 1 : bytes.byte(close) == 0x3E ? -1 : 0
            close += 1
        }
        guard last > start, depth == 0 else { return nil }
        finding.bundle = start..<last
        if close < end, bytes.byte(close) == 0x7B { close = min(end, Scan.skip(bytes, close, end) { $0 != 0x7D } + 1) }
        return pids(bytes, close, end, &finding)
    }

    /// The end of the numbers after a process: `:12`.
    private static func pids(_ bytes: RawSpan, _ position: Int, _ end: Int, _ finding: inout TextPattern.Finding) -> Int
    {
        var next = position
        while next + 1 < end, bytes.byte(next) == 0x3A, ByteClass.isDigit(bytes.byte(next + 1)) {
            let pid = finding.pid
            guard let last = Numbers.pid(bytes, next + 1, end, &finding) else { break }
            finding.pid = pid ?? finding.pid
            next = last
        }
        return next
    }

    /// `sceneID:com.example.Tea-default`: the bundle identifier, without the name of the scene.
    static func scene(_ bytes: RawSpan, _ position: Int, _ end: Int, _ finding: inout TextPattern.Finding) -> Int? {
        guard position + sceneKey.count < end,
            bytes.equalsFolded(position, sceneKey.span.bytes, 0, count: sceneKey.count)
        else { return nil }
        let start = position + sceneKey.count
        let last = Scan.skip(bytes, start, end, isBundleByte)
        var bundleEnd = last
        if last - start > defaultSuffix.count,
            bytes.equalsFolded(
                last - defaultSuffix.count, defaultSuffix.span.bytes, 0, count: defaultSuffix.count)
        {
            bundleEnd = last - defaultSuffix.count
        } else if last - start > uuidSuffix, bytes.byte(last - uuidSuffix) == 0x2D {
            bundleEnd = last - uuidSuffix
        }
        while bundleEnd > start, bytes.byte(bundleEnd - 1) == 0x2D { bundleEnd -= 1 }
        finding.bundle = start..<bundleEnd
        return bundleEnd > start ? last : nil
    }

    private static func isBundleByte(_ byte: UInt8) -> Bool {
        ByteClass.isName(byte) || byte == 0x2E || byte == 0x2D
    }

    private static func hasDot(_ bytes: RawSpan, _ start: Int, _ end: Int) -> Bool {
        for position in start..<end where bytes.byte(position) == 0x2E { return true }
        return false
    }
}
