import Foundation
import Testing

@testable import LogReading

@Suite("JSON records")
struct JSONTests {
    static func object(_ number: Int, pretty: Bool) -> String {
        let gap = pretty ? "\n  " : " "
        return
            "{\(gap)\"timestamp\" : \"2024-03-09 07:30:0\(number).5-0500\",\(gap)\"eventMessage\" : \"say \\\"\(number)\\\" "
            + "\\u00e4\\ud83c\\udf75\",\(gap)\"processID\" : 4\(number),\(gap)\"source\" : null,\(gap)"
            + "\"backtrace\" : {\"frames\" : [{\"a\" : 1}]},\(gap)\"processImagePath\" : \"\\/usr\\/bin\\/Tea\"\(pretty ? "\n" : "")}"
    }

    private func check(_ text: String, lines: [Int64], counts: [Int32]) throws {
        for chunk in [3, 50, 1000, 256 << 10] {
            let result = try read(Array(text.utf8), options: ReadingOptions(chunkBytes: chunk)).result
            #expect(result.entries.map(\.message) == lines.indices.map { "say \"\($0)\" \u{00E4}\u{1F375}" })
            #expect(result.entries.map(\.pid) == lines.indices.map { Int32(40 + $0) })
            #expect(result.entries.allSatisfy { $0.process == "Tea" })
            #expect(result.entries.map(\.time) == lines.indices.map { "2024-03-09T12:30:0\($0).5Z" })
            #expect(result.entries.map(\.line) == lines && result.entries.map(\.lines) == counts)
            #expect(result.counts.isBalanced && result.counts.rejected == 0)
            #expect(
                result.counts.lines == Int64(text.split(separator: "\n", omittingEmptySubsequences: false).count - 1))
        }
    }

    @Test(
        "what is not seen before a record on a line changes nothing in it",
        arguments: ["\u{A0}", "\r", "\u{0C}", "\u{200F}"])
    func unseenBefore(prefix: String) throws {
        let objects = (0..<3).map { prefix + Self.object($0, pretty: false) + "\n" }
        try check(objects.joined(), lines: [1, 2, 3], counts: [1, 1, 1])
    }

    @Test("an array printed over many lines, after plain lines")
    func array() throws {
        let objects = (0..<3).map { Self.object($0, pretty: true) }
        let text = "Skipping info and debug messages, pass --info.\n[\(objects.joined(separator: ",\n"))]\n"
        try check(text, lines: [2, 10, 18], counts: [8, 8, 8])
    }

    @Test("an array whose objects follow on the same line")
    func glued() throws {
        let objects = (0..<3).map { Self.object($0, pretty: true) }
        try check("[\(objects.joined(separator: ","))]\n", lines: [1, 8, 15], counts: [7, 7, 8])
    }

    @Test("one object a line, with the count at the end")
    func lines() throws {
        let text = (0..<3).map { Self.object($0, pretty: false) + "\n" }.joined() + "{\"count\":3,\"finished\":1}\n"
        try check(text, lines: [1, 2, 3], counts: [1, 1, 1])
        #expect(try read(text).counts.other == 1)
    }

    @Test("an array in one line")
    func oneLine() throws {
        let objects = (0..<3).map { Self.object($0, pretty: false) }
        try check("[\(objects.joined(separator: ","))]\n", lines: [1, 1, 1], counts: [1, 1, 1])
    }

    @Test(
        "of a line of records, a damaged one is rejected with its place, the rest of the line, and what is around it",
        arguments: [
            // A quotation mark that was lost, and the end of a record.
            (#""eventMessage" : "say"#, #""eventMessage" : say"#),
            (#""processImagePath""#, #""processImage"Path""#),
            (#", "processImagePath" : "\/usr\/bin\/Tea"}"#, ""),
        ])
    func damagedRecord(sound: String, damaged: String) throws {
        var objects = (0..<3).map { Self.object($0, pretty: false) }
        #expect(objects[1].contains(sound))
        objects[1] = objects[1].replacing(sound, with: damaged)
        for (before, behind) in [("[", "]"), ("{\"logs\" : [", "]}")] {
            let text = "\(before)\(objects.joined(separator: ","))\(behind)\nTea[1:2] after\n"
            let whole = try read(text)
            // An array gives the records before the damage; of an object that wraps them, all is damaged.
            let kept = before == "[" ? 1 : 0
            #expect(whole.entries.map { $0.message.prefix(6) } == ["say \"0", "after"].suffix(1 + kept), "\(text)")
            #expect(whole.rejects.map(\.line) == [1] && whole.counts.rejected == 1 && whole.counts.isBalanced)
            #expect(whole.rejects.first?.byteOffset == (kept == 1 ? Int64(objects[0].utf8.count + 2) : 0), "\(text)")
            for chunk in [3, 50, 1000] {
                #expect(try read(Array(text.utf8), options: ReadingOptions(chunkBytes: chunk)).result == whole)
            }
        }
    }

    @Test(
        "a damaged record costs none before it where the whole record is the message",
        arguments: [
            (
                #"{"type": "navigation", "category": "app.lifecycle", "level": "info", "timestamp": "2024-03-09T07:30:0%Z", "data": {"state": "active"}}"#,
                ["vel\"", "}", "ation\"", ": \"active\"}}"]
            ),
            (
                #"{"timeUnixNano": "171000000%123456789", "eventName": "device.app.lifecycle", "attributes": [{"key": "ios.app.state", "value": {"stringValue": "active"}}]}"#,
                ["Name\"", "}", "ano\"", ": \"active\"}}]}"]
            ),
        ])
    func damagedWhole(record: String, losses: [String]) throws {
        for lost in losses {
            var records = (0..<4).map { record.replacing("%", with: String($0)) }
            let place = try #require(records[1].range(of: lost))
            records[1].replaceSubrange(place, with: "")
            let text = "[\(records.joined(separator: ", "))]\nTea[1:2] after\n"
            let whole = try read(text)
            for record in [records[0], "after"] {
                #expect(whole.entries.count { $0.message == record } == 1, "\(record) in \(text)")
            }
            #expect(whole.rejects.map(\.line) == [1] && whole.counts.isBalanced, "\(text)")
            #expect(!whole.entries.contains { $0.message.contains(records[2]) && $0.message != records[2] }, "\(text)")
            let last = try read(String(text.prefix { $0 != "\n" }))
            #expect(last.entries == Array(whole.entries.dropLast()), "\(text)")
        }
    }

    @Test(
        "a record that is cut anywhere costs its line from there on, and none of another line",
        arguments: ["timestamp", "-03-09", "eventMessage", " \\u00e4", "processID", "{\"frames", "\\/bin"])
    func cutRecord(at place: String) throws {
        var objects = (0..<4).map { Self.object($0, pretty: false) }
        let end = try #require(objects[1].range(of: place)).lowerBound
        objects[1] = String(objects[1][..<end])
        for (before, behind) in [("[", "]"), ("{\"logs\" : [", "]}")] {
            let text = "\(before)\(objects.joined(separator: ", "))\(behind)\nTea[1:2] after\n"
            let whole = try read(text)
            let kept = before == "[" ? 1 : 0
            #expect(whole.entries.map { $0.message.prefix(6) } == ["say \"0", "after"].suffix(1 + kept), "\(text)")
            #expect(whole.rejects.map(\.line) == [1] && whole.counts.isBalanced, "\(text)")
            for chunk in [3, 50, 1000] {
                #expect(try read(Array(text.utf8), options: ReadingOptions(chunkBytes: chunk)).result == whole)
            }
        }
    }

    @Test("an array in one line, longer than any entry may be, is read to its end")
    func longLine() throws {
        let objects = (0..<900).map { number in
            "{\"timestamp\":\"2024-03-09 07:30:00.5-0500\",\"eventMessage\":\"\(number) \\\"tea\\\"\","
                + "\"processID\":7,\"frames\":[{\"a\":{\"b\":1}}]}"
        }
        for text in [
            "[\(objects.joined(separator: ","))]\nTea[1:2] after\n", "{\"logs\":[\(objects.joined(separator: ", "))]}",
        ] {
            let whole = try read(text)
            #expect(whole.entries.prefix(900).map(\.message) == (0..<900).map { "\($0) \"tea\"" })
            #expect(whole.entries.prefix(900).allSatisfy { $0.line == 1 && $0.time == "2024-03-09T12:30:00.5Z" })
            #expect(whole.counts.isBalanced && whole.counts.lines == (text.hasSuffix("\n") ? 2 : 1))
            for chunk in [1000, 4096, 65_537] {
                let options = ReadingOptions(chunkBytes: chunk, entryBytes: 16 << 10)
                #expect(try read(Array(text.utf8), options: options).result == whole, "chunks of \(chunk)")
            }
        }
    }

    @Test("records inside other objects are read; one that is longer than an entry may be is rejected with its place")
    func inside() throws {
        let record = "{\"time\":\"2024-03-09T07:30:00Z\",\"msg\":\"%\"}"
        func named(_ name: String) -> String { record.replacing("%", with: name) }
        let filling = String(repeating: "\\\"z", count: 900)
        let long = "{\"time\":\"2024-03-09T07:30:00Z\",\"msg\":\"long\",\"x\":[{\"y\":\"\(filling)\"},\(named("no"))]}"
        let before = "{\"a\":[{\"b\":\(named("one"))},"
        let text = "\(before){\"c\":\(named("two"))}],\"d\":\"}{\"}\n\(before)\(long)]}\n\(named("three"))\n"
        for chunk in [1, 77, 5000] {
            let options = ReadingOptions(chunkBytes: chunk, entryBytes: 500)
            let result = try read(Array(text.utf8), options: options).result
            #expect(result.entries.map(\.message) == ["one", "two", "one", "three"], "chunks of \(chunk)")
            #expect(result.entries.map(\.line) == [1, 1, 2, 3] && result.counts.isBalanced && result.counts.lines == 3)
            let place = Int64(try #require(text.range(of: long)).lowerBound.utf16Offset(in: text))
            #expect(result.rejects.map(\.line) == [2] && result.rejects.map(\.byteOffset) == [place])
        }
    }

    @Test("an .ips report in one line gives what it gives over many lines")
    func crashReport() throws {
        let members = [
            "\"procRole\" : \"Foreground\"", "\"threads\" : [{\"frames\" : [1, 2]}]",
            "\"captureTime\" : \"2024-03-09 07:31:12.5 +0100\"", "\"procLaunch\" : \"2024-03-09 07:30:00 +0100\"",
            "\"termination\" : {\"namespace\" : \"TEA\"}",
        ]
        let flat = try read("{\(members.joined(separator: ","))}\n").entries
        let pretty = try read("{\n  \(members.joined(separator: ",\n  "))\n}\n").entries
        #expect(flat.map(\.time) == [nil, nil, "2024-03-09T06:31:12.5Z", "2024-03-09T06:30:00Z", nil])
        #expect(flat.map(\.subsystem) == Array(repeating: "crash-report", count: 5))
        let timed = pretty.filter { $0.time != nil }
        #expect(timed.map(\.time) == flat.filter { $0.time != nil }.map(\.time))
    }

    @Test("a damaged object costs no other one", arguments: 0..<60)
    func damaged(seed: UInt64) throws {
        var chance = SeededChance(state: seed)
        var lines = (0..<9).map { Array((Self.object($0, pretty: false) + "\n").utf8) }
        let hit = Int.random(in: 0..<9, using: &chance)
        for _ in 0..<5 {
            let place = Int.random(in: 0..<lines[hit].count - 1, using: &chance)
            lines[hit][place] = [0x7B, 0x22, 0x00, 0x5C, 0x7D, 0x5B][Int.random(in: 0..<6, using: &chance)]
        }
        let result = try read(Array(lines.joined())).result
        let messages = Set(result.entries.map(\.message))
        for number in 0..<9 where number != hit {
            #expect(messages.contains("say \"\(number)\" \u{00E4}\u{1F375}"))
        }
        #expect(result.counts.isBalanced && result.counts.lines == 9)
    }

    @Test("a record that is cut off is rejected on its line, and no line of it is read by itself")
    func cutRecord() throws {
        let whole = (0..<3).map { Self.object($0, pretty: true) }
        let array = "[" + whole.joined(separator: ",\n") + "]\n"
        // A record of several lines cut anywhere behind its message, at the end of the log and before another record.
        func message(_ text: String) throws -> Int {
            try #require(text.ranges(of: "\"eventMessage\" :").last).upperBound.utf16Offset(in: text)
        }
        for cut in try message(array)..<array.utf8.count - 4 {
            let result = try read(Array(array.utf8.prefix(cut))).result
            #expect(result.entries.map(\.line) == [1, 9] && result.rejects.map(\.line) == [17], "cut at \(cut)")
            #expect(result.counts.isBalanced && result.counts.rejected == 1)
        }
        for record in [whole[0], Self.object(0, pretty: false)] {
            for cut in try message(record)..<record.utf8.count - 2 {
                let text = Array(record.utf8.prefix(cut)) + Array("\n\(whole[1])\nTea[1:2] two\n".utf8)
                for chunk in [7, 1 << 20] {
                    let result = try read(text, options: ReadingOptions(chunkBytes: chunk)).result
                    #expect(result.entries.map(\.message) == ["say \"1\" \u{00E4}\u{1F375}", "two"], "cut at \(cut)")
                    #expect(result.rejects.map(\.line) == [1] && result.counts.isBalanced)
                }
            }
        }
    }

    @Test("objects inside messages stay messages")
    func insideMessages() throws {
        let result = try read("Tea[1:2] reply: {\n  \"a\" : 1\n}\n{\"b\":2}\nTea[1:2] two\n")
        #expect(result.entries.map(\.message) == ["reply: {\n  \"a\" : 1\n}", "{\"b\":2}", "two"])
    }

    @Test("a whole export of OpenTelemetry names the app of its records by service.name")
    func serviceName() throws {
        func resource(_ name: String, _ time: Int) -> String {
            #"{"resource":{"attributes":[{"key":"host.name","value":{"stringValue":"h"}},"#
                + #"{"key":"service.name","value":{"stringValue":"\#(name)"}}]},"scopeLogs":[{"logRecords":["#
                + #"{"timeUnixNano":"\#(time)","eventName":"device.app.lifecycle","attributes":"#
                + #"[{"key":"ios.app.state","value":{"stringValue":"active"}}]}]}]}"#
        }
        let line =
            #"{"resourceLogs":[\#(resource("Tea", 1_710_000_000_000_000_000)),"#
            + #"\#(resource("Pot", 1_710_000_001_000_000_000))]}"#
        for chunk in [64, 256 << 10] {
            let result = try read(Array((line + "\n" + line).utf8), options: ReadingOptions(chunkBytes: chunk)).result
            #expect(result.entries.map(\.process) == ["Tea", "Pot", "Tea", "Pot"])
            #expect(result.entries.allSatisfy { $0.subsystem == "opentelemetry" && $0.time != nil })
        }
        let flat = #"{"timeUnixNano":"1710000000000000000","name":"device.app.lifecycle","service.name":"Cup"}"#
        #expect(try read(flat).entries.map(\.process) == ["Cup"])
    }

    @Test("an export of OpenTelemetry over many lines gives records of one line, with the app of their resource")
    func indentedExport() throws {
        let export = """
            {
              "resourceLogs": [
                {
                  "resource": {
                    "attributes": [
                      {
                        "key": "service.name",
                        "value": {
                          "stringValue": "Tea"
                        }
                      },
                      {"key": "host.name", "value": {"stringValue": "h"}}
                    ]
                  },
                  "scopeLogs": [
                    {
                      "logRecords": [
                        {
                          "timeUnixNano": "1710000000000000000",
                          "eventName": "device.app.lifecycle",
                          "attributes": [
                            {
                              "key": "ios.app.state",
                              "value": { "stringValue": "very  \\"active\\"" }
                            }
                          ]
                        }
                      ]
                    }
                  ]
                }
              ]
            }

            """
        let message =
            #"{"timeUnixNano":"1710000000000000000","eventName":"device.app.lifecycle","attributes":"#
            + #"[{"key":"ios.app.state","value":{"stringValue":"very  \"active\""}}]}"#
        let bytes = Array(export.utf8)
        for chunk in [1, 64, 256 << 10] {
            let result = try read(bytes, options: ReadingOptions(chunkBytes: chunk)).result
            let record = try #require(result.entries.first { $0.time != nil })
            #expect(record.message == message && record.process == "Tea" && record.line == 18 && record.lines == 10)
            #expect(result.counts.isBalanced && result.counts.lines == 33)
        }
        // Where it was read in two goes, the record has the same process.
        for end in bytes.indices where bytes[end] == 0x0A {
            let position = try read(Array(bytes[...end])).position
            let rest = try read(bytes, resumeAt: position).result.entries.filter { $0.time != nil }
            #expect(rest.allSatisfy { $0.process == "Tea" } && (end > 500 || rest.count == 1))
        }
    }

    @Test("the header of a crash report names the app, with and without its type")
    func crashHeader() throws {
        let rest = #""app_version":"1.2","os_version":"iPhone OS 17.4","timestamp":"2024-03-09 07:31:13.00 +0100""#
        for header in [#"{"app_name":"Tea",\#(rest)}"#, #"{"name":"Tea",\#(rest),"bug_type":"309"}"#] {
            let entry = try #require(try read(header + "\n{\"pid\" : 5}\n").entries.first)
            #expect(entry.process == "Tea" && entry.pid == 5 && entry.subsystem == "crash-report")
        }
        let other = try read(#"{"timestamp":"2024-03-09T07:31:13Z","os_version":"17.4","message":"on"}"#)
        #expect(other.entries.map(\.message) == ["on"] && other.formats == ["json-lines"])
    }

    @Test("a jetsam report tells the processes that were killed, with the time of its header")
    func jetsam() throws {
        let header = #"{"bug_type":"298","timestamp":"2024-03-09 07:40:00.00 +0100","os_version":"iPhone OS 17.4"}"#
        let body =
            #"{"date":"x","processes":[{"pid":30,"rpages":1,"name":"kettled"},"#
            + #"{"pid":412,"rpages":9,"reason":"highwater","name":"Tea"},"#
            + #"{"pid":413,"rpages":9,"reason":"vm-pageshortage","name":"Pot"}]}"#
        for text in ["\(header)\n\(body)\n", "\(header)\n\(body)\n\(header)\n"] {
            let killed = try read(text).entries.filter { $0.process != nil }
            #expect(killed.map(\.message) == ["highwater", "vm-pageshortage"])
            #expect(killed.map(\.pid) == [412, 413] && killed.map(\.process) == ["Tea", "Pot"])
            #expect(killed.allSatisfy { $0.time == "2024-03-09T06:40:00Z" && $0.subsystem == "jetsam-report" })
        }
    }
}
