import DataFiles

/// How lines name a scene (`dialects/labels.yaml`).
struct SceneLabels: Sendable {
    private static let uuidLength = 36

    /// The scene of a line so far, and how good the text is that names it: the smaller, the better.
    private struct Best {
        var rank: Int
        var label = Label()
    }

    private let keys: [[UInt8]]
    /// Where those begin of which only an identifier names a scene.
    private let firstWindowKey: Int
    private let classes: WordList
    private let words: [[UInt8]]
    private let delegates: [[UInt8]]
    private let ownDelegates: [[UInt8]]
    private let tags: WordList
    private let sceneDelegates: [[UInt8]]
    private let sources: [[UInt8]]
    private let categoryMarks: [[UInt8]]
    private let categoryKeys: [[UInt8]]

    init(_ file: Field) throws(DataFileError) {
        let ofScenes = try file.bytes("sceneKeys")
        firstWindowKey = ofScenes.count
        keys = ofScenes + (try file.bytes("windowKeys"))
        classes = WordList(try file.texts("sceneClasses"))
        words = try file.bytes("sceneWords")
        delegates = try file.bytes("delegates")
        ownDelegates = try file.bytes("ownSceneDelegates")
        tags = WordList(try file.texts("sceneTags"))
        sceneDelegates = try file.bytes("sceneDelegates")
        sources = try file.bytes("sources")
        categoryMarks = try file.bytes("categoryMarks")
        categoryKeys = try file.bytes("categoryFields")
    }

    /// The scene that a line is about: the value of the best key, else a UUID or its first eight digits without another key,
    /// else an address, else a delegate that serves a scene of its own.
    ///
    /// - Parameter name: where the line names the callback, which is no scene (`scene: didBecomeActive`).
    func label(_ bytes: RawSpan, lineStart: Int, lineEnd: Int, besides name: Range<Int> = 0..<0) -> Label {
        let (uuidRank, addressRank) = (keys.count, keys.count + 1)
        var best = Best(rank: addressRank + 2)
        var position = lineStart
        while position < lineEnd, best.rank > 0 {
            let start = Scan.skip(bytes, position, lineEnd) { !ByteClass.isName($0) }
            position = Scan.skip(bytes, start, lineEnd, ByteClass.isName)
            let word = start..<position
            if word.isEmpty { break }
            let isWhole = best.rank > uuidRank && isUUID(bytes, start, lineEnd)
            if isWhole || best.rank > uuidRank && isBeginningOfUUID(bytes, word, lineStart, behind: name) {
                if isWhole { position = start + Self.uuidLength }
                if belongsToScene(bytes, lineStart, start) {
                    best = Best(rank: uuidRank, label: Label(name: start..<position))
                }
            } else if let rank = rank(bytes, word), rank < best.rank,
                let value = value(bytes, after: position, lineEnd, rank), !value.overlaps(name)
            {
                best = Best(rank: rank, label: Label(name: value))
            } else if best.rank > addressRank, classes.contains(bytes, word),
                let address = address(bytes, after: position, lineEnd)
            {
                best = Best(rank: addressRank, label: Label(address: address))
            } else if best.rank > addressRank + 1, isOwnDelegate(bytes, word) {
                best = Best(rank: addressRank + 1, label: Label(name: word))
            }
        }
        return best.label
    }

    private func isOwnDelegate(_ bytes: RawSpan, _ word: Range<Int>) -> Bool {
        delegates.contains { Scan.ends(bytes, word, in: $0) }
            && ownDelegates.contains { Scan.holdsFolded(bytes, word, $0) }
    }

    /// Whether a key that says scene has a value besides a name: others may be about anything (`session=42`).
    func isNamed(_ bytes: RawSpan, _ line: Range<Int>, besides name: Range<Int>) -> Bool {
        var position = line.lowerBound
        while position < line.upperBound {
            let start = Scan.skip(bytes, position, line.upperBound) { !ByteClass.isName($0) }
            position = Scan.skip(bytes, start, line.upperBound, ByteClass.isName)
            if start == position { return false }
            guard let rank = rank(bytes, start..<position), keys[rank].starts(with: "scene".utf8),
                let value = value(bytes, after: position, line.upperBound, rank),
                !value.overlaps(name)
            else { continue }
            return true
        }
        return false
    }

