import Foundation
import Testing

/// What a careful reader finds in the samples of all formats: the line of each event, and what it says.
@Suite("What the samples of all formats say")
struct FormatSamplesTests {
    static let said = """
        01-nslog.log: 1 didFinishLaunchingWithOptions, 2 applicationDidBecomeActive, 3 viewDidAppear, 4 \
          applicationWillResignActive, 5 applicationDidEnterBackground, 6 applicationWillEnterForeground, 7 \
          applicationDidBecomeActive, 8 didFinishLaunchingWithOptions, 9 applicationDidBecomeActive, 10 \
          viewDidAppear, 11 applicationWillResignActive, 12 applicationDidEnterBackground, 18 \
          applicationWillEnterForeground
        02-xcode-metadata.log: 1 didFinishLaunchingWithOptions, 3 sceneDidBecomeActive, 5 viewDidAppear, 7 \
          sceneWillResignActive, 9 sceneDidEnterBackground, 11 sceneWillEnterForeground, 13 \
          sceneDidBecomeActive
        03-log-show.log: 3 didFinishLaunchingWithOptions, 4 applicationDidBecomeActive, 5 viewDidAppear, 6 \
          applicationWillResignActive, 7 applicationDidEnterBackground, 8 applicationWillEnterForeground, 9 \
          applicationDidBecomeActive
        04-log-syslog.log: 2 didFinishLaunchingWithOptions, 3 applicationDidBecomeActive, 4 viewDidAppear, 5 \
          applicationWillResignActive, 6 applicationDidEnterBackground, 7 applicationWillEnterForeground, 8 \
          applicationDidBecomeActive
        05-log-compact.log: 3 didFinishLaunchingWithOptions, 4 applicationDidBecomeActive, 5 viewDidAppear, \
          6 applicationWillResignActive, 7 applicationDidEnterBackground, 8 applicationWillEnterForeground, \
          9 applicationDidBecomeActive
        06-log-json.log: 3 didFinishLaunchingWithOptions, 15 applicationDidBecomeActive, 27 viewDidAppear, \
          39 applicationWillResignActive, 52 applicationDidEnterBackground, 53 \
          applicationWillEnterForeground, 54 applicationDidBecomeActive
        07-console-app.log: 1 foreground, 2 suspended, 4 applicationWillEnterForeground, 5 active
        08-syslog.log: 2 didFinishLaunchingWithOptions, 3 applicationDidBecomeActive, 4 viewDidAppear, 5 \
          applicationWillResignActive, 6 applicationDidEnterBackground, 7 applicationWillEnterForeground, 8 \
          applicationDidBecomeActive, 9 exited:watchdog, 11 didFinishLaunchingWithOptions
        09-pymobiledevice3.log: 1 didFinishLaunchingWithOptions, 2 applicationDidBecomeActive, 3 \
          viewDidAppear, 4 applicationWillResignActive, 5 applicationDidEnterBackground, 6 \
          applicationWillEnterForeground, 7 applicationDidBecomeActive
        10-go-ios.log: 1 didFinishLaunchingWithOptions, 2 applicationDidBecomeActive, 3 viewDidAppear, 4 \
          applicationWillResignActive, 5 didFinishLaunchingWithOptions, 6 applicationDidBecomeActive, 7 \
          applicationWillResignActive
        11-appium.log: 1 didFinishLaunchingWithOptions, 2 applicationDidBecomeActive, 3 viewDidAppear, 4 \
          applicationWillResignActive, 5 applicationDidEnterBackground, 6 applicationWillEnterForeground, 7 \
          applicationDidBecomeActive
        12-logging-libraries.log: 1 didFinishLaunchingWithOptions, 2 sceneDidBecomeActive, 3 viewDidAppear, \
          4 sceneWillResignActive, 5 sceneDidEnterBackground, 6 sceneWillEnterForeground, 7 \
          sceneDidBecomeActive
        13-frameworks.log: 1 active, 2 inactive, 3 background, 5 applicationDidBecomeActive, 6 background, 8 \
          foreground, 9 inactive, 10 active
        14-crash-report.log: 4 foreground, 6 exited:signal, 7 launched, 10 exited:watchdog, 11 exited:watchdog
        15-crash-report.ips: 4 foreground, 7 exited:signal, 8 launched, 10 exited:watchdog, 14 \
          exited:watchdog
        16-opentelemetry.log: 1 foreground, 2 active, 3 inactive, 4 background, 5 foreground, 6 active, 7 \
          inactive, 8 terminating
        17-sentry.log: 1 foreground, 2 active, 3 inactive, 4 background, 5 foreground, 6 active
        18-metrickit.json:
        19-android.log:
        20-pipe-table.log: 1 didFinishLaunchingWithOptions, 2 applicationDidBecomeActive, 3 viewDidAppear, 4 \
          applicationWillResignActive, 5 applicationDidEnterBackground, 6 applicationWillEnterForeground, 7 \
          applicationDidBecomeActive
        21-plain-time.log: 1 didFinishLaunchingWithOptions, 2 sceneDidBecomeActive, 3 viewDidAppear, 4 \
          sceneWillResignActive, 5 sceneDidEnterBackground, 6 sceneWillEnterForeground, 7 \
          sceneDidBecomeActive
        22-json-lines.log: 1 didFinishLaunchingWithOptions, 2 sceneDidBecomeActive, 3 viewDidAppear, 4 \
          sceneWillResignActive, 5 sceneDidEnterBackground, 6 sceneWillEnterForeground, 7 \
          sceneDidBecomeActive
        23-swiftybeaver.log: 1 didFinishLaunchingWithOptions, 2 applicationDidBecomeActive, 3 \
          applicationWillResignActive, 4 applicationDidEnterBackground, 5 applicationWillEnterForeground, 6 \
          applicationDidBecomeActive
        24-jetsam-report.ips: 15 exited:jetsam
        25-lifecycle-log.jsonl: 1 applicationDidFinishLaunching, 2 sceneWillConnect, 3 sceneWillEnterForeground, 4 \
          sceneDidBecomeActive, 5 viewDidAppear, 6 sceneWillResignActive, 7 sceneDidEnterBackground
        26-bugsnag.jsonl: 1 applicationDidEnterBackground, 2 applicationWillEnterForeground
        27-log-head.log: 2 didFinishLaunchingWithOptions, 3 applicationDidBecomeActive, 4 applicationWillResignActive
        28-xctest.log: 3 didFinishLaunchingWithOptions, 4 applicationDidBecomeActive, 5 not_running
        29-time-anywhere.log: 1 didFinishLaunchingWithOptions, 2 sceneDidBecomeActive, 3 viewDidAppear, 4 sceneWillResignActive, 5 sceneDidEnterBackground
        """.split(separator: "\n").map { line in
            line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
        }

