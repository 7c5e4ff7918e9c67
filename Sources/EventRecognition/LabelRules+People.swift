/// Words that look like classes and name people.
extension LabelRules {
    /// Whether a word that ends at `end` is a part of what stands before the `@` of an e-mail address. What else follows
    /// a class there is no host with a domain: `HomeVC@7f8a12c0`, `HomeVC@MainActor`.
    func isMailbox(_ bytes: RawSpan, _ end: Int, _ limit: Int) -> Bool {
        var at = end
        while at < limit, isMailboxByte(bytes.byte(at)) { at += 1 }
        guard at < limit, bytes.byte(at) == 0x40 else { return false }
        at += 1
        var previous: UInt8 = 0
        while at < limit, isMailboxByte(bytes.byte(at)) {
            if previous == 0x2E, ByteClass.isUpper(bytes.byte(at) & 0xDF) { return true }
            previous = bytes.byte(at)
            at += 1
        }
        return false
    }

    /// Whether a word names the folder of a user, in what begins at `first`. A class of controllers is none.
    func isUserFolder(_ bytes: RawSpan, _ first: Int, _ start: Int, _ end: Int) -> Bool {
        let isFolder = userFolders.contains { folder in
            let root = start - folder.count
            return root >= first && bytes.equals(root, folder.span.bytes, 0, count: folder.count)
                && (root == first || !ByteClass.isName(bytes.byte(root - 1)))
        }
        return isFolder && !isNamedController(bytes, start, end)
    }

    /// Whether a word ends as the names of controllers do, with a word of its own.
    private func isNamedController(_ bytes: RawSpan, _ start: Int, _ end: Int) -> Bool {
        controllers.contains { word in
            let place = end - word.count
            return place > start && ByteClass.isUpper(bytes.byte(place))
                && bytes.equalsFolded(place, word.span.bytes, 0, count: word.count)
        }
    }

    private func isMailboxByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x2E, 0x2D, 0x2B, 0x25: true
        default: ByteClass.isName(byte)
        }
    }
}
