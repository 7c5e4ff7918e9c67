import Foundation
import Testing

/// Reports of logs that show little.
@Suite("Reports of little")
struct SparseReportTests {
    private func report(_ lines: [String]) throws -> String {
        let program = try Program()
        try program.write(lines.joined(separator: "\n") + "\n", to: "app one.log")
        let outcome = try program.run("report", "app one.log")
        #expect(outcome.status == 0, "\(outcome.errors)")
        return outcome.text
    }

    private func line(_ second: Double, _ message: String) -> String {
        "2026-05-04 07:10:\(second < 10 ? "0" : "")\(second)00 Tour[12:1] \(message)"
    }

    private func observations(_ page: String) -> [String] {
        page.matches(of: /<li class="observation ([a-z]*)"><p>([^<]*)<\/p>/).map { "\($0.1): \($0.2)" }
    }

    @Test("A page about a log of which hardly anything was recognised says so first, and how to go on")
    func hardlyRecognised() throws {
        let own = [1.0, 2, 3, 4, 5].map { line($0, "the app went somewhere") }
        let found = observations(try report(own + [line(6, "-[AppDelegate applicationDidBecomeActive:]")]))
        #expect(found.count == 1, "\(found)")
        for text in [
            "warning: Only 1 of 6 log entries is a lifecycle event", "lifestats formats explain &#39;app one.log&#39;",
            "--aliases",
        ] {
            #expect(found[0].contains(text), "\(text): \(found)")
        }
        // A file that cannot be read at all.
        let nothing = observations(try report(["no", "log", "at all"]))
        #expect(nothing.count == 1 && nothing[0].hasPrefix("warning: Nothing in 3 lines was recognised"), "\(nothing)")
        // Beside one that can.
        let program = try PictureTests.program("day/tidebook.log")
        try program.write("no\nlog\nat all\n", to: "notes.txt")
        try program.run("ingest", "notes.txt")
        let first = observations(try program.run("report").text).first ?? ""
        #expect(first.hasPrefix("warning: In 1 of 2 files no lifecycle event was recognised"), "\(first)")
        #expect(first.contains("lifestats formats explain notes.txt"), "\(first)")
    }

    @Test("One or two visits are not drawn; a short log that is understood gets no warning")
    func fewVisits() throws {
        let page = try report([
            line(0, "-[AppDelegate application:willFinishLaunchingWithOptions:]"),
            line(0.2, "-[AppDelegate application:didFinishLaunchingWithOptions:]"),
            line(0.5, "-[AppDelegate applicationDidBecomeActive:]"), line(2.5, "a tile was loaded"),
            line(8.5, "-[AppDelegate applicationWillResignActive:]"),
            line(9, "-[AppDelegate applicationDidEnterBackground:]"), line(12, "a tile was loaded"),
        ])
        // Nothing is said of charts that are not there.
        #expect(!page.contains("Too few visits"))
        #expect(!page.contains("chart-app-dwell") && !page.contains("chart-app-survival"))
        #expect(observations(page).first == ": All 4 transitions are documented.", "\(observations(page))")
        #expect(page.contains("No deviation from the documented models in 5 events."))
    }

    @Test("A chart names the visits that it does not draw, not those that the chart beside it does not draw")
    func fewCompleteVisits() throws {
        var lines = [line(0, "-[AppDelegate application:didFinishLaunchingWithOptions:]")]
        for (begin, end) in [(0.5, 8.5), (20.5, 30)] {
            lines += [
                line(begin, "-[AppDelegate applicationDidBecomeActive:]"),
                line(end, "-[AppDelegate applicationWillResignActive:]"),
                line(end + 0.5, "-[AppDelegate applicationDidEnterBackground:]"),
                line(end + 11.5, "-[AppDelegate applicationWillEnterForeground:]"),
            ]
        }
        // The third visit of the active state is still going on.
        lines += [line(42, "-[AppDelegate applicationDidBecomeActive:]"), line(45, "a tile was loaded")]
        let page = try report(lines)
        for few in ["Active (8 s and 9.5 s); Background (11 s and 11 s).", "Background (11 s and 11 s)."] {
            #expect(page.contains("Too few visits to draw: \(few)"), "\(few)")
        }
    }

    @Test("Times without a year are times: the first sentence says what they lack")
    func timesWithoutYear() throws {
        let page = try report(["Nov 22 08:00:02 iPhone Moss[311] <Notice>: applicationDidBecomeActive:"])
        #expect(page.contains("The log shows 1 run. Its times are without a date or a year."))
    }

    @Test("A finding calls a state what the rest of the page calls it")
    func titles() throws {
        let page = try PictureTests.program("deviations").run("report").text
        let findings = page.components(separatedBy: "<section id=\"section-findings\"").last ?? ""
        #expect(findings.contains("in state Active leads to Not running, which is not documented"))
    }

