/// Lines of a source, unchanged, by their numbers.
package enum SourceLines {
    /// Bytes of a line that are kept.
    private static let longest = 4096
    private static let size = 256 << 10

    /// The lines of a range that the source has.
    ///
    /// - Parameter range: numbers of lines, counted from 1.
    package static func lines(
        _ range: ClosedRange<Int64>, of source: SourceDescription
    ) throws(ReadingError) -> [(number: Int64, text: String)] {
        let options = ReadingOptions()
        let stream = try StreamOpener.open(source, options: options)
        let (head, beginning) = try SourceBeginning.read(from: stream, options: options)
        let text = beginning.text(head, then: stream).stream
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 1)
        defer { room.deallocate() }
        var found: [(number: Int64, text: String)] = []
        var number: Int64 = 1
        var line: [UInt8] = []
        var hasBegun = false
        while number <= range.upperBound {
            let count = try text.read(into: room)
            if count == 0 { break }
            for byte in room[..<count] where number <= range.upperBound {
                guard byte == 0x0A else {
                    hasBegun = true
                    if range.contains(number), line.count < longest { line.append(byte) }
                    continue
                }
                if range.contains(number) { found.append((number, Self.text(line))) }
                number += 1
                hasBegun = false
                line.removeAll(keepingCapacity: true)
            }
        }
        if hasBegun, range.contains(number) { found.append((number, Self.text(line))) }
        return found
    }

    private static func text(_ line: [UInt8]) -> String {
        String(decoding: line.last == 0x0D ? line.dropLast() : line[...], as: UTF8.self)
    }
}
