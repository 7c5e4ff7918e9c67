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
        var bracket = token - 1
        while bracket > lineStart, isOwnerPart(bytes.byte(bracket - 1)) { bracket -= 1 }
        guard bracket > lineStart, bytes.byte(bracket - 1) == 0x5B else { return }
        isBracketed = true
        ownerStart = bracket
        ownerEnd = token - 1
        isForeign = ownerStart < ownerEnd && bytes.byte(ownerStart) == 0x3C
        narrowOwner(bytes)
        isForeign = isForeign || isSuper(bytes)
        headEnd = bracket - 1
        while headEnd > lineStart, !ByteClass.isBlank(bytes.byte(headEnd - 1)) { headEnd -= 1 }
    }

    @inline(__always)
    private func isOwnerPart(_ byte: UInt8) -> Bool {
        ByteClass.isName(byte) || byte == 0x2E || byte == 0x28 || byte == 0x29 || byte == 0x3C || byte == 0x3E
    }

    /// Leaves the category and the module away.
    private mutating func narrowOwner(_ bytes: RawSpan) {
        var position = ownerStart
        while position < ownerEnd {
            let byte = bytes.byte(position)
            if byte == 0x28 || byte == 0x3C, position > ownerStart {
                ownerEnd = position
                return
            }
            if byte == 0x2E { ownerStart = position + 1 }
            position += 1
        }
    }

    private func isSuper(_ bytes: RawSpan) -> Bool {
        ownerEnd - ownerStart == 5 && bytes.word32(ownerStart) == 0x6570_7573 && bytes.byte(ownerStart + 4) == 0x72
    }
}