    /// Whether a name bears the tag of a scene: before it, with nothing but places, addresses, marks and what apps print of a
    /// session between (`[Scene] `, `SceneDelegate.swift:40 🟢 `), or as a delegate in brackets right behind it.
    func isTagged(_ bytes: RawSpan, _ line: Range<Int>, around name: Range<Int>) -> Bool {
        var end = name.lowerBound
        while end > line.lowerBound {
            while end > line.lowerBound, !ByteClass.isName(bytes.byte(end - 1)) { end -= 1 }
            let word = word(bytes, endingAt: end, line.lowerBound)
            if word.isEmpty { break }
            if tags.contains(bytes, word) || isDelegate(bytes, word) { return true }
            // The place in a source file stands between its name and the message.
            let ending = max(line.lowerBound, word.lowerBound - 1)..<end
            let isBetween =
                word.allSatisfy { ByteClass.isDigit(bytes.byte($0)) || bytes.byte($0) >= 0x80 }
                || isShortIdentifier(bytes, word) || Address.range(bytes, word.lowerBound, end) != nil
                || end < name.lowerBound && bytes.byte(end) == 0x28
                || sources.contains { ending.count == $0.count && Scan.ends(bytes, ending, in: $0) }
            guard isBetween else { break }
            end = word.lowerBound
        }
        return isTagged(bytes, line, behind: name.upperBound)
    }

    /// `didBecomeActive (SceneDelegate)`, `… [SceneDelegate.swift:40]`, `… [org.tea][SceneDelegate]`.
    private func isTagged(_ bytes: RawSpan, _ line: Range<Int>, behind name: Int) -> Bool {
        var at = Scan.skip(bytes, name, line.upperBound, ByteClass.isBlank)
        while at < line.upperBound, bytes.byte(at) == 0x5B || bytes.byte(at) == 0x28 {
            let end = Scan.skip(bytes, at + 1, line.upperBound, ByteClass.isName)
            let next = end < line.upperBound ? bytes.byte(end) : 0
            if next == 0x5D || next == 0x29 || next == 0x2E, isDelegate(bytes, at + 1..<end) { return true }
            at = Scan.skip(bytes, end, line.upperBound) { $0 != 0x5D && $0 != 0x29 } + 1
        }
        return false
    }

    /// Whether what an entry has beside its message says that it is of a scene's delegate: its label, the category behind
    /// its subsystem (`org.tea.kettle:SceneDelegate`) or that of a JSON record. The message names nothing else before.
    func isOfDelegate(_ bytes: RawSpan, _ origin: EntryOrigin, before message: Range<Int>) -> Bool {
        var depth = 0
        for at in message {
            let byte = bytes.byte(at)
            if byte == 0x5B { depth += 1 } else if byte == 0x5D { depth -= 1 }
            if depth <= 0, ByteClass.isLetter(byte) { return false }
        }
        guard !delegates.contains(where: { Scan.holdsFolded(bytes, message, $0) }) else { return false }
        if !origin.record.isEmpty,
            let category = RecordFields.value(bytes, origin.record, of: categoryKeys), isDelegate(bytes, category)
        {
            return true
        }
        let label = origin.subsystem
        guard !label.isEmpty else { return false }
        if isDelegate(bytes, label), label.allSatisfy({ ByteClass.isName(bytes.byte($0)) }) { return true }
        for mark in categoryMarks {
            let start = label.upperBound + mark.count
            guard start < bytes.byteCount, bytes.equals(label.upperBound, mark.span.bytes, 0, count: mark.count) else {
                continue
            }
            return isDelegate(bytes, start..<Scan.skip(bytes, start, bytes.byteCount, ByteClass.isName))
        }
        return false
    }

    private func isDelegate(_ bytes: RawSpan, _ word: Range<Int>) -> Bool {
        sceneDelegates.contains { Scan.ends(bytes, word, in: $0) }
    }

    private func word(_ bytes: RawSpan, endingAt end: Int, _ lineStart: Int) -> Range<Int> {
        var start = end
        while start > lineStart, ByteClass.isName(bytes.byte(start - 1)) { start -= 1 }
        return start..<end
    }

    /// Whether a word may be what apps print of the identifier of a session, its first eight digits.
    private func isShortIdentifier(_ bytes: RawSpan, _ word: Range<Int>) -> Bool {
        word.count == 8 && word.allSatisfy { ByteClass.isHex(bytes.byte($0)) && !ByteClass.isLower(bytes.byte($0)) }
            && word.contains { ByteClass.isDigit(bytes.byte($0)) }
            && word.contains { ByteClass.isUpper(bytes.byte($0)) }
    }

    /// Whether it is that: it stands right behind the tag of a scene, or the name of a callback.
    private func isBeginningOfUUID(
        _ bytes: RawSpan, _ word: Range<Int>, _ lineStart: Int, behind name: Range<Int>
    ) -> Bool {
        guard isShortIdentifier(bytes, word) else { return false }
        var end = word.lowerBound
        while end > lineStart, word.lowerBound - end < 3, !ByteClass.isName(bytes.byte(end - 1)) { end -= 1 }
        let before = self.word(bytes, endingAt: end, lineStart)
        return !before.isEmpty
            && (tags.contains(bytes, before) || isDelegate(bytes, before) || name.upperBound == end)
    }

