/// The form of a text: pieces that stand as they are, and places for what differs.
///
/// In `{…}` stand: `app` (`app<BUNDLE(…)>:PID`, `application<BUNDLE>:PID` or, up to iOS 12, `BUNDLE:PID`), `scene`
/// (`sceneID:BUNDLE-default`), `bundle` (a bundle identifier), `pid` (digits), `name` (a process name), `label` (the
/// label of an instance), `any` (any text), `text` (any text but none), `_` (blanks or none), `to` (an arrow or the
/// word `to`, perhaps a dot behind it). Letters match in any case.
struct TextPattern: Sendable, Hashable {
    /// What a text says at the places of its pattern.
    struct Finding: Hashable {
        var bundle: Range<Int> = 0..<0
        var name: Range<Int> = 0..<0
        var label: Range<Int> = 0..<0
        var pid: Int32?
        /// Where the text that was matched ends.
        var end = 0
    }

    private enum Piece: Hashable {
        case literal([UInt8])
        case app, scene, bundle, pid, name, label, any, text, blanks, to
    }

    private let pieces: [Piece]
    /// Whether the text must begin and end where the pattern does.
    private let isWhole: Bool
    /// The longest piece that stands as it is: what an index finds the text by.
    let needle: [UInt8]

    /// Reads a pattern; `nil` when it names an unknown place or a brace is not closed.
    init?(_ text: String, isWhole: Bool = false) {
        var pieces: [Piece] = []
        var rest = Substring(text)
        while let brace = rest.firstIndex(of: "{"), let close = rest[brace...].firstIndex(of: "}") {
            if brace > rest.startIndex { pieces.append(.literal(Array(rest[..<brace].utf8))) }
            switch rest[rest.index(after: brace)..<close] {
            case "app": pieces.append(.app)
            case "scene": pieces.append(.scene)
            case "bundle": pieces.append(.bundle)
            case "pid": pieces.append(.pid)
            case "name": pieces.append(.name)
            case "label": pieces.append(.label)
            case "any": pieces.append(.any)
            case "text": pieces.append(.text)
            case "_": pieces.append(.blanks)
            case "to": pieces.append(.to)
            default: return nil
            }
            rest = rest[rest.index(after: close)...]
        }
        if !rest.isEmpty { pieces.append(.literal(Array(rest.utf8))) }
        self.pieces = pieces
        self.isWhole = isWhole
        var needle: [UInt8] = []
        for case .literal(let bytes) in pieces where bytes.count > needle.count { needle = bytes }
        self.needle = needle
    }

    /// The pattern of a model's message: `*` for any text, `<instance>` for the label of what the message is about.
    init?(message: String) {
        let places = message.split(separator: "<instance>", omittingEmptySubsequences: false)
            .map { $0.split(separator: "*", omittingEmptySubsequences: false).joined(separator: "{any}") }
        self.init(places.joined(separator: "{label}"), isWhole: true)
    }

    /// What became of an attempt to match pieces from one position on.
    private enum Outcome {
        case match, none
        /// A later place for any text found no end in all the rest of the line. A place before it that takes more
        /// only leaves less of the line, so it need not try: the work grows with the line, not with a power of it.
        case never
    }

    /// What the line `start..<end` says, when it has the form.
    func match(_ bytes: RawSpan, _ start: Int, _ end: Int) -> Finding? {
        var finding = Finding()
        if isWhole {
            return match(bytes, 0, at: start, end, &finding) == .match ? finding : nil
        }
        for position in start..<max(start, end) {
            switch match(bytes, 0, at: position, end, &finding) {
            case .match: return finding
            case .never: return nil
            case .none: continue
            }
        }
        return nil
    }

    private func match(
        _ bytes: RawSpan, _ number: Int, at position: Int, _ end: Int, _ finding: inout Finding
    ) -> Outcome {
        guard number < pieces.count else {
            finding.end = position
            return !isWhole || position == end ? .match : .none
        }
        switch pieces[number] {
        case .literal(let text):
            guard position + text.count <= end,
                bytes.equalsFolded(position, text.span.bytes, 0, count: text.count)
            else { return .none }
            return match(bytes, number + 1, at: position + text.count, end, &finding)
        case .app:
            guard let next = app(bytes, position, end, &finding) else { return .none }
            return match(bytes, number + 1, at: next, end, &finding)
        case .scene:
            guard let next = scene(bytes, position, end, &finding) else { return .none }
            return match(bytes, number + 1, at: next, end, &finding)
        case .bundle:
            let last = skip(bytes, position, end, isBundleByte)
            finding.bundle = position..<last
            guard hasDot(bytes, position, last) else { return .none }
            return match(bytes, number + 1, at: last, end, &finding)
        case .pid:
            let last = skip(bytes, position, end, ByteClass.isDigit)
            guard last > position, let pid = number32(bytes, position, last) else { return .none }
            finding.pid = pid
            return match(bytes, number + 1, at: last, end, &finding)
        case .blanks:
            return match(bytes, number + 1, at: skip(bytes, position, end, ByteClass.isBlank), end, &finding)
        case .to:
            guard let next = arrow(bytes, position, end) else { return .none }
            return match(bytes, number + 1, at: next, end, &finding)
        case .name, .label, .any, .text:
            return stretch(bytes, number, at: position, end, &finding)
        }
    }

