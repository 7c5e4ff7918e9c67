/// A zone that is always the same number of seconds ahead of UTC.
package struct FixedZone: ZoneRule, Hashable {
    package let name: String
    /// Seconds ahead of UTC.
    package let seconds: Int64

    package init(name: String, seconds: Int64) {
        self.name = name
        self.seconds = seconds
    }

    /// Coordinated universal time: the default, so that digits stay as they are printed.
    package static let utc = FixedZone(name: "UTC", seconds: 0)

    package func offset(atLocal seconds: Int64) -> Int64 { self.seconds }
}
