import Foundation
import Testing

/// What happens, while it happens.
@Suite("Watch")
struct WatchTests {
    private static let log = """
        2026-03-01 08:00:00.000 Tour[500:1] didFinishLaunchingWithOptions
        2026-03-01 08:00:00.400 Tour[500:1] applicationDidBecomeActive
        2026-03-01 08:00:09.400 Tour[500:1] applicationDidEnterBackground
        2026-03-01 08:01:00.000 Tour[500:1] applicationWillEnterForeground
        2026-03-01 08:01:00.500 Tour[500:1] applicationDidBecomeActive
        2026-03-01 08:01:10.500 Tour[500:1] applicationWillResignActive
        2026-03-01 08:01:11.000 Tour[500:1] applicationDidEnterBackground

        """

    @Test("help names a temporary database as the default, not the usual one")
    func help() throws {
        let help = try Program().run("watch", "--help").text.replacing(/\s+/, with: " ")
        #expect(
            help.contains("Keep what is read in this database (default: a temporary one).")
                && !help.contains("LIFESTATS_DB"))
    }

    @Test("without a terminal every change and every finding is a line")
    func lines() throws {
        let program = try Program()
        let outcome = try program.run(["watch", "-"], input: Self.log)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let lines = outcome.text.split(separator: "\n")
        #expect(
            lines.contains { $0.hasPrefix("08:00:00.400  Tour app  Inactive → Active  applicationDidBecomeActive") })
        #expect(lines.contains { $0.contains("Active → Background") && $0.contains("undocumented") })
        #expect(lines.contains { $0.hasPrefix("08:00:09.400  error  R-APP-15  Tour  line 3") })
        #expect(lines.contains { $0.contains("in state Active") })
        #expect(lines.contains { $0.contains("would conform") })
        #expect(outcome.errors.contains("7 events in 1 run of Tour"))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: program.folder.url.path).allSatisfy {
                $0.hasPrefix(".")
            })
    }

    @Test("it ends when nobody reads its lines any more, although the log may go on")
    func unread() throws {
        let program = try Program()
        try program.write(Self.log, to: "app.log")
        let outcome = try program.shell("timeout 60 \"$LIFESTATS\" watch app.log | head -1; echo ${PIPESTATUS[0]}")
        #expect(outcome.text.hasSuffix("\n0\n"), "\(outcome.text)")
    }

    @Test("a finding is a line as soon as it happens, with the repair, while the pipe is open")
    func findingsAsTheyHappen() throws {
        let outcome = try Program().shell(
            """
            (printf '%s' '\(Self.log)'
            for i in $(seq 600); do grep -q 'would conform' out && touch seen && break; sleep 0.1; done) \
                | "$LIFESTATS" watch - > out
            ls seen; cat out
            """)
        #expect(outcome.status == 0 && outcome.text.hasPrefix("seen\n"), "\(outcome.errors)")
        let lines = outcome.text.split(separator: "\n")
        let finding = lines.firstIndex { $0.contains("  error  R-APP-15  Tour  line 3") }
        #expect(
            finding.map { lines[$0 + 1] } == "  the log would conform with applicationWillResignActive before this line"
        )
    }

    @Test("what an app never logs is said once the log has ended, and not before")
    func unloggedCallbacks() throws {
        let program = try Program()
        let outcome = try program.shell(
            """
            (printf '%s' '\(Self.log)' | head -3
            for i in $(seq 600); do grep -q 'skips a step' out && break; sleep 0.1; done; sleep 1; cp out before
            printf '%s' '\(Self.log)' | tail -n +4 | head -2) | "$LIFESTATS" watch - > out
            cat before; echo; echo after; cat out
            """)
        let parts = outcome.text.components(separatedBy: "\nafter\n")
        #expect(parts[0].contains("Active → Background") && !parts[0].contains("not-logged"), "\(outcome.text)")
        #expect(parts[1].contains("remark  not-logged  Tour  line 3  Tour never logs applicationWillResignActive"))
    }

    @Test("a syslog that has no year runs with the clock on the wall")
    func clockWithoutYear() throws {
        let program = try Program()
        let now = Date(timeIntervalSinceNow: -5)
        let format = DateFormatter()
        (format.locale, format.timeZone) = (Locale(identifier: "en_US_POSIX"), TimeZone(identifier: "UTC"))
        format.dateFormat = "MMM d HH:mm:ss"
        let time = format.string(from: now)
        try program.write("\(time) Phone Tour(UIKitCore)[500] <Notice>: applicationDidBecomeActive\n", to: "app.log")
        let terminal = try PseudoTerminal(program, ["watch", "app.log"])
        terminal.shows("Tour [500]")
        // From the time of the line, and not from when it was read.
        #expect(terminal.shows(" 7 s").hasSuffix(" 7 s"))
        terminal.type("q")
        terminal.ends()
    }

    @Test("at a terminal the view stays in place, filters, saves and quits")
    func screen() throws {
        let program = try Program()
        try program.write(Self.log, to: "app.log")
        let terminal = try PseudoTerminal(program, ["watch", "app.log"])
        let first = terminal.shows("q quit")
        #expect(first.contains("\u{1B}[?1049h"))
        let view = terminal.shows("would conform")
        #expect(view.contains("Tour [500]"))
        // The message of a finding goes on in the next line.
        #expect(view.contains("08:00:09.400  error  R-APP-15  Tour  app.log:3\u{1B}[K"))
        #expect(view.contains("willResignActive"))
        #expect(view.contains("(also R-APP-09)"))
        #expect(view.contains("Background"))
        terminal.type("f")
        terminal.shows("app: _")
        terminal.type("zzz\r")
        terminal.shows("only zzz")
        terminal.type("f")
        terminal.shows("app: _")
        terminal.type("\r")
        terminal.shows("Tour [500]")
        terminal.type("p")
        terminal.shows("paused")
        terminal.type("f")
        terminal.shows("app: _")
        terminal.type("zzz\r")
        #expect(!terminal.shows("no app with “zzz”").contains("<the end"))
        terminal.type("s")
        terminal.shows("wrote watch-")
        terminal.shows("q quit")
        terminal.type("q")
        let end = terminal.ends()
        #expect(end.contains("\u{1B}[?1049l"))
        #expect(terminal.process.terminationStatus == 0)
        let saved = try FileManager.default.contentsOfDirectory(atPath: program.folder.url.path)
        #expect(saved.filter { $0.hasPrefix("watch-") }.count == 2)
    }

    @Test("a view controller that was deallocated is no longer listed")
    func deallocated() throws {
        let program = try Program()
        let callbacks = [
            "viewDidLoad", "viewWillAppear", "viewDidAppear", "viewWillDisappear", "viewDidDisappear", "deinit",
        ]
        let lines = ["Trip", "Map"].flatMap { name in
            callbacks.prefix(name == "Trip" ? 6 : 3).enumerated().map {
                "2026-03-01 08:00:0\($0).000 Tour[500:1] \(name)ViewController \($1)\n"
            }
        }
        try program.write(
            Self.log.split(separator: "\n").prefix(2).joined(separator: "\n") + "\n" + lines.joined(), to: "app.log")
        let terminal = try PseudoTerminal(program, ["watch", "app.log"])
        let states = terminal.shows("Transitions")
        terminal.type("q")
        _ = terminal.ends()
        #expect(states.contains("MapViewController") && !states.contains("TripViewController"), "\(states)")
    }

    @Test("the strip of a run that is over ends with it")
    func endedRun() throws {
        let program = try Program()
        let text = ["08:00 Tour[400:1]", "08:20 Tour[500:1]"].map { line in
            ["didFinishLaunchingWithOptions", "applicationDidBecomeActive"].map {
                "2026-03-01 \(line.prefix(5)):00.000 \(line.dropFirst(6)) \($0)\n"
            }.joined()
        }
        let crash = [
            "didFinishLaunchingWithOptions", "*** Terminating app due to uncaught exception 'NSRangeException'",
        ]
        let boat = crash.map { "2026-03-01 08:30:00.000 Boat[7:1] \($0)\n" }.joined()
        try program.write(text.joined() + boat, to: "app.log")
        let terminal = try PseudoTerminal(program, ["watch", "app.log"])
        let shown = terminal.shows("Not running") + terminal.shows("Findings")
        terminal.type("q")
        _ = terminal.ends()
        let rows = shown.split(separator: "\r\n")
        let title = try #require(rows.lastIndex { $0.contains("Tour [400]") })
        #expect(rows[title].contains("ended in use") && !rows[title + 1].contains("█"), "\(rows[title + 1])")
        // What goes on comes first, although the log spoke of the other one later.
        let (live, over) = (rows.lastIndex { $0.contains("Tour [500]") }, rows.lastIndex { $0.contains("Boat [7]") })
        #expect(try #require(live) < #require(over))
    }
}
