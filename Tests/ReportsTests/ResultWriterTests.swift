import Foundation
import Testing
import TraceRecords

@testable import Reports

@Suite("Results in every format")
struct ResultWriterTests {
    private let columns = [
        Column("layer"), Column("state"), Column("visits"), Column("total_s"), Column("p50_ns"), Column("share"),
        Column("pid"), Column("time_ns"),
    ]
    private let rows: [[Cell]] = [
        [
            .text("app"), .text("active"), .integer(12_345), .real(4_980), .integer(350_000_000), .real(0.625),
            .integer(40_321), .integer(1_700_000_000_000_000_000),
        ],
        [.text("app"), .text("not_running"), .integer(7), .real(4.2), .null, .real(0.0001), .integer(7), .null],
    ]

    @Test("A table aligns texts left and numbers right, in units that people use")
    func table() {
        let expected = """
            layer  state        visits       total     p50  share    pid  time
            ─────  ───────────  ──────  ──────────  ──────  ─────  ─────  ───────────────────────
            app    active       12,345  1 h 23 min  350 ms  62.5%  40321  2023-11-14 22:13:20.000
            app    not_running       7       4.2 s       –  <0.1%      7  –

            """
        #expect(ResultWriter.text(.table, columns: columns, rows: rows) == expected)
    }

    @Test("A table holds back no more than some megabytes to find the widths of its columns")
    func hugeCells() {
        let long = String(repeating: "x", count: 3 << 20)
        var table = AlignedTableEncoder(columns: [Column("text")], options: TableOptions(), style: .text)
        var bytes: [UInt8] = []
        table.row([.text(long)], into: &bytes)
        #expect(bytes.isEmpty)
        table.row([.text(long)], into: &bytes)
        #expect(bytes.count > 6 << 20)
    }

    @Test("Raw keeps the stored numbers")
    func rawTable() {
        let expected = """
            state   visits  total_s  share
            ──────  ──────  ───────  ─────
            active   12345   4980.0  0.625

            """
        let columns = [Column("state"), Column("visits"), Column("total_s"), Column("share")]
        let row: [Cell] = [.text("active"), .integer(12_345), .real(4_980), .real(0.625)]
        let text = ResultWriter.text(.table, columns: columns, rows: [row], options: TableOptions(raw: true))
        #expect(text == expected)
    }

