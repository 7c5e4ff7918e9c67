import TraceRecords

/// A cheap identity of a source's content: its length, and hashes of its first and its last bytes.
package struct SourceFingerprint: Sendable, Hashable, Codable {
    /// How two readings of a path are related.
    package enum Relation: Sendable {
        /// Nothing has changed, as far as beginning, end and length tell.
        case same
        /// It begins with what was there before.
        case grown
        /// It holds something else.
        case replaced
    }

    /// Bytes that each of the two hashes covers, at most.
    package static let window = 4096

    /// Bytes of the (decompressed) content that were covered.
    package var length: Int64
    /// Hash of the first bytes.
    package var head: UInt64
    /// Hash of the last bytes.
    package var tail: UInt64

    package init(length: Int64, head: UInt64, tail: UInt64) {
        self.length = length
        self.head = head
        self.tail = tail
    }

    /// The fingerprint of the whole content as it is now. Reads a plain file at two places, everything else to its end.
    package static func of(
        _ source: SourceDescription, options: ReadingOptions = ReadingOptions()
    ) throws(ReadingError) -> SourceFingerprint {
        try prefix(of: source, length: nil, options: options)
    }

    /// The fingerprint as a text, for the column `fingerprint`.
    package var text: String {
        "\(length)-\(head.hexadecimal)-\(tail.hexadecimal)"
    }

    /// The fingerprint that a text stands for.
    package init?(text: String) {
        let parts = text.split(separator: "-")
        guard parts.count == 3, let length = Int64(parts[0]), let head = UInt64(parts[1], radix: 16),
            let tail = UInt64(parts[2], radix: 16)
        else { return nil }
        self.init(length: length, head: head, tail: tail)
    }

    /// The fingerprint of the first `length` bytes; of all for `nil`. Shorter content gives a shorter length.
    static func prefix(
        of source: SourceDescription, length: Int64?, options: ReadingOptions
    ) throws(ReadingError) -> SourceFingerprint {
        let stream = try StreamOpener.open(source, options: options)
        if source.isSeekable, let file = stream as? FileStream {
            return try SourceFingerprint(file, length: min(length ?? Int64.max, source.size ?? Int64.max))
        }
        return try SourceContent(of: stream, length: length).fingerprint
    }

    /// The fingerprint of the first `length` bytes of an open file.
    init(_ file: FileStream, length: Int64) throws(ReadingError) {
        let window = min(Int64(Self.window), length)
        let head = try file.bytes(in: 0..<window)
        let tail = length > window ? try file.bytes(in: length - window..<length) : head
        let missing = window - Int64(tail.count)
        self.init(length: length - missing, head: Self.hash(head), tail: Self.hash(tail))
    }

    /// FNV-1a of 64 bits.
    ///
    /// - Parameter start: the hash of the bytes before these.
    static func hash(_ bytes: some Sequence<UInt8>, after start: UInt64 = 0xcbf2_9ce4_8422_2325) -> UInt64 {
        bytes.reduce(start) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}
