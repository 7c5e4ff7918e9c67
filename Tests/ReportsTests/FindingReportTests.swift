import Foundation
import Testing
import TraceRecords

@testable import Reports

extension FindingReport {
    fileprivate func text(_ format: FindingFormat, examples: Int? = 5, listing all: [LocatedFinding]? = nil) -> String {
        var bytes: [UInt8] = []
        let all: AllFindings = { [findings] body in try (all ?? findings).forEach(body) }
        try? write(format, examples: examples, all: all) { bytes += $0 }
        return String(decoding: bytes, as: UTF8.self)
    }
}

@Suite("Findings in every format")
struct FindingReportTests {
    private static func finding(
        _ id: Int64, rule: String = "R-APP-15", severity: Severity = .error, message: String = "no resign before",
        repair: String? = "with the callback", file: String = "logs/app.log", line: Int64 = 120,
        accepted: Bool = false
    ) -> LocatedFinding {
        LocatedFinding(
            id: id, rule: rule, deviation: "missing-callback", severity: severity, message: message, repair: repair,
            file: file, line: line, time: 1_700_000_000_123_000_000, app: "MyApp", run: 3, layer: "app",
            isAccepted: accepted)
    }

    private let rules = [
        RuleText(
            id: "R-APP-15", says: "The way from active leads through inactive.",
            title: "No direct way from active to background",
            sources: [
                ReportLink(text: "A blog post of 2021", target: ""),
                ReportLink(text: "Apple: Managing your app's life cycle", target: "https://example.com/life"),
            ]),
        RuleText(id: "R-APP-06", says: "Active only once", title: "Active twice"),
    ]

    private func report(_ findings: [LocatedFinding], failOn: Severity? = .error) -> FindingReport {
        FindingReport(findings: findings, rules: rules, failOn: failOn, runs: 3, events: 812, version: "1.0.0")
    }

    @Test("Text groups by rule, worst first, counts, locates and names the repair once")
    func text() {
        let report = report([
            Self.finding(1, rule: "TL-09", severity: .info, message: "inactive for 12 s", repair: nil, line: 7),
            Self.finding(2), Self.finding(3, line: 130), Self.finding(4, line: 140),
        ])
        let expected = """
            error  R-APP-15  No direct way from active to background  3 times
              no resign before
              logs/app.log:120  finding:2  2023-11-14 22:13:20.123 UTC  MyApp run:3
              logs/app.log:130  finding:3  2023-11-14 22:13:20.123 UTC  MyApp run:3
              … and 1 more
              the log would conform with the callback

            remark  TL-09  inactive for 12 s
              logs/app.log:7  finding:1  2023-11-14 22:13:20.123 UTC  MyApp run:3

            Failed at --fail-on error: 3 errors, 1 remark in 3 runs (812 events)

            """
        #expect(report.text(.text, examples: 2) == expected)
    }