    @Test("What several facts are about is told once, with the app that has it, and the first runs linked are drawn")
    func onceTold() throws {
        func run(_ app: String, _ pid: Int, _ messages: [String]) -> [String] {
            messages.enumerated().map { "2026-05-04 \(10 + pid):10:0\($0).000 \(app)[\(pid):1] -[AppDelegate \($1)]" }
        }
        let launch = ["application:didFinishLaunchingWithOptions:", "applicationDidBecomeActive:"]
        let end = ["applicationWillResignActive:", "applicationDidEnterBackground:", "applicationWillTerminate:"]
        let page = try report(
            (1...7).flatMap { run("Tour", $0, launch) } + run("Tour", 8, launch + end)
                + (9...10).flatMap { run("Cafe", $0, launch + end) })
        let found = observations(page)
        let ended = try #require(found.first { $0.contains("ended abnormally") })
        #expect(ended.contains("(all 7 in Tour)") || ended.contains("(all 6 in Tour)"), "\(found)")
        #expect(!found.contains { $0.contains("ended in use without a callback:") || $0.contains("warnings were") })
        #expect(found.contains { $0.contains("of the time") }, "\(found)")
        let linked = page.matches(of: /<a href="#run-([0-9]+)">run/).map { String($0.1) }.prefix(2)
        #expect(!linked.isEmpty && linked.allSatisfy { page.contains("data-run=\"\($0)\"") }, "\(linked)")
        #expect(page.contains("--worst 3 "))
    }

