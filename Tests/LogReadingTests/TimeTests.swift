import Testing
import TraceRecords

@testable import LogReading

@Suite("Times")
struct TimeTests {
    /// Time of an NSLog or plain line.
    private func time(_ text: String, options: ReadingOptions = ReadingOptions()) throws -> String? {
        try read("\(text) boiling\n", options: options).entries.first?.time
    }

    @Test(
        "separators, precisions and zones",
        arguments: [
            ("2024-02-29 23:59:59", "2024-02-29T23:59:59Z"),
            ("2024-02-29 23:59:59.5", "2024-02-29T23:59:59.5Z"),
            ("2024-02-29 23:59:59,125", "2024-02-29T23:59:59.125Z"),
            ("2024-02-29 23:59:59:125", "2024-02-29T23:59:59.125Z"),
            ("2024-02-29 23:59:59.1234", "2024-02-29T23:59:59.1234Z"),
            ("2024-02-29 23:59:59.123456789", "2024-02-29T23:59:59.123456789Z"),
            ("2024-02-29 23:59:59.000000001+0530", "2024-02-29T18:29:59.000000001Z"),
            ("2024-02-29 23:59:59.5 -0500", "2024-03-01T04:59:59.5Z"),
            ("2024-02-29T23:59:59.5+09:00", "2024-02-29T14:59:59.5Z"),
            ("2024-02-29T23:59:59Z", "2024-02-29T23:59:59Z"),
            ("2024-02-29 23:59:59.5 (UTC)", "2024-02-29T23:59:59.5Z"),
            ("2000-02-29 00:00:00", "2000-02-29T00:00:00Z"),
            ("1999-12-31 23:59:60", "2000-01-01T00:00:00Z"),
            ("1969-12-31 23:59:59.75", "1969-12-31T23:59:59.75Z"),
        ])
    func forms(text: String, expected: String) throws {
        #expect(try time(text) == expected)
    }

    @Test("every separator with every precision and every way to write a zone", arguments: [".", ",", ":"])
    func combinations(separator: String) throws {
        let zones = [
            ("", "23:59:59"), ("Z", "23:59:59"), (" (UTC)", "23:59:59"), ("+0900", "14:59:59"), (" +0900", "14:59:59"),
            ("+09:00", "14:59:59"), ("-0230", "26:29:59"), (" -0500", "28:59:59"),
        ]
        for digits in ["", "5", "125", "1234", "123456", "123456789", "000000001"] {
            for (zone, clock) in zones {
                let fraction = digits.isEmpty ? "" : separator + digits
                let hour = Int(clock.prefix(2)) ?? 0
                let day = hour < 24 ? "2024-02-29T\(hour)" : "2024-03-01T0\(hour - 24)"
                let expected = day + clock.dropFirst(2) + (digits.isEmpty ? "" : "." + digits) + "Z"
                let text = "2024-02-29 23:59:59\(fraction)\(zone)"
                let entry = try read("\(text) Tea Timer[1:2f] x\n").entries.first
                #expect(entry?.time == expected && entry?.process == "Tea Timer", "\(text)")
            }
        }
    }

    @Test(
        "times that do not exist are rejected",
        arguments: ["2023-02-29 10:00:00", "1900-02-29 10:00:00", "2024-04-31 10:00:00", "2024-01-01 24:00:00"])
    func impossible(text: String) throws {
        let result = try read("\(text).000 Tea[1:2] x\n")
        #expect(result.entries.isEmpty && result.counts.rejected == 1)
    }

