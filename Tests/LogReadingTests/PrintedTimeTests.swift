import Testing

@testable import LogReading

/// Ways in which people copy, quote and print lines with their times.
@Suite("A time that a line prints is read")
struct PrintedTimeTests {
    private func result(_ text: String) throws -> ReadResult { try read(Array(text.utf8)).result }

    private static let record = "2024-03-09 07:30:00.123 Kettle[41:707] applicationDidBecomeActive"

    @Test(
        "copies with decorations of any kind keep the time of the record",
        arguments: [
            "> ", "> > ", ">> ", "&gt; ", "`", "> `", "- `", "* ", "• ", "-- ", "+ ", "/// ", "// ", "**", "\"",
            "<code>",
            "1. ", "1. `", "12: ", "    ", "...", "…", "| ", "[debug] ",
        ])
    func decorated(prefix: String) throws {
        let entry = try #require(try result(prefix + Self.record).entries.first)
        #expect(entry.time == "2024-03-09T07:30:00.123Z" && entry.process == "Kettle" && entry.pid == 41)
        #expect(entry.message.hasPrefix("applicationDidBecomeActive"))
    }

    @Test(
        "a time before a message, as loggers and people write it",
        arguments: [
            "(2024-03-09 07:30:00) x", "<2024-03-09 07:30:00> x", "2024-03-09, 07:30:00 x", "2024-03-09_07:30:00 x",
            "2024.03.09 07:30:00 x", "09.03.2024 07:30:00 x", "9 Mar 2024 07:30:00 x", "[09/Mar/2024:07:30:00 +0000] x",
            "DEBUG 2024-03-09 07:30:00 x", "[INFO] 2024-03-09 07:30:00 x", "[error][2024-03-09 07:30:00] x",
            "🔵 2024-03-09 07:30:00 x", "Sat Mar 09 2024 08:30:00 GMT+0100 x", "2024-03-09 07:30:00 GMT x",
            "default\tKettle\tx\t2024-03-09 07:30:00+0000", "default\t2024-03-09 07:30:00+0000\tKettle\tx",
            #"{"@t":"2024-03-09T07:30:00Z","@m":"x"}"#, #"{"created_at":"2024-03-09T07:30:00Z","body":"x"}"#,
            "[debug] [IOSSimulatorLog] [IOS_SYSLOG_ROW] 2024-03-09 07:30:00.0+0000  localhost Kettle[41]: x",
        ])
    func printed(line: String) throws {
        let entry = try #require(try result(line).entries.first)
        #expect(entry.time == "2024-03-09T07:30:00Z" && entry.message == "x", "\(entry)")
    }

    @Test(
        "a time without a year or a date",
        arguments: [
            ("07:30:00 x", "1970-01-01T07:30:00Z"), ("Sat Mar  9 07:30:00 x", "1972-03-09T07:30:00Z"),
            ("Sat Mar  9 07:30:00.5 Kettle[41] <Notice>: x", "1972-03-09T07:30:00.5Z"),
            ("[iOSLog] Mar  9 07:30:00 iPhone Kettle(UIKit)[41] <Notice>: x", "1972-03-09T07:30:00Z"),
            ("Mar  9 07:30:00 Mac com.apple.CoreSimulator.SimDevice.7E.launchd_sim[41] (x", "1972-03-09T07:30:00Z"),
        ])
    func partial(line: String, time: String) throws {
        let entry = try #require(try result(line).entries.first)
        #expect(entry.time == time && entry.message == "x", "\(entry)")
    }

    @Test(
        "a clock of twelve hours, the year behind the clock, and a number since 1970",
        arguments: [
            ("2024-03-09 07:30:00 PM x", "2024-03-09T19:30:00Z"),
            ("2024-03-09 7:30:00.5 am x", "2024-03-09T07:30:00.5Z"),
            ("[2024-03-09 12:00:01 AM] x", "2024-03-09T00:00:01Z"), ("12:30:00 PM x", "1970-01-01T12:30:00Z"),
            ("3/9/24, 7:30:00\u{202F}PM x", "2024-03-09T19:30:00Z"),
            ("03/09/2024, 7:30:00 AM x", "2024-03-09T07:30:00Z"),
            ("Mar 9, 2024 at 12:30:00 AM x", "2024-03-09T00:30:00Z"),
            ("Mar 9, 2024, 7:30:00 PM x", "2024-03-09T19:30:00Z"),
            ("2024-03-09 7:30:00 PM +0100 x", "2024-03-09T18:30:00Z"),
            ("Sat Mar  9 07:30:00 2024 x", "2024-03-09T07:30:00Z"),
            ("Sat Mar  9 07:30:00 UTC 2024: x", "2024-03-09T07:30:00Z"),
            ("[Thu Feb 29 07:30:00.25 2024] x", "2024-02-29T07:30:00.25Z"),
            ("1709969400 x", "2024-03-09T07:30:00Z"), ("1709969400.123456 x", "2024-03-09T07:30:00.123456Z"),
            ("[1709969400123] x", "2024-03-09T07:30:00.123Z"), ("1709969400123456 x", "2024-03-09T07:30:00.123456Z"),
        ])
    func otherClocks(line: String, time: String) throws {
        let entry = try #require(try result(line).entries.first)
        #expect(entry.time == time && entry.message == "x", "\(entry)")
    }

