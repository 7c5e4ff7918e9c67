import Synchronization

/// How far compressed input may expand before it is taken for a bomb.
package struct ArchiveLimits: Sendable, Hashable {
    /// Times that the output of one compressed file may be larger than the file.
    package var ratio: Int64
    /// Bytes of output that are always allowed, whatever the ratio.
    package var floor: Int64
    /// The same for all members of an archive together: a ratio that logs never reach on so many bytes.
    package var wholeRatio: Int64
    package var wholeFloor: Int64
    /// Members that an archive may have.
    package var members: Int
    /// How deep compressed files and archives may lie inside each other.
    package var depth: Int

    package init(
        ratio: Int64 = 2000, floor: Int64 = 64 << 20, wholeRatio: Int64 = 500, wholeFloor: Int64 = 1 << 30,
        members: Int = 200_000, depth: Int = 5
    ) {
        self.ratio = ratio
        self.floor = floor
        self.wholeRatio = wholeRatio
        self.wholeFloor = wholeFloor
        self.members = members
        self.depth = depth
    }

    /// To how much all members of an archive may expand together that has so many bytes.
    func whole(of size: Int64) -> Int64 {
        let (product, isTooLarge) = size.multipliedReportingOverflow(by: wholeRatio)
        return isTooLarge ? .max : max(wholeFloor, product)
    }

    /// Says that an archive expands to more than that.
    ///
    /// - Parameters:
    ///   - path: the path as shown to people.
    ///   - what: what of it does.
    func bomb(_ path: String, what: String) -> ReadingError {
        ReadingError(
            code: .tooLarge, path: path,
            message: """
                \(what) to more than \(wholeRatio) times its size: it looks like an archive bomb, and is read no further; \
                what was read before is kept. If it is none, unpack it yourself and name the result
                """)
    }
}

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

/// What all members of one archive may expand to together, however they are packed inside it, and what they did so far.
///
/// A member counts as far as it has been read at most, so that neither reading it again nor the order of the members
/// makes a difference to whether the archive is too large; and what has been read once can always be read again.
package final class ArchiveBudget: Sendable, Hashable {
    private struct Account {
        var reached: [[Int]: Int64] = [:]
        var total: Int64 = 0
    }

    /// Bytes in all.
    private let limit: Int64
    private let account = Mutex(Account())

    /// The budget of an archive of `size` bytes.
    init(size: Int64, limits: ArchiveLimits) { limit = limits.whole(of: size) }

    /// Takes note that a member has been read up to a byte. Whether that is still within the budget.
    func allows(_ place: [Int], upTo byte: Int64) -> Bool {
        account.withLock { account in
            let more = byte - account.reached[place, default: 0]
            guard more > 0 else { return true }
            guard account.total <= limit - more else { return false }
            account.reached[place] = byte
            account.total += more
            return true
        }
    }

    /// What has been read of an archive is no part of what its members are: two descriptions of one are equal.
    package static func == (a: ArchiveBudget, b: ArchiveBudget) -> Bool { true }

    package func hash(into hasher: inout Hasher) {}
}
