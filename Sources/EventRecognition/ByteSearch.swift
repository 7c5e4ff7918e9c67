/// Finding a text in a text, in any case of letters. For compiling, not for reading lines.
enum ByteSearch {
    /// What stands before and behind the only place where `part` stands; `nil` when it stands nowhere or twice.
    static func pieces(of text: [UInt8], around part: [UInt8]) -> (
        before: ArraySlice<UInt8>, behind: ArraySlice<UInt8>
    )? {
        guard let first = part.first, text.count >= part.count else { return nil }
        var found: Int?
        // Nearly everywhere the first byte already tells that the part does not stand there.
        for start in 0...text.count - part.count
        where (text[start] ^ first) & 0xDF == 0
            && text.span.bytes.equalsFolded(start, part.span.bytes, 0, count: part.count)
        {
            if found != nil { return nil }
            found = start
        }
        return found.map { (text[..<$0], text[($0 + part.count)...]) }
    }
}
