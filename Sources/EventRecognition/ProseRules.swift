/// Tells a sentence about a callback from the line that the callback itself wrote; the words are data
/// (`dialects/prose.yaml`).
struct ProseRules: Sendable {
    private let neutral: WordList
    private let atMost: Int
    private let refuseBefore: WordList
    private let refuseLabel: WordList
    private let refuseBeginnings: [[UInt8]]
    private let refuseValueOf: WordList
    private let counts: WordList
    private let refusePiecesBefore: [[UInt8]]
    private let refuseAfter: WordList
    private let refusePiecesAfter: [[UInt8]]
    private let refuseRemark: WordList
    private let refuseNegated: WordList
    private let ending: WordList

    static func builtIn() throws(DialectError) -> ProseRules {
        let file = try DialectFile(
            name: "prose.yaml", text: String(decoding: PackageResources.prose_yaml, as: UTF8.self))
        return try ProseRules(file)
    }

    private init(_ file: DialectFile) throws(DialectError) {
        neutral = WordList(try file.texts("neutral"))
        atMost = try file.number("atMost")
        refuseBefore = WordList(try file.texts("refuseBefore"))
        refuseLabel = WordList(try file.texts("refuseLabel"))
        refuseBeginnings = try file.texts("refuseBeginnings").map { Array($0.utf8) }
        refuseValueOf = WordList(try file.texts("refuseValueOf"))
        counts = WordList(try file.texts("counts"))
        refusePiecesBefore = try file.texts("refusePiecesBefore").map { Array($0.utf8) }
        refusePiecesAfter = try file.texts("refusePiecesAfter").map { Array($0.utf8) }
        refuseAfter = WordList(try file.texts("refuseAfter"))
        refuseRemark = WordList(try file.texts("refuseRemark"))
        refuseNegated = WordList(try file.texts("refuseNegated"))
        ending = WordList(try file.texts("ending"))
    }

    /// Whether what stands before a name makes the line a sentence about it.
    func headIsProse(_ bytes: RawSpan, _ frame: NameFrame, lineStart: Int) -> Bool {
        frame.isForeign || isSpokenOf(bytes, lineStart, frame.nameStart)
            || headIsProse(bytes, lineStart, frame.headEnd)
    }

    /// Whether names before a name say that somebody wants to hear of it, or that it is the value of something else.
    private func isSpokenOf(_ bytes: RawSpan, _ start: Int, _ end: Int) -> Bool {
        var position = start
        var isValue = false
        while position < end {
            guard ByteClass.isLetter(bytes.byte(position)) else {
                let byte = bytes.byte(position)
                if byte == 0x3A || byte == 0x3D {
                    if isValue { return true }
                } else if !ByteClass.isBlank(byte), byte != 0x22, byte != 0x5F {
                    isValue = false
                }
                position += 1
                continue
            }
            let wordStart = position
            while position < end, ByteClass.isLetter(bytes.byte(position)) { position += 1 }
            // The name's own prefix is no word before it.
            if position == end { return false }
            if beginsRefused(bytes, wordStart, position) { return true }
            // `lastEvent` and `last_event` are two words; a class `LastViewController` is one.
            var wordEnd = position
            if ByteClass.isLower(bytes.byte(wordStart)) {
                wordEnd = wordStart
                while wordEnd < position, !ByteClass.isUpper(bytes.byte(wordEnd)) { wordEnd += 1 }
            }
            if refuseValueOf.contains(bytes, wordStart, wordEnd) { isValue = true }
        }
        return false
    }

    /// Whether a name begins with a word that asks to hear of something, and goes on with another word or arguments.
    private func beginsRefused(_ bytes: RawSpan, _ start: Int, _ end: Int) -> Bool {
        guard ByteClass.isLower(bytes.byte(start)) else { return false }
        return refuseBeginnings.contains { word in
            let last = start + word.count
            guard last <= end, bytes.equalsFolded(start, word.span.bytes, 0, count: word.count) else { return false }
            return last == end
                ? bytes.byte(end) == 0x28 || bytes.byte(end) == 0x3A : ByteClass.isUpper(bytes.byte(last))
        }
    }

