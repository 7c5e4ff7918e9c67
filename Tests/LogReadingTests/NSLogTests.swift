import Testing
import TraceRecords

@testable import LogReading

@Suite("NSLog lines, timed, zoned, untimed and bare")
struct NSLogTests {
    @Test("the old form: milliseconds, local time, a process name with a blank")
    func old() throws {
        let result = try read("2021-05-04 09:08:07.250 Tea Timer[512:1f03] kettle on\n")
        #expect(
            result.entries == [
                ReadEntry(
                    line: 1, time: "2021-05-04T09:08:07.25Z", process: "Tea Timer", pid: 512, message: "kettle on")
            ])
        #expect(result.formats == ["nslog"])
        #expect(result.assumptions == ["times without a zone read as UTC"])
        #expect(result.counts.isBalanced)
    }

    @Test("the new form: microseconds, zone glued on")
    func new() throws {
        let result = try read("2021-01-01 00:30:00.000001+0100 25h[7:8] -[Kettle boil:]\n")
        #expect(
            result.entries == [
                ReadEntry(
                    line: 1, time: "2020-12-31T23:30:00.000001Z", process: "25h", pid: 7, message: "-[Kettle boil:]")
            ])
        #expect(result.assumptions.isEmpty)
    }

    @Test("lines that end with a line feed and a carriage return, in this order, are lines as any")
    func returnsBehindLineFeeds() throws {
        let text = "2021-05-04 09:08:07.250 Tea[5:1] one\nbare\n  more\n2021-05-04 09:08:09.250 Tea[5:1] two\n  more\n"
        let plain = try read(text)
        let turned = try read(text.replacing("\n", with: "\n\r"))
        #expect(turned.entries.map(\.time) == ["2021-05-04T09:08:07.25Z", nil, nil, "2021-05-04T09:08:09.25Z"])
        #expect(turned.entries.map(\.line) == plain.entries.map(\.line) && turned.counts.isBalanced)
        #expect(turned.entries.map(\.lines) == plain.entries.map(\.lines))
    }

    @Test("a line without a time that blanks which do not break indent goes on with the one before it")
    func wideBlanks() throws {
        let text = "2021-05-04 09:08:07.250 Tea[5:1] one\n__at Kettle\n2021-05-04 09:08:09.250 Tea[5:1] two\n"
        for prefix in ["", "__"] {
            let copied = text.replacing("2021", with: prefix + "2021").replacing("__at", with: prefix + "__at")
            let entries = try read(copied.replacing("_", with: "\u{A0}")).entries
            #expect(entries.map(\.time) == ["2021-05-04T09:08:07.25Z", "2021-05-04T09:08:09.25Z"])
            #expect(entries.map(\.lines) == [2, 1])
        }
    }

    @Test(
        "what stands before a copied line is left out",
        arguments: [
            "//", "// ", "> ", "    ", "42884 ", "\t", "> 17  ", "info: [IOS_SYSLOG_ROW ] ", "[IOS_SYSLOG_ROW ] ",
            "[iOSLog] [IOS_SYSLOG_ROW] ", "[iOSLog] [IOS_SYSLOG_ROW ] ", "[IOS_SYSLOG_ROW] ", "18:", "18: ", "  18: ",
            "1323   :", "18) ", "18 | ", "| ", "(lldb) ", "\u{FEFF}", "// \u{FEFF}", "`", "> `", "```", "&gt; ",
            "[IOSSimulatorLog] [IOS_SYSLOG_ROW] ", "[ +655 ms] [DEVICE LOG] ", "[        ] [DEVICE LOG] ",
            "[XCUITestDriver@8d2a] [IOS_SYSLOG_ROW] ", "2021-05-04 07:08:08:012 [IOSSimulatorLog] [IOS_SYSLOG_ROW] ",
            "2021-05-04 07:08:08:012 [XCUITestDriver@8d2a (c1f0)] [IOS_SYSLOG_ROW] ",
            "2021-05-04 07:08:08:012 [debug] [XCUITestDriver@8d2a (c1f0)] [IOS_SYSLOG_ROW] ",
            "2021-05-04 07:08:08:012 - info: [IOS_SYSLOG_ROW ] ", "2021-05-04 07:08:08:012 [IOSSimulatorLog] ",
        ])
    func decorated(prefix: String) throws {
        let result = try read("\(prefix)2021-05-04 09:08:07.250 Tea[512:1f03]  kettle on")
        #expect(
            result.entries == [
                ReadEntry(line: 1, time: "2021-05-04T09:08:07.25Z", process: "Tea", pid: 512, message: " kettle on")
            ])
    }

    @Test("a back quote or bar around a line is left out on both sides; one that belongs to the message stays")
    func quoted() throws {
        let line = "2021-05-04 09:08:07.250 Tea[512:1f03] kettle on"
        for (before, after) in [("`", "`"), ("> `", "`"), ("```", "```"), ("| ", " |"), ("- `", "`  ")] {
            let entries = try read(before + line + after + "\n" + before + line + " again" + after).entries
            #expect(entries.map(\.message) == ["kettle on", "kettle on again"], "\(before)")
            #expect(entries.allSatisfy { $0.time == "2021-05-04T09:08:07.25Z" && $0.process == "Tea" })
        }
        #expect(try read(line + " `boil`\n").entries.map(\.message) == ["kettle on `boil`"])
        #expect(try read("> " + line + " a|\n").entries.map(\.message) == ["kettle on a|"])
    }

    @Test("the device's log inside a verbose log of flutter has its own times; other lines have those of flutter")
    func deviceLog() throws {
        let result = try read(
            """
            [ +350 ms] flutter: on
            [ +655 ms] [DEVICE LOG] 2021-05-04 09:08:07.250 Df Tea Timer[512:1f03] [com.example.tea:kettle] kettle on
            [        ] [DEVICE LOG] May  4 09:08:08 Teas-iPad SpringBoard[51] <Notice>: kettle off
            [   +5 ms] [DEVICE LOG] something else
            """)
        #expect(result.entries.map(\.process) == [nil, "Tea Timer", "SpringBoard", nil])
        #expect(
            result.entries.map(\.time) == [
                "1970-01-01T00:00:00.35Z", "2021-05-04T09:08:07.25Z", "2021-05-04T09:08:08Z",
                "1970-01-01T00:00:00.355Z",
            ])
        #expect(result.entries.map(\.subsystem) == ["flutter", "com.example.tea", nil, "flutter"])
    }

    @Test("lines without a time, and a date without a clock, give entries without a time")
    func untimed() throws {
        let result = try read("lifeTea[404:113] kettle on  \n2019-08-19 Tea[15:50] off\n")
        #expect(
            result.entries == [
                ReadEntry(line: 1, process: "lifeTea", pid: 404, message: "kettle on  "),
                ReadEntry(line: 2, process: "Tea", pid: 15, message: "off"),
            ])
        #expect(result.formats == ["nslog", "nslog-untimed"])
    }

    @Test("a log that is indented as a whole has the same entries; what stands further in goes on")
    func indented() throws {
        let times = ["2021-05-04 09:08:07.250", "2021-05-04 09:08:08.250"]
        let lines = ["\(times[0]) Tea[512:1f03] one", "-> poured()", "\(times[1]) Tea[512:1f03] two"]
        for indent in ["", "  ", "\t"] {
            let text = lines.map { indent + $0 + "\n" }.joined() + indent + "  more\n"
            let result = try read(text)
            #expect(result.entries.map(\.lines) == [1, 1, 2])
            #expect(result.entries.last?.message == "two\n\(indent)  more")
        }
    }

    @Test("printed lines between NSLog lines stay entries of their own; blank lines belong to none")
    func mixed() throws {
        let result = try read(
            """
            2021-05-04 09:08:07.250 Tea[512:1f03] one

            -> poured()

            2021-05-04 09:08:08.250 Tea[512:1f03] two (
                "a",
                "b"
            )
            done
            """)
        #expect(
            result.entries.map(\.message) == ["one", "-> poured()", "two (\n    \"a\",\n    \"b\"\n)", "done"])
        #expect(result.entries.map(\.line) == [1, 3, 5, 9])
        #expect(result.entries.map(\.lines) == [1, 1, 4, 1])
        #expect(result.entries.map(\.pid) == [512, nil, 512, nil])
        #expect(result.counts.lines == 9)
        #expect(result.counts.entry == 4)
        #expect(result.counts.continuation == 3)
        #expect(result.counts.other == 2)
        #expect(result.formats == ["nslog", "bare"])
    }

    @Test("a bare line directly before or behind the timed line with the same text is its copy, and no entry")
    func copies() throws {
        let lines = [
            "2021-05-04 09:08:07.250 Tea[512:1f03] one", "one", "two", "2021-05-04 09:08:08.250 Tea[512:1f03] two",
            "2021-05-04 09:08:09.250 Tea[512:1f03] two", "twofold", "", "2021-05-04 09:08:10.250 Tea[512:1f03] three",
            "", "three", "four", "four",
        ]
        let text = Array((lines.joined(separator: "\n") + "\n").utf8)
        // Whole, and cut into pieces inside any line.
        for chunk in [1 << 20, 64, 50, 7] {
            var options = ReadingOptions()
            options.chunkBytes = chunk
            let result = try read(text, options: options).result
            #expect(result.entries.map(\.line) == [1, 4, 5, 6, 8, 10, 11, 12])
            #expect(
                result.entries.map(\.message)
                    == ["one", "two", "two", "twofold", "three", "three", "four", "four"])
            #expect(result.counts.isBalanced && result.counts.entry == 8 && result.counts.other == 4)
        }
    }

    @Test("the subsystem and category before the text of a timed line do not hide that a bare line is its copy")
    func copiesWithCategory() throws {
        let head = "2021-05-04 09:08:07.250 Tea[512:1f03] "
        let lines = [
            head + "[com.tea:app] one", "one", "two", head + "[com.tea:app] two", head + "[com.tea:app] big three",
            "three",
            head + "big [four] five", "five",
        ]
        let result = try read(lines.joined(separator: "\n") + "\n")
        #expect(result.entries.map(\.line) == [1, 4, 5, 6, 7, 8])
        #expect(result.counts.isBalanced && result.counts.other == 2)
    }

    @Test("a time that no calendar has is rejected with line, offset and reason; its neighbours stay")
    func impossible() throws {
        let good = "2021-02-28 09:08:07.250 Tea[512:1f03] one\n"
        let result = try read(good + "2021-02-29 09:08:07.250 Tea[512:1f03] two\n" + good)
        #expect(result.entries.map(\.line) == [1, 3])
        #expect(result.rejects.map(\.line) == [2])
        #expect(result.rejects.map(\.byteOffset) == [Int64(good.utf8.count)])
        #expect(result.rejects.first?.text == "2021-02-29 09:08:07.250 Tea[512:1f03] two")
        #expect(result.counts.rejected == 1 && result.counts.isBalanced)
    }

    @Test("a line that was broken inside the name of a method is one entry; printed lines with brackets stay their own")
    func wrapped() throws {
        let time = "2021-05-04 09:08:07.250 Tea[512:1f03] "
        func messages(_ lines: [String]) throws -> [String] {
            try read(lines.joined(separator: "\n") + "\n").entries.map(\.message)
        }
        for (first, second) in [
            ("-[AppDelegate application:didFinishLaunching", "WithOptions:]"),
            ("-[AppDelegate ", "applicationDidBecomeActive:]"),
            ("scene(_:will", "ConnectTo:options:) called"),
        ] {
            #expect(try messages([time + first, second, time + "on"]) == [first + "\n" + second, "on"])
        }
        for (first, second) in [
            ("-[Kettle boil:]", "-[Kettle pour:]"), ("kettle (the old", "one)"), ("leaves [", "green]"),
            ("on", "pour()"),
            ("scene(_:will", "-> poured()"), ("-[AppDelegate ", ""),
        ] {
            #expect(try messages([time + first, second, time + "on"]).count == (second.isEmpty ? 2 : 3), "\(first)")
        }
    }

    @Test("Windows line ends, and a last line without an end")
    func lineEnds() throws {
        let result = try read("Tea[1:2] one\r\nTea[1:2] two")
        #expect(result.entries.map(\.message) == ["one", "two"])
        #expect(result.counts.lines == 2)
    }

    @Test("processes and threads that take turns keep their names")
    func interleaved() throws {
        let result = try read(
            """
            2021-05-04 09:08:07.1 Tea[1:a] x
            2021-05-04 09:08:07.2 Teapot[1:a] x
            2021-05-04 09:08:07.3 Tea[1:ab] x
            2021-05-04 09:08:07.4 Tea[1:a] x
            2021-05-04 10:08:07.5 Tea[12:a]
            2021-05-04 10:08:07.5 Tea[12:a]
            """)
        #expect(result.entries.map(\.process) == ["Tea", "Teapot", "Tea", "Tea", "Tea", "Tea"])
        #expect(result.entries.map(\.pid) == [1, 1, 1, 1, 12, 12])
        #expect(result.entries.last?.message == "")
        #expect(result.entries[4].time == "2021-05-04T10:08:07.5Z")
    }
}
