import Testing
import TraceRecords

@testable import Reports

@Suite("Summary of an ingest")
struct IngestSummaryTests {
    @Test("What holds totals of MetricKit alone leads to them, not to the formats")
    func totals() {
        var summary = IngestSummary(database: "a.db", files: 1, events: 0, runs: 0, apps: [])
        summary.totals = 3
        let text = summary.text()
        #expect(text.contains("totals     3 figures of MetricKit") && text.contains("SELECT * FROM daily_totals"))
        #expect(!text.contains("lifestats formats"))
    }

    @Test("It says what was read, assumed, not understood, and what to do next")
    func full() {
        var lines = LineCounts()
        lines.lines = 1_234
        lines.entry = 1_000
        lines.continuation = 200
        lines.other = 30
        lines.rejected = 4
        let summary = IngestSummary(
            database: "my logs.db", files: 3, unchangedFiles: 1, bytes: 12_345_678, lines: lines, events: 812, runs: 6,
            apps: ["MyApp", "Maps"], firstTime: 1_700_000_000_000_000_000, lastTime: 1_700_004_980_000_000_000,
            findings: [.error: 1, .warning: 2, .info: 1],
            assumptions: ["app.log: times have no zone, read as UTC (--timezone)"],
            notUnderstood: [
                NotUnderstood(reason: "no time at the beginning", count: 4, example: "app.log:120"),
                NotUnderstood(reason: "no known format", count: 1, unit: "file", example: "photo.jpg"),
            ])
        let expected = """
            Read 3 files, 1,234 lines (12.3 MB) into my logs.db
              events     812 events in 6 runs of MyApp, Maps
              time       2023-11-14 22:13:20 to 2023-11-14 23:36:20 UTC (1 h 23 min)
              lines      1,000 entries, 200 continuations, 30 other, 4 rejected
              findings   1 error, 2 warnings, 1 remark
              unchanged  1 file
            Assumed
              app.log: times have no zone, read as UTC (--timezone)
            Not understood
              4 lines: no time at the beginning, first app.log:120
              1 file: no known format, photo.jpg
            Next
              lifestats query --db 'my logs.db' dwell_times   how long the app stays in each state
              lifestats diagram --db 'my logs.db' -o app.svg  the observed lifecycle over the documented one
              lifestats check --db 'my logs.db'               the deviations, with file and line
              lifestats check --db 'my logs.db' --format github
                  the same, failing a build on GitHub; see docs/guide.md
              lifestats query --db 'my logs.db' "SELECT * FROM rejects"
                  the lines that could not be read, and why

            """
        #expect(summary.text() == expected)
    }

    @Test("Of many processes three are named, and the others counted as far as that was possible")
    func manyApps() {
        let apps = ["Tea", "Tour", "Alpha", "Beta", "Gamma"]
        var summary = IngestSummary(database: "a.db", files: 1, events: 5, runs: 5, apps: apps)
        #expect(summary.text().contains("in 5 runs of Tea, Tour, Alpha and 2 more\n"))
        summary.apps.removeLast()
        #expect(summary.text().contains("in 5 runs of Tea, Tour, Alpha, Beta\n"))
        summary.leastApps = 4097
        #expect(summary.text().contains("in 5 runs of Tea, Tour, Alpha and at least 4,094 more\n"))
    }

    @Test("Long names keep their ends, which may be all that tells them apart")
    func longNames() {
        let name = "TheOfficialCompanionAppOfTheInternationalConferenceOnMobileSystems"
        let apps = [name, name + "ForTablets"]
        let text = IngestSummary(database: "a.db", files: 1, events: 2, runs: 2, apps: apps).text()
        #expect(text.contains(" TheOfficialCompanion…enceOnMobileSystems, TheOfficialCompanion…leSystemsForTablets\n"))
    }

    @Test("Nothing new, nothing found and no times are said in words")
    func special() {
        let same = IngestSummary(database: "lifestats.db", files: 0, unchangedFiles: 2).text()
        #expect(same.hasPrefix("Nothing new in 2 files: lifestats.db is up to date\nNext\n"))
        let empty = IngestSummary(database: "lifestats.db", files: 1).text()
        #expect(empty.contains("0 events\n") && empty.prefix { $0 != "\n" }.hasSuffix(": no lifecycle event"))
        #expect(
            empty.contains("lifestats formats") && empty.contains("--format NAME forces one")
                && !empty.contains("dwell_times"))
        let brief = IngestSummary(database: "lifestats.db", files: 1).brief(isKept: false)
        #expect(brief.hasSuffix("lifestats formats  the formats that are read"), "it has no --format NAME")
        let untimed = IngestSummary(database: "lifestats.db", files: 1, events: 3, runs: 1).text()
        #expect(untimed.contains("none was read"))
    }

    @Test("What holds for several files is said once")
    func grouping() {
        let text = IngestSummary(
            database: "x.db", files: 3, assumptions: ["a.log: no zone", "b.log: no zone", "c.log: no year", "guess"]
        ).text()
        #expect(text.contains("Assumed\n  2 files: no zone, first a.log\n  c.log: no year\n  guess\n"))
    }

    @Test("A hostile name controls no terminal, and many entries are counted")
    func hostile() {
        let assumptions = (1...20).map { "file\($0)\u{1B}[2J" }
        let text = IngestSummary(
            database: "a\u{1B}.db", files: 1, events: 1, apps: ["\u{9B}2J"], assumptions: assumptions
        ).text()
        #expect(!text.unicodeScalars.contains { ["\u{1B}", "\u{9B}"].contains($0) })
        #expect(text.contains("… and 12 more"))
    }
}

@Suite("Progress")
struct ProgressLineTests {
    @Test("Share, bytes, rate and time left")
    func known() {
        func line(width: Int) -> String {
            ProgressLine.text(bytes: 500_000_000, of: 1_000_000_000, seconds: 2, width: width)
        }
        #expect(line(width: 80) == " 50%  ━━━━━━━━━━━━━━━───────────────  500 MB of 1.00 GB  250 MB/s  2 s left")
        #expect(line(width: 30) == " 50%  500 MB of 1.00 GB")
    }

    @Test("Standard input has no end that is known")
    func unknown() {
        #expect(ProgressLine.text(bytes: 5_000_000, seconds: 2, width: 80) == "5.00 MB  2.50 MB/s")
    }
}
