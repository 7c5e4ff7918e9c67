import Reports
import Testing

@testable import LifeStatsKit

/// Logs of which an honest reading gives no error: each was read with numbers or findings that nobody can know.
@Suite("Numbers and findings that a log does not support")
struct FalseNumberTests {
    private static func log(_ lines: [(String, String)], _ header: String = "2026-05-12 TIME.000 Larder[812:4107] ")
        -> String
    {
        lines.map { header.replacing("TIME", with: $0.0) + $0.1 + "\n" }.joined()
    }

    /// Visits as `state seconds evidence`, and what `check` counts as errors or warnings.
    private func read(_ text: String, layer: String = "app") throws -> (
        visits: [String], wrong: [String], remarks: [String]
    ) {
        let log = try Ingested(text: text)
        return (
            try log.rows(
                "SELECT state || ' ' || coalesce(cast(dwell_s AS INTEGER), '-') || ' ' || evidence FROM visits "
                    + "WHERE layer = '\(layer)' ORDER BY seq"),
            try log.rows("SELECT rule || ': ' || message FROM findings WHERE severity <> 'info'"),
            try log.rows("SELECT rule || ' ' || message FROM findings WHERE severity = 'info' ORDER BY line")
        )
    }

    private static let seen = [("07:00:00", true), ("07:10:00", false), ("07:20:00", true), ("07:50:00", false)]

    @Test(
        "a word foreground makes no stay in inactive; the stay in the background is measured",
        arguments: [
            seen.map { time, isFront in
                let state = isFront ? "foreground" : "background"
                return
                    #"{"category":"app.lifecycle","data":{"state":"\#(state)"},"timestamp":"2026-05-12T\#(time)Z","type":"navigation"}"#
                    + "\n"
            }.joined(),
            log(seen.map { ($0, $1 ? "App has come to the foreground!" : "App has gone to the background") }),
            log(
                seen.map {
                    ($0, "[app<org.tea.Larder(X)>:812] Setting process visibility to: \($1 ? "Fore" : "Back")ground")
                },
                "2026-05-12 TIME.000000+0000  localhost SpringBoard[50]: (FrontBoard) "),
        ])
    func foreground(text: String) throws {
        let (visits, wrong, _) = try read(text)
        #expect(
            Set(visits) == [
                "active - inferred", "background 600 observed", "active 1800 inferred", "background - observed",
            ])
        #expect(wrong == [])
    }

    @Test(
        "callbacks that an app logs nowhere are not missing: each is one remark",
        arguments: [("application", "app"), ("scene", "scene")])
    func twoCallbacks(prefix: String, layer: String) throws {
        let cycle = (7...11).flatMap { hour in
            ["00", "30"].map { (String(hour).count == 1 ? "0\(hour)" : "\(hour)", $0) }
        }
        let text = Self.log(
            cycle.map { ("\($0.0):\($0.1):00", prefix + ($0.1 == "00" ? "DidBecomeActive" : "DidEnterBackground")) })
        let (visits, wrong, remarks) = try read(text, layer: layer)
        #expect(wrong == [])
        #expect(remarks.count { $0.contains("not-logged ") } == 2, "\(remarks)")
        #expect(visits.count { $0 == "background 1800 observed" } == 4, "\(visits)")
    }

    @Test(
        "states that frameworks and apps print may jump",
        arguments: [
            ["AppState changed to active", "AppState changed to background"],
            ["flutter: AppLifecycleState.resumed", "flutter: AppLifecycleState.paused"],
            ["App is active", "App is in background"], ["scenePhase: active", "scenePhase: background"],
        ])
    func jumps(words: [String]) throws {
        let text = Self.log((0..<6).map { ("07:\($0)0:00", words[$0 % 2]) })
        let (visits, wrong, remarks) = try read(text)
        #expect(wrong == [] && remarks == [])
        #expect(
            visits.count { $0.hasPrefix("background 600") } == 2 && visits.count { $0.hasPrefix("active 600") } == 2)
    }

    @Test("lines of two days without a process make no limit")
    func differentRuns() throws {
        let (_, wrong, _) = try read(
            """
            2026-05-12 07:20:00.000 applicationWillTerminate
            2026-05-12 22:45:46.000 applicationDidFinishLaunching
            2026-05-12 22:45:47.000 applicationDidBecomeActive

            """)
        #expect(wrong == [])
    }

    @Test("controllers without names are several, and one that does not log its loading is right")
    func controllers() throws {
        let nameless = Self.log([
            ("07:00:00", "viewDidLoad"), ("07:00:01", "viewWillAppear"), ("07:00:02", "viewDidAppear"),
            ("07:01:00", "viewDidLoad"), ("07:01:01", "viewWillDisappear"), ("07:01:02", "viewWillAppear"),
            ("07:01:03", "viewDidDisappear"), ("07:01:04", "viewDidAppear"),
        ])
        #expect(try read(nameless, layer: "view").wrong == [])
        let named = Self.log([
            ("07:00:00", "TeaViewController viewWillAppear"), ("07:00:01", "TeaViewController viewDidAppear"),
            ("07:01:00", "TeaViewController viewWillDisappear"), ("07:01:01", "TeaViewController viewDidDisappear"),
        ])
        #expect(try read(named, layer: "view").wrong == [])
    }

    @Test("a bare word is not of any framework")
    func bareWord() throws {
        let log = try Ingested(text: Self.log([("07:00:00", "active"), ("07:10:00", "background")]))
        #expect(try log.rows("SELECT DISTINCT kind FROM events") == ["app-state"])
    }

    @Test("an app on its way out, or drawn for the switcher, is not in the foreground")
    func nonFocal() throws {
        let roles = ["UserInteractiveFocal", "UserInteractiveNonFocal", "Background", "UserInteractiveNonFocal"]
        let text = Self.log(
            roles.enumerated().map { number, role in
                ("07:\(number)0:00", "Calculated state for app<org.tea.Larder(X)>: running-active (role: \(role))")
            }, "2026-05-12 TIME.000000+0000  localhost runningboardd[33]: (RunningBoard) ")
        let (visits, wrong, _) = try read(text)
        #expect(Set(visits) == ["active - inferred", "background - observed"] && wrong == [])
    }

    @Test("a high percentile needs as many visits as leave one beyond it: 10 for p90, 100 for p99")
    func fewVisits() {
        var table = ReportTable(
            caption: "", columns: ["state", "complete", "p50_s", "p75_s", "p90_s", "p99_s"].map { ReportColumn($0) },
            rows: [1, 3, 4, 9, 10, 99, 100].map {
                [.text("active"), .integer($0)] + [.real(1), .real(2), .real(3), .real(4)]
            })
        Percentile.removeUncertain(from: &table)
        let shown = table.rows.map { row in row.dropFirst(2).map { $0 == .null ? "-" : "x" }.joined() }
        #expect(shown == ["x---", "x---", "xx--", "xx--", "xxx-", "xxx-", "xxxx"])
    }
}
