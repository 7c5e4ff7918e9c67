/// The times that are dealt with: 1825 to 2115 in nanoseconds since 1970, so that the difference of any two of them fits
/// 64 bits.
public enum TimeLimits {
    /// The years.
    public static let years = 1825...2115
    /// Seconds since 1970, a day more on either side for zones.
    public static let seconds: ClosedRange<Int64> = -4_575_900_000...4_607_500_000

    /// Seconds and nanoseconds since 1970 as nanoseconds; `nil` for times that no log has.
    @inline(__always)
    public static func nanoseconds(_ seconds: Int64, _ nanoseconds: Int64 = 0) -> Int64? {
        Self.seconds.contains(seconds) ? seconds &* 1_000_000_000 &+ nanoseconds : nil
    }

    /// Nanoseconds since 1970; `nil` for times that no log has.
    @inline(__always)
    public static func checked(_ nanoseconds: Int64) -> Int64? {
        Self.seconds.contains(nanoseconds / 1_000_000_000) ? nanoseconds : nil
    }
}