    /// The rank of a word among the keys, the best first; `nil` when it is not a key.
    private func rank(_ bytes: RawSpan, _ word: Range<Int>) -> Int? {
        keys.firstIndex { $0.count == word.count && Scan.ends(bytes, word, in: $0) }
    }

    /// Whether the value of a key can be nothing but an identifier.
    private func isIdentifierKey(_ rank: Int) -> Bool {
        let key = keys[rank]
        return key.count > 2
            && (key.suffix(2).elementsEqual("id".utf8) || key.suffix(10).elementsEqual("identifier".utf8))
    }

    /// The address after a class: `UIWindowScene: 0x12ab`.
    private func address(_ bytes: RawSpan, after end: Int, _ lineEnd: Int) -> Range<Int>? {
        guard let mark = mark(bytes, after: end, lineEnd) else { return nil }
        return Address.range(bytes, Scan.skip(bytes, mark + 1, lineEnd) { $0 == 0x20 }, lineEnd)
    }

    /// The place of the `=` or `:` after a word.
    private func mark(_ bytes: RawSpan, after end: Int, _ lineEnd: Int) -> Int? {
        let at = Scan.skip(bytes, end, lineEnd) { $0 == 0x20 || isQuotation($0) }
        return at < lineEnd && (bytes.byte(at) == 0x3D || bytes.byte(at) == 0x3A) ? at : nil
    }

    /// The value of a key: after `=` or `:` any word, after a blank or a bracket only what looks like an identifier;
    /// after a key that names one, capitals will do. `nil` when an object, a selector or nothing follows.
    private func value(_ bytes: RawSpan, after end: Int, _ lineEnd: Int, _ rank: Int) -> Range<Int>? {
        let isOfWindow = rank >= firstWindowKey
        if let mark = mark(bytes, after: end, lineEnd) {
            let start = Scan.skip(bytes, mark + 1, lineEnd) { $0 == 0x20 || isQuotation($0) }
            let value = start..<Scan.skip(bytes, start, lineEnd) { !endsValue($0) }
            // `scene:willConnectToSession:options:` is a selector, which names no scene.
            let isNone = value.isEmpty || bytes.byte(value.upperBound - 1) == 0x3A
            return isNone || isOfWindow && !isIdentifier(bytes, value, rank) ? nil : value
        }
        // `session #3`, `scene[1F-22]`, `session <1F-22>`, `scene-2`, `window B: …`
        let dash = end < lineEnd && bytes.byte(end) == 0x2D ? end + 1 : end
        let start = Scan.skip(bytes, dash, min(lineEnd, end + 4), isOpening)
        let last = Scan.skip(bytes, start, lineEnd) { !endsValue($0) }
        let value = start..<(last > start && bytes.byte(last - 1) == 0x3A ? last - 1 : last)
        return start > end && isIdentifier(bytes, value, rank) ? value : nil
    }

    private func isQuotation(_ byte: UInt8) -> Bool { byte == 0x22 || byte == 0x27 }

    private func isOpening(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x23 || byte == 0x28 || byte == 0x5B || byte == 0x3C || isQuotation(byte)
    }

    private func endsValue(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x20, 0x09, 0x0A, 0x22, 0x27, 0x28, 0x29, 0x2C, 0x3B, 0x3C, 0x3E, 0x5B, 0x5D, 0x7D: true
        default: false
        }
    }

    /// Whether a word has digits, or capitals around a dash, and is neither a time nor a decimal number. Behind a key that
    /// names an identifier, any capitals will do, behind a window a single one, as behind a scene before a mark.
    private func isIdentifier(_ bytes: RawSpan, _ word: Range<Int>, _ rank: Int) -> Bool {
        let takesCapitals =
            isIdentifierKey(rank)
            || word.count == 1
                && (rank >= firstWindowKey
                    || keys[rank].elementsEqual("scene".utf8) && isClosed(bytes, word.upperBound))
        guard !word.isEmpty, ByteClass.isName(bytes.byte(word.lowerBound)) else { return false }
        var (digits, dashes, lower, points) = (0, 0, 0, 0)
        for position in word {
            let byte = bytes.byte(position)
            switch byte {
            case 0x3A, 0x3D: return false
            case 0x2D: dashes += 1
            case 0x2E: points += 1
            case _ where ByteClass.isDigit(byte): digits += 1
            case _ where ByteClass.isLower(byte) || byte >= 0x80: lower += 1
            default: break
            }
        }
        let isNumber = points > 0 && digits + points == word.count
        return !isNumber && (digits > 0 || lower == 0 && (dashes > 0 || takesCapitals))
    }

    /// Whether a mark ends a tag at a place: `[Scene A]`, `Scene A: `.
    private func isClosed(_ bytes: RawSpan, _ end: Int) -> Bool {
        guard end < bytes.byteCount else { return false }
        let byte = bytes.byte(end)
        return byte == 0x5D || byte == 0x29 || byte == 0x3A
    }

    /// Whether 36 bytes are a UUID: digits in groups of 8, 4, 4, 4 and 12.
    private func isUUID(_ bytes: RawSpan, _ start: Int, _ end: Int) -> Bool {
        guard end - start >= Self.uuidLength, bytes.byte(start + 8) == 0x2D else { return false }
        let isMade = (0..<Self.uuidLength).allSatisfy { offset in
            let isDash = offset == 8 || offset == 13 || offset == 18 || offset == 23
            let byte = bytes.byte(start + offset)
            return isDash ? byte == 0x2D : ByteClass.isHex(byte)
        }
        return isMade && (end - start == Self.uuidLength || !ByteClass.isName(bytes.byte(start + Self.uuidLength)))
    }

    /// Whether a UUID names a scene: it is on its own, or after the name of a callback or of something of a scene, and
    /// not after a key of something else (`request=…`).
    private func belongsToScene(_ bytes: RawSpan, _ lineStart: Int, _ uuid: Int) -> Bool {
        var at = uuid
        while at > lineStart, bytes.byte(at - 1) == 0x20 || isQuotation(bytes.byte(at - 1)) { at -= 1 }
        guard at > lineStart, bytes.byte(at - 1) == 0x3D || bytes.byte(at - 1) == 0x3A else { return true }
        var start = at - 1
        while start > lineStart, !ByteClass.isBlank(bytes.byte(start - 1)) { start -= 1 }
        return words.contains { Scan.holdsFolded(bytes, start..<at - 1, $0) }
    }
}

