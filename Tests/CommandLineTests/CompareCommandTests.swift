import Foundation
import LifecycleSimulator
import Testing

/// `lifestats compare`, and the cohorts that `simulate` writes for it.
@Suite("Comparing builds")
struct CompareCommandTests {
    /// Fourteen devices of each build; in B the stays in the background last three times as long.
    private func fleet() throws -> (program: Program, truth: CohortTruth) {
        let program = try Program()
        let simulation = try program.run(
            "simulate", "--devices", "14", "--spread", "0.3", "--change", "background=3", "--callbacks", "12000", "-o",
            "fleet", "--truth", "truth.json")
        #expect(simulation.status == 0, "\(simulation.errors)")
        for (folder, version) in [("a", "1.0"), ("b", "1.1")] {
            try program.run("ingest", "fleet/\(folder)", "--app-version", version)
        }
        let truth = try JSONDecoder().decode(
            CohortTruth.self, from: Data(contentsOf: program.folder.url.appendingPathComponent("truth.json")))
        return (program, truth)
    }

    @Test("simulated cohorts have their truth, and the changed state is found")
    func simulated() throws {
        let (program, truth) = try fleet()
        for (version, known) in [("1.0", truth.a), ("1.1", truth.b)] {
            let sql = """
                select state, count(*), sum(complete), sum(case when complete then dwell_ns end) from visits
                where run_id in (select run_id from runs where app_version = '\(version)') group by 1 order by 1
                """
            let rows = try program.run("query", sql, "--format", "csv").text.split(whereSeparator: \.isNewline)
            #expect(
                rows.dropFirst().map(String.init)
                    == known.visits.sorted { $0.state < $1.state }.map {
                        "\($0.state),\($0.visits),\($0.completed),\($0.dwellNanoseconds)"
                    })
        }
        let rows = try comparison(of: program, "app_version=1.0", "app_version=1.1").rows
        let changed = try #require(rows.first { $0.kind == "dwell" && $0.name == "background" })
        #expect(changed.significant && changed.direction == "more" && changed.difference > 0)
        #expect(rows.allSatisfy { !$0.significant || $0.kind != "dwell" || $0.name == "background" })
    }

    @Test("the pictures and the report show the difference")
    func pictures() throws {
        let (program, _) = try fleet()
        let pair = ["app_version=1.0", "app_version=1.1"]
        let map = try program.run(["diagram", "--compare"] + pair)
        #expect(map.status == 0, "\(map.errors)")
        for text in ["more in B", "beyond chance", "From A to B"] { #expect(map.text.contains(text), "\(text)") }
        #expect(try order(of: program, ["--compare"] + pair) == order(of: program, []))
        #expect(try program.run(["diagram", "--view", "observed", "--compare"] + pair).status == 64)
        #expect(try program.run(["diagram", "--device", "phone-a1", "--compare"] + pair).status == 64)

        let curves = try program.run(["compare", "--curves", "curves.svg"] + pair)
        #expect(curves.status == 0, "\(curves.errors)")
        let drawn = try String(contentsOf: program.folder.url.appendingPathComponent("curves.svg"), encoding: .utf8)
        // What differs beyond chance comes first; the bands are those of the devices.
        let drawnStates = try ["◆ App · Background<", ">App · Active<", ">App · Inactive<"].map {
            try #require(drawn.range(of: $0)).lowerBound
        }
        #expect(drawnStates.min() == drawnStates[0])
        #expect(drawn.contains("95% confidence bands, from the spread between devices."))

        let report = try program.run(["report", "--compare"] + pair)
        #expect(report.status == 0, "\(report.errors)")
        #expect(
            report.text.contains("id=\"section-comparison\"")
                && report.text.contains("<td class=\"txt mid\">mean visit to Background (≤ "))
        // It says what the other sections are about, and needs no third database.
        #expect(report.text.contains("A (app_version=1.0) against B (app_version=1.1)</h1>"))
        #expect(
            report.text.contains("All sections below are about all runs of lifestats.db, except where they compare"))
        for side in ["a", "b"] { try program.run("ingest", "fleet/\(side)", "--db", "\(side).db") }
        let two = try program.run("report", "--compare", "a.db", "b.db")
        #expect(two.status == 0 && two.text.contains("All sections below are about B (b.db), except"), "\(two.errors)")
        #expect(two.text.contains("<code>lifestats query dwell_times --db b.db</code>"))
        #expect(two.text.contains("<code>lifestats compare a.db b.db</code>"))
        // The words of pictures, and no ids.
        let table = try program.run(["compare"] + pair).text
        for text in ["ends of runs: killed in background", "ends of runs: the log ends first"] {
            #expect(table.contains(text) && report.text.contains(text), "\(text)")
        }
        #expect(table.contains("transitions from Background to Not running "))
        #expect(report.text.contains("transitions from Background to Not running</td>"))
        // The result comes first, in words; how it was found is below the figures and folded.
        #expect(table.hasPrefix("B "), "\(table.prefix(300))")
        #expect(table.contains(/\n  mean visit to Background \(≤ [^)]*\) .* → .* \(\+\d/), "\(table.prefix(300))")
        #expect(
            report.text.contains(#/<li class="observation (error|warning)"><p>B [^<]*mean visit to Background/#))
        let section = report.text.components(separatedBy: "id=\"section-comparison\"").last ?? ""
        let worseOrNot = try #require(table.firstMatch(of: /\n(\d+ figures differ beyond chance)/)).1
        let places = ["<p>\(worseOrNot)", "<tbody>", "<summary>How to read it", "random divisions"].map {
            section.range(of: $0)?.lowerBound
        }
        #expect(places.allSatisfy { $0 != nil } && places.compactMap(\.self) == places.compactMap(\.self).sorted())
        #expect(!table.contains("not_running") && !table.contains("log_end"), "\(table)")
        #expect(table.contains("\nremarks per run ") && !table.contains("info"), "\(table)")
        // The difference of two shares is in points, and is that of the shares as they are printed.
        let shares = table.matches(
            of: /^(?:time in|transitions from|ends of) .*? ([\d.]+)% +([\d.]+)% +([−+]?)([\d.]+) points/
                .anchorsMatchLineEndings())
        #expect(shares.count > 8, "\(table)")
        for row in shares {
            let (a, b, size) = (try #require(Double(row.1)), try #require(Double(row.2)), try #require(Double(row.4)))
            #expect(abs(b - a - (row.3 == "−" ? -size : size)) < 0.01, "\(row.0)")
        }
        // Rows that differ are never folded, and those that are worse come first.
        let body = try #require(report.text.split(separator: "id=\"section-comparison\"").last)
        let rows = body.prefix(upTo: try #require(body.range(of: "</tbody>")).lowerBound).split(separator: "<tr class")
            .dropFirst(2)
        func isDifferent(_ row: Substring) -> Bool { row.contains(/<td[^>]*>(worse|better|more|less)<\/td>/) }
        #expect(rows.filter(isDifferent).count > 2, "\(rows)")
        #expect(rows.allSatisfy { $0.hasPrefix("=\"entry open\"") == isDifferent($0) })
        #expect(
            rows.map { $0.contains(">worse</td>") ? 0 : 1 } == rows.map { $0.contains(">worse</td>") ? 0 : 1 }.sorted())
    }

    @Test("what follows from longer visits alone is not judged, and a narrow terminal shows each row in two lines")
    func unjudged() throws {
        let (program, _) = try fleet()
        let pair = ["app_version=1.0", "app_version=1.1"]
        let rows = try comparison(of: program, pair[0], pair[1]).rows
        let unjudged = rows.filter { $0.name.hasPrefix("info ") || $0.name.hasSuffix(" per hour") }
        #expect(unjudged.count > 2)
        #expect(unjudged.allSatisfy { !["worse", "better"].contains($0.direction) }, "\(unjudged)")
        let narrow = try program.run(["compare"] + pair, environment: ["COLUMNS": "80"]).text
        let row = narrow.firstMatch(
            of: #/\nmean visit to Background \([^)]*\): more in B, p = [\d.]+\n  [^\n]+ … [^\n]+\n\n/#)
        #expect(row != nil && narrow.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(narrow)")
        #expect(!narrow.contains("detectable"))
    }

    /// The states of a diagram from top to bottom.
    private func order(of program: Program, _ arguments: [String]) throws -> [String] {
        struct Diagram: Decodable {
            struct Place: Decodable {
                var id: String
                var y: Double
            }
            var places: [Place]
        }
        let text = try program.run(["diagram", "--format", "json"] + arguments).text
        return try JSONDecoder().decode(Diagram.self, from: Data(text.utf8)).places.sorted { $0.y < $1.y }.map(\.id)
    }

    /// Six runs on each of two days, which are in use for a number of seconds each.
    private func days(_ first: [Int], _ second: [Int]) throws -> Program {
        let program = try Program()
        var lines: [String] = []
        for (day, lengths) in [(9, first), (10, second)] {
            for (run, length) in lengths.enumerated() {
                let steps: [(callback: String, second: Int)] = [
                    ("application:didFinishLaunchingWithOptions:", 0), ("applicationDidBecomeActive:", 1),
                    ("applicationWillResignActive:", 1 + length), ("applicationDidEnterBackground:", 2 + length),
                    ("applicationWillTerminate:", 3 + length),
                ]
                lines += steps.map { callback, second in
                    let time = String(format: "2024-03-%02d 1%d:00:%02d.000", day, run, second)
                    return "\(time) Kettle[\(day)0\(run):1] -[AppDelegate \(callback)]"
                }
            }
        }
        try program.write(lines.joined(separator: "\n") + "\n", to: "app.log")
        try program.run("ingest", "app.log")
        return program
    }

    private static let builds = ["until=2024-03-10", "from=2024-03-10"]

    @Test("means, medians and horizon are those computed by hand, and options decide what fails")
    func byHand() throws {
        let program = try days([8, 9, 10, 10, 11, 12], [28, 29, 30, 30, 31, 32])
        let document = try comparison(of: program, Self.builds[0], Self.builds[1])
        #expect(document.unit == "run" && document.units == ["a": 6, "b": 6] && document.gate.fired)
        let row = try #require(document.rows.first { $0.kind == "dwell" && $0.name == "active" })
        // Eleven of the twelve visits, the first nine tenths, have ended after 31 s.
        #expect(row.horizonS == 31 && row.a.medianS == 10 && row.b.medianS == 30)
        #expect(row.a.value == 10)
        #expect(abs(row.difference - (28 + 29 + 30 + 30 + 31 + 31) / 6.0 + 10) < 1e-12)
        // Of 924 ways to divide twelve runs, two are as extreme: p is about 0.002.
        #expect(row.p < 0.006 && row.significant && row.direction == "more")

        func status(_ options: String...) throws -> Int32 {
            try program.run(["compare"] + Self.builds + options).status
        }
        #expect(try status() == 0)
        #expect(try status("--worse", "dwell:active") == 1)
        #expect(try status("--worse", "dwell:active:less") == 0)
        #expect(try status("--fail-on", "any") == 1)
        #expect(try status("--worse", "dwell:Active") == 1)
        // A row that only these logs lack may be a gate; one that there cannot be would never fail.
        #expect(try status("--worse", "share:suspended", "--worse", "finding:R-APP-15 per run") == 0)
        for (name, known) in [
            ("dwell:actve", "did you mean active?"), ("dwell:foo", "background"), ("launch:warm", "background, resume"),
            ("finding:error", "error per run"), ("transition:active>foo", "active>inactive"),
        ] {
            let outcome = try program.run(["compare"] + Self.builds + ["--worse", name])
            #expect(outcome.status == 2, "\(name)")
            #expect(outcome.errors.contains("no such row") && outcome.errors.contains(known), "\(outcome.errors)")
        }
        for size in ["300%", "300 %", "300"] {
            #expect(try status("--fail-on", "any", "--min-effect", size) == 0, "\(size)")
        }
        #expect(try status("--fail-on", "any", "--min-effect", "3") == 1)
        #expect(try status("--min-effect", "10%%") == 64)
    }

    @Test("cohorts that overlap, have no runs or too few are errors with their numbers")
    func refusals() throws {
        let program = try days([8, 9, 10, 10, 11, 12], [28, 29, 30, 30, 31])
        func error(_ a: String, _ b: String) throws -> String {
            let outcome = try program.run("compare", a, b)
            #expect(outcome.status == 2)
            return outcome.errors
        }
        let overlap = try error("from=2024-03-01", Self.builds[1])
        #expect(overlap.contains("11 runs") && overlap.contains("5 are in both"))
        #expect(try error("app=Tea", Self.builds[1]).contains("(app=Tea) has 0 runs"))
        #expect(try error(Self.builds[0], Self.builds[1]).contains("has 5 runs, which is too few"))
    }

    @Test("planned looks are counted, and another look at the same data is none")
    func looks() throws {
        let program = try days([8, 9, 10, 10, 11, 12], [28, 29, 30, 30, 31, 32])
        for _ in 1...2 {
            let document = try comparison(of: program, Self.builds[0], Self.builds[1], "--looks", "3")
            #expect(document.look == 1 && !document.gate.fired)
        }
        let other = try program.run(["compare"] + Self.builds + ["--looks", "2"])
        #expect(other.status == 2 && other.errors.contains("planned with alpha 0.05 looks 3"))
    }

    @Test("devices of both cohorts, and runs without a device, are called what they are")
    func units() throws {
        let (program, _) = try fleet()
        let halves = ["app_version=1.0,until=2026-03-03", "app_version=1.0,from=2026-03-03"]
        let shared = try program.run(["compare", "--format", "markdown", "--fail-on", "never"] + halves)
        #expect(shared.text.contains("14 devices with runs in both cohorts"), "\(shared.text)\(shared.errors)")
        // A cohort of which one log names no device.
        let log = (0..<3).map { run in
            "2026-03-02 1\(run):00:00.000 Harbour[9\(run):1] application:didFinishLaunchingWithOptions:\n"
        }
        try program.write(log.joined(), to: "more.log")
        try program.run("ingest", "more.log", "--app-version", "1.0")
        let mixed = try program.run("compare", "app_version=1.0", "app_version=1.1", "--fail-on", "never")
        #expect(mixed.text.contains("(17 devices or single runs, "), "\(mixed.text)")
        #expect(mixed.text.contains("(14 devices or single runs, "))
        // Times are means and medians, and what could have been found is in seconds and per cent.
        #expect(mixed.text.contains("A: 95% interval"))
        let row = mixed.text.split(separator: "\n").first { $0.hasPrefix("mean visit to Background") }
        #expect(row?.contains(#/ s \(\d+\.\d%\)\s*$/#) == true, "\(mixed.text)")
    }

    private struct Document: Decodable {
        struct Figure: Decodable {
            var value: Double?
            var medianS: Double?
        }
        struct Row: Decodable {
            var kind: String
            var name: String
            var a: Figure
            var b: Figure
            var horizonS: Double?
            var difference: Double
            var p: Double
            var significant: Bool
            var direction: String
        }
        struct Gate: Decodable {
            var fired: Bool
        }
        var unit: String
        var units: [String: Int]
        var look: Int
        var gate: Gate
        var rows: [Row]
    }

    private func comparison(of program: Program, _ arguments: String...) throws -> Document {
        let outcome = try program.run(["compare"] + arguments + ["--format", "json", "--fail-on", "never"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(Document.self, from: Data(outcome.text.utf8))
    }
}
