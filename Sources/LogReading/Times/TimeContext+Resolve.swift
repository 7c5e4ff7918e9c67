import TraceRecords

extension TimeContext {
    /// The time in nanoseconds since 1970 UTC; `nil` when the line has none, or one that the calendar does not have
    /// in the year that it must be in.
    @inline(__always)
    mutating func resolve(_ raw: RawTime) -> Int64? {
        var seconds = raw.seconds
        switch raw.kind {
        case .full:
            noteDated(seconds, zone: raw.zone)
        case .noDate:
            seconds &+= day(ofSecond: seconds) &* 86_400
        case .noYear:
            let before = clock.month
            var year = year(ofMonth: Int(raw.month))
            if raw.month == 2, raw.day == 29, !CivilDate.isLeap(year), CivilDate.isLeap(year + 1), let before,
                before > 2
            {
                // From August to February is as far as from February to August, but this day tells the year.
                year += 1
                clock.year = year
            }
            guard Int(raw.day) <= CivilDate.length(ofMonth: Int(raw.month), year: year) else {
                // Only a 29 February can come here: the year is wrong, and any other day would be, too.
                yearWithoutDay = year
                return nil
            }
            seconds &+= CivilDate.days(year: year, month: Int(raw.month), day: Int(raw.day)) &* 86_400
        case .dateOnly:
            sawDateOnly = true
            return nil
        case .interval:
            return advance(byNanoseconds: seconds &* 1_000_000_000 &+ Int64(raw.nanoseconds))
        }
        if raw.zone != RawTime.noZone {
            seconds &-= Int64(raw.zone)
        } else {
            assumedZone = true
            seconds &-= offset(atLocal: seconds)
        }
        return TimeLimits.nanoseconds(seconds, Int64(raw.nanoseconds))
    }
}
