/// How far what lies in one archive may still expand, at every depth, whether it is read or passed over.
///
/// Not for use from several threads at a time, like the archive.
final class ArchiveAllowance {
    private let file: String
    private let limits: ArchiveLimits
    private var left: Int64

    /// - Parameter size: bytes of the archive's file; `nil` where they are not known, and nothing is limited.
    init(file: String, size: Int64?, limits: ArchiveLimits) {
        self.file = file
        self.limits = limits
        left = size.map(limits.whole) ?? .max
    }

    /// Whether nothing of the archive is decompressed any more.
    var isSpent: Bool { left < 0 }

    /// Takes note of bytes that were decompressed.
    ///
    /// - Throws: ``ReadingError`` of code `tooLarge` when they are too many.
    func take(_ bytes: Int) throws(ReadingError) {
        left -= Int64(bytes)
        if isSpent { throw limits.bomb(file, what: "what is in it expands") }
    }
}
