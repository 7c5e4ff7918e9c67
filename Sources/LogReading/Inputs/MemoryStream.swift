/// Bytes that are already in memory: samples, and the first part of a stream that was looked at.
final class MemoryStream: ByteStream {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func read(into room: UnsafeMutableRawBufferPointer) throws(ReadingError) -> Int {
        let count = min(room.count, bytes.count - position)
        guard count > 0 else { return 0 }
        bytes.withUnsafeBytes { all in
            room.copyMemory(from: UnsafeRawBufferPointer(rebasing: all[position..<position + count]))
        }
        position += count
        return count
    }

    /// Leaves out bytes; returns how many there were.
    func skipAtMost(_ count: Int64) -> Int64 {
        let skipped = min(Int(clamping: count), bytes.count - position)
        position += skipped
        return Int64(skipped)
    }
}
