import DataFiles

/// Tells sentences about a callback from lines that it wrote itself, by the words of `dialects/prose.yaml`.
struct ProseRules: Sendable {
    /// How far after a name a negation may be, in bytes.
    private static let longestClause = 96
    /// Addresses of code have more bytes than this, `0x` included.
    private static let longestNumber = 10

    /// The lists of words, by their keys in the file.
    private enum Words: Int, CaseIterable {
        case neutral, plainTags, refuseBefore, refusePairsBefore, refuseLabel, refuseValueOf, refuseGluedBefore
        case refusePastBefore, refuseAfter, refuseRemark, refuseNegated, afterState, afterEvent, denials, ending, spans
    }

    /// The lists of texts that count inside of words, too.
    private enum Pieces: Int, CaseIterable {
        case namedBefore, refuseBeginnings, refusePiecesBefore, refusePiecesAfter, refuseGlued, refuseAfterState,
            introductions
    }

    private let words: [WordList]
    private let pieces: [[[UInt8]]]
    private let atMost: Int
    private let refuseTails: [TextPattern]
    private let refuseRemarks: [TextPattern]
    private let refuseLines: [TextPattern]
    private let not = WordList(["not"])
    private let inside = WordList(["in"])

    init(_ file: Field) throws(DataFileError) {
        words = try Words.allCases.map { key throws(DataFileError) in WordList(try file.texts("\(key)")) }
        pieces = try Pieces.allCases.map { key throws(DataFileError) in try file.bytes("\(key)") }
        atMost = try Int(file.texts("atMost").first ?? "") ?? 0
        let alternatives = try file.alternatives()
        refuseTails = try file.patterns("refuseTails", alternatives, bounds: .words)
        refuseRemarks = try file.patterns("refuseRemarks", alternatives)
        refuseLines = try file.patterns("refuseLines", alternatives, bounds: .statement)
    }

    private func has(_ list: Words, _ bytes: RawSpan, _ word: Range<Int>) -> Bool {
        words[list.rawValue].contains(bytes, word)
    }

    private subscript(_ list: Pieces) -> [[UInt8]] { pieces[list.rawValue] }

    // MARK: - Before a name

    /// Whether what is before a name makes the line a sentence about it.
    ///
    /// - Parameter isClass: whether a word is a class of which an address behind it is an instance.
    func headIsProse(
        _ bytes: RawSpan, _ frame: NameFrame, lineStart: Int, isClass: (Range<Int>) -> Bool = { _ in false }
    ) -> Bool {
        frame.isForeign || isSpokenOf(bytes, lineStart, frame.nameStart)
            || headIsProse(bytes, lineStart, frame.headEnd, isClass)
            || Scan.holds(bytes, frame.headEnd..<frame.nameStart, anyOf: self[.refusePiecesBefore])
    }

    /// Whether a whole line is one of a program that has callbacks' names for something else.
    func isForeign(_ bytes: RawSpan, _ start: Int, _ end: Int) -> Bool {
        refuseLines.contains { $0.match(bytes, start, end) != nil }
    }

    /// Whether a word right before a callback's name, or before its class, makes it one that was.
    func isPast(_ bytes: RawSpan, _ frame: NameFrame, _ line: Range<Int>) -> Bool {
        prefixIsPast(bytes, frame.headEnd, line) || !frame.isBracketed && prefixIsPast(bytes, frame.nameStart, line)
    }

    /// Where the token begins that follows a callback's name and a word that leads from it to another one.
    func endOfSpan(_ bytes: RawSpan, _ nameEnd: Int, _ end: Int) -> Int? {
        var tokens = TokenCursor(Scan.skip(bytes, nameEnd, end) { !ByteClass.isBlank($0) }, end)
        guard let word = tokens.next(bytes), has(.spans, bytes, word.range) else { return nil }
        return tokens.next(bytes)?.range.lowerBound
    }

