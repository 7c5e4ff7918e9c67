import Foundation
import Testing
import TraceRecords

@testable import Reports

@Suite("The report in one page")
struct HTMLReportTests {
    private static func report(name: String, rows: [[Cell]] = [], totalRows: Int? = nil) -> HTMLReport {
        var finding = LocatedFinding(
            id: 1, rule: name, deviation: name, severity: .error, message: name, repair: name, file: name, line: 3,
            app: name, run: 7, layer: "app")
        finding.lines = [.init(number: 3, text: name)]
        finding.path.move(from: name, to: name)
        let columns = ["state", "callback", "verdict", "app", "share", "count"].map { ReportColumn($0) }
        let row: [Cell] = [.text(name), .text(name), .text(name), .text(name), .real(0.5), .integer(1_234)]
        var overview = ReportOverview(
            runs: 1, events: 2, files: 1, lines: 3,
            mainState: .init(title: name, total: 1_000_000_000, share: 1), transitions: 2,
            undocumentedTransitions: 1)
        overview.observations = [.init(severity: .error, text: name, links: [.init(text: name, target: "#finding-1")])]
        let picture = ReportPicture(
            svg: "<?xml version=\"1.0\"?>\n<svg id=\"d\"><title>t</title></svg>", caption: name)
        let tabs = ReportTabs(
            id: "t", label: name,
            tabs: [.init(title: name, blocks: [.text(name)]), .init(title: name, blocks: [.list([name])])])
        return HTMLReport(
            title: name, database: name, version: "1.0.0", restrictions: [name],
            overview: overview,
            states: [.init(id: name, title: name), .init(id: "fg_active", title: "Foreground active")],
            sections: [
                ReportSection(
                    id: "all", title: name, introduction: name,
                    blocks: [
                        .text(name), .list([name]), .picture(picture), .tabs(tabs),
                        .more(name, [.text(name), .more(name, [.list([name])])]),
                        .table(
                            ReportTable(
                                caption: name, columns: columns, rows: [row] + rows, totalRows: totalRows)),
                        .findings(
                            FindingReport(
                                findings: [finding],
                                rules: [
                                    RuleText(
                                        id: name, says: name, title: name,
                                        sources: [.init(text: name, target: ""), .init(text: name, target: name)])
                                ], runs: 1,
                                events: 2, version: "1.0.0")),
                    ],
                    questions: [ReportQuestion(name, sql: name), ReportQuestion(name)])
            ])
    }

    @Test("The heading breaks between the words of a long name, and never within a short one")
    func headingBreaks() {
        let name = "InternationalShoppingCartAndWishlistManagementEdition"
        #expect(SafeHTML.withBreaks("Lifecycle of \(name)").contains("International<wbr>Shopping<wbr>"))
        #expect(SafeHTML.withBreaks("TeaTimer & co") == "TeaTimer &amp; co")
    }

    @Test("Names of callbacks break between their words")
    func callbacksBreak() throws {
        let page = try Self.report(name: "applicationDidBecomeActive").html()
        #expect(page.contains("<code>application<wbr>Did<wbr>Become<wbr>Active<wbr></code>"))
    }

    @Test(
        "Text from a log is text, wherever it stands",
        arguments: [
            "<script>alert(1)</script>", "\u{0600}<img src=x onerror=alert(1)>", "<\u{301}img src=x>",
            "\" onfocus=\"alert(1)", "' onfocus='alert(1)", "\"\u{301} onfocus=alert(1) x=\"",
            "]]> %n {{title}} {{{x}}}",
            "&lt;b&gt;", String(repeating: "<b>", count: 4_000),
        ])
    func hostile(_ name: String) throws {
        let harmless = try Self.report(name: "name").html()
        let html = try Self.report(name: name).html()
        // The same tags in the same order, whatever the name; long names only fold a cell.
        #expect(Self.tags(html) == Self.tags(harmless) || name.count > PageCell.foldingLength)
        #expect(Self.tags(html).allSatisfy { !$0.contains("<b") || $0.hasPrefix("<body") || $0.hasPrefix("<button") })
        #expect(html.contains(XMLText.escaped(name)))
    }

    @Test("Marks that turn the reading direction are shown, not obeyed; writing from right to left is kept")
    func direction() throws {
        let html = try Self.report(name: "a\u{202E}b مرحبا 👩‍👩‍👧").html()
        #expect(!html.unicodeScalars.contains("\u{202E}"))
        #expect(html.contains("a&lt;U+202E&gt;b مرحبا 👩‍👩‍👧"))
    }