    @Test("A change that only lacks a callback that the app never logs is documented in steps")
    func neverLogged() throws {
        let page = try report([
            line(0, "-[AppDelegate application:didFinishLaunchingWithOptions:]"),
            line(0.5, "-[AppDelegate applicationDidBecomeActive:]"),
            line(8.5, "-[AppDelegate applicationDidEnterBackground:]"),
            line(12, "-[AppDelegate applicationDidBecomeActive:]"),
            line(18.5, "-[AppDelegate applicationDidEnterBackground:]"),
        ])
        let first = observations(page).joined(separator: "|")
        #expect(
            first.contains(
                "are documented; 3 of them are documented as several steps, of which the log shows only the last.")
                && !first.contains("warning:"),
            "\(first)")
    }

    @Test("Of an app that logs only its phases, the page shows its scenes first, and what they imply has their verdict")
    func phasesOnly() throws {
        let page = try report(
            [0.0, 20, 40].flatMap {
                [line($0 + 1, "scenePhase: active session=A"), line($0 + 9, "scenePhase: background session=A")]
            })
        let first = observations(page)[0]
        #expect(
            first.contains("All 10 transitions in 2 layers are documented; 5 of them") && !first.contains("warning:"),
            "\(first)")
        #expect(page.contains("checked><label for=\"layer-1\">Scene</label>"))
        #expect(page.contains("through its scenes") && !page.contains("no log line shows"))
    }

    @Test("What only lacks callbacks that an app never logs is drawn and said to be so, as check has it")
    func onlyUnlogged() throws {
        let program = try Program()
        let lines = [0.0, 20, 40].flatMap {
            [
                line($0, "-[AppDelegate applicationDidBecomeActive:]"),
                line($0 + 8, "-[AppDelegate applicationDidEnterBackground:]"),
            ]
        }
        try program.write(lines.joined(separator: "\n") + "\n", to: "app.log")
        #expect(try program.run("check", "app.log").status == 0)
        let counts = try program.run("query", "transition_counts", "--from", "app.log")
        #expect(counts.text.contains("undocumented"))
        #expect(
            counts.errors.contains(
                "never logs applicationWillResignActive; Tour never logs applicationWillEnterForeground: a transition that "
                    + "only lacks these is undocumented here, but no deviation for `lifestats check`"),
            "\(counts.errors)")
        let picture = try program.run("diagram", "app.log").text
        #expect(
            picture.contains("documented in steps, the state between unseen")
                && !picture.contains("undocumented, observed"))
        let page = try program.run("report", "app.log").text
        #expect(page.contains("<dt>undocumented transitions</dt><dd>0</dd>"))
        #expect(page.contains("<span class=\"badge in steps\">") && !page.contains("badge undocumented"))
        #expect(observations(page).contains { $0.hasSuffix("as several steps, of which the log shows only the last.") })
        let watched = try program.run(["watch", "-"], input: lines.joined(separator: "\n") + "\n").text
        #expect(watched.contains("skips a step") && !watched.contains("undocumented"), "\(watched)")
        // One line of the callback, and the others lack it.
        try program.write(
            lines.joined(separator: "\n") + "\n" + line(49, "-[AppDelegate applicationWillResignActive:]") + "\n",
            to: "app.log")
        #expect(try program.run("diagram", "app.log").text.contains("undocumented, observed"))
    }

    @Test("A swipe back that is called off is drawn as the documentation has it: from disappearing to appearing")
    func calledOff() throws {
        let program = try Program()
        let names = ["DidLoad", "WillAppear:", "DidAppear:", "WillDisappear:", "WillAppear:", "DidAppear:"]
        let lines = names.enumerated().map { line(Double($0), "-[HomeViewController view\($1)]") }
        try program.write(lines.joined(separator: "\n") + "\n", to: "app.log")
        let picture = try program.run("diagram", "app.log", "--layer", "view").text
        let edges = picture.matches(of: /class="edge ([a-z -]+)"[^>]* data-from="disappearing" data-to="([a-z_]+)"/)
        let expected: Set = ["documented appearing", "never-occurred disappeared"]
        #expect(Set(edges.map { "\($0.1) \($0.2)" }) == expected)
        #expect(!picture.contains("the state between unseen"))
    }

    @Test(
        "Picture and table have the same transitions as documented in steps, and the sentence counts the others",
        arguments: [[], ["--since", "1970-01-01"]])
    func oneDefinition(filter: [String]) throws {
        // The app logs that it resigns, once too late, and never that it enters the foreground.
        let program = try Program()
        let lines = [0.0, 12, 24, 36].flatMap {
            [
                line($0, "-[AppDelegate applicationDidBecomeActive:]"),
                $0 == 36 ? line($0 + 1, "-[AppDelegate applicationWillResignActive:]") : nil,
                line($0 + 6, "-[AppDelegate applicationDidEnterBackground:]"),
            ].compactMap(\.self)
        }
        try program.write(lines.joined(separator: "\n") + "\n", to: "app.log")
        try program.run("ingest", "app.log")
        let found = try program.run("query", "SELECT * FROM findings WHERE severity <> 'info'", "--format", "csv").text
        #expect(found.split(separator: "\n").count == 4, "\(found)")
        let page = try program.run(["report"] + filter).text
        let badges = page.matches(of: /class="badge (undocumented|in steps)"/).map { String($0.1) }
        #expect(Set(badges) == ["undocumented", "in steps"], "\(badges)")
        #expect(observations(page).contains { $0.contains("3 of 9 transitions are not documented") })
        for kind in ["undocumented", "in-steps"] {
            #expect(page.contains("class=\"edge \(kind)\""), "\(kind)")
        }
    }

    @Test("A run is drawn as long as a report says that its process lived")
    func reportedLife() throws {
        let program = try Program()
        try program.write(
            """
            {"app_name":"Tour","timestamp":"2026-05-04 07:10:21.00 +0000","app_version":"3.1","bug_type":"309"}
            {
              "procRole" : "Foreground",
              "captureTime" : "2026-05-04 07:10:20.7000 +0000",
              "pid" : 12,
              "procLaunch" : "2026-05-04 07:10:00.2000 +0000",
              "procName" : "Tour",
              "termination" : {"flags":0,"code":5,"namespace":"SIGNAL"}
            }

            """, to: "logs/Tour.ips")
        #expect(try program.run("timeline", "logs").text.contains(/app +▞+ 20\.5.s\n/))
        try program.write(
            [line(0.5, "application:didFinishLaunchingWithOptions:"), line(0.7, "applicationDidBecomeActive:")]
                .joined(separator: "\n") + "\n", to: "logs/app.log")
        let text = try program.run("timeline", "logs").text
        #expect(text.contains(/app +[^≥\n]* 20\.2.s\n/) && text.contains("\n1 run\n"), "\(text)")
    }

    @Test("A callback that comes where it cannot does not take their length from the visits around it")
    func repeatedCallback() throws {
        let program = try Program()
        let lines = [
            line(0, "application:didFinishLaunchingWithOptions:"), line(0.3, "applicationDidBecomeActive:"),
            line(9, "applicationWillResignActive:"), line(9.5, "applicationWillEnterForeground:"),
            line(9.9, "applicationDidBecomeActive:"), line(30, "applicationWillResignActive:"),
            line(31, "applicationDidEnterBackground:"),
        ]
        try program.write(lines.joined(separator: "\n") + "\n", to: "app.log")
        let text = try program.run("timeline", "app.log").text
        #expect(text.contains(/≥ 31.s\n/) && !text.contains("length unknown") && !text.contains("⫽"), "\(text)")
    }

    @Test("Without times, the lanes of a run share the order of its lines")
    func sharedOrder() throws {
        let program = try Program()
        try program.write(
            """
            sceneWillEnterForeground: session: A
            sceneDidBecomeActive: session: A
            -[FeedViewController viewDidLoad]
            -[FeedViewController viewWillAppear:]
            -[FeedViewController viewDidAppear:]
            sceneWillResignActive: session: A
            sceneDidEnterBackground: session: A

            """, to: "app.log")
        let text = try program.run("timeline", "app.log").text
        let lanes = text.split(separator: "\n").map(String.init)
        let scene = try #require(lanes.first { $0.hasPrefix("  A ") })
        let view = try #require(lanes.first { $0.hasPrefix("  FeedViewController ") })
        // The controller appears while the scene is active.
        func begin(_ lane: String) -> Int? {
            lane.firstIndex(of: "█").map { lane.distance(from: lane.startIndex, to: $0) }
        }
        let (shown, appeared) = try (#require(begin(scene)), #require(begin(view)))
        #expect(shown < appeared, "\(text)")
    }
}
