/// What is added to local time to get UTC, for logs that do not say their zone.
package protocol ZoneRule: Sendable {
    /// The zone as the user named it.
    var name: String { get }
    /// Seconds that local time is ahead of UTC, at a local time given in seconds since 1970.
    func offset(atLocal seconds: Int64) -> Int64
    /// The same for local times that pass twice, because clocks were set back: the offsets of both passes, which are
    /// equal for all other times.
    func offsets(atLocal seconds: Int64) -> (first: Int64, second: Int64)
    /// Whether a local time never was, because clocks were set forward over it.
    func skips(local seconds: Int64) -> Bool
}

extension ZoneRule {
    package func offsets(atLocal seconds: Int64) -> (first: Int64, second: Int64) {
        let offset = offset(atLocal: seconds)
        return (offset, offset)
    }

    package func skips(local seconds: Int64) -> Bool { false }
}