    /// Whether the tags before a statement name no component: levels, marks, and words for the app's life.
    func isPlainTag(_ bytes: RawSpan, _ start: Int, _ end: Int) -> Bool {
        var words = LetterRunCursor(start, end)
        while let word = words.next(bytes) {
            if !has(.neutral, bytes, word), !has(.plainTags, bytes, word) { return false }
        }
        return true
    }

    /// Whether a line only announces the next one, which is indented.
    func introduces(_ bytes: RawSpan, _ start: Int, _ end: Int) -> Bool {
        self[.introductions].contains { text in
            end - start >= text.count && bytes.equalsFolded(end - text.count, text.span.bytes, 0, count: text.count)
        }
    }

    /// Whether names before a name say that somebody wants to hear of it, or that it is the value of something else.
    private func isSpokenOf(_ bytes: RawSpan, _ start: Int, _ end: Int) -> Bool {
        var words = LetterRunCursor(start, end)
        var isValue = false
        while true {
            let gap = words.position
            let word = words.next(bytes)
            for position in gap..<(word?.lowerBound ?? end) {
                switch bytes.byte(position) {
                case 0x3A, 0x3D: if isValue { return true }
                case 0x20, 0x09, 0x22, 0x5F: break
                default: isValue = false
                }
            }
            // The name's own prefix is not a word before it.
            guard let word, word.upperBound < end else { return false }
            if beginsRefused(bytes, word) { return true }
            if has(.refuseValueOf, bytes, firstPart(of: word, bytes)) { isValue = true }
        }
    }

    /// `lastEvent` and `last_event` are two words; a class `LastViewController` is one.
    private func firstPart(of word: Range<Int>, _ bytes: RawSpan) -> Range<Int> {
        guard ByteClass.isLower(bytes.byte(word.lowerBound)) else { return word }
        return word.lowerBound..<Scan.skip(bytes, word.lowerBound, word.upperBound) { !ByteClass.isUpper($0) }
    }

    /// Whether a name begins with a word that asks to hear of something, and goes on with another word or arguments.
    private func beginsRefused(_ bytes: RawSpan, _ word: Range<Int>) -> Bool {
        guard ByteClass.isLower(bytes.byte(word.lowerBound)) else { return false }
        return self[.refuseBeginnings].contains { text in
            let last = word.lowerBound + text.count
            guard last <= word.upperBound,
                bytes.equalsFolded(word.lowerBound, text.span.bytes, 0, count: text.count)
            else { return false }
            let next = bytes.byte(last)
            return last == word.upperBound ? next == 0x28 || next == 0x3A : ByteClass.isUpper(next)
        }
    }

    private func headIsProse(
        _ bytes: RawSpan, _ start: Int, _ end: Int, _ isClass: (Range<Int>) -> Bool
    ) -> Bool {
        var tokens = TokenCursor(start, end)
        var words = 0
        var last = start..<start
        var isFrame = false
        while let token = tokens.next(bytes) {
            if has(.refusePairsBefore, bytes, last.lowerBound..<token.core.upperBound) { return true }
            defer { last = token.core }
            // `Note,` and `(before` are words too, in what they forbid.
            if !token.core.isEmpty, !token.isBracketed,
                has(token.isLabel ? .refuseLabel : .refuseBefore, bytes, token.core),
                !Scan.begins(bytes, token.core.lowerBound..<end, withAnyOf: self[.namedBefore])
            {
                return true
            }
            // `0x0000000104b3f440 -[AppDelegate …` and `0x104b3f440 in …` are frames of a stack trace.
            let address = Address.range(bytes, token.range.lowerBound, token.range.upperBound)
            isFrame =
                address == token.range && token.range.count > Self.longestNumber && !isClass(last)
                || isFrame && inside.contains(bytes, token.range)
            if token.hasOtherScript, Scan.holds(bytes, token.range, anyOf: self[.refusePiecesBefore]) { return true }
            if token.isMarked {
                words = 0
            } else if token.isWord, !token.hasInnerCapital, !has(.neutral, bytes, token.range) {
                words += 1
            }
        }
        return words > atMost || isFrame
    }