    @Test(
        "what may be read in two ways has no time, and what only begins like a time goes on as the message",
        arguments: [
            ("9/3/24, 7:30:00 pm x", nil, "9/3/24, 7:30:00 pm x"), ("170996940 x", nil, "170996940 x"),
            ("2709969400 x", nil, "2709969400 x"), ("Sat Mar  9 07:30:00 1500 x", "1972-03-09T07:30:00Z", "1500 x"),
            ("07:30:00 PMs x", "1970-01-01T07:30:00Z", "PMs x"), ("17:30:00 x", "1970-01-01T17:30:00Z", "x"),
        ] as [(String, String?, String)])
    func doubtful(line: String, time: String?, message: String) throws {
        let entry = try #require(try result(line).entries.first)
        #expect(entry.time == time && entry.message == message, "\(entry)")
    }

    @Test(
        "numbers in a sentence are no time of the line",
        arguments: [
            "expires 2024-03-09 07:30:00 at last", "the kettle boiled at 07:30:00 today", "2024-03-09 is a Saturday",
            "07:30 is too early", "ratio 16:9:00 of the kettle", "09/03/2024 07:30:00 of which country",
        ])
    func sentences(line: String) throws {
        #expect(try result(line).entries.allSatisfy { $0.time == nil })
    }

    @Test(
        "a time behind a text is the time of its line, where most lines have theirs so",
        arguments: [
            ("[Kettle] 2024-03-09 07:30:00 +0000 x", "2024-03-09T07:30:00Z"),
            ("Kettle: 2024-03-09 07:30:00.25 x", "2024-03-09T07:30:00.25Z"),
            ("x - 2024-03-09 07:30:00 +0100", "2024-03-09T06:30:00Z"),
            ("x at 3/9/24, 7:30:00 PM", "2024-03-09T19:30:00Z"),
            ("LOG[07:30:00] x", "1970-01-01T07:30:00Z"), ("☕️ (07:30:00.5) x", "1970-01-01T07:30:00.5Z"),
            ("x at 9/3/24, 7:30:00", nil), ("x 1.07:30:00", nil), ("9. März 2024 um 07:30:00 x", nil),
            ("I0309 07:30:00.5 x", nil), ("2024年3月9日 07:30:00 x", nil), ("March 9, 2024 at 7:30:00 PM x", nil),
            ("x 2024-03-08 00:00:00 at 2024-03-09 07:30:00", nil), ("x2024-03-09 07:30:00", nil),
            ("  x 2024-03-09 07:30:00", nil),
        ] as [(String, String?)])
    func anywhere(line: String, time: String?) throws {
        let found = try result("\(line)\n\(line)\nexpires soon\n").entries
        #expect(found.map(\.time) == [time, time, nil] && found[0].message == line, "\(found)")
    }

    @Test(
        "a time inside a line is its time neither beside lines that begin with theirs nor in a few lines",
        arguments: [
            "2024-03-09 06:00:00 a\nDate: Sat, 09 Mar 2024 06:30:00 GMT\nExpires: 2038-01-19 03:14:07\nexpires 06:14:07",
            "a\nb\nToken expires 2024-03-09 08:30:00\nc\nToken expires 2024-03-09 09:30:00",
            "Test Suite 'Tea' started at 2024-03-09 06:00:00.000\n2024-03-09 06:00:00 a\nTest Suite 'Tea' 2024-03-09 06:00:01.000",
        ])
    func anywhereIsRare(text: String) throws {
        let found = try result(text).entries
        #expect(found.allSatisfy { $0.time == nil || $0.time == "2024-03-09T06:00:00Z" }, "\(found)")
    }

    @Test("of a log that is followed the first line decides, and it keeps its time when others come")
    func followed() throws {
        var options = ReadingOptions()
        options.isFollowing = true
        let line = "[Home] 2024-03-09 07:30:00 +0000: viewDidLoad\n"
        #expect(try read(line, options: options).entries.map(\.time) == ["2024-03-09T07:30:00Z"])
        #expect(try read(line + line, options: options).entries.first?.time == "2024-03-09T07:30:00Z")
        #expect(try read(line).entries.map(\.time) == [nil])
    }

    @Test("what begins with a process in brackets has no subsystem")
    func process() throws {
        let line =
            "2024-03-09 07:30:00.1+0000  localhost runningboardd[33]: (RunningBoard) [app<org.tea.Kettle(X)>:41] x"
        let entry = try #require(try result(line).entries.first)
        #expect(entry.message == "[app<org.tea.Kettle(X)>:41] x" && entry.subsystem == nil)
    }

    @Test("a line of JSON that has keys of MetricKit is not a payload")
    func breadcrumbs() throws {
        let crumb = #"{"timestamp":"2024-03-09T07:30:00Z","name":"Kettle shown","type":"state","metaData":{}}"#
        #expect(try result(crumb).formats == ["bugsnag"])
        let other = #"{"at":1,"bundleIdentifier":"org.tea.Kettle","appVersion":"1","metaData":{"cups":2}}"#
        let entry = try #require(try result(other).entries.first)
        #expect(entry.message == other && entry.subsystem == nil)
    }

    @Test("a report of resources names its process, and is none of a crash")
    func resources() throws {
        let report = """
            Date/Time:        2024-03-09 07:30:00.430 +0000
            End time:         2024-03-09 07:31:00.010 +0000
            OS Version:       iPhone OS 17.4 (Build 21E219)

            Command:          Kettle
            Identifier:       org.tea.Kettle
            PID:              41
            Action taken:     Process killed
            """
        let result = try result(report)
        #expect(result.firstTime == "2024-03-09T07:30:00.43Z" && result.lastTime == "2024-03-09T07:31:00.01Z")
        #expect(result.entries.contains { $0.process == "Kettle" } && result.entries.contains { $0.pid == 41 })
    }
}
