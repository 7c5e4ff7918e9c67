import TraceRecords

/// What the assumptions about a source contain when its times are no dates, but counted from one that was assumed.
package enum AssumedDate {
    package static let words = "counted from"
}

/// What the times of one source have in common: what the user supplied about zone, year and date, and the
/// clock that shows a midnight or a new year where the lines do not.
struct TimeContext {
    /// Where a step back of the clock begins to mean "the next day": Console swaps neighbouring lines, by far less.
    private static let swap: Int64 = 3600

    /// The zone of times that state none.
    let zone: any ZoneRule
    /// Day of the first entry of layouts without a date, in days since 1970.
    private let firstDay: Int64
    /// Year of the first entry of layouts without a year.
    private let firstYear: Int

    /// The clock so far; survives from one ingest to the next.
    var clock: ClockMemory

    /// What had to be assumed, as flags; worded by ``assumptions``.
    var assumedZone = false
    /// The zone that a layout states for its times.
    var zoneOfLayout: String?
    private(set) var assumedYear = false
    private(set) var assumedDate = false
    private(set) var followedDates = false
    var sawDateOnly = false
    private var sawTimeBefore = false
    /// A year without a 29 February in which lines have that date.
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

    /// Notes a line with a whole date: lines without one that follow it are of its day.
    @inline(__always)
    mutating func noteDated(_ local: Int64, zone: Int32) {
        clock.dated = local
        clock.datedZone = zone == RawTime.noZone ? nil : zone
    }

    /// Takes day and year of the dated line before, unless the user gave a date.
    private mutating func followDates() -> Bool {
        guard options.date == nil, options.year == nil else { return false }
        if let local = clock.dated {
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
        guard let local = clock.dated else { return nil }
        sawTimeBefore = true
        if let zone = clock.datedZone { return TimeLimits.nanoseconds(local - Int64(zone), 0) }
        assumedZone = true
        return TimeLimits.nanoseconds(local - offset(atLocal: local), 0)
    }

    /// Takes an entry that carries its number: corrects its time, and notes whether entries before it are lost.
    mutating func take(_ number: Int64, of record: JSONRecord, _ entry: inout Entry) {
        var numbered = clock.numbered ?? NumberedEntries()
        defer { clock.numbered = numbered }
        entry.followsLoss = numbered.take(number, of: record.numberOf ?? "")
        guard let time = entry.time, let monotonic = record.monotonic, let boot = record.boot else { return }
        entry.time = numbered.time(time, monotonic: monotonic, boot: boot)
    }

    /// The day of a clock time without a date: the day of the line before, or the next one when the clock went back.
    mutating func day(ofSecond second: Int64) -> Int64 {
        if !followDates() { assumedDate = true }
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

    /// The time of a line that only has the interval since the line before, in nanoseconds since 1970.
    mutating func advance(byNanoseconds delta: Int64) -> Int64? {
        sawDelta = true
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

    /// What was assumed, for a later reading with other options.
    var assumed: AssumedTimes {
        var assumed = AssumedTimes()
        assumed.zone = assumedZone ? zone.name : nil
        assumed.needsYear = assumedYear
        assumed.year = options.year ?? options.date?.year
        assumed.needsDate = assumedDate || sawDelta
        assumed.date = options.date
        return assumed
    }

    /// What was assumed, in plain words; empty when the log states everything itself.
    var assumptions: [String] {
        var texts = clock.numbered?.remarks ?? []
        let stated = assumedZone && zoneOfLayout == zone.name ? nil : zoneOfLayout
        if let stated {
            let some = assumedZone ? "some " : ""
            let isAlone = assumedZone || [stated, "UTC"].contains(zone.name)
            let other = isAlone ? "" : ", and not as in --timezone \(zone.name)"
            texts.append("\(some)times without a zone read as \(stated), as their layout states\(other)")
        }
        if assumedZone {
            let other = stated == nil ? "" : "other "
            texts.append("\(other)times without a zone read as \(zone.name)")
        }
        if assumedYear {
            texts.append(
                options.year == nil && options.date == nil
                    ? "no year in the log: \(AssumedDate.words) \(firstYear) (give --year)" : "year \(firstYear)")
        }
        if assumedDate || sawDelta {
            let text = CivilTime.date(nanoseconds: firstDay * 86_400_000_000_000)
            texts.append(
                options.date == nil ? "no date in the log: \(AssumedDate.words) \(text) (give --date)" : "date \(text)")
        }
        if sawRepeatedHour {
            texts.append(
                "\(zone.name) sets its clocks back: the hour that occurs twice is read as the first one"
                    + (sawSecondPass ? ", and from where the times step back as the second one" : ""))
        }
        if sawSkippedTime {
            texts.append(
                "\(zone.name) sets its clocks forward: local times that it skips are read as if it had not yet")
        }
        if followedDates { texts.append("lines without a full date continue from the dated lines before them") }
        if sawTimeBefore { texts.append("records without a time take that of the dated one before them") }
        if sawDelta { texts.append("only intervals in the log: they are added up from midnight") }
        if let yearWithoutDay {
            texts.append("lines of 29 February are read without a time: \(yearWithoutDay) has none (give --year)")
        }
        if sawDateOnly { texts.append("lines with a date but no clock are read without a time") }
        return texts
    }
}

extension TimeContext {
    /// The time in nanoseconds since 1970 UTC; `nil` when the line has none, or one that its year does not have.
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
                // From August to February is as far as from February to August, but this day decides the year.
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

/// The hour that passes twice when clocks are set back: only the order of lines shows which pass they belong to.
extension TimeContext {
    /// Larger steps back begin the second pass; smaller ones are swapped lines or corrected clocks. In seconds.
    private static let correction: Int64 = 300
    /// How far from that hour a line may be for the lines after it to be judged by it, in seconds.
    private static let vicinity: Int64 = 86_400

    /// Seconds that the assumed zone is ahead of UTC at a local minute, in seconds since 1970. Called once a minute.
    mutating func offset(atMinute minute: Int64) -> Int64 {
        let (first, second) = zone.offsets(atLocal: minute)
        if zone.skips(local: minute) { sawSkippedTime = true }
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
