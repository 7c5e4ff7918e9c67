/// How a line names a scene.
extension LabelRules {
    private static let uuidLength = 36

    /// The scene that a line is about: the value of the best key, else a UUID that belongs to no other key, else the
    /// address of a scene object.
    func scene(_ bytes: RawSpan, lineStart: Int, lineEnd: Int) -> Label {
        let (uuidRank, addressRank) = (sceneKeys.count, sceneKeys.count + 1)
        var label = Label()
        var best = addressRank + 1
        var position = lineStart
        while position < lineEnd, best > 0 {
            guard ByteClass.isName(bytes.byte(position)) else {
                position += 1
                continue
            }
            let word = position
            while position < lineEnd, ByteClass.isName(bytes.byte(position)) { position += 1 }
            if best > uuidRank, isUUID(bytes, word, lineEnd) {
                if belongsToScene(bytes, lineStart, word) {
                    best = uuidRank
                    label = Label(nameStart: word, nameEnd: word + Self.uuidLength)
                }
                position = word + Self.uuidLength
            } else if let rank = rank(bytes, word, position), rank < best,
                let value = value(bytes, behind: position, lineEnd, ofIdentifier: isIdentifierKey(rank))
            {
                best = rank
                label = Label(nameStart: value.lowerBound, nameEnd: value.upperBound)
            } else if best > addressRank, sceneClasses.contains(bytes, word, position),
                let address = address(bytes, behind: position, lineEnd)
            {
                best = addressRank
                label.addressStart = address.lowerBound
                label.addressEnd = address.upperBound
            }
        }
        return label
    }

    /// The rank of a word among the keys, the best first; `nil` when it is none.
    private func rank(_ bytes: RawSpan, _ start: Int, _ end: Int) -> Int? {
        sceneKeys.firstIndex { key in
            key.count == end - start && bytes.equalsFolded(start, key.span.bytes, 0, count: key.count)
        }
    }

    /// Whether the value of a key can be nothing but an identifier.
    private func isIdentifierKey(_ rank: Int) -> Bool {
        let key = sceneKeys[rank]
        guard key.count > 2 else { return false }
        return key.suffix(2).elementsEqual("id".utf8) || key.suffix(10).elementsEqual("identifier".utf8)
    }

    /// The address behind a class: `UIWindowScene: 0x12ab`.
    private func address(_ bytes: RawSpan, behind end: Int, _ lineEnd: Int) -> Range<Int>? {
        guard let mark = mark(bytes, behind: end, lineEnd) else { return nil }
        var value = mark + 1
        while value < lineEnd, bytes.byte(value) == 0x20 { value += 1 }
        return isAddress(bytes, value, lineEnd) ? value..<addressEnd(bytes, value, lineEnd) : nil
    }

    /// Where the `=` or `:` behind a word stands.
    private func mark(_ bytes: RawSpan, behind end: Int, _ lineEnd: Int) -> Int? {
        var at = end
        while at < lineEnd, bytes.byte(at) == 0x20 || isQuotation(bytes.byte(at)) { at += 1 }
        return at < lineEnd && (bytes.byte(at) == 0x3D || bytes.byte(at) == 0x3A) ? at : nil
    }

    /// The value of a key: behind `=` or `:` any word, behind a blank or a bracket only what looks like an identifier;
    /// behind a key that names one, capitals will do. `nil` when an object, a selector or nothing follows.
    private func value(
        _ bytes: RawSpan, behind end: Int, _ lineEnd: Int, ofIdentifier: Bool
    ) -> Range<Int>? {
        let mark = mark(bytes, behind: end, lineEnd)
        var start = mark.map { $0 + 1 } ?? end
        if mark == nil {
            // `session #3`, `scene[1F-22]`, `session <1F-22>`, `scene-2`
            if start < lineEnd, bytes.byte(start) == 0x2D { start += 1 }
            while start < lineEnd, start - end < 4, isOpening(bytes.byte(start)) { start += 1 }
            guard start > end else { return nil }
        } else {
            while start < lineEnd, bytes.byte(start) == 0x20 || isQuotation(bytes.byte(start)) { start += 1 }
        }
        var last = start
        while last < lineEnd, !endsValue(bytes.byte(last)) { last += 1 }
        guard last > start else { return nil }
        if mark == nil {
            return isIdentifier(bytes, start, last, takesCapitals: ofIdentifier) ? start..<last : nil
        }
        // `scene:willConnectToSession:options:` is a selector, which names no scene.
        return bytes.byte(last - 1) != 0x3A ? start..<last : nil
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

    /// Whether a word is no ordinary one: it has digits, or capitals around a dash, and is neither a time nor a number
    /// with a fraction.
    private func isIdentifier(_ bytes: RawSpan, _ start: Int, _ end: Int, takesCapitals: Bool) -> Bool {
        var (digits, dashes, lower, points) = (0, 0, 0, 0)
        for position in start..<end {
            let byte = bytes.byte(position)
            if byte == 0x3A || byte == 0x3D { return false }
            if ByteClass.isDigit(byte) {
                digits += 1
            } else if byte == 0x2D {
                dashes += 1
            } else if byte == 0x2E {
                points += 1
            } else if ByteClass.isLower(byte) || byte >= 0x80 {
                lower += 1
            }
        }
        guard ByteClass.isName(bytes.byte(start)), digits + points < end - start || points == 0 else { return false }
        return digits > 0 || lower == 0 && (dashes > 0 || takesCapitals)
    }

    /// Whether 36 bytes are a UUID: digits in groups of 8, 4, 4, 4 and 12.
    private func isUUID(_ bytes: RawSpan, _ start: Int, _ end: Int) -> Bool {
        guard end - start >= Self.uuidLength, bytes.byte(start + 8) == 0x2D else { return false }
        for offset in 0..<Self.uuidLength {
            let isDash = offset == 8 || offset == 13 || offset == 18 || offset == 23
            let byte = bytes.byte(start + offset)
            guard isDash ? byte == 0x2D : ByteClass.isHex(byte) else { return false }
        }
        return end - start == Self.uuidLength || !ByteClass.isName(bytes.byte(start + Self.uuidLength))
    }

    /// Whether a UUID names a scene: it stands alone, or behind the name of a callback or of something of a scene, and
    /// not behind a key of something else (`request=…`).
    private func belongsToScene(_ bytes: RawSpan, _ lineStart: Int, _ uuid: Int) -> Bool {
        var at = uuid
        while at > lineStart, bytes.byte(at - 1) == 0x20 || isQuotation(bytes.byte(at - 1)) { at -= 1 }
        guard at > lineStart, bytes.byte(at - 1) == 0x3D || bytes.byte(at - 1) == 0x3A else { return true }
        var start = at - 1
        while start > lineStart, !ByteClass.isBlank(bytes.byte(start - 1)) { start -= 1 }
        return sceneWords.contains { contains($0, bytes, start, at - 1) }
    }
}