    private func rows(_ sql: String, of sample: String) throws -> [String] {
        let program = try Program()
        let path = Program.project.appendingPathComponent("samples/formats/\(sample)").path
        let outcome = try program.run("ingest", path)
        #expect(outcome.status == 0, "\(outcome.errors)")
        return try program.run("query", sql, "--format", "csv").text.split(whereSeparator: \.isNewline).dropFirst()
            .map(String.init)
    }

    @Test("each sample gives its events, on their lines", arguments: said)
    func events(case parts: [String]) throws {
        let wanted = parts[1].split(separator: ",").map { words in
            words.split(separator: " ").joined(separator: " ")
        }
        let found = try rows(
            "select line || ' ' || coalesce(callback, proves) from events order by line, seq", of: parts[0])
        #expect(found == wanted, "\(parts[0])")
    }

    @Test("no sample is left out")
    func complete() throws {
        let folder = Program.project.appendingPathComponent("samples/formats").path
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { !$0.hasPrefix(".") }
        #expect(names.sorted() == Self.said.map { $0[0] })
    }

    @Test("a database of all samples is sound")
    func sound() throws {
        let program = try Program()
        let samples = Program.project.appendingPathComponent("samples").path
        #expect(try program.run("ingest", samples).status == 0)
        let check = try program.run("verify")
        #expect(check.status == 0, "\(check.errors)")
    }

    @Test("a payload gives its totals as numbers")
    func totals() throws {
        #expect(
            try rows("select line, app, value, unit from daily_totals order by line", of: "18-metrickit.json") == [
                "9,TeaTimer,1456.0,s", "10,TeaTimer,347.0,s", "11,TeaTimer,0.0,s", "12,TeaTimer,12.0,s",
                "16,TeaTimer,3.0,count", "17,TeaTimer,1.0,count", "20,TeaTimer,2.0,count",
            ])
    }
}
