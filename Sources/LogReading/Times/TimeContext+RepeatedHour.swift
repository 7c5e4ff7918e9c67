import TraceRecords

/// The hour that passes twice, when a zone sets its clocks back: local times in it do not say which pass they are of.
/// The order of the lines does.
extension TimeContext {
    /// Steps back up to here are lines that were swapped, or clocks that were corrected; larger ones begin the second
    /// pass. In seconds.
    private static let correction: Int64 = 300
    /// How far from that hour a line may be for the lines after it to be judged by it, in seconds.
    private static let vicinity: Int64 = 86_400

    /// Seconds that the assumed zone is ahead of UTC at a local minute, given in seconds since 1970. Asked for when the
    /// minute changes.
    mutating func offset(atMinute minute: Int64) -> Int64 {
        let (first, second) = zone.offsets(atLocal: minute)
        if zone.skips(local: minute) { sawSkippedTime = true }
        if first != second || clock.repeated != nil { start.tellsPasses = true }
        let last = clock.repeated.flatMap { abs($0 - minute) <= Self.vicinity ? $0 : nil }
        guard first != second else {
            clock.repeated = last == nil ? nil : minute
            return first
        }
        sawRepeatedHour = true
        clock.isSecondPass = last.map { isSecondPass(minute, after: $0, second) } ?? false
        clock.repeated = minute
        guard clock.isSecondPass == true else { return first }
        sawSecondPass = true
        return second
    }

    /// Whether a minute of that hour is of the second pass, after a line of another minute.
    private func isSecondPass(_ minute: Int64, after last: Int64, _ second: Int64) -> Bool {
        let before = zone.offsets(atLocal: last)
        if before.first == before.second { return last > minute && before.first == second }
        return clock.isSecondPass == true || last - minute > Self.correction
    }
}