    /// A place for any text: as short as the rest of the pattern allows.
    private func stretch(
        _ bytes: RawSpan, _ number: Int, at position: Int, _ end: Int, _ finding: inout Finding
    ) -> Outcome {
        let isLast = number + 1 == pieces.count
        var last = isLast && isWhole ? end : position
        if pieces[number] != .any { last = max(last, position + 1) }
        while last <= end {
            switch pieces[number] {
            case .name: finding.name = position..<last
            case .label: finding.label = position..<last
            default: break
            }
            let outcome = match(bytes, number + 1, at: last, end, &finding)
            guard outcome == .none else { return outcome }
            last += 1
        }
        return .never
    }

    private static let arrows = ["->", "=>", "→"].map { Array($0.utf8) }
    private static let wordTo = Array(" to ".utf8)

    /// ` -> `, ` to ` or ` to .`: where it ends.
    private func arrow(_ bytes: RawSpan, _ position: Int, _ end: Int) -> Int? {
        let start = skip(bytes, position, end, ByteClass.isBlank)
        var next: Int?
        for sign in Self.arrows
        where start + sign.count <= end && bytes.equals(start, sign.span.bytes, 0, count: sign.count) {
            next = start + sign.count
        }
        if next == nil, start > position, start + 3 <= end,
            bytes.equalsFolded(start - 1, Self.wordTo.span.bytes, 0, count: Self.wordTo.count)
        {
            next = start + 2
        }
        guard let next else { return nil }
        let last = skip(bytes, next, end, ByteClass.isBlank)
        return last < end && bytes.byte(last) == 0x2E ? last + 1 : last
    }

    /// `app<com.example.Tea(UUID)>:12`, `application<com.example.Tea>:12` or `com.example.Tea:12`.
    private func app(_ bytes: RawSpan, _ position: Int, _ end: Int, _ finding: inout Finding) -> Int? {
        let word = skip(bytes, position, end, ByteClass.isLetter)
        guard word < end, bytes.byte(word) == 0x3C else {
            let last = skip(bytes, position, end, isBundleByte)
            guard word > position, hasDot(bytes, position, last) else { return nil }
            finding.bundle = position..<last
            return pids(bytes, last, end, &finding)
        }
        guard word - position == 3 || word - position == 11,
            bytes.byte(position) | 0x20 == 0x61, bytes.byte(position + 1) | 0x20 == 0x70
        else { return nil }
        let last = skip(bytes, word + 1, end, isBundleByte)
        var close = last
        while close < end, bytes.byte(close) != 0x3E {
            // What stands in an inner bracket may be another process.
            if bytes.byte(close) == 0x5B || bytes.byte(close) == 0x3C { return nil }
            close += 1
        }
        guard last > word + 1, close < end else { return nil }
        finding.bundle = word + 1..<last
        return pids(bytes, close + 1, end, &finding)
    }

    /// The end of the numbers behind a process: `:12`.
    private func pids(_ bytes: RawSpan, _ position: Int, _ end: Int, _ finding: inout Finding) -> Int {
        var next = position
        while next + 1 < end, bytes.byte(next) == 0x3A, ByteClass.isDigit(bytes.byte(next + 1)) {
            let pidEnd = skip(bytes, next + 1, end, ByteClass.isDigit)
            if finding.pid == nil { finding.pid = number32(bytes, next + 1, pidEnd) }
            next = pidEnd
        }
        return next
    }

    /// `sceneID:com.example.Tea-default`: the bundle identifier, without the name of the scene.
    private func scene(_ bytes: RawSpan, _ position: Int, _ end: Int, _ finding: inout Finding) -> Int? {
        let prefix = Array("sceneID:".utf8)
        guard position + prefix.count < end,
            bytes.equalsFolded(position, prefix.span.bytes, 0, count: prefix.count)
        else { return nil }
        let start = position + prefix.count
        let last = skip(bytes, start, end, isBundleByte)
        let suffix = Array("-default".utf8)
        let uuidLength = 37
        var bundleEnd = last
        if last - start > suffix.count,
            bytes.equalsFolded(last - suffix.count, suffix.span.bytes, 0, count: suffix.count)
        {
            bundleEnd = last - suffix.count
        } else if last - start > uuidLength, bytes.byte(last - uuidLength) == 0x2D {
            bundleEnd = last - uuidLength
        }
        while bundleEnd > start, bytes.byte(bundleEnd - 1) == 0x2D { bundleEnd -= 1 }
        finding.bundle = start..<bundleEnd
        return bundleEnd > start ? last : nil
    }

    private func skip(_ bytes: RawSpan, _ position: Int, _ end: Int, _ belongs: (UInt8) -> Bool) -> Int {
        var position = position
        while position < end, belongs(bytes.byte(position)) { position += 1 }
        return position
    }

    private func isBundleByte(_ byte: UInt8) -> Bool { ByteClass.isName(byte) || byte == 0x2E || byte == 0x2D }

    private func hasDot(_ bytes: RawSpan, _ start: Int, _ end: Int) -> Bool {
        for position in start..<end where bytes.byte(position) == 0x2E { return true }
        return false
    }

    private func number32(_ bytes: RawSpan, _ start: Int, _ end: Int) -> Int32? {
        var number: Int32 = 0
        for position in start..<end {
            let (tens, overflow) = number.multipliedReportingOverflow(by: 10)
            if overflow { return nil }
            let (sum, carry) = tens.addingReportingOverflow(Int32(bytes.byte(position) & 0xF))
            if carry { return nil }
            number = sum
        }
        return number
    }
}