    // MARK: - After a name

    /// Whether what is after a name makes the line a sentence about it.
    func tailIsProse(_ bytes: RawSpan, _ start: Int, _ end: Int) -> Bool {
        if refuseTails.contains(where: { $0.matchHere(bytes, start, end) != nil }) { return true }
        // Languages without blanks put the verb last, and the negation with it.
        let clause = start..<min(end, start + Self.longestClause)
        if Scan.holds(bytes, clause, anyOf: self[.refusePiecesAfter]) { return true }
        let glued = start..<Scan.skip(bytes, start, end) { !ByteClass.isBlank($0) }
        if Scan.holds(bytes, glued, anyOf: self[.refuseGlued]) { return true }
        let remark = Scan.skip(bytes, glued.upperBound, end, ByteClass.isBlank)
        guard remark < end else { return false }
        if refuseRemarks.contains(where: { $0.matchHere(bytes, remark, end) != nil }) { return true }
        if isMarked(bytes, glued) { return remarkIsProse(bytes, remark, end) }
        return bytes.byte(remark) < 0x80 && sentenceGoesOn(bytes, remark, end)
    }

    /// Whether a mark ends the name. A quotation mark ends a name that is spoken of, not one that speaks.
    private func isMarked(_ bytes: RawSpan, _ glued: Range<Int>) -> Bool {
        guard let last = glued.last.map({ bytes.byte($0) }) else { return false }
        return !ByteClass.isName(last) && last != 0x27 && last != 0x22 && last != 0x60 || last >= 0x80
    }

    /// Whether one of the words after a name that no mark ends makes the line a sentence.
    private func sentenceGoesOn(_ bytes: RawSpan, _ start: Int, _ end: Int) -> Bool {
        remarkWords(bytes, start, end).contains { has(.refuseAfter, bytes, $0) }
    }

    /// Whether one of the words after the mark that ends a name takes the name back.
    private func remarkIsProse(_ bytes: RawSpan, _ start: Int, _ end: Int) -> Bool {
        var isNegated = false
        for word in remarkWords(bytes, start, end) {
            if has(.refuseRemark, bytes, word) || isNegated && has(.refuseNegated, bytes, word) { return true }
            isNegated = not.contains(bytes, word)
        }
        return false
    }

    /// The first words of a remark, up to a mark.
    private func remarkWords(_ bytes: RawSpan, _ start: Int, _ end: Int) -> [Range<Int>] {
        var words: [Range<Int>] = []
        var position = start
        while words.count < 5 {
            let last = Scan.skip(bytes, position, end) { ByteClass.isLetter($0) || $0 == 0x27 }
            guard last > position else { break }
            words.append(position..<last)
            position = Scan.skip(bytes, last, end, ByteClass.isBlank)
            guard position > last else { break }
        }
        return words
    }

    // MARK: - Around a state

    /// Whether a word that is glued before a name, or stands before it, makes it something that was or will be:
    /// `previousAppState`, `previous app state`.
    func prefixIsPast(_ bytes: RawSpan, _ place: Int, _ window: Range<Int>) -> Bool {
        let start = startOfLetters(bytes, place, window)
        if has(.refuseGluedBefore, bytes, firstPart(of: start..<place, bytes)) { return true }
        guard start > window.lowerBound, bytes.byte(start - 1) == 0x20 || bytes.byte(start - 1) == 0x5F else {
            return false
        }
        return has(.refusePastBefore, bytes, startOfLetters(bytes, start - 1, window)..<start - 1)
    }

    private func startOfLetters(_ bytes: RawSpan, _ end: Int, _ window: Range<Int>) -> Int {
        var start = end
        while start > window.lowerBound, ByteClass.isLetter(bytes.byte(start - 1)) { start -= 1 }
        return start
    }

