/// What the first bytes of a source are, or all of them, read from the first to the last.
struct SourceContent {
    let fingerprint: SourceFingerprint
    /// The first bytes, as many as the fingerprint's hash of them covers.
    let head: [UInt8]
    /// A hash of all bytes, which is the same for the same bytes as long as the program runs.
    let hash: Int

    /// - Parameter length: how many bytes; all for `nil`.
    init(of stream: any ByteStream, length: Int64?) throws(ReadingError) {
        let window = SourceFingerprint.window
        let wanted = length ?? Int64.max
        let head = try Self.bytes(of: stream, atMost: min(Int64(window), wanted))
        var tail = head
        var total = Int64(head.count)
        var hasher = Hasher()
        // In pieces of one size, however the stream gives them.
        head.withUnsafeBytes { hasher.combine(bytes: $0) }
        while total < wanted {
            let more = try Self.bytes(of: stream, atMost: min(Int64(window), wanted - total))
            guard !more.isEmpty else { break }
            more.withUnsafeBytes { hasher.combine(bytes: $0) }
            total += Int64(more.count)
            tail += more
            if tail.count > window { tail.removeFirst(tail.count - window) }
        }
        fingerprint = SourceFingerprint(
            length: total, head: SourceFingerprint.hash(head), tail: SourceFingerprint.hash(tail))
        self.head = head
        hash = hasher.finalize()
    }

    private static func bytes(of stream: any ByteStream, atMost count: Int64) throws(ReadingError) -> [UInt8] {
        var failure: ReadingError?
        let bytes = [UInt8](unsafeUninitializedCapacity: Int(count)) { room, filled in
            do throws(ReadingError) {
                while filled < room.count {
                    let rest = UnsafeMutableBufferPointer(rebasing: room[filled...])
                    let got = try stream.read(into: UnsafeMutableRawBufferPointer(rest))
                    if got == 0 { break }
                    filled += got
                }
            } catch {
                failure = error
            }
        }
        // Where damage begins, the content ends: what came before it is worth reading.
        if let failure, failure.code != .damaged { throw failure }
        return bytes
    }
}
