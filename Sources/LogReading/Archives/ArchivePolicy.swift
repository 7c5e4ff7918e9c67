import Synchronization

/// How far compressed input may go before it is taken for a bomb.
package struct ArchiveLimits: Sendable, Hashable {
    /// Times that the output of one compressed file may be larger than the file.
    package var ratio: Int64 = 2000
    /// Bytes of output that are always allowed, whatever the ratio.
    package var floor: Int64 = 64 << 20
    /// The same for all members of an archive together: a ratio that logs never reach on so many bytes.
    package var wholeRatio: Int64 = 500
    package var wholeFloor: Int64 = 1 << 30
    /// Members that an archive may have.
    package var members: Int = 200_000
    /// How deep compressed files and archives may be nested.
    package var depth: Int = 5
    /// Bytes of one name, which is what systems allow for a path, and of all names, which are kept for every member.
    package var nameBytes: Int = 4096
    package var allNameBytes: Int = 32 << 20
    /// Bytes of all members that are searched for text after beginnings that are not text: a log that was emptied while it
    /// was written to begins with a gap of NUL bytes.
    package var searchedBytes: Int64 = 64 << 20
}

/// Decides how much of one archive file is read, and words the refusals. Every check of a limit is here.
package final class ArchivePolicy: Sendable, Hashable {
    private struct Account {
        var reached: [[Int]: Int64] = [:]
        var total: Int64 = 0
    }

    let limits: ArchiveLimits
    private let file: String
    /// Bytes that everything in the file may expand to together.
    private let mostBytes: Int64
    /// How far members have been read. A member counts as far as it has been read at most, so that neither reading it
    /// again nor the order of the members makes a difference to whether the archive is too large.
    private let account = Mutex(Account())

    /// - Parameter size: bytes of the file; `nil` where they are not known, and the whole is not limited.
    init(file: String, size: Int64?, limits: ArchiveLimits) {
        self.file = file
        self.limits = limits
        guard let size else {
            mostBytes = .max
            return
        }
        let (product, isTooLarge) = size.multipliedReportingOverflow(by: limits.wholeRatio)
        mostBytes = isTooLarge ? .max : max(limits.wholeFloor, product)
    }

    /// What has been read of an archive is not part of what its members are: two descriptions of one are equal.
    package static func == (a: ArchivePolicy, b: ArchivePolicy) -> Bool { true }

    package func hash(into hasher: inout Hasher) {}

    // MARK: Bytes

    /// Whether nothing of the archive is decompressed any more after so many bytes.
    func isSpent(after passed: Int64) -> Bool { passed > mostBytes }

    /// Allows one opening of the archive to decompress so many bytes at all depths, read or passed over.
    func allow(passing passed: Int64) throws(ReadingError) {
        if isSpent(after: passed) { throw bomb(file, "its content expands") }
    }

    /// Allows a member to be read up to a byte.
    func allow(reading place: [Int], upTo byte: Int64, path: String) throws(ReadingError) {
        let isAllowed = account.withLock { account in
            let more = byte - account.reached[place, default: 0]
            guard more > 0 else { return true }
            guard account.total <= mostBytes - more else { return false }
            account.reached[place] = byte
            account.total += more
            return true
        }
        if !isAllowed { throw bomb(path, "the members of \(file) expand together") }
    }

    /// Allows a compressed file to expand so far.
    func allow(expanding stored: Int64, to given: Int64, path: String) throws(ReadingError) {
        guard given > limits.floor, given / limits.ratio > max(stored, 1) else { return }
        throw ReadingError(
            code: .tooLarge, path: path,
            message: """
                expands to more than \(limits.ratio) times its size: it looks like an archive bomb. \
                If it isn't, decompress it yourself and name the result
                """)
    }

    private func bomb(_ path: String, _ what: String) -> ReadingError {
        ReadingError(
            code: .tooLarge, path: path,
            message: """
                \(what) to more than \(limits.wholeRatio) times its size: it looks like an archive bomb, and is read no \
                further; what was read before is kept. If it isn't, unpack it yourself and name the result
                """)
    }

    // MARK: Members

    /// Allows compressed files and archives to be nested so deep.
    func allow(depth: Int, path: String) throws(ReadingError) {
        guard depth >= limits.depth else { return }
        throw ReadingError(
            code: .tooLarge, path: path,
            message: "is nested more than \(depth) levels deep; unpack it yourself to read it")
    }

    /// Allows an archive to have so many members with names of so many bytes.
    func allow(members: Int, nameBytes: Int, path: String) throws(ReadingError) {
        if members > limits.members {
            throw ReadingError(
                code: .tooLarge, path: path, message: "has more than \(limits.members) members; unpack it yourself")
        }
        if nameBytes > limits.allNameBytes {
            throw ReadingError(
                code: .tooLarge, path: path,
                message: "the names of its members take more than \(limits.allNameBytes) bytes; unpack it yourself")
        }
    }

    /// Why a member with such a name is left out; `nil`: it isn't.
    func refusal(ofName name: String) -> String? {
        name.utf8.count > limits.nameBytes ? "its name is longer than \(limits.nameBytes) bytes" : nil
    }
}
