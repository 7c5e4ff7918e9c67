import Synchronization

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