    private func headIsProse(_ bytes: RawSpan, _ start: Int, _ end: Int) -> Bool {
        var words = 0
        var position = start
        while position < end {
            while position < end, ByteClass.isBlank(bytes.byte(position)) { position += 1 }
            let tokenStart = position
            var isWord = true
            var hasInnerCapital = false
            var hasOtherScript = false
            var letters = 0
            while position < end, !ByteClass.isBlank(bytes.byte(position)) {
                let byte = bytes.byte(position)
                if ByteClass.isLetter(byte) {
                    letters += 1
                    if position > tokenStart, ByteClass.isUpper(byte) { hasInnerCapital = true }
                } else if byte != 0x27 {
                    isWord = false
                    if byte >= 0x80 { hasOtherScript = true }
                }
                position += 1
            }
            guard position > tokenStart else { break }
            let last = bytes.byte(position - 1)
            let isMarked = !ByteClass.isLetter(last) && !ByteClass.isDigit(last)
            // `Note,` and `(before` are words too, in what they forbid.
            var wordStart = tokenStart
            var wordEnd = position
            if !isWord {
                while wordStart < wordEnd, !ByteClass.isLetter(bytes.byte(wordStart)) { wordStart += 1 }
                while wordEnd > wordStart, !ByteClass.isLetter(bytes.byte(wordEnd - 1)) { wordEnd -= 1 }
            }
            if wordEnd > wordStart {
                let words = last == 0x3A ? refuseLabel : refuseBefore
                if last != 0x5D, words.contains(bytes, wordStart, wordEnd) { return true }
            }
            if hasOtherScript, holds(bytes, tokenStart, position, anyOf: refusePiecesBefore) { return true }
            if isMarked {
                words = 0
            } else if isWord, !hasInnerCapital, letters > 0, !neutral.contains(bytes, tokenStart, position) {
                words += 1
            }
        }
        return words > atMost
    }

    /// Whether what stands behind a name makes the line a sentence about it.
    func tailIsProse(_ bytes: RawSpan, _ start: Int, _ end: Int) -> Bool {
        if isCount(bytes, start, end) { return true }
        var position = start
        while position < end, !ByteClass.isBlank(bytes.byte(position)) {
            let byte = bytes.byte(position)
            if byte == 0x5F, isBlock(bytes, position, end) { return true }
            position += 1
        }
        guard position < end else { return false }
        let last = position > start ? bytes.byte(position - 1) : 0x61
        // A quotation mark ends a name that is spoken of, not one that speaks.
        let isMarked = !ByteClass.isName(last) && last != 0x27 && last != 0x22 && last != 0x60 || last >= 0x80
        while position < end, ByteClass.isBlank(bytes.byte(position)) { position += 1 }
        if isStackFrame(bytes, position, end) { return true }
        if !isMarked, position < end, bytes.byte(position) >= 0x80 {
            var last = position
            while last < end, !ByteClass.isBlank(bytes.byte(last)) { last += 1 }
            return holds(bytes, position, last, anyOf: refusePiecesAfter)
        }
        return remarkIsProse(bytes, position, end, isMarked: isMarked)
    }

    /// Whether a number behind the name says how often it was called, or how long that took: `"viewDidLoad" : 12`,
    /// `viewDidLoad = 12;`, `viewDidLoad: 12 times`, `viewDidLoad count: 12`.
    private func isCount(_ bytes: RawSpan, _ start: Int, _ end: Int) -> Bool {
        var position = start
        let isQuoted = position < end && bytes.byte(position) == 0x22
        if isQuoted { position += 1 }
        var isCounted = false
        var others = 0
        var sign: UInt8 = 0
        while position < end {
            let byte = bytes.byte(position)
            if byte == 0x3A || byte == 0x3D {
                guard sign == 0 else { return false }
                sign = byte
            } else if ByteClass.isLetter(byte) {
                let wordStart = position
                while position < end, ByteClass.isLetter(bytes.byte(position)) { position += 1 }
                // `called 12 times`
                isCounted = counts.contains(bytes, wordStart, position)
                if !isCounted { others += 1 }
                guard others < 3 else { return false }
                continue
            } else if !ByteClass.isBlank(byte) {
                break
            }
            position += 1
        }
        guard position < end, ByteClass.isDigit(bytes.byte(position)) else { return false }
        while position < end, ByteClass.isDigit(bytes.byte(position)) || bytes.byte(position) == 0x2E { position += 1 }
        if isCounted, others == 0 { return true }
        if others == 0, isQuoted, sign != 0 { return position == end || !ByteClass.isName(bytes.byte(position)) }
        if others == 0, sign == 0x3D, position < end, bytes.byte(position) == 0x3B { return true }
        while position < end, ByteClass.isBlank(bytes.byte(position)) { position += 1 }
        let wordStart = position
        while position < end, ByteClass.isLetter(bytes.byte(position)) { position += 1 }
        return counts.contains(bytes, wordStart, position)
    }