/// What a JSON record says in keys of its own, beside its message.
enum RecordFields {
    /// The longest text that is taken.
    private static let longest = 200

    /// The value of the first of some keys that a record has, at any depth: a text or a number.
    static func value(_ bytes: RawSpan, _ record: Range<Int>, of keys: [[UInt8]]) -> Range<Int>? {
        var best: (rank: Int, value: Range<Int>)?
        forEach(bytes, record) { parent, key, value in
            guard !value.isEmpty, value.count <= longest,
                let rank = keys.firstIndex(where: { isKey($0, bytes, parent, key) }), rank < best?.rank ?? .max
            else { return }
            best = (rank, value)
        }
        return best?.value
    }

    /// Calls `body` for each text and number that has a key, with the key of the object around it.
    private static func forEach(
        _ bytes: RawSpan, _ record: Range<Int>, _ body: (_ parent: Range<Int>, _ key: Range<Int>, Range<Int>) -> Void
    ) {
        let end = record.upperBound
        var parents: [Range<Int>] = []
        var key = 0..<0
        var at = record.lowerBound
        while at < end {
            let byte = bytes.byte(at)
            if byte == 0x22 {
                let text = at + 1..<closing(bytes, at + 1, end)
                at = Scan.skip(bytes, min(end, text.upperBound + 1), end) { ByteClass.isBlank($0) || $0 == 0x0A }
                if at < end, bytes.byte(at) == 0x3A {
                    key = text
                    at += 1
                    continue
                }
                if !key.isEmpty { body(parents.last ?? 0..<0, key, text) }
                key = 0..<0
            } else if ByteClass.isDigit(byte), !key.isEmpty {
                let last = Scan.skip(bytes, at, end, ByteClass.isDigit)
                body(parents.last ?? 0..<0, key, at..<last)
                (key, at) = (0..<0, last)
            } else {
                if byte == 0x7B { parents.append(key) }
                if byte == 0x7D { _ = parents.popLast() }
                if byte == 0x7B || byte == 0x2C { key = 0..<0 }
                at += 1
            }
        }
    }

    /// The quotation mark that ends a text.
    private static func closing(_ bytes: RawSpan, _ start: Int, _ end: Int) -> Int {
        var at = start
        while at < end, bytes.byte(at) != 0x22 { at += bytes.byte(at) == 0x5C ? 2 : 1 }
        return min(at, end)
    }

    /// Whether a key of a record is the given one, by itself or with that of the object around it before it.
    private static func isKey(_ text: [UInt8], _ bytes: RawSpan, _ parent: Range<Int>, _ key: Range<Int>) -> Bool {
        func rest(_ text: ArraySlice<UInt8>, after range: Range<Int>) -> ArraySlice<UInt8>? {
            var text = text
            for position in range where bytes.byte(position) != 0x5F {
                guard let first = text.first, first | 0x20 == bytes.byte(position) | 0x20 else { return nil }
                text = text.dropFirst()
            }
            return text
        }
        if rest(text[...], after: key)?.isEmpty == true { return true }
        return rest(text[...], after: parent).flatMap { rest($0, after: key) }?.isEmpty == true
    }
}
