import TraceRecords

/// What the times of one source have in common: what the user said about zone, year and date, and the clock that
/// tells a midnight or a new year where the lines do not.
struct TimeContext {
    /// Where a step back of the clock begins to mean "the next day": Console swaps neighbouring lines, by far less.
    private static let swap: Int64 = 3600

    /// The zone of times that do not say theirs.
    let zone: any ZoneRule
    /// Day of the first entry of layouts without a date, in days since 1970.
    private let firstDay: Int64
    /// Year of the first entry of layouts without a year.
    private let firstYear: Int

    /// The clock so far; survives from one ingest to the next.
    var clock: ClockMemory
    /// What of the clock at the beginning the lines so far have used.
    var start = ClockStart()

    /// What had to be assumed, as flags; worded by ``assumptions``.
    var assumedZone = false
    /// The zone that a layout says of its times.
    var zoneOfLayout: String?
    private(set) var assumedYear = false
    private(set) var assumedDate = false
    private(set) var followedDates = false
    var sawDateOnly = false
    private var sawTimeBefore = false
    /// A year in which lines say 29 February, and which has none.
    var yearWithoutDay: Int?
    private(set) var sawDelta = false
    var sawRepeatedHour = false
    var sawSecondPass = false
    var sawSkippedTime = false

    private let options: ReadingOptions

    // Zones change at whole minutes: the offset is asked for once a minute.
    private var zoneMinute = Int64.min
    private var zoneOffset: Int64 = 0

    init(options: ReadingOptions, clock: ClockMemory = ClockMemory()) {
        self.options = options
        zone = options.timezone
        let date = options.date ?? ReadingOptions.placeholderDate
        firstDay = CivilDate.days(year: date.year, month: date.month, day: date.day)
        firstYear = options.year ?? options.date?.year ?? ReadingOptions.placeholderYear
        self.clock = clock
        sawRepeatedHour = clock.isSecondPass != nil
        sawSecondPass = clock.isSecondPass == true
    }

    /// Whether the clock has been needed.
    @inline(__always)
    var usesClock: Bool { assumedYear || assumedDate || followedDates || sawDelta || sawRepeatedHour }

    /// Notes a line with a whole date: lines without one that follow it are of its day.
    @inline(__always)
    mutating func noteDated(_ local: Int64, zone: Int32) {
        start.hasDate = true
        clock.dated = local
        clock.datedZone = zone == RawTime.noZone ? nil : zone
    }

    /// Takes day and year of the dated line before, unless the person said a date.
    private mutating func followDates() -> Bool {
        guard options.date == nil, options.year == nil else { return false }
        if let local = clock.dated {
            if start.hasDate { start.followsOwnDate = true }
            clock.dated = nil
            clock.followsDates = true
            let day = local >= 0 ? local / 86_400 : (local - 86_399) / 86_400
            let date = CivilDate.date(days: day)
            clock.day = day
            clock.second = local - day * 86_400
            clock.year = date.year
            clock.month = date.month
        }
        guard clock.followsDates == true else { return false }
        followedDates = true
        return true
    }

    /// The time of the last line with a whole date, in whole seconds.
    mutating func timeBefore() -> Int64? {
        if !start.hasDate { start.asksForDate = true }
        guard let local = clock.dated else { return nil }
        sawTimeBefore = true
        if let zone = clock.datedZone { return TimeLimits.nanoseconds(local - Int64(zone), 0) }
        assumedZone = true
        return TimeLimits.nanoseconds(local - offset(atLocal: local), 0)
    }

    /// The day of a clock time without a date: the day of the line before, or the next one when the clock went back.
    mutating func day(ofSecond second: Int64) -> Int64 {
        if !followDates() { assumedDate = true }
        if start.second == nil, !start.followsOwnDate { start.second = second }
        var day = clock.day ?? firstDay
        if let last = clock.second {
            if second < last - Self.swap {
                day += 1
            } else if second > last + 86_400 - Self.swap, day > firstDay {
                day -= 1
            }
        }
        clock.day = day
        clock.second = second
        return day
    }

    /// The year of a date without one: the year of the line before, or the next one when December became January.
    mutating func year(ofMonth month: Int) -> Int {
        if !followDates() { assumedYear = true }
        if start.month == nil, !start.followsOwnDate { start.month = month }
        var year = clock.year ?? firstYear
        if let last = clock.month {
            if month < last - 6 {
                year += 1
            } else if month > last + 6, year > firstYear {
                year -= 1
            }
        }
        clock.year = year
        clock.month = month
        return year
    }

    /// The time of a line that only says how long after the line before it came, in nanoseconds since 1970.
    mutating func advance(byNanoseconds delta: Int64) -> Int64? {
        sawDelta = true
        start.addsIntervals = true
        let (sum, overflow) = clock.elapsed.addingReportingOverflow(delta)
        guard !overflow else { return nil }
        clock.elapsed = sum
        let (time, late) = (firstDay * 86_400_000_000_000).addingReportingOverflow(sum)
        return late ? nil : TimeLimits.checked(time)
    }

    /// Seconds that the assumed zone is ahead of UTC at a local time in seconds since 1970.
    @inline(__always)
    mutating func offset(atLocal seconds: Int64) -> Int64 {
        let minute = seconds / 60
        if minute != zoneMinute {
            zoneMinute = minute
            zoneOffset = offset(atMinute: minute &* 60)
        }
        return zoneOffset
    }

    /// What was assumed, in plain words; empty when the log says everything itself.
    var assumptions: [String] {
        var texts: [String] = []
        if assumedZone { texts.append("times without a zone read as \(zone.name)") }
        if let zoneOfLayout { texts.append("times without a zone read as \(zoneOfLayout), as their layout says") }
        let words = ReadingOptions.wordings
        if assumedYear {
            texts.append(
                options.year == nil && options.date == nil
                    ? "\(words.placeholderYear)\(firstYear) (say --year)" : "\(words.year)\(firstYear)")
        }
        if assumedDate || sawDelta {
            let text = TimeText.date(CivilDate.date(days: firstDay))
            texts.append(
                options.date == nil ? "\(words.placeholderDate)\(text) (say --date)" : "\(words.date)\(text)")
        }
        if sawRepeatedHour {
            texts.append(
                "\(zone.name) sets its clocks back: the hour that passes twice is read as its first pass"
                    + (sawSecondPass ? ", and from where the times step back as its second" : ""))
        }
        if sawSkippedTime {
            texts.append(
                "\(zone.name) sets its clocks forward: local times that it leaves out are read as if it had not yet")
        }
        if followedDates { texts.append("lines without a whole date follow the dated lines before them") }
        if sawTimeBefore { texts.append("records without a time follow the dated one before them") }
        if sawDelta { texts.append("only intervals in the log: they are added up from midnight") }
        if let yearWithoutDay {
            texts.append("lines of 29 February are read without a time: \(yearWithoutDay) has none (say --year)")
        }
        if sawDateOnly { texts.append("lines with a date but no clock are read without a time") }
        return texts
    }
}