    private func holds(_ bytes: RawSpan, _ start: Int, _ end: Int, anyOf pieces: [[UInt8]]) -> Bool {
        pieces.contains { piece in
            var position = start
            while position + piece.count <= end {
                if bytes.equals(position, piece.span.bytes, 0, count: piece.count) { return true }
                position += 1
            }
            return false
        }
    }

    /// Whether the word before a name, the first one behind it, or the last one of the line says that the method
    /// returns.
    func saysEnd(_ bytes: RawSpan, lineStart: Int, headEnd: Int, nameEnd: Int, lineEnd: Int) -> Bool {
        if lastWordEnds(bytes, lineStart, headEnd) { return true }
        var tail = nameEnd
        while tail < lineEnd, !ByteClass.isBlank(bytes.byte(tail)) { tail += 1 }
        while tail < lineEnd, !ByteClass.isLetter(bytes.byte(tail)) { tail += 1 }
        var wordEnd = tail
        while wordEnd < lineEnd, ByteClass.isLetter(bytes.byte(wordEnd)) { wordEnd += 1 }
        if wordEnd > tail, ending.contains(bytes, tail, wordEnd) { return true }
        return lastWordEnds(bytes, tail, lineEnd)
    }

    private func lastWordEnds(_ bytes: RawSpan, _ start: Int, _ end: Int) -> Bool {
        var wordEnd = end
        while wordEnd > start, !ByteClass.isLetter(bytes.byte(wordEnd - 1)) { wordEnd -= 1 }
        var word = wordEnd
        while word > start, ByteClass.isLetter(bytes.byte(word - 1)) { word -= 1 }
        return wordEnd > word && ending.contains(bytes, word, wordEnd)
    }

    /// `_block_invoke`: a block that ran later, not the method.
    private func isBlock(_ bytes: RawSpan, _ position: Int, _ end: Int) -> Bool {
        let text: StaticString = "_block_invoke"
        guard position + text.utf8CodeUnitCount <= end else { return false }
        return text.withUTF8Buffer { expected in
            for (offset, byte) in expected.enumerated() where bytes.byte(position + offset) != byte { return false }
            return true
        }
    }

    /// `+ 120` or `(in App)`: a line of a stack trace.
    private func isStackFrame(_ bytes: RawSpan, _ position: Int, _ end: Int) -> Bool {
        guard position + 3 < end else { return false }
        let first = bytes.byte(position)
        if first == 0x2B { return bytes.byte(position + 1) == 0x20 && ByteClass.isDigit(bytes.byte(position + 2)) }
        return first == 0x28 && bytes.byte(position + 1) == 0x69 && bytes.byte(position + 2) == 0x6E
            && bytes.byte(position + 3) == 0x20
    }

    private func remarkIsProse(_ bytes: RawSpan, _ start: Int, _ end: Int, isMarked: Bool) -> Bool {
        var position = start
        var isNegated = false
        for _ in 0..<5 {
            let wordStart = position
            while position < end, ByteClass.isLetter(bytes.byte(position)) || bytes.byte(position) == 0x27 {
                position += 1
            }
            guard position > wordStart else { return false }
            if isMarked {
                if refuseRemark.contains(bytes, wordStart, position) { return true }
                if isNegated, refuseNegated.contains(bytes, wordStart, position) { return true }
                isNegated = isNot(bytes, wordStart, position)
            } else if refuseAfter.contains(bytes, wordStart, position) {
                return true
            }
            guard position < end, ByteClass.isBlank(bytes.byte(position)) else { return false }
            while position < end, ByteClass.isBlank(bytes.byte(position)) { position += 1 }
        }
        return false
    }

    private func isNot(_ bytes: RawSpan, _ start: Int, _ end: Int) -> Bool {
        end - start == 3 && bytes.byte(start) | 0x20 == 0x6E && bytes.byte(start + 1) | 0x20 == 0x6F
            && bytes.byte(start + 2) | 0x20 == 0x74
    }
}
