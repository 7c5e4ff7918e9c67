/// What a line prints of the end of a process.
enum EndText {
    /// The longest text that is kept.
    private static let longest = 240

    /// The text from a place of the line on, without blanks and marks at its end.
    static func printed(_ bytes: RawSpan, _ start: Int, _ end: Int) -> String {
        var last = min(end, start + longest)
        // A character is not cut.
        while last > start, last < end, bytes.byte(last) & 0xC0 == 0x80 { last -= 1 }
        while last > start, ByteClass.isBlank(bytes.byte(last - 1)) || bytes.byte(last - 1) == 0x2C { last -= 1 }
        var text: [UInt8] = []
        for position in start..<last { text.append(bytes.byte(position)) }
        return String(decoding: VisText.plain(text), as: UTF8.self)
    }
}
