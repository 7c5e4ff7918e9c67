import Foundation
import Testing

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// What pictures and reports show is what the tables of the database say.
@Suite("Pictures and tables agree")
struct PictureAgreementTests {
    /// The parts of `diagram --format json` that tests look at.
    private struct Drawn: Decodable {
        var graph: Graph

        struct Graph: Decodable {
            var edges: [Edge]
        }

        struct Edge: Decodable {
            var from: String
            var to: String
            var isDocumented: Bool
            var isInferred: Bool
            var inferred: Int
            var seen: Figures?
            var probability: Double?
            var shareOfEnds: Double?
            var findings: [Mark]
        }

        struct Figures: Decodable {
            var count: Int
        }

        struct Mark: Decodable {
            var rule: String
            var count: Int
        }
    }

    private func edges(_ program: Program, layer: String, _ options: [String] = []) throws -> [Drawn.Edge] {
        let json = try program.run(["diagram", "--layer", layer, "--format", "json"] + options).output
        return try JSONDecoder().decode(Drawn.self, from: json).graph.edges
    }

    /// The rows of a query as CSV fields, without the names of the columns.
    private func rows(_ program: Program, _ query: String...) throws -> [[String]] {
        let outcome = try program.run(["query"] + query + ["--format", "csv"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        return outcome.text.split(whereSeparator: \.isNewline).dropFirst().map {
            $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
    }

    /// The transitions that a finding is about.
    private static let found = """
        select event_id from findings
        where rule <> 'not-logged' and deviation not in ('clock-regression', 'limit-overrun', 'truncation')
        """

    @Test("Every edge has the verdict and the evidence of its transitions, with and without a filter")
    func verdictAndEvidence() throws {
        let program = try PictureTests.program("", options: ["--year", "2024", "--date", "2024-03-09"])
        var combinations: Set<[Bool]> = []
        for layer in ["app", "scene", "view"] {
            // What no finding is about is documented in steps.
            let sql = """
                select from_state, to_state, iif(transition_id in (\(Self.found)), verdict, 'documented') as verdict,
                    evidence, count(*) from transitions where layer = '\(layer)' group by 1, 2, 3, 4
                """
            let expected = try rows(program, sql).map { $0.joined(separator: " ") }
            for options in [[], ["--since", "1960-01-01T00:00:00Z"]] {
                let edges = try edges(program, layer: layer, options).filter { $0.seen != nil }
                // An edge shows the observed changes, with the inferred ones beside them, or inferred ones alone.
                let drawn = edges.flatMap { edge in
                    [(edge.isInferred, edge.seen?.count ?? 0), (true, edge.inferred)].filter { $0.1 > 0 }
                        .map { (edge: edge, isInferred: $0.0, count: $0.1) }
                }
                var counts: [String: Int] = [:]
                for line in drawn {
                    let verdict = line.edge.isDocumented ? "documented" : "undocumented"
                    let evidence = line.isInferred ? "inferred" : "observed"
                    counts["\(line.edge.from) \(line.edge.to) \(verdict) \(evidence)", default: 0] += line.count
                }
                let lines = counts.map { "\($0.key) \($0.value)" }
                #expect(lines.sorted() == expected.sorted(), "\(layer) \(options)")
                combinations.formUnion(drawn.map { [$0.edge.isDocumented, $0.isInferred] })
            }
        }
        // No sample has an undocumented change that is only inferred.
        #expect(combinations.isSuperset(of: [[true, false], [true, true], [false, false]]))
    }

    @Test("Edges show their share of the observed transitions and of all ends, and the notes say so")
    func shares() throws {
        let program = try PictureTests.program("day", "deviations")
        let sql = """
            select from_state, sum(evidence = 'observed'), count(*) from transitions where layer = 'app' group by 1
            """
        var totals: [String: (observed: Double, all: Double)] = [:]
        for row in try rows(program, sql) {
            totals[row[0]] = (try #require(Double(row[1])), try #require(Double(row[2])))
        }
        #expect(totals.values.contains { $0.observed < $0.all })
        for edge in try edges(program, layer: "app") {
            guard let seen = edge.seen, let total = totals[edge.from] else { continue }
            #expect(edge.probability == (edge.isInferred ? nil : Double(seen.count) / total.observed))
            #expect(edge.shareOfEnds == Double(seen.count + edge.inferred) / total.all)
        }
        let notes = PictureTests().texts(try program.run("diagram").text)
        #expect(
            notes.contains {
                $0.contains("of the observed transitions out of the state; in parentheses: of all ends of its visits")
            })
    }

    @Test("A finding about the end of a run marks the edge that ends it")
    func marksOfEnds() throws {
        let program = try PictureTests.program("day", "deviations")
        let edges = try edges(program, layer: "app")
        for rule in ["R-APP-16", "R-APP-17"] {
            let marked = edges.filter { edge in edge.findings.contains { $0.rule == rule } }
            #expect(!marked.isEmpty && marked.allSatisfy { $0.to == "not_running" }, "\(rule)")
            let count = marked.flatMap(\.findings).reduce(0) { $0 + ($1.rule == rule ? $1.count : 0) }
            #expect(try rows(program, "select count(*) from findings where rule = '\(rule)'") == [["\(count)"]])
        }
    }

    @Test("The matrix frames each pair of states that an undocumented transition joins")
    func framedPairs() throws {
        let program = try PictureTests.program("formats", "deviations")
        let sql = """
            select distinct from_state, to_state from transitions
            where layer = 'app' and verdict = 'undocumented' and transition_id in (\(Self.found))
            """
        let cells = try program.run("report").text.matches(
            of: /class="cell undocumented"[^>]*data-from="([^"]*)" data-to="([^"]*)"/)
        let framed = Set(cells.map { [String($0.1), String($0.2)] })
        #expect(
            framed.isSuperset(of: try rows(program, sql)) && framed.contains(["active", "background"]), "\(framed)")
    }

    @Test("A run whose first lines have no date has no length, and an inferred visit is no launch time")
    func undatedBeginning() throws {
        let program = try Program()
        let lines = [
            "[+7831 ms] flutter: AppLifecycleState.resumed", "[        ] flutter: AppLifecycleState.paused",
            "2024-03-09 07:30:00.000 TeaTimer[412:1f03] -[AppDelegate applicationWillEnterForeground:]",
            "2024-03-09 07:30:01.000 TeaTimer[412:1f03] -[AppDelegate applicationDidBecomeActive:]",
            "2024-03-09 07:31:12.000 TeaTimer[412:1f03] -[TSLocationManager onSuspend:] enabled? 1",
            "2024-03-09 07:45:03.000 TeaTimer[412:1f03] -[TSLocationManager onResume:] enabled? 1",
            "2024-03-09 12:00:01.000 TeaTimer[412:1f03] -[AppDelegate applicationDidBecomeActive:]",
        ]
        try program.write(lines.joined(separator: "\n") + "\n", to: "a.log")
        try program.run("ingest", "a.log")
        let report = try program.run("report").text
        #expect(!report.contains("19,791 d"))
        // Layer, kind, launches; the longest of them.
        let launches = try rows(program, "launch_times")
        #expect(launches.map { [$0[1], $0[2], $0[7]] } == [["resume", "1", "1.0"]], "\(launches)")

        // What the head, the captions and the chart of all runs count, with a dated run and one without any time.
        let harbour = [("00", "DidBecomeActive"), ("05", "WillResignActive")].map {
            "2026-05-04 10:00:\($0).000 Harbour[1:1] -[AppDelegate application\($1):]\n"
        }
        try program.write(harbour.joined(), to: "b.log")
        try program.write("-[AppDelegate applicationDidBecomeActive:]\n", to: "c.log")
        try program.run("ingest", "b.log", "c.log")
        let all = try program.run("report").text
        #expect(
            all.contains("3 runs. Those of dated logs are between <span class=\"moment\">2026-05-04 10:00:00</span>"))
        #expect(all.contains("<summary>2 of 3 runs from their launch on</summary>"))
        // Active from 07:30:01 to 07:31:12, and suspended to 07:45:03; nothing follows the last line. The curve draws three
        // visits of the inactive state: 1 s, 4 h 15 min, and one of Harbour that is still going on.
        #expect(
            all.contains("Too few visits to draw: Active (1 min 11 s); Background (13 min 51 s)."))
    }

