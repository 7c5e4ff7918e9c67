package import TraceRecords

/// What the lines of a source use of the clock that the source before it left: enough to tell, without the lines, whether
/// another clock would give them other times.
package struct ClockStart: Sendable, Hashable, Codable {
    /// Second of the day of the first line without a date, and month of the first line without a year, unless they follow
    /// a dated line of the source.
    var second: Int64?
    var month: Int?
    /// Whether a line has a whole date, and whether lines without one follow it.
    var hasDate = false
    var followsOwnDate = false
    /// Whether a record without a time took that of the dated line before the source, or looked for one.
    var asksForDate = false
    /// Whether intervals are added up.
    var addsIntervals = false
    /// Whether the lines before may tell which pass of a repeated hour a line is of.
    var tellsPasses = false

    package init() {}

    /// Whether the lines have other times after one clock than after another.
    package func tells(_ one: ClockMemory, from other: ClockMemory, options: ReadingOptions) -> Bool {
        if asksForDate, (one.dated, one.datedZone) != (other.dated, other.datedZone) { return true }
        if addsIntervals, one.elapsed != other.elapsed { return true }
        if tellsPasses, (one.repeated, one.isSecondPass) != (other.repeated, other.isSecondPass) { return true }
        switch (second, month) {
        case (nil, nil): return false
        case (let second?, nil):
            let days = [one, other].map { clock in
                var context = TimeContext(options: options, clock: clock)
                return context.day(ofSecond: second)
            }
            return days[0] != days[1]
        // A 29 February asks for the month before as well.
        case (nil, let month?) where month != 2:
            let years = [one, other].map { clock in
                var context = TimeContext(options: options, clock: clock)
                return context.year(ofMonth: month)
            }
            return years[0] != years[1]
        case (_, _?): return Self.dates(of: one) != Self.dates(of: other)
        }
    }

    /// The clock at a place of the source when it begins with another clock that gives its lines the same times.
    package func passedOn(_ clock: ClockMemory, after other: ClockMemory) -> ClockMemory {
        var clock = clock
        let followsDates = followsOwnDate || clock.followsDates == true && (second != nil || month != nil)
        if second == nil, !followsDates { (clock.day, clock.second) = (other.day, other.second) }
        if month == nil, !followsDates { (clock.year, clock.month) = (other.year, other.month) }
        if second == nil, month == nil, !hasDate {
            (clock.dated, clock.datedZone) = (other.dated, other.datedZone)
        }
        if second == nil, month == nil, !followsOwnDate { clock.followsDates = other.followsDates }
        if !tellsPasses { (clock.repeated, clock.isSecondPass) = (other.repeated, other.isSecondPass) }
        if !addsIntervals { clock.elapsed = other.elapsed }
        return clock
    }

    /// What of a clock tells day and year.
    private static func dates(of clock: ClockMemory) -> ClockMemory {
        var dates = clock
        (dates.repeated, dates.isSecondPass, dates.elapsed) = (nil, nil, 0)
        return dates
    }
}