    @Test("The limit decides, and a baseline accepts", arguments: Severity.allCases)
    func failing(severity: Severity) {
        let warning = Self.finding(1, severity: .warning)
        #expect(report([warning], failOn: severity).fails == (severity <= .warning))
        #expect(!report([Self.finding(1, accepted: true)], failOn: severity).fails)
        #expect(!report([warning], failOn: nil).fails)
        #expect(
            report([]).text(.text) == "Passed at --fail-on error: no findings in 3 runs (812 events)\n")
    }

    @Test("Annotations of GitHub escape what would end them")
    func github() {
        let finding = Self.finding(
            1, severity: .warning, message: "100%\r\n::error::x\u{1B}[0m", repair: nil, file: "a,b:c%.log", line: 2)
        let lines = report([finding]).text(.github).split(separator: "\n")
        #expect(
            lines.first
                == "::warning file=a%2Cb%3Ac%25.log,line=2,title=R-APP-15%3A No direct way from active to background::100%25%0D%0A::error::x␛[0m%0Afinding:1"
        )
        #expect(lines.count == 2)
        let mixed = report([
            Self.finding(1, severity: .info, line: 1), Self.finding(2, line: 2), Self.finding(3, line: 3),
        ]).text(.github)
        #expect(mixed.matches(of: /line=(\d)/).map { String($0.1) } == ["2", "3", "1"])
    }

    @Test("JUnit is well-formed and counts failures against the limit")
    func junit() throws {
        let findings = [
            Self.finding(1, message: "a <b> & \"c\" ]]> \u{0}\u{1B} \u{FFFF}"),
            Self.finding(2, severity: .info, line: 9),
        ]
        let text = report(findings).text(.junit)
        let expected = """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites name="lifestats" tests="3" failures="1" errors="0">
              <testsuite name="lifecycle" tests="3" failures="1" errors="0" skipped="0">
                <testcase classname="lifestats.R-APP-06" name="Active only once"/>
                <testcase classname="lifestats.R-APP-15" name="No direct way from active to background \
            (logs/app.log:120)" file="logs/app.log" line="120">
                  <failure type="error" message="a &lt;b&gt; &amp; &quot;c&quot; ]]&gt; ␀␛ &lt;U+FFFF&gt;">logs/app.log:120: \
            a &lt;b&gt; &amp; &quot;c&quot; ]]&gt; ␀␛ &lt;U+FFFF&gt;&#10;the log would conform with the callback&#10;finding:1</failure>
                </testcase>
                <testcase classname="lifestats.R-APP-15" name="No direct way from active to background \
            (logs/app.log:9)" file="logs/app.log" line="9">
                  <system-out>info: logs/app.log:9: no resign before&#10;the log would conform with the callback&#10;finding:2</system-out>
                </testcase>
              </testsuite>
            </testsuites>

            """
        #expect(text == expected)
        let none = FindingReport(findings: [], runs: 1, events: 1, version: "1").text(.junit)
        #expect(none.contains("tests=\"1\" failures=\"0\""))
    }

    @Test("A rule without a title of its findings is named as broken")
    func withoutTitle() {
        let rules = [RuleText(id: "R-1", says: "It comes once.")]
        let findings = ["a", "b"].map { Self.finding(1, rule: "R-1", message: $0) }
        let report = FindingReport(findings: findings, rules: rules, runs: 1, events: 9, version: "1")
        #expect(report.text(.text).hasPrefix("error  R-1  Broken: It comes once.  2 times\n"))
    }

    @Test("Text is as wide as the terminal")
    func width() throws {
        let long = "no resign before the background, which the documentation asks for at every such change"
        let findings = [Self.finding(1, message: long, repair: long), Self.finding(2, message: long, repair: long)]
        var text = ""
        let style = TextStyle(isOn: false, width: 50)
        func append(_ bytes: [UInt8]) { text += String(decoding: bytes, as: UTF8.self) }
        try report(findings).write(.text, style: style, all: { _ in }, append)
        #expect(
            text.hasPrefix(
                "error  R-APP-15  No direct way from active to\n                 background  2 times\n  no resign before"
            ),
            "\(text)")
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 50 }, "\(text)")
    }

    @Test("SARIF has the structure of version 2.1.0")
    func sarif() throws {
        let findings = [
            Self.finding(1, file: "logs/my app#1.log"),
            Self.finding(2, rule: "clock-regression", severity: .info, line: 0),
            Self.finding(3, file: "/var/a:b.log", accepted: true),
        ]
        let text = report(findings).text(.sarif, listing: findings)
        let log = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect(log["$schema"] as? String == "https://json.schemastore.org/sarif-2.1.0.json")
        #expect(log["version"] as? String == "2.1.0")
        let run = try #require((log["runs"] as? [[String: Any]])?.first)
        let driver = try #require((run["tool"] as? [String: Any])?["driver"] as? [String: Any])
        #expect(driver["name"] as? String == "lifestats")
        let described = try #require(driver["rules"] as? [[String: Any]])
        #expect(described.compactMap { $0["id"] as? String } == ["R-APP-15", "R-APP-06", "clock-regression"])
        #expect(
            described.map { ($0["help"] as? [String: Any])?["text"] as? String } == [
                "A blog post of 2021\nApple: Managing your app's life cycle: https://example.com/life", nil, nil,
            ])
        #expect(described.map { $0["helpUri"] as? String } == ["https://example.com/life", nil, nil])
        #expect(
            described.map { ($0["shortDescription"] as? [String: Any])?["text"] as? String } == [
                "No direct way from active to background", "Active twice", "The clock goes back",
            ])
        #expect(
            described.map { ($0["fullDescription"] as? [String: Any])?["text"] as? String }.prefix(2) == [
                "The way from active leads through inactive.", "Active only once",
            ])
        let results = try #require(run["results"] as? [[String: Any]])
        #expect(results.compactMap { $0["level"] as? String } == ["error", "note", "error"])
        #expect(results.compactMap { $0["ruleIndex"] as? Int } == [0, 2, 0])
        let locations = results.compactMap { ($0["locations"] as? [[String: Any]])?.first }
        let physical = locations.compactMap { $0["physicalLocation"] as? [String: Any] }
        let uris = physical.compactMap { ($0["artifactLocation"] as? [String: Any])?["uri"] as? String }
        #expect(uris == ["logs/my%20app%231.log", "logs/app.log", "file:///var/a:b.log"])
        let regions = physical.map { ($0["region"] as? [String: Any])?["startLine"] as? Int }
        // SARIF counts lines from 1, so a finding without a line has no region.
        #expect(regions == [120, nil, 120])
        #expect((results[2]["suppressions"] as? [[String: Any]])?.first?["kind"] as? String == "external")
        #expect(results[0]["suppressions"] == nil)
    }

    @Test("JSON carries every finding with exact times")
    func json() throws {
        let all = [Self.finding(1), Self.finding(2, severity: .warning, accepted: true)]
        let text = report(all).text(.json, listing: all)
        let document = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect(document["failed"] as? Bool == true)
        let summary = try #require(document["summary"] as? [String: Int])
        #expect(summary == ["errors": 1, "warnings": 0, "infos": 0, "accepted": 1, "runs": 3, "events": 812])
        let findings = try #require(document["findings"] as? [[String: Any]])
        #expect(findings.count == 2)
        #expect(findings[0]["time_ns"] as? Int64 == 1_700_000_000_123_000_000)
        #expect(findings[0]["instance"] is NSNull)
    }

    @Test("Markdown stays a table whatever the message says")
    func markdown() {
        let text = report([Self.finding(1, message: "a | b `c`\n<script>", file: "a|b.log")]).text(.markdown)
        let expected = """
            ### Lifecycle check: failed

            1 error in 3 runs (812 events)

            | severity | rule | count | what | first |
            | --- | --- | ---: | --- | --- |
            | error | R-APP-15 | 1 | No direct way from active to background | a\\|b.log:120 |

            #### R-APP-15: No direct way from active to background

            - a\\|b.log:120 a \\| b \\`c\\`␊&lt;script&gt; (finding:1)
              - the log would conform with the callback

            """
        #expect(text == expected)
    }

    @Test("Markdown passes no judgement where nothing can fail")
    func markdownWithoutJudgement() {
        var all = report([Self.finding(1)])
        all.failOn = nil
        #expect(all.text(.markdown).hasPrefix("### Lifecycle check\n"))
        all.failOn = .error
        #expect(all.text(.markdown).hasPrefix("### Lifecycle check: failed\n"))
        #expect(report([]).text(.markdown).hasPrefix("### Lifecycle check: passed\n"))
    }
}
