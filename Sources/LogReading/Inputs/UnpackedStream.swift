/// A stream from which one layer of compression is taken.
protocol UnpackedStream: ByteStream {
    /// Compressed bytes that were read.
    var storedBytes: Int64 { get }
}
