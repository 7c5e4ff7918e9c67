/// The bytes of a compressed file, or of one member of an archive.
final class ArchiveStream: ByteStream {
    private let handle: ArchiveHandle
    private let path: String
    private let limits: ArchiveLimits
    private let place: [Int]
    /// What the members of the archive may expand to together; `nil` for one compressed file.
    private let budget: ArchiveBudget?
    private var given: Int64 = 0
    /// Why nothing more can be read; what came before it is given first.
    private var failure: ReadingError?

    /// Opens a member by its place; number 0 is that of a compressed file.
    convenience init(
        archive: String, place: [Int], path: String, limits: ArchiveLimits, budget: ArchiveBudget? = nil
    ) throws(ReadingError) {
        let handle = try ArchiveShelf.open(archive, member: place, path: path, limits: limits)
        self.init(handle, path: path, limits: limits, budget: budget)
    }

    /// Reads the open member of an archive.
    init(_ handle: ArchiveHandle, path: String, limits: ArchiveLimits, budget: ArchiveBudget? = nil) {
        self.handle = handle
        self.path = path
        self.limits = limits
        self.budget = budget
        place = handle.place
    }

    deinit { ArchiveShelf.put(handle) }

    func read(into room: UnsafeMutableRawBufferPointer) throws(ReadingError) -> Int {
        if let failure { throw failure }
        var filled = 0
        // A decompressor gives small pieces; larger ones cost less further on.
        do throws(ReadingError) {
            while filled < room.count {
                let got = try handle.read(into: UnsafeMutableRawBufferPointer(rebasing: room[filled...]))
                if got == 0 { break }
                filled += got
            }
        } catch {
            failure = error
            if filled == 0 { throw error }
        }
        given += Int64(filled)
        if given > limits.floor, given / limits.ratio > max(handle.storedBytes, 1) {
            throw ReadingError(
                code: .tooLarge, path: path,
                message: """
                    expands to more than \(limits.ratio) times its size: it looks like an archive bomb. \
                    If it is none, decompress it yourself and name the result
                    """)
        }
        if let budget, !budget.allows(place, upTo: given) {
            throw limits.bomb(path, what: "the members of \(handle.file) expand together")
        }
        return filled
    }
}
