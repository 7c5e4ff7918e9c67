/// What stands directly around a callback's name: the token it is in, and the class that the line gives as its owner
/// (`-[Class name`, `Class.name`).
struct NameFrame {
    /// Where the words before the name end.
    var headEnd: Int
    /// The owner, without its module and category; empty when the line gives none.
    var ownerStart: Int
    var ownerEnd: Int
    /// Whether the owner stands in a method's brackets.
    var isBracketed = false
    /// Whether the owner is no class of the app: a protocol, `super`.
    var isForeign = false

    init(_ bytes: RawSpan, lineStart: Int, nameStart: Int) {
        ownerStart = nameStart
        ownerEnd = nameStart
        var token = nameStart
        while token > lineStart, !ByteClass.isBlank(bytes.byte(token - 1)) { token -= 1 }
        headEnd = token
        if nameStart > lineStart, bytes.byte(nameStart - 1) == 0x2E {
            ownerEnd = nameStart - 1
            ownerStart = ownerEnd
            while ownerStart > token, ByteClass.isName(bytes.byte(ownerStart - 1)) { ownerStart -= 1 }
            isForeign = isSuper(bytes)
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

    private func isSuper(_ bytes: RawSpan) -> Bool {
        ownerEnd - ownerStart == 5 && bytes.word32(ownerStart) == 0x6570_7573 && bytes.byte(ownerStart + 4) == 0x72
    }
}