    /// Whether what follows a state makes the line something else than a statement of it: a word that goes on as a
    /// sentence (`AppState active listeners`), a question, another state (`active → background`), or a longer name
    /// (`background-fetch`). What a callback did may follow it after an arrow.
    func goesOn(_ bytes: RawSpan, _ place: Int, _ end: Int, isState: Bool = true) -> Bool {
        let clause = place..<min(end, place + Self.longestClause)
        if Scan.holds(bytes, clause, anyOf: self[.refusePiecesAfter]) { return true }
        // A quotation mark ends a state that is printed, and one that is spoken of.
        let last = Scan.skip(bytes, place, end) { $0 == 0x22 || $0 == 0x27 || $0 == 0x60 }
        if isState, Scan.begins(bytes, last..<end, withAnyOf: self[.refuseAfterState]) { return true }
        let next = Scan.skip(bytes, last, end, ByteClass.isBlank)
        guard next < end else { return false }
        if next > last {
            if isState, Scan.begins(bytes, next..<end, withAnyOf: self[.refuseAfterState]) { return true }
            guard ByteClass.isName(bytes.byte(next)), bytes.byte(next) < 0x80 else { return false }
            let word = next..<Scan.skip(bytes, next, end, ByteClass.isLetter)
            // `active session=1F-22` is no sentence.
            if !word.isEmpty, word.upperBound < end, bytes.byte(word.upperBound) == 0x3D { return false }
            if has(.afterEvent, bytes, word) { return sentenceGoesOn(bytes, next, end) }
            return !has(.afterState, bytes, word) || goesOn(bytes, word.upperBound, end, isState: isState)
        }
        // A mark that the next word is glued to.
        let byte = bytes.byte(next)
        guard next + 1 < end, [0x2D, 0x2E, 0x2F, 0x3A, 0x3D, 0x7C].contains(byte) else { return false }
        return ByteClass.isName(bytes.byte(next + 1)) && bytes.byte(next + 1) < 0x80
    }

    /// Whether a state is what is asked, and the answer is no: `active: false`.
    func isDenied(_ bytes: RawSpan, _ place: Int, _ end: Int) -> Bool {
        let sign = Scan.skip(bytes, place, end) { ByteClass.isBlank($0) || $0 == 0x22 || $0 == 0x27 }
        guard sign < end, bytes.byte(sign) == 0x3A || bytes.byte(sign) == 0x3D else { return false }
        let word = Scan.skip(bytes, sign + 1, end) { ByteClass.isBlank($0) || $0 == 0x3D }
        let last = Scan.skip(bytes, word, end, ByteClass.isName)
        let next = Scan.skip(bytes, last, end, ByteClass.isBlank)
        return has(.denials, bytes, word..<last)
            && (next == end || next == last || !ByteClass.isLetter(bytes.byte(next)))
    }

    // MARK: - Returns

    /// Whether the word or the arrow before a name, the first word after it, or the last one of the line says that the method
    /// returns.
    func isReturn(_ bytes: RawSpan, lineStart: Int, headEnd: Int, nameEnd: Int, lineEnd: Int) -> Bool {
        if lastWordEnds(bytes, lineStart, headEnd) { return true }
        let tail = Scan.skip(bytes, nameEnd, lineEnd) { !ByteClass.isBlank($0) }
        var words = LetterRunCursor(tail, lineEnd)
        if let word = words.next(bytes), has(.ending, bytes, word) { return true }
        return lastWordEnds(bytes, tail, lineEnd)
    }

    private func lastWordEnds(_ bytes: RawSpan, _ start: Int, _ end: Int) -> Bool {
        let text = (start..<end).trimmed { ByteClass.isLetter(bytes.byte($0)) }
        var word = text.upperBound
        while word > start, ByteClass.isLetter(bytes.byte(word - 1)) { word -= 1 }
        let line = (start..<end).trimmed { !ByteClass.isBlank(bytes.byte($0)) }
        var mark = line.upperBound
        while mark > line.lowerBound, !ByteClass.isBlank(bytes.byte(mark - 1)) { mark -= 1 }
        return has(.ending, bytes, word..<text.upperBound) || has(.ending, bytes, mark..<line.upperBound)
    }
}
