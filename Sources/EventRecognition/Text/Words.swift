/// A word between blanks, with what matters of it where sentences are told from statements.
struct Token {
    var range: Range<Int>
    /// The token without the marks around it.
    var core: Range<Int>
    /// Whether it consists of letters and apostrophes.
    var isWord: Bool
    /// Whether a capital follows another byte, as in the name of a class.
    var hasInnerCapital: Bool
    /// Whether any of it is not ASCII.
    var hasOtherScript: Bool
    /// Its last byte.
    var last: UInt8

    /// Whether a mark closes it, so that what follows is another statement.
    var isMarked: Bool { !ByteClass.isLetter(last) && !ByteClass.isDigit(last) }
    var isLabel: Bool { last == 0x3A }
    var isBracketed: Bool { last == 0x5D }

    init(_ bytes: RawSpan, _ range: Range<Int>) {
        self.range = range
        isWord = true
        hasInnerCapital = false
        hasOtherScript = false
        last = bytes.byte(range.upperBound - 1)
        for position in range {
            let byte = bytes.byte(position)
            if ByteClass.isLetter(byte) {
                if position > range.lowerBound, ByteClass.isUpper(byte) { hasInnerCapital = true }
            } else if byte != 0x27 {
                isWord = false
                if byte >= 0x80 { hasOtherScript = true }
            }
        }
        core = isWord ? range : range.trimmed { ByteClass.isLetter(bytes.byte($0)) }
    }
}

/// Walks over the tokens of a stretch of text.
struct TokenCursor {
    private var position: Int
    private let end: Int

    init(_ start: Int, _ end: Int) {
        position = start
        self.end = end
    }

    mutating func next(_ bytes: RawSpan) -> Token? {
        let start = Scan.skip(bytes, position, end, ByteClass.isBlank)
        position = Scan.skip(bytes, start, end) { !ByteClass.isBlank($0) }
        return position > start ? Token(bytes, start..<position) : nil
    }
}

/// Walks over the runs of letters of a stretch of text.
struct LetterRunCursor {
    /// Where the marks before the next run begin.
    private(set) var position: Int
    private let end: Int

    init(_ start: Int, _ end: Int) {
        position = start
        self.end = end
    }

    mutating func next(_ bytes: RawSpan) -> Range<Int>? {
        let start = Scan.skip(bytes, position, end) { !ByteClass.isLetter($0) }
        position = Scan.skip(bytes, start, end, ByteClass.isLetter)
        return position > start ? start..<position : nil
    }
}

/// Walks over the places of a line where a statement may begin: after marks and emoji, tags in brackets, labels and columns
/// (`🔵 [App] INFO: …`, `App.swift - …`, `4.1   App   …`).
struct TagCursor {
    /// Words that a column before a statement may have: more of them are a sentence.
    private static let mostWords = 3

    private var position: Int
    private let end: Int
    private var isFirst = true

    init(_ start: Int, _ end: Int) {
        position = start
        self.end = end
    }

    mutating func next(_ bytes: RawSpan) -> Int? {
        if !isFirst {
            guard let next = afterTag(bytes) ?? afterLabel(bytes) ?? afterColumn(bytes) else { return nil }
            position = next
        }
        isFirst = false
        while position < end, isMark(bytes.byte(position)) { position += 1 }
        return position < end ? position : nil
    }

    private func afterTag(_ bytes: RawSpan) -> Int? {
        guard bytes.byte(position) == 0x5B else { return nil }
        let close = Scan.skip(bytes, position, end) { $0 != 0x5D }
        return close < end ? close + 1 : nil
    }

    private func afterLabel(_ bytes: RawSpan) -> Int? {
        let last = Scan.skip(bytes, position, end) { !ByteClass.isBlank($0) }
        return last > position && last < end && bytes.byte(last - 1) == 0x3A ? last : nil
    }

    /// Behind a few words that two blanks, a tab, or a mark between blanks set apart.
    private func afterColumn(_ bytes: RawSpan) -> Int? {
        var last = position
        for number in 0..<Self.mostWords {
            last = Scan.skip(bytes, last, end) { !ByteClass.isBlank($0) }
            guard last + 2 < end else { return nil }
            let next = bytes.byte(last + 1)
            let isApart =
                number < 2 && ByteClass.isBlank(bytes.byte(last + 2)) && [0x2D, 0x3A, 0x3E, 0x7C].contains(next)
            if bytes.byte(last) == 0x09 || ByteClass.isBlank(next) || isApart { return last + 1 }
            last += 1
        }
        return nil
    }

    /// Whether a byte is a blank, a mark other than a bracket, or part of an emoji or a symbol.
    private func isMark(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x5B: false
        case 0x80...0xBF, 0xE2, 0xEF, 0xF0: true
        default: !ByteClass.isName(byte)
        }
    }
}

extension Range<Int> {
    /// The range without the places at both ends that do not belong.
    func trimmed(_ belongs: (Int) -> Bool) -> Range<Int> {
        var (start, end) = (lowerBound, upperBound)
        while start < end, !belongs(start) { start += 1 }
        while end > start, !belongs(end - 1) { end -= 1 }
        return start..<end
    }
}

/// Small steps over the bytes of a line.
enum Scan {
    /// The first place from `position` on whose byte does not belong.
    @inline(__always)
    static func skip(_ bytes: RawSpan, _ position: Int, _ end: Int, _ belongs: (UInt8) -> Bool) -> Int {
        var position = position
        while position < end, belongs(bytes.byte(position)) { position += 1 }
        return position
    }

    /// Whether a text is anywhere in `range`, in exactly these letters.
    static func holds(_ bytes: RawSpan, _ range: Range<Int>, anyOf texts: [[UInt8]]) -> Bool {
        texts.contains { first($0, bytes, range) != nil }
    }

    /// The first place of a text in `range`, in exactly these letters.
    static func first(_ text: [UInt8], _ bytes: RawSpan, _ range: Range<Int>) -> Int? {
        guard range.count >= text.count else { return nil }
        return (range.lowerBound...range.upperBound - text.count).first {
            bytes.equals($0, text.span.bytes, 0, count: text.count)
        }
    }

    /// Whether a text is anywhere in `range`, in any case of letters.
    static func holdsFolded(_ bytes: RawSpan, _ range: Range<Int>, _ text: [UInt8]) -> Bool {
        guard range.count >= text.count else { return false }
        return (range.lowerBound...range.upperBound - text.count).contains {
            bytes.equalsFolded($0, text.span.bytes, 0, count: text.count)
        }
    }

    /// Whether `range` begins with one of the texts, in any case of letters.
    static func begins(_ bytes: RawSpan, _ range: Range<Int>, withAnyOf texts: [[UInt8]]) -> Bool {
        texts.contains { text in
            range.count >= text.count && bytes.equalsFolded(range.lowerBound, text.span.bytes, 0, count: text.count)
        }
    }

    /// Whether `range` ends in a text, in any case of letters.
    static func ends(_ bytes: RawSpan, _ range: Range<Int>, in text: [UInt8]) -> Bool {
        range.count >= text.count
            && bytes.equalsFolded(range.upperBound - text.count, text.span.bytes, 0, count: text.count)
    }
}
