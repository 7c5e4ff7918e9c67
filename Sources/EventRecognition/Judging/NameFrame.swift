/// What stands directly around a callback's name: the token it is in, and the class that the line gives as its owner
/// (`-[Class name`, `Class.name`).
struct NameFrame {
    /// Where the name begins, and where the words before it end.
    let nameStart: Int
    var headEnd: Int
    /// The owner, without its module and category; empty when the line gives none.
    var ownerStart: Int
    var ownerEnd: Int
    /// Whether the owner stands in a method's brackets.
    var isBracketed = false
    /// Whether the name is none of the app's classes: it is one of a protocol, of `super`, or the end of a web address.
    var isForeign = false

    init(_ bytes: RawSpan, lineStart: Int, nameStart: Int) {
        self.nameStart = nameStart
        ownerStart = nameStart
        ownerEnd = nameStart
        var token = nameStart
        while token > lineStart, !ByteClass.isBlank(bytes.byte(token - 1)) { token -= 1 }
        headEnd = token
        isForeign = Self.isAddress(bytes, token, nameStart)
        if isForeign { return }
        if nameStart > lineStart, bytes.byte(nameStart - 1) == 0x2E {
            ownerEnd = nameStart - 1
            ownerStart = ownerEnd
            while ownerStart > token, ByteClass.isName(bytes.byte(ownerStart - 1)) { ownerStart -= 1 }
            isForeign = isSuper(bytes)
            return
        }
        if nameStart - 2 >= token, bytes.byte(nameStart - 1) == 0x3A, bytes.byte(nameStart - 2) == 0x3A {
            ownerEnd = nameStart - 2
            ownerStart = ownerEnd
            while ownerStart > token, ByteClass.isName(bytes.byte(ownerStart - 1)) { ownerStart -= 1 }
            return
        }
        guard token > lineStart + 1, bytes.byte(token - 1) == 0x20 else { return }
        var position = token - 2
        var start = -1
        var end = token - 1
        while position >= lineStart {
            let byte = bytes.byte(position)
            if byte == 0x5B { break }
            if byte == 0x2E {
                // What stands before the last dot is the module.
                if start < 0 { start = position + 1 }
            } else if byte == 0x28 || byte == 0x3C {
                // A category, or the parameters of a generic class.
                end = position
                start = -1
            } else if ByteClass.isBlank(byte) || byte == 0x5D {
                return
            }
            position -= 1
        }
        guard position >= lineStart else { return }
        isBracketed = true
        ownerStart = max(start, position + 1)
        ownerEnd = max(end, ownerStart)
        isForeign = end == position + 1 || isSuper(bytes)
        headEnd = position
        while headEnd > lineStart, !ByteClass.isBlank(bytes.byte(headEnd - 1)) { headEnd -= 1 }
    }

    /// Whether a web address stands before the name, up to a stroke or `#`.
    private static func isAddress(_ bytes: RawSpan, _ start: Int, _ end: Int) -> Bool {
        guard end - start > 3, bytes.byte(end - 1) == 0x2F || bytes.byte(end - 1) == 0x23 else { return false }
        for position in start..<end - 3
        where bytes.byte(position) == 0x3A && bytes.byte(position + 1) == 0x2F && bytes.byte(position + 2) == 0x2F {
            return true
        }
        return false
    }

    private func isSuper(_ bytes: RawSpan) -> Bool {
        ownerEnd - ownerStart == 5 && bytes.word32(ownerStart) == 0x6570_7573 && bytes.byte(ownerStart + 4) == 0x72
    }
}