    @Test("The page is complete: nothing in it reaches for the network, and one script may run")
    func selfContained() throws {
        let html = try Self.report(name: "MyApp").html()
        #expect(!html.contains("http://") && !html.contains("https://") && !html.contains("url("))
        #expect(!html.contains("src=") && !html.contains("@import"))
        #expect(html.components(separatedBy: "<script").count == 2)
        #expect(html.contains("default-src 'none'"))
        // The picture stands in the page without its XML declaration.
        #expect(html.contains("<svg id=\"d\">") && !html.contains("<?xml"))
    }

    @Test("A rule links to the documents that it cites; a finding shows its lines and what would mend it")
    func sources() throws {
        let html = try Self.report(name: "name").html()
        // The one without an address is left out.
        #expect(html.contains("Sources: <a href=\"name\" rel=\"noreferrer\">name</a>.</p>"))
        #expect(html.contains("<span class=\"line hit\"><span class=\"number\">3</span> name\n</span>"))
        #expect(html.contains("<strong>Fix</strong> The log would conform name."))
        #expect(
            html.contains("id=\"finding-1\" data-path=\"|name|name&gt;name|\"")
                || html.contains("data-path=\"|name|name>name|\""))
    }

    @Test("Equal reports give equal bytes")
    func deterministic() throws {
        #expect(try Self.report(name: "x").html() == Self.report(name: "x").html())
    }

    @Test("Large tables are cut, and say so")
    func limit() throws {
        let rows = (0..<600).map { [Cell.text("s\($0)"), .null, .null, .null, .null, .integer($0)] }
        let html = try Self.report(name: "x", rows: rows, totalRows: 12_345).html()
        #expect(html.contains("The first 500 of 12,345 rows; the query gives them all."))
        #expect(html.contains("s498") && !html.contains("s499"))
    }

    @Test("Cells carry units for people and numbers for sorting, states carry their name for highlighting")
    func cells() throws {
        let html = try Self.report(name: "active").html()
        #expect(html.contains("<td class=\"num\" data-v=\"1234\">1,234</td>"))
        #expect(
            html.contains("<td class=\"num\" data-v=\"0.5\"><span class=\"bar\" style=\"--w:0.5\">50.0%</span></td>"))
        #expect(html.contains("<span class=\"state\" data-state=\"active\" title=\"active\">active</span>"))
        // People read the title; the id, which queries want, is in the tooltip.
        let titled = try Self.report(name: "x", rows: [[.text("fg_active"), .null, .null, .null, .null, .null]]).html()
        #expect(
            titled.contains(
                "<span class=\"state long\" data-state=\"fg_active\" title=\"fg_active\">Foreground active</span>"))
        #expect(titled.contains("<option value=\"fg_active\">Foreground active</option>"))
    }

    private static func findings(_ severities: [Severity]) -> FindingReport {
        let findings = severities.enumerated().map { place, severity in
            LocatedFinding(
                id: Int64(place + 1), rule: "R-\(place + 1)", deviation: "duplicate", severity: severity, message: "m",
                file: "a.log", line: Int64(place + 1), run: 7, layer: "app")
        }
        return FindingReport(findings: findings, runs: 1, events: 9, version: "1.0.0")
    }

    @Test("No rule with an error or a warning is folded away or missing on paper, only further remarks are")
    func seriousRules() throws {
        let mixed = Self.findings([.error, .info, .warning, .warning, .error, .info, .warning, .warning])
        #expect(mixed.otherRules == 2)
        var report = Self.report(name: "x")
        func rules(_ block: ReportBlock) throws -> [String] {
            report.sections[0].blocks = [block]
            return try report.html().matches(of: /<code>(R-\d)<\/code> <span class="count">/).map { String($0.1) }
        }
        #expect(try rules(.findings(mixed)) == ["R-1", "R-5", "R-3", "R-4", "R-7", "R-8"])
        #expect(try rules(.otherFindings(mixed)) == ["R-2", "R-6"])
        #expect(Self.findings([.error, .info, .info, .info]).otherRules == 0)
    }

    @Test("Further rules repeat no sentence of the page, and a narrow screen may leave out mean and extremes")
    func furtherRules() throws {
        var report = Self.report(name: "x")
        var columns = ["p50_s", "p99_s", "complete"].map { ReportColumn($0) }
        for place in 1...2 { columns[place].isSecondary = true }
        report.sections[0].blocks = [
            .otherFindings(Self.findings(Array(repeating: .info, count: 6))),
            .table(.init(caption: "c", columns: columns, rows: [[.real(1), .real(2), .integer(3)]])),
        ]
        let html = try report.html()
        #expect(html.contains("R-5") && html.contains("R-6"))
        #expect(html.components(separatedBy: XMLText.escaped(report.overview.summary)).count == 2)
        #expect(
            html.contains("<td class=\"num\" data-v=\"1.0\">")
                && html.contains("<td class=\"num extra\" data-v=\"2.0\">")
                && html.contains("<td class=\"num minor\" data-v=\"3\">"))
        // It says what it leaves out.
        #expect(html.contains("of-extra\">A wider window shows more columns: p99.</p>"))
        #expect(html.contains("of-minor\">A wider window shows more columns: p99, complete.</p>"))
    }

    @Test("A finding without a repair says what to do, and what the replay found itself has a rule with a source")
    func advice() throws {
        for (id, text) in DeviationText.all {
            #expect(!text.title.isEmpty && !text.fix.isEmpty && !text.citation.isEmpty, "\(id)")
            #expect(text.explanation.isEmpty == (id.first?.isUppercase == true), "\(id)")
            #expect(!text.fix.contains("Source:") && !text.explanation.contains("Fix:"), "\(id)")
        }
        let findings = [
            ("clock-regression", "clock-regression"), ("R-APP-17", "rule-violation"), ("R-1", "truncation"),
        ]
        .enumerated().map { place, finding in
            LocatedFinding(
                id: Int64(place), rule: finding.0, deviation: finding.1, severity: .warning, message: "m",
                file: "a.log",
                line: 1, layer: "app")
        }
        var report = Self.report(name: "x")
        report.sections[0].blocks = [.findings(FindingReport(findings: findings, runs: 1, events: 3, version: "1"))]
        let html = try report.html()
        #expect(html.components(separatedBy: "<p class=\"fix\"><strong>Fix</strong> ").count == 4)
        #expect(html.contains("Not needed if the clock of the device was set."))
        #expect(html.contains("Otherwise, ingest the crash, jetsam or watchdog reports of that time"))
        #expect(html.contains("Start logging before the app is launched"))
    }

    @Test("What matters is told in plain sentences")
    func sentences() {
        var overview = ReportOverview(
            devices: 2, runsOfDevices: 7, runs: 7, events: 100, files: 2, lines: 1_000,
            firstTime: 1_700_000_000_000_000_000, lastTime: 1_700_004_980_000_000_000,
            mainState: .init(title: "active", total: 3_600_000_000_000, share: 0.75), transitions: 50,
            undocumentedTransitions: 1,
            endReasons: [.jetsam: 1, .killedInBackground: 2, .logEnd: 4])
        #expect(
            overview.summary
                == "The logs show 7 runs on 2 devices between 2023-11-14 22:13:20 and "
                + "2023-11-14 23:36:20 UTC.")
        overview.runsOfDevices = 3
        #expect(overview.summary.hasSuffix("23:36:20 UTC. 3 runs come from 2 known devices."))
        #expect(overview.time?.text == "75.0% of the time in completed visits was spent in state active: 1 h.")
        // One hour is three quarters of what is complete: an hour and 20 minutes.
        overview.mainState?.incomplete = 4_800_000_000_001
        #expect(
            overview.time?.text
                == "Most of the time, at least 1 h 20 min, is in visits that are not complete; of those that "
                + "are, state active takes most: 1 h.")
        #expect(overview.tiles.contains { $0.name == "in complete visits to active" && $0.value == "1 h" })
        #expect(
            overview.transitionsObservation(most: ("from active to background", 1))?.text
                == "1 of 50 transitions is not documented: from active to background.")
        overview.undocumentedTransitions = 3
        #expect(
            overview.transitionsObservation(most: ("from active to background", 2))?.text
                == "3 of 50 transitions are not documented, most often from active to background.")
        #expect(
            overview.transitionsObservation(most: ("from active to background", 1))?.text
                == "3 of 50 transitions are not documented, for example from active to background.")
        #expect(overview.ends?.text == "1 of 7 runs ended abnormally, out of memory.")
        #expect(overview.ends?.severity == .error)
        overview.endReasons = [.jetsam: 1, .watchdog: 3, .launchFailure: 1, .killedInBackground: 2]
        #expect(
            overview.ends?.text == "5 of 7 runs ended abnormally: 3 by the watchdog, 1 out of memory, 1 at launch.")
        overview.endReasons = [.watchdog: 2]
        #expect(overview.ends?.text == "2 of 7 runs ended abnormally, by the watchdog.")
        overview.endReasons = [.killedInBackground: 2]
        #expect(overview.ends?.text == "Of 7 runs, 2 were probably killed in the background.")
        #expect(overview.ends?.severity == nil)
        overview.transitionsInSteps = 28
        #expect(
            overview.transitionsObservation(most: ("from active to background", 2))?.text
                == "3 of 50 transitions are not documented, most often from active to background.")
        #expect(
            overview.tiles.contains { $0.value == "3" && $0.name == "undocumented transitions" && $0.mood.isEmpty })
        (overview.undocumentedTransitions, overview.transitionsInSteps) = (1, 1)
        #expect(overview.tiles.contains { $0.value == "1" && $0.name == "undocumented transition" })
        #expect(
            overview.transitionsObservation(most: ("from active to background", 1))?.text
                == "1 of 50 transitions is not documented: from active to background.")
        overview.undocumentedTransitions = 0
        let harmless = overview.transitionsObservation(most: nil)
        #expect(
            harmless?.text
                == "All 50 transitions are documented; 1 of them is documented as several steps, of which the log shows "
                + "only the last.")
        #expect(harmless?.severity == nil)
        overview.transitionsInSteps = 0
        #expect(overview.transitionsObservation(most: nil)?.text == "All 50 transitions are documented.")
        overview.changingLayers = ["app", "scene"]
        #expect(overview.transitionsObservation(most: nil)?.text == "All 50 transitions in 2 layers are documented.")
        overview.events = 0
        #expect(overview.summary == "No lifecycle event was found in 2 files, 1,000 lines.")
    }

    @Test("No line of a page ends inside a date or a time")
    func wholeDates() {
        #expect(
            SafeHTML.withWholeDates("a < 2026-05-12 07:00:01.25 b, 2026-05-12.")
                == "a &lt; <span class=\"moment\">2026-05-12 07:00:01.25</span> b, <span class=\"moment\">2026-05-12</span>."
        )
    }

    @Test("No line of a page ends inside a duration")
    func wholeDurations() {
        let text = SafeHTML.unbroken("at least 1 d 7 h, in 12 s of 3 days: 1,250 d.")
        #expect(text == "at least 1\u{A0}d\u{A0}7\u{A0}h, in 12\u{A0}s of 3 days: 1,250\u{A0}d.")
    }

    @Test("The period of the dated logs is no second list of runs")
    func datedLogs() {
        var overview = ReportOverview(runs: 3, events: 9)
        (overview.devices, overview.runsOfDevices, overview.hasUndatedLogs) = (2, 2, true)
        (overview.firstTime, overview.lastTime) = (0, 1_000_000_000)
        #expect(overview.summary.contains("3 runs. Those of dated logs are between 1970"))
    }

    @Test("The worst rule is named with its places, and remarks alone are no news")
    func worstRule() {
        func report(_ severities: [Severity], after first: [LocatedFinding] = []) -> FindingReport {
            let findings = severities.enumerated().map { place, severity in
                LocatedFinding(
                    id: Int64(place + 1), rule: severity == .error ? "R-9" : "R-1", deviation: "duplicate",
                    severity: severity,
                    message: "m", file: "/logs/day.log", line: Int64(place + 10), run: 5, layer: "app")
            }
            return FindingReport(
                findings: first + findings,
                rules: [RuleText(id: "R-9", says: "It comes once.", title: "It came twice")], runs: 1, events: 9,
                version: "1")
        }
        var mixed = report([.info, .error, .error, .warning])
        mixed.listedRuns = [5]
        #expect(mixed.observation()?.text == "2 errors and 1 warning were found, most often (2 times): m.")
        #expect(
            mixed.observation()?.links.map(\.target) == ["#rule-r-9-error", "#finding-2", "#run-5"])
        #expect(report([.info]).observation() == nil)
        #expect(report([.info, .warning]).observation()?.text == "1 warning was found: m.")
        #expect(report([.warning, .warning]).observation()?.text == "2 warnings were found, all of one kind: m.")
        #expect(report([.error, .warning]).observation()?.text == "1 error and 1 warning were found, for example: m.")
        // Several messages have only their rule in common.
        var other = mixed.findings[3]
        (other.id, other.message) = (98, "n")
        let several = report([.warning], after: [other]).observation()?.text
        #expect(several == "2 warnings were found, all of one kind: A callback that changes nothing.")
        #expect(mixed.observation(without: ["R-9"])?.text == "1 more warning was found: m.")
        #expect(mixed.links(toOneOf: ["R-9"]).first?.target == "#rule-r-9-error")
        // A check leads on to the finding that it lists first, not to the first one of the log.
        var early = mixed.findings[1]
        (early.id, early.rule, early.line) = (99, "R-10", 1)
        #expect(report([.info, .error, .error, .warning], after: [early]).worst?.id == 2)
    }

    @Test("A finding is headed by what happened; what should happen, and rules broken besides, are below")
    func headline() throws {
        func page(_ messages: String...) throws -> String {
            let findings = messages.enumerated().map { place, message in
                LocatedFinding(
                    id: Int64(place), rule: "R-9", deviation: "duplicate", severity: .error, message: message,
                    file: "day.log", line: 3, layer: "app")
            }
            let found = FindingReport(
                findings: findings, rules: [RuleText(id: "R-9", says: "It comes once.", title: "It came twice")],
                runs: 1, events: 9,
                version: "1")
            return try HTMLReport(
                title: "t", database: "d", version: "1", restrictions: [], overview: ReportOverview(runs: 1, events: 9),
                states: [], sections: [ReportSection(id: "findings", title: "Findings", blocks: [.findings(found)])]
            ).html()
        }
        let named = try page("viewDidLoad came twice (also R-8)")
        #expect(named.contains("<span class=\"what\">viewDidLoad came twice</span>"))
        #expect(named.contains("<span>also R-8</span>") && !named.contains("class=\"happened\""))
        #expect(named.contains("<strong>Rule</strong> It comes once."))
        #expect(try page("the launch took 27.9 s").contains("<span class=\"what\">The launch took 27.9 s</span>"))
        // Several places have only the rule in common.
        let several = try page("inactive for 2 min 21 s", "inactive for 20.5 s")
        #expect(
            several.contains("<span class=\"what\">It came twice</span>")
                && several.contains("<strong>Rule</strong> It comes once.")
        )
        #expect(
            several.contains("inactive for 2 min 21 s</p>") && several.contains("inactive for 20.5 s</p>"), "\(several)"
        )
    }

    @Test("A rule with findings of two severities is headed by what distinguishes them")
    func twoSeverities() throws {
        let findings = [("the watchdog ended it", Severity.error), ("no line says why", .warning)].flatMap {
            text, severity in
            [1, 2].map { line in
                LocatedFinding(
                    id: line, rule: "R-9", deviation: "rule-violation", severity: severity, message: text,
                    file: "day.log", line: line, layer: "app")
            }
        }
        let found = FindingReport(
            findings: findings, rules: [RuleText(id: "R-9", says: "It ends with a callback.", title: "It ended")],
            runs: 1, events: 9, version: "1")
        let page = try HTMLReport(
            title: "t", database: "d", version: "1", restrictions: [], overview: ReportOverview(runs: 1, events: 9),
            states: [], sections: [ReportSection(id: "findings", title: "Findings", blocks: [.findings(found)])]
        ).html()
        #expect(page.matches(of: /class="what">([^<]*)</).map(\.1) == ["The watchdog ended it", "No line says why"])
    }

    @Test("A callback that is not logged is not headed as missing, which its text denies")
    func notLogged() {
        let findings = ["a", "b"].enumerated().map { place, callback in
            LocatedFinding(
                id: Int64(place), rule: "not-logged", deviation: "missing-callback", severity: .info,
                message: "Tour never logs \(callback), so it does not count as missing here or later", file: "day.log",
                line: 3, layer: "app")
        }
        let group = FindingReport(findings: findings, runs: 1, events: 9, version: "1").groups[0]
        #expect(group.heading == "A callback that the app never logs")
    }

    /// The tags of a page without their attributes' values, up to the script.
    private static func tags(_ html: String) -> [String] {
        var tags: [String] = []
        var tag: [UInt8]?
        var quote: UInt8?
        let body = html.utf8
        for byte in body {
            if tag == nil {
                if byte == UInt8(ascii: "<") { tag = [byte] }
            } else if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else {
                tag?.append(byte)
                if byte == UInt8(ascii: ">"), let bytes = tag {
                    tags.append(String(decoding: bytes, as: UTF8.self))
                    tag = nil
                    if tags.last == "<script>" { break }
                }
            }
        }
        return tags
    }
}