    @Test("CSV has stored numbers, empty NULL and a quoted empty text, and CRLF where it is asked for")
    func csv() {
        let columns = [Column("name"), Column("dwell_s"), Column("n"), Column("blob")]
        let rows: [[Cell]] = [
            [.text("a,b"), .real(4.25), .integer(.max), .blob([0, 0xAB])],
            [.text("say \"hi\"\nthere"), .null, .integer(.min), .null],
            [.text(""), .real(.nan), .null, .null],
        ]
        let expected =
            "name,dwell_s,n,blob\n" + "\"a,b\",4.25,9223372036854775807,x'00ab'\n"
            + "\"say \"\"hi\"\"\nthere\",,-9223372036854775808,\n" + "\"\",,,\n"
        #expect(ResultWriter.text(.csv, columns: columns, rows: rows) == expected)
        var options = TableOptions()
        options.endsLinesWithCRLF = true
        #expect(
            ResultWriter.text(.csv, columns: [Column("a")], rows: [[.text("x\ny")]], options: options)
                == "a\r\n\"x\ny\"\r\n")
    }

    @Test("JSON is strict: exact integers, null for what is no number, each name once")
    func json() throws {
        let columns = [Column("n"), Column("n"), Column("a\"b")]
        let rows: [[Cell]] = [
            [.integer(9_007_199_254_740_993), .real(.nan), .text("\u{1B}[31m\\ \u{9B} é \n")],
            [.null, .real(.infinity), .real(1e-7)],
        ]
        let expected = #"""
            [
            {"n":9007199254740993,"n_2":null,"a\"b":"\u001b[31m\\ \u009b é \n"},
            {"n":null,"n_2":null,"a\"b":1e-07}
            ]

            """#
        let text = ResultWriter.text(.json, columns: columns, rows: rows)
        #expect(text == expected)
        #expect(try JSONSerialization.jsonObject(with: Data(text.utf8)) is [[String: Any]])
        #expect(ResultWriter.text(.json, columns: columns, rows: []) == "[]\n")
    }

    @Test("NDJSON holds one object a line, and nothing for no rows")
    func ndjson() {
        let text = ResultWriter.text(.ndjson, columns: [Column("a")], rows: [[.integer(1)], [.text("x\ny")]])
        #expect(text == "{\"a\":1}\n{\"a\":\"x\\ny\"}\n")
        #expect(ResultWriter.text(.ndjson, columns: [Column("a")], rows: []).isEmpty)
    }

    @Test("Markdown keeps pipes, markup and line ends as text")
    func markdown() {
        let columns = [Column("from_state"), Column("count")]
        let rows: [[Cell]] = [[.text("a|b *c* <i> `d` _e_\n"), .integer(1_000)], [.null, .integer(2)]]
        let expected = """
            | from_state                        | count |
            | --------------------------------- | ----: |
            | a\\|b \\*c\\* &lt;i&gt; \\`d\\` \\_e\\_␊ | 1,000 |
            | –                                 |     2 |

            """
        #expect(ResultWriter.text(.markdown, columns: columns, rows: rows) == expected)
    }

    @Test("Names of any script align")
    func alignment() {
        let names = ["MyApp", "写真アプリ", "Café", "👨‍👩‍👧 Family", "e\u{301}toile"]
        let rows = names.enumerated().map { [Cell.text($1), .integer(Int64($0))] }
        let text = ResultWriter.text(.table, columns: [Column("app"), Column("line")], rows: rows)
        let expected = """
            app         line
            ──────────  ────
            MyApp          0
            写真アプリ     1
            Café           2
            👨‍👩‍👧 Family      3
            e\u{301}toile         4

            """
        #expect(text == expected)
    }

    @Test("A table for a terminal is fitted by wrapping texts, never numbers; a pipe gets everything")
    func fitting() {
        let columns = [Column("message"), Column("line")]
        let rows: [[Cell]] = [[.text("a long message from a log"), .integer(1_234_567)]]
        let fitted = ResultWriter.text(.table, columns: columns, rows: rows, options: TableOptions(width: 24))
        #expect(fitted.split(separator: "\n").suffix(2) == ["a long message   1234567", "from a log"])
        let piped = ResultWriter.text(.table, columns: columns, rows: rows)
        #expect(piped.contains("a long message from a log"))
        // Durations lose their blanks, then names are broken between their parts.
        let states: [[Cell]] = [[.text("background"), .text("applicationWillTerminate"), .real(5_825)]]
        let columns2 = [Column("state"), Column("callback"), Column("dwell_s")]
        let narrow = ResultWriter.text(.table, columns: columns2, rows: states, options: TableOptions(width: 36))
        #expect(
            narrow.split(separator: "\n").suffix(2) == [
                "background applicationWill     1h37m", "           Terminate",
            ])
        // When nothing helps, every value has a line of its own, and what is unknown has none.
        let vertical = ResultWriter.text(
            .table, columns: columns2 + [Column("left")], rows: [states[0] + [.null], states[0] + [.null]],
            options: TableOptions(width: 14))
        let row = """
              state     background
              callback  applicationWill
                        Terminate
              dwell     1 h 37 min

            """
        #expect(vertical == "row 1\n\(row)\nrow 2\n\(row)")
    }

    @Test(
        "A table that is too wide by a little has rows below the value that they share, and whole durations and clocks")
    func rowsBelowTheirGroup() {
        let columns = ["layer", "state", "total_s", "max_s", "last_seen"].map { Column($0) }
        let rows: [[Cell]] = [
            ("app", "active", 5_825.0, 0.35, 7), ("app", "background", 2_000.0, 97_200.0, 8),
            ("background-task", "running", 27.0, 125.0, 9), ("background-task", "finished", 60.0, 3.25, 8),
        ].map { [.text($0), .text($1), .real($2), .real($3), .text("2026-05-12T15:31:0\($4).934000000Z")] }
        let text = ResultWriter.text(.table, columns: columns, rows: rows, options: TableOptions(width: 47))
        #expect(
            text == """
                state       total   max last_seen
                ────────── ────── ───── ───────────────────────
                layer: app
                active      1h37m 350ms 2026-05-12 15:31:07.934
                background 33m20s  1d3h 2026-05-12 15:31:08.934
                layer: background-task
                running       27s  2m5s 2026-05-12 15:31:09.934
                finished       1m  3.3s 2026-05-12 15:31:08.934

                """)
        // Before that, one text takes two lines rather than a duration; at last, times do, between date and clock.
        let narrow = ResultWriter.text(.table, columns: columns, rows: rows, options: TableOptions(width: 40))
        #expect(
            narrow.split(separator: "\n").suffix(2) == [
                "finished       1m  3.3s 2026-05-12", "                        15:31:08.934",
            ])
        let wrapped = ResultWriter.text(
            .table, columns: [Column("basis"), Column("max_s")],
            rows: [[.text("silence beyond 1 h 5 min grace"), .real(5_825)]], options: TableOptions(width: 34))
        #expect(wrapped.split(separator: "\n").suffix(2) == ["silence beyond          1 h 37 min", "1 h 5 min grace"])
    }

    @Test("Columns without any value give way first; at last long durations are rounded, and headings broken")
    func brokenHeadings() {
        let columns = ["state", "complete", "total_s", "mean_s", "part"].map { Column($0) }
        let rows: [[Cell]] = [
            [.text("background"), .integer(55), .real(112_860), .real(2_052), .null],
            [.text("active"), .integer(90), .real(13_560), .real(-1_790), .null],
        ]
        let text = ResultWriter.text(.table, columns: columns, rows: rows, options: TableOptions(width: 30))
        #expect(
            text == """
                state      complete total mean
                ────────── ──────── ───── ────
                background       55  1d7h  34m
                active           90 3h46m −30m

                """)
        let narrow = ResultWriter.text(.table, columns: columns, rows: rows, options: TableOptions(width: 26))
        let last = narrow.split(separator: "\n").suffix(2)
        #expect(last == ["background   55  1d7h  34m", "active       90 3h46m −30m"])
    }

    @Test("Words of headings are not broken where the rows fit beside each other")
    func wordsOfHeadings() {
        let names = ["state", "background", "undocumented", "foreground", "deallocated", "terminated"]
        let rows: [[Cell]] = (1...3).map { row in [.text("active")] + names.dropFirst().map { _ in .integer(row) } }
        for width in 41...70 {
            let text = ResultWriter.text(
                .table, columns: names.map { Column($0) }, rows: rows, options: TableOptions(width: width))
            #expect(names.allSatisfy(text.contains), "\(width):\n\(text)")
        }
    }

    @Test("Headings of groups leave out what is unknown, come once, and before names are broken")
    func headingsOfGroups() {
        let columns = ["layer", "device", "from_state", "callback", "count"].map { Column($0) }
        let names = [("app", "active"), ("app", "inactive"), ("scene", "background"), ("scene", "active")]
        let rows: [[Cell]] = names.map {
            [.text($0), .null, .text($1), .text("applicationDidEnterBackground"), .integer(7)]
        }
        func text(_ rows: [[Cell]], _ width: Int) -> [String] {
            ResultWriter.text(.table, columns: columns, rows: rows, options: TableOptions(width: width))
                .split(separator: "\n").map(String.init)
        }
        #expect(
            text(rows, 47).dropFirst(2).prefix(2) == [
                "layer: app", "active     applicationDidEnterBackground     7",
            ])
        // In another order the layer would be told again and again.
        let mixed = text([0, 2, 1, 3].map { rows[$0] }, 47)
        #expect(!mixed.contains { $0.contains("layer:") }, "\(mixed)")
        // Short names of states stay whole where longer names are broken.
        let states: [[Cell]] = ["app", "scene"].map {
            [.text($0), .null, .text("not_running"), .text("applicationWillTerminate"), .integer(1)]
        }
        let broken = text(states, 33)
        #expect(broken.contains { $0.contains("not_running") }, "\(broken)")
    }

    @Test("A long text is never cut off; where its column would be a thread, every value has a line of its own")
    func longTexts() {
        let message = (1...60).map { "word\($0)" }.joined(separator: " ")
        let columns = ["time", "message", "place"].map { Column($0) }
        func text(_ width: Int) -> String {
            let row: [Cell] = [
                .text("2026-05-12T15:31:07.934000000Z"), .text(message), .text(String(repeating: "x", count: 20)),
            ]
            return ResultWriter.text(.table, columns: columns, rows: [row], options: TableOptions(width: width))
        }
        for width in [55, 65, 100] {
            let shown = text(width)
            #expect(shown.contains("word60") && !shown.contains("…"), "\(shown)")
        }
        #expect(text(55).hasPrefix("row 1\n") && text(100).hasPrefix("time"))
    }

    @Test("Messages break between words, below their text; commands and short lines stay as they are")
    func messages() {
        let text = """
            Assumed
              app.log: times have no zone, read as UTC (--timezone)
              events     812 events in 6 runs of Harbour, Postbox
              lifestats query dwell_times --db a.db  how long the app stays
            """
        #expect(
            WrappedList.message(text, width: 40) == """
                Assumed
                  app.log: times have no zone, read as
                    UTC (--timezone)
                  events     812 events in 6 runs of
                             Harbour, Postbox
                  lifestats query dwell_times --db a.db
                      how long the app stays
                """)
        #expect(
            WrappedList.pieces(of: "a line of a log  with blanks", room: 12) == [
                "a line of a ", "log  with ", "blanks",
            ])
        #expect(WrappedList.pieces(of: "unbroken", room: 3) == ["unb", "rok", "en"])
    }

    @Test("Where columns do not fit, rows are beside each other, as many as fit")
    func rowsBesideEachOther() {
        let columns = ["layer", "state", "visits", "shortest", "median", "total", "longest"].map { Column($0) }
        let rows: [[Cell]] = [
            ("app", "background", [28, 1_000, 20_000, 28_000]), ("scene", "active", [36, 2_000, 48_000, 72_000]),
            ("view", "inactive", [61, 100, 400, 6_100]),
        ].map { layer, state, numbers in [.text(layer), .text(state)] + numbers.map { .integer($0) } + [.null] }
        let text = ResultWriter.text(.table, columns: columns, rows: rows, options: TableOptions(width: 35))
        #expect(
            text == """
                            row 1       row 2
                  layer     app         scene
                  state     background  active
                  visits    28          36
                  shortest  1000        2000
                  median    20000       48000
                  total     28000       72000

                            row 3
                  layer     view
                  state     inactive
                  visits    61
                  shortest  100
                  median    400
                  total     6100

                """)
    }

    @Test("One endless text is written in full but does not pad every other row")
    func endlessText() {
        let long = String(repeating: "x", count: 10_000)
        let text = ResultWriter.text(
            .table, columns: [Column("name"), Column("line")],
            rows: [[.text(long), .integer(1)], [.text("a"), .integer(2)]])
        #expect(text.contains(long))
        #expect(text.split(separator: "\n").last?.count == 240 + 2 + 4)
    }

    @Test("Paths longer than a line stand in their column, and what follows in its own")
    func longPaths() {
        let path = String(repeating: "folder/", count: 20)
        let text = ResultWriter.text(
            .table, columns: [Column("path"), Column("line")],
            rows: [[.text(path), .integer(1)], [.text("a"), .integer(2)]])
        #expect(Set(text.split(separator: "\n").map(\.count)).count == 1)
        // In a terminal it goes on in the next line, after a separator.
        let cut = ResultWriter.text(
            .table, columns: [Column("path"), Column("line")],
            rows: [[.text("logs.tgz!/a/very/long/folder/app.log"), .integer(1)]], options: TableOptions(width: 24))
        #expect(cut.split(separator: "\n").suffix(2) == ["long/folder/", "app.log"])
    }

    @Test("Escape sequences of a log reach no terminal")
    func controlSequences() {
        let rows: [[Cell]] = [[.text("\u{1B}[2Jgone\u{9B}31m\u{202E}live\r\n")]]
        let table = ResultWriter.text(.table, columns: [Column("m")], rows: rows)
        #expect(table.split(separator: "\n").last == "␛[2Jgone<U+009B>31m<U+202E>live␍␊")
        let csv = ResultWriter.text(.csv, columns: [Column("m")], rows: rows, options: TableOptions(isTerminal: true))
        #expect(csv == "m\n␛[2Jgone<U+009B>31m<U+202E>live␍␊\n")
        // A file may be printed, too; only line feeds and tabs stay, inside quotes.
        let file = ResultWriter.text(.csv, columns: [Column("m")], rows: rows)
        #expect(file == "m\n\"␛[2Jgone<U+009B>31m<U+202E>live␍\n\"\n")
        // JSON escapes them, so that a program reads the exact text.
        let json = ResultWriter.text(.ndjson, columns: [Column("m")], rows: rows)
        #expect(json == #"{"m":"\u001b[2Jgone\u009b31m\u202elive\r\n"}"# + "\n")
    }

    @Test(
        "A spreadsheet runs no text of a log as a formula",
        arguments: [
            ("=HYPERLINK(\"http://x\")", "\"'=HYPERLINK(\"\"http://x\"\")\""), ("+1", "'+1"), ("-1+2", "'-1+2"),
            ("@SUM(A1)", "'@SUM(A1)"), ("\t=1", "'\t=1"), ("\n=1", "\"'\n=1\""), ("\r=1", "'␍=1"), ("a=1", "a=1"),
            ("'=1", "'=1"), (" =1", "\" =1\""),
        ])
    func formulas(_ text: String, _ field: String) {
        #expect(ResultWriter.text(.csv, columns: [Column("m")], rows: [[.text(text)]]) == "m\n\(field)\n")
        // Numbers are numbers.
        let numbers: [[Cell]] = [[.integer(-1)], [.real(-0.5)]]
        #expect(ResultWriter.text(.csv, columns: [Column("=m")], rows: numbers) == "'=m\n-1\n-0.5\n")
    }

    @Test("Rows stream: the output arrives in pieces, and what it throws comes out")
    func streaming() throws {
        struct PipeClosed: Error {}
        var writer = ResultWriter(format: .csv, columns: [Column("n")], options: TableOptions()) { _ in
            throw PipeClosed()
        }
        try writer.write([.integer(1)])
        #expect(throws: PipeClosed.self) {
            for _ in 0..<100_000 { try writer.write([.text("some text")]) }
        }
    }

    @Test("Random texts survive CSV and JSON")
    func roundTrip() throws {
        var generator = SystemRandomNumberGenerator()
        let alphabet = Array("ab,\"\r\n\t \u{1B}\u{9B}\\/é漢👩‍👩‍👧|—'\u{2028}\u{0}").map(String.init) + ["\u{301}", "\u{C2}"]
        for _ in 0..<200 {
            let texts = (0..<4).map { _ in
                (0..<Int.random(in: 0..<9, using: &generator)).map { _ in
                    alphabet.randomElement(using: &generator) ?? ""
                }.joined()
            }
            let columns = (0..<4).map { Column("c\($0)") }
            let rows = [texts.map { Cell.text($0) }]
            let csv = ResultWriter.text(.csv, columns: columns, rows: rows)
            let record = try #require(Self.parseCSV(csv).dropFirst().first)
            let visible = texts.map { VisibleText.neutralised($0, keepsLines: true) }
            let expected = zip(texts, visible).map { text, visible in
                ["\t", "\r", "\n"].contains(text.unicodeScalars.first) ? "'" + visible : visible
            }
            #expect(record.map { Array($0.unicodeScalars) } == expected.map { Array($0.unicodeScalars) })

            let json = ResultWriter.text(.json, columns: columns, rows: rows)
            let objects = try JSONDecoder().decode([[String: String]].self, from: Data(json.utf8))
            let values = (0..<4).map { objects[0]["c\($0)"] ?? "missing" }
            #expect(values.map { Array($0.unicodeScalars) } == texts.map { Array($0.unicodeScalars) })
        }
    }

    /// A reader of RFC 4180 of our own, so that the writer is not judged by itself.
    private static func parseCSV(_ text: String) -> [[String]] {
        var records: [[String]] = []
        var record: [String] = []
        var field = String.UnicodeScalarView()
        var isQuoted = false
        var scalars = Array(text.unicodeScalars)[...]
        while let scalar = scalars.popFirst() {
            if isQuoted {
                if scalar == "\"", scalars.first == "\"" {
                    field.append(scalar)
                    scalars.removeFirst()
                } else if scalar == "\"" {
                    isQuoted = false
                } else {
                    field.append(scalar)
                }
            } else if scalar == "\"" {
                isQuoted = true
            } else if scalar == "," || scalar == "\n" {
                record.append(String(field))
                field = String.UnicodeScalarView()
                if scalar == "\n" {
                    records.append(record)
                    record = []
                }
            } else {
                field.append(scalar)
            }
        }
        return records
    }
}
