/// Words that look like classes and name people.
extension LabelRules {
    /// Whether a word that ends at `end` is a part of what stands before the `@` of an e-mail address. Behind that of an
    /// object its address stands: `HomeVC@7f8a12c0`.
    func isMailbox(_ bytes: RawSpan, _ end: Int, _ limit: Int) -> Bool {
        var at = end
        while at < limit, isMailboxByte(bytes.byte(at)) { at += 1 }
        guard at < limit, bytes.byte(at) == 0x40 else { return false }
        return !isObjectAddress(bytes, at + 1, limit)
    }

    /// Whether a word that begins at `start` names the folder of a user, in what begins at `first`.
    func isUserFolder(_ bytes: RawSpan, _ first: Int, _ start: Int) -> Bool {
        userFolders.contains { folder in
            let root = start - folder.count
            return root >= first && bytes.equals(root, folder.span.bytes, 0, count: folder.count)
                && (root == first || !ByteClass.isName(bytes.byte(root - 1)))
        }
    }

    private func isMailboxByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x2E, 0x2D, 0x2B, 0x25: true
        default: ByteClass.isName(byte)
        }
    }

    /// Whether digits of an address follow, and no more of a host's name.
    private func isObjectAddress(_ bytes: RawSpan, _ start: Int, _ limit: Int) -> Bool {
        if isAddress(bytes, start, limit) { return true }
        var at = start
        var hasDigit = false
        while at < limit, ByteClass.isHex(bytes.byte(at)) {
            hasDigit = hasDigit || ByteClass.isDigit(bytes.byte(at))
            at += 1
        }
        guard hasDigit else { return false }
        return at == limit || !isMailboxByte(bytes.byte(at))
    }
}