    @Test("clocks without a date go on after midnight; neighbours swapped by a little do not")
    func midnight() throws {
        let lines = ["23:59:58.5", "23:59:59.9", "23:59:59.8", "00:00:00.1", "23:59:59.95", "00:00:01.0", "12:00:00.0"]
        let text = lines.map { "default\t\($0)+0000\ttea\tx\n" }.joined()
        let date = ReadingOptions.Day(year: 2024, month: 2, day: 28)
        let result = try read(text, options: ReadingOptions(date: date))
        #expect(
            result.entries.map(\.time) == [
                "2024-02-28T23:59:58.5Z", "2024-02-28T23:59:59.9Z", "2024-02-28T23:59:59.8Z", "2024-02-29T00:00:00.1Z",
                "2024-02-28T23:59:59.95Z", "2024-02-29T00:00:01Z", "2024-02-29T12:00:00Z",
            ])
        #expect(result.assumptions == ["date 2024-02-28"])
    }

    @Test("29 February in a year without one has no time, and it is told; in a leap year it has")
    func leapDay() throws {
        func read(_ year: Int) throws -> ReadResult {
            let days = ["Feb 28 10:00:00", "Feb 29 10:00:00", "Mar  1 10:00:00"]
            let text = days.map { "\($0) Pot tea[1] <Notice>: on\n" }.joined()
            return try LogReadingTests.read(text, options: ReadingOptions(year: year))
        }
        let usual = try read(2023)
        #expect(usual.entries.map(\.time) == ["2023-02-28T10:00:00Z", nil, "2023-03-01T10:00:00Z"])
        #expect(usual.assumptions.contains { $0.contains("29 February") && $0.contains("2023") })
        let leap = try read(2024)
        #expect(leap.entries.map(\.time) == ["2024-02-28T10:00:00Z", "2024-02-29T10:00:00Z", "2024-03-01T10:00:00Z"])
        #expect(!leap.assumptions.contains { $0.contains("29 February") })
    }

    @Test("dates without a year go on after New Year, and count from the year that was said")
    func newYear() throws {
        let text = ["Dec 31 23:59:59", "Jan  1 00:00:00", "Dec 31 23:59:59", "Jan 01 00:00:01", "Feb 28 10:00:00"]
            .map { "\($0) host tea[1] <Notice>: x\n" }.joined()
        let result = try read(text, options: ReadingOptions(year: 2022))
        #expect(
            result.entries.map(\.time) == [
                "2022-12-31T23:59:59Z", "2023-01-01T00:00:00Z", "2022-12-31T23:59:59Z", "2023-01-01T00:00:01Z",
                "2023-02-28T10:00:00Z",
            ])
        #expect(result.assumptions == ["times without a zone read as UTC", "year 2022"])
    }

    @Test("the clock survives a pause in reading", arguments: [1, 2, 3])
    func resumedClock(lines: Int) throws {
        let all = ["23:00:00.0", "23:30:00.0", "00:10:00.0", "23:00:00.0", "00:05:00.0"]
            .map { "default\t\($0)+0000\ttea\tx\n" }
        let bytes = Array(all.joined().utf8)
        let whole = try read(bytes).result
        let first = try read(Array(all.prefix(lines).joined().utf8))
        let rest = try read(bytes, resumeAt: first.position).result
        #expect(first.result.entries.prefix(lines - 1) + rest.entries == whole.entries)
    }

    @Test(
        "zones with daylight saving",
        arguments: [
            // Clocks in Berlin go forward on 2024-03-31 at 02:00, back on 2024-10-27 at 03:00.
            ("2024-03-31 01:59:59", "2024-03-31T00:59:59Z"), ("2024-03-31 03:00:00", "2024-03-31T01:00:00Z"),
            ("2024-07-01 12:00:00", "2024-07-01T10:00:00Z"), ("2024-10-27 01:59:59", "2024-10-26T23:59:59Z"),
            ("2024-10-27 02:30:00", "2024-10-27T00:30:00Z"), ("2024-10-27 03:00:00", "2024-10-27T02:00:00Z"),
            ("2024-12-24 12:00:00", "2024-12-24T11:00:00Z"), ("2051-07-01 12:00:00", "2051-07-01T10:00:00Z"),
            ("1985-01-15 12:00:00", "1985-01-15T11:00:00Z"),
        ])
    func berlin(local: String, expected: String) throws {
        let zone = try NamedZone.zone(named: "Europe/Berlin")
        #expect(try time(local, options: ReadingOptions(timezone: zone)) == expected)
    }

    @Test("a local time that clocks were set forward over is read as if they had not been, and that is said")
    func skippedHour() throws {
        let options = ReadingOptions(timezone: try NamedZone.zone(named: "Europe/Berlin"))
        let skipped = try read("2024-03-31 02:30:00.000 Tea[1:2] x\n", options: options)
        #expect(skipped.entries.map(\.time) == ["2024-03-31T01:30:00Z"])
        #expect(skipped.assumptions.contains { $0.contains("Europe/Berlin sets its clocks forward") })
        for local in ["2024-03-31 01:59:59", "2024-03-31 03:00:00", "2024-10-27 02:30:00", "2024-07-01 12:00:00"] {
            let result = try read("\(local).000 Tea[1:2] x\n", options: options)
            #expect(!result.assumptions.contains { $0.contains("forward") }, "\(local)")
        }
    }

    @Test("29 February is of the year that has one")
    func leapDayOfNextYear() throws {
        let text = "Aug 31 10:00:00 host tea[5] <Notice>: x\nFeb 29 10:00:00 host tea[5] <Notice>: y\n"
        let result = try read(text, options: ReadingOptions(year: 2023))
        #expect(result.entries.map(\.time) == ["2023-08-31T10:00:00Z", "2024-02-29T10:00:00Z"])
    }

    /// An hour that passes twice in Berlin, with a swapped pair in it, and what was not before it.
    private static let repeated = [
        ("2024-10-27 01:59:00", "2024-10-26T23:59:00Z"), ("2024-10-27 02:50:00", "2024-10-27T00:50:00Z"),
        ("2024-10-27 02:49:58", "2024-10-27T00:49:58Z"), ("2024-10-27 02:59:59", "2024-10-27T00:59:59Z"),
        ("2024-10-27 02:00:05", "2024-10-27T01:00:05Z"), ("2024-10-27 02:59:00", "2024-10-27T01:59:00Z"),
        ("2024-10-27 03:00:01", "2024-10-27T02:00:01Z"), ("2024-10-27 02:59:59", "2024-10-27T01:59:59Z"),
        ("2024-10-27 12:00:00", "2024-10-27T11:00:00Z"), ("2025-10-26 02:30:00", "2025-10-26T00:30:00Z"),
        ("2025-10-26 02:10:00", "2025-10-26T01:10:00Z"),
    ]

    @Test(
        "where clocks are set back, a step back in the hour that passes twice begins its second pass, and that is said")
    func repeatedHour() throws {
        let options = ReadingOptions(timezone: try NamedZone.zone(named: "Europe/Berlin"))
        for layout in ["%.000 Tea[1:2] x\n", "%.000 DEBUG x\n", "{\"time\":\"%\",\"msg\":\"x\"}\n"] {
            let lines = Self.repeated.map { layout.replacing("%", with: $0.0) }
            let whole = try read(lines.joined(), options: options)
            #expect(whole.entries.map(\.time) == Self.repeated.map(\.1))
            #expect(
                whole.assumptions.contains { $0.contains("sets its clocks back") && $0.contains("as the second one") })
            // The same where more was appended between two readings.
            for count in 1..<lines.count {
                let first = try read(Array(lines.prefix(count).joined().utf8), options: options)
                let rest = try read(Array(lines.joined().utf8), options: options, resumeAt: first.position).result
                let stable = Int(first.position.counts.lines)
                #expect(rest.entries == Array(whole.entries.dropFirst(stable)) && rest.assumptions == whole.assumptions)
            }
        }
        let once = try read("2024-10-27 02:30:00.000 Tea[1:2] x\n", options: options).assumptions
        #expect(once.contains { $0.hasSuffix("is read as the first one") })
    }

    @Test(
        "zones by offset, and the other half of the world",
        arguments: [
            ("+0530", "2024-01-01 05:30:00", "2024-01-01T00:00:00Z"),
            ("-05:00", "2024-01-01 00:00:00", "2024-01-01T05:00:00Z"),
            ("Australia/Sydney", "2040-01-01 11:00:00", "2040-01-01T00:00:00Z"),
            ("America/New_York", "2024-03-10 03:00:00", "2024-03-10T07:00:00Z"),
        ])
    func zones(name: String, local: String, expected: String) throws {
        let zone = try NamedZone.zone(named: name)
        #expect(try time(local, options: ReadingOptions(timezone: zone)) == expected)
    }

    @Test("unknown zones are refused", arguments: ["Europe/Berln", "../../etc/passwd", "", "+99", "Moon"])
    func unknown(name: String) {
        #expect(throws: ReadingError.self) { try NamedZone.zone(named: name) }
    }

    @Test("every day of the calendar has its number")
    func calendar() {
        var days: Int64 = CivilDate.days(year: 1899, month: 12, day: 31)
        for year in 1900...2104 {
            for month in 1...12 {
                for day in 1...CivilDate.length(ofMonth: month, year: year) {
                    days += 1
                    guard CivilDate.days(year: year, month: month, day: day) == days,
                        CivilDate.date(days: days) == (year, month, day)
                    else {
                        Issue.record("\(year)-\(month)-\(day)")
                        return
                    }
                }
            }
        }
        #expect(CivilDate.days(year: 2000, month: 3, day: 1) == 11_017)
        #expect(CivilDate.days(year: 1970, month: 1, day: 1) == 0)
    }

    @Test("lines without a date follow the dated lines before them; a date that was said goes first")
    func mixed() throws {
        let clock = "23:59:59.500 DEBUG Kettle.boil:40 - late\n00:00:01.250 DEBUG Kettle.boil:40 - next day\n"
        let text =
            clock + "2021-05-04 23:59:58.000000+0200 Tea[512:1f03] dated\n" + clock
            + "06-18 02:03:21.254 INFO no year\n2022-01-01 10:00:00.000000+0100 Tea[512:1f03] dated\n"
            + "10:00:02.000 DEBUG Kettle.boil:40 - later\n"
        let whole = try read(text)
        #expect(
            whole.entries.map(\.time) == [
                "1970-01-01T23:59:59.5Z", "1970-01-02T00:00:01.25Z", "2021-05-04T21:59:58Z", "2021-05-04T23:59:59.5Z",
                "2021-05-05T00:00:01.25Z", "2021-06-18T02:03:21.254Z", "2022-01-01T09:00:00Z", "2022-01-01T10:00:02Z",
            ])
        #expect(whole.assumptions.contains("lines without a full date continue from the dated lines before them"))
        #expect(whole.assumptions.contains("no date in the log: counted from 1970-01-01 (give --date)"))
        let said = ReadingOptions(date: ReadingOptions.Day(year: 2020, month: 2, day: 28))
        #expect(try read(text, options: said).entries[4].time == "2020-02-29T00:00:01.25Z")
    }

    @Test(
        "the zone that was said holds for every time without one, whatever the lines before it name",
        arguments: [("UTC", "07:30"), ("+05:30", "02:00"), ("-00:30", "08:00")])
    func oneZone(name: String, minute: String) throws {
        let text = """
            2024-03-09 07:30:00.118000+0900 Tea[412:1f03] dated
            Mar  9 07:30:05 iPhone Tea[412] <Notice>: no year
            2024-03-09 07:30:06.118 Tea[412:1f03] no zone
            07:30:07.410 DEBUG Kettle.boil:40 - no date
            {"timestamp":"2024-03-09T07:30:08","message":"no zone"}

            """
        let options = ReadingOptions(timezone: try NamedZone.zone(named: name))
        let result = try read(text, options: options)
        let seconds = ["05", "06.118", "07.41", "08"]
        #expect(
            result.entries.map(\.time) == ["2024-03-08T22:30:00.118Z"]
                + seconds.map { "2024-03-09T\(minute):\($0)Z" })
        #expect(result.assumptions.contains("times without a zone read as \(options.timezone.name)"))
    }
}