    /// The accessible descriptions of the charts of a report.
    private func charts(_ program: Program, _ options: [String] = []) throws -> [String] {
        try program.run(["report"] + options).text.matches(of: /<desc[^>]*>([^<]*)<\/desc>/).map { String($0.1) }
    }

    @Test("A visit whose dwell is unknown is not complete: total, mean and charts use the same visits")
    func unknownDwell() throws {
        let program = try Program()
        // Active for 10 s, then for an unknown time: the clock went back an hour. Then for 30 s.
        let lines = [
            ("10:00:00", "application:didFinishLaunchingWithOptions:"), ("10:00:01", "applicationDidBecomeActive:"),
            ("10:00:11", "applicationWillResignActive:"), ("10:00:12", "applicationDidBecomeActive:"),
            ("09:00:12", "applicationWillResignActive:"), ("09:00:13", "applicationDidBecomeActive:"),
            ("09:00:43", "applicationWillResignActive:"), ("09:00:44", "applicationDidEnterBackground:"),
        ].map { "2026-05-04 \($0).000 MyApp[1:1] -[AppDelegate \($1)]" }
        try program.write(lines.joined(separator: "\n") + "\n", to: "a.log")
        try program.run("ingest", "a.log")
        let counts =
            "select count(*), sum(complete), sum(dwell_ns) from visits where layer = 'app' and state = 'active'"
        #expect(try rows(program, counts) == [["3", "2", "40000000000"]])
        let active = try #require(try rows(program, "dwell_times").first { $0[0] == "app" && $0[1] == "active" })
        // Visits, complete, total, mean, median.
        #expect([active[2], active[3], active[5], active[6], active[8]] == ["3", "2", "40.0", "20.0", "20.0"])
        for options in [[], ["--since", "1960-01-01T00:00:00Z"]] {
            #expect(
                try program.run(["report"] + options).text.contains("Active (10 s and 30 s)"))
        }
    }

    @Test("Medians of survival curves are those of dwell_survival")
    func survivalMedians() throws {
        let program = try PictureTests.program("day", "deviations")
        let median = try #require(
            try program.run("query", "dwell_survival").text.split(separator: "\n").first {
                $0.hasPrefix("app") && $0.contains(" background ")
            }?.split(separator: "  ", omittingEmptySubsequences: true).map {
                String($0).trimmingCharacters(in: .whitespaces)
            })
        // Layer, state, ended, cut, first quartile, median.
        let total = try #require(Int(median[2])) + #require(Int(median[3]))
        // Visits that the log cuts make it no median of complete visits.
        #expect(median[3] != "0")
        let shown = "Background: \(total) visits, half over after \(median[5])"
        for options in [[], ["--since", "1960-01-01T00:00:00Z"]] {
            let charts = try charts(program, options).map { $0.replacing("\u{A0}", with: " ") }
            #expect(charts.contains { $0.contains(shown) }, "\(shown)")
        }
    }

    @Test("Scenarios that callbacks cannot distinguish are shown as a class with its members")
    func scenarioClasses() throws {
        let program = try PictureTests.program("day", "deviations")
        let section = try #require(
            try program.run("report").text.components(separatedBy: "<section").first {
                $0.contains("id=\"section-conformance\"")
            }
        )
        let leave = try #require(section.components(separatedBy: "<tr").first { $0.contains("EQ-1") })
        #expect(leave.contains("Leave") && leave.contains("Home button (SC-A02), Lock (SC-A03), "))
        let count = try rows(program, "select count(*) from scenarios where class = 'EQ-1'")[0][0]
        #expect(leave.contains(">\(count)<"))
        // What is known exactly keeps its own name.
        let launch = try #require(section.components(separatedBy: "<tr").first { $0.contains("SC-A01") })
        #expect(launch.contains("Launch to the foreground") && !launch.contains("SC-A02"))
    }

    @Test("Suspended time of background visits is a part of their total")
    func suspendedTime() throws {
        let program = try PictureTests.program("")
        let answers = try rows(program, "background_stays").filter { !$0[4].isEmpty && !$0[9].isEmpty }
        #expect(answers.count > 3)
        for row in answers {
            let (total, suspended) = (try #require(Double(row[4])), try #require(Double(row[9])))
            #expect(suspended <= total, "\(row)")
        }
    }

    @Test("A report without events counts the files and lines that it looked at")
    func emptyReport() throws {
        let program = try Program()
        let lines = [
            ("10:00:00", "application:didFinishLaunchingWithOptions:"), ("10:00:01", "applicationDidBecomeActive:"),
            ("10:20:00", "applicationWillResignActive:"),
        ].map { "2026-05-04 \($0).000 MyApp[1:1] -[AppDelegate \($1)]" }
        try program.write(lines.joined(separator: "\n") + "\n", to: "logs/a.log")
        try program.write(
            "2026-05-01 10:00:00.000 Other[2:1] -[AppDelegate application:didFinishLaunchingWithOptions:]\n",
            to: "logs/b.log")
        try program.run("ingest", "logs")
        let report = try program.run(
            "report", "--since", "2026-05-04T10:05:00Z", "--until", "2026-05-04T10:10:00Z"
        ).text
        #expect(report.contains("No lifecycle event was found in 1 file, 3 lines."))
    }
}
