import Foundation
import Testing

/// What holds for every log, through the whole program: logs of all layers without much sense, and faulty ones.
@Suite("Random logs")
struct RandomLogTests {
    /// A reproducible source of chance.
    private struct Dice {
        var state: UInt64
        mutating func roll(_ sides: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % sides
        }
        mutating func pick(_ choices: [String]) -> String { choices[roll(choices.count)] }
    }

    /// Any callback of any layer at any time, relaunches, silences, steps back of the clock, bursts of copied lines. The
    /// seed chooses what the clock shows: milliseconds, microseconds, seconds or minutes.
    ///
    /// - Parameter plain: whether no line is copied, and an app with scenes writes no lines of an app without.
    private static func chaos(_ seed: UInt64, lines count: Int, plain: Bool = false) -> [String] {
        var dice = Dice(state: seed)
        let app = [
            "willFinishLaunchingWithOptions", "didFinishLaunchingWithOptions", "applicationDidBecomeActive",
            "applicationWillResignActive",
            "applicationDidEnterBackground", "applicationWillEnterForeground", "applicationWillTerminate",
            "applicationDidEnterForeground",
        ]
        let scene = [
            "sceneWillConnect", "sceneWillEnterForeground", "sceneDidBecomeActive", "sceneWillResignActive",
            "sceneDidEnterBackground", "sceneDidDisconnect",
        ]
        let view = ["viewDidLoad", "viewWillAppear:", "viewDidAppear:", "viewWillDisappear:", "viewDidDisappear:"]
        let usesScenes = dice.roll(2) == 0
        let tick = [1, 1, 1_000, 60_000][Int(seed % 4)]
        var milliseconds = 0
        var pid = 500
        var lines: [String] = []
        for _ in 0..<count {
            milliseconds += [0, 50, 500, 2_000, 12_000, 40_000][dice.roll(6)]
            if dice.roll(25) == 0 { milliseconds = max(0, milliseconds - 3_000) }
            if dice.roll(12) == 0 { pid += 1 }
            if dice.roll(12) == 0, !plain, let line = lines.last(where: { $0.contains("Did") }) {
                lines += Array(repeating: line, count: [1, 1, 4][dice.roll(3)])
                continue
            }
            let message =
                switch dice.roll(10) {
                case 0: "uploading photo"
                case 1...2: "-[\(dice.pick(["Home", "Detail"]))ViewController \(dice.pick(view))]"
                case 3...6 where usesScenes: "\(dice.pick(scene)) session: \(dice.pick(["main", "side"]))"
                default: plain && usesScenes ? dice.pick(scene) + " session: main" : dice.pick(app)
                }
            let clock = Date(timeIntervalSince1970: 1_772_352_000 + Double(milliseconds / tick * tick) / 1_000)
                .formatted(
                    .iso8601.year().month().day().dateSeparator(.dash).dateTimeSeparator(.space)
                        .time(includingFractionalSeconds: true))
            let finest = seed % 4 == 1 ? String(format: "%06d", dice.roll(1_000_000)) : ""
            lines.append("\(clock)\(finest) Tour[\(pid):1] \(message)")
        }
        return lines
    }

    private static func faulty(_ seed: UInt64) -> [String] {
        FaultyLog(seed: seed, rounds: 5).text.split(separator: "\n").map(String.init)
    }

    private static func text(_ lines: some Sequence<String>) -> String { lines.map { $0 + "\n" }.joined() }

    private func rows(_ program: Program, _ sql: String, _ database: String = "lifestats.db") throws -> [String] {
        let outcome = try program.run("query", sql, "--format", "csv", "--db", database)
        #expect(outcome.status == 0, "\(outcome.errors)")
        return outcome.text.split(whereSeparator: \.isNewline).dropFirst().map(String.init)
    }

    @Test("cutting a log at any line adds no completed visit and changes none before the cut")
    func cutting() throws {
        let program = try Program()
        var logs: [String: [String]] = [:]
        for seed in 1...6 as ClosedRange<UInt64> {
            logs["chaos\(seed)x"] = Self.chaos(seed, lines: 40)
            logs["fault\(seed)x"] = Self.faulty(seed)
        }
        for (name, lines) in logs {
            for length in 1...lines.count {
                try program.write(Self.text(lines.prefix(length)), to: "logs/\(name)\(length)y.log")
            }
        }
        #expect(try program.run("ingest", "logs", "--no-progress").status == 0)
        var visits: [String: Set<String>] = [:]
        let sql = """
            select replace(replace(source, 'logs/', ''), 'y.log', ''), pid, layer, instance, state, entered_ns, left_ns, dwell_ns, line
            from visits where complete
            """
        for row in try rows(program, sql) {
            let parts = row.split(separator: ",", maxSplits: 1).map(String.init)
            visits[parts[0], default: []].insert(parts[1])
        }
        for (name, lines) in logs {
            let whole = visits["\(name)\(lines.count)"] ?? []
            #expect(!whole.isEmpty)
            for length in 1...lines.count {
                let added = (visits["\(name)\(length)"] ?? []).subtracting(whole)
                #expect(added.isEmpty, "\(name), first \(length) lines: \(added)")
            }
        }
    }

    /// Completed visits by the name of their log: begin, process, layer, instance, state and end.
    private func completedVisits(_ program: Program) throws -> [String: Set<String>] {
        var visits: [String: Set<String>] = [:]
        let sql = """
            select replace(replace(source, 'logs/', ''), '.log', ''), entered_ns, pid, layer,
                iif(instr(instance, '#'), substr(instance, 1, instr(instance, '#') - 1), instance), state, left_ns
            from visits where complete
            """
        for row in try rows(program, sql) {
            let parts = row.split(separator: ",", maxSplits: 1).map(String.init)
            visits[parts[0], default: []].insert(parts[1])
        }
        return visits
    }

    /// Three things nobody can tell: that a line is a copy of one that is cut off, that an app has scenes whose lines are all
    /// cut off, and that a line that names only a class is about a controller of it that was there before.
    @Test("cutting off the beginning of a log at any line adds no completed visit")
    func cuttingTheBeginning() throws {
        let program = try Program()
        var logs: [String: [String]] = [:]
        for seed in 1...14 as ClosedRange<UInt64> {
            logs["fault\(seed)x"] = Self.faulty(seed)
            logs["chaos\(seed)x"] = Self.chaos(seed, lines: 25, plain: true)
        }
        for (name, lines) in logs {
            for first in lines.indices {
                try program.write(Self.text(lines.dropFirst(first)), to: "logs/\(name)\(first)y.log")
            }
        }
        #expect(try program.run("ingest", "logs", "--no-progress").status == 0)
        let visits = try completedVisits(program)
        #expect(logs.keys.filter { visits["\($0)0y"]?.isEmpty == false }.count > 20)
        for (name, lines) in logs {
            let whole = visits["\(name)0y"] ?? []
            for first in lines.indices.dropFirst() {
                let added = (visits["\(name)\(first)y"] ?? []).subtracting(whole)
                    .filter { !name.hasPrefix("chaos") || !$0.contains(",view,") }
                guard !added.isEmpty else { continue }
                Issue.record("\(name) without its first \(first) lines: \(added)\n\(Self.text(lines))")
                break
            }
        }
    }

    @Test(
        "replay under other options gives what a fresh ingest under them gives",
        arguments: [
            ["--suspend-grace", "1"], ["--suspend-grace", "30"], ["--suspend-grace", "off"],
            ["--model", "strict.yaml"], [],
        ])
    func replay(options: [String]) throws {
        let program = try Program()
        try program.write(
            """
            overlay: strict
            rules: {R-APP-15: warning, R-APP-16: off}
            limits: {TL-09: {info: 1, warning: 2}}
            """, to: "strict.yaml")
        for seed in 1...8 as ClosedRange<UInt64> {
            try program.write(Self.text(Self.faulty(seed)), to: "logs/fault\(seed)x.log")
        }
        let facts = ["logs", "--app-version", "4.2", "--device", "Phone", "--keep-messages", "--no-progress"]
        #expect(try program.run(["ingest"] + facts + ["--suspend-grace", "7"]).status == 0)
        let replay = try program.run(["replay"] + options)
        #expect(replay.status == 0, "\(replay.errors)")
        // What nobody changes stays as the database was made.
        let same = options.contains("--suspend-grace") ? [] : ["--suspend-grace", "7"]
        let fresh = try program.run(["ingest"] + facts + options + same + ["--db", "fresh.db"])
        #expect(fresh.status == 0, "\(fresh.errors)")
        #expect(try program.run("verify").text == program.run("verify", "--db", "fresh.db").text)
        for view in ["findings", "scenarios", "suspensions", "runs", "visits", "events"] {
            let one = try rows(program, "select count(*) from \(view)")
            #expect(try one == rows(program, "select count(*) from \(view)", "fresh.db"), "\(view)")
        }
        #expect(try rows(program, "select distinct device, app_version from runs") == ["Phone,4.2"])
        #expect(try rows(program, "select count(*) from events where message is null") == ["0"])
    }

    @Test("a log that grows piece by piece has the findings that it has at once")
    func growing() throws {
        for seed in 1...5 as ClosedRange<UInt64> {
            let program = try Program()
            var dice = Dice(state: seed &* 31)
            let lines = Self.faulty(seed)
            try program.write(Self.text(lines), to: "whole.log")
            try program.run("ingest", "whole.log", "--db", "whole.db")
            var length = 0
            while length < lines.count {
                length = min(lines.count, length + 1 + dice.roll(9))
                try program.write(Self.text(lines.prefix(length)), to: "logs/app.log")
                try program.run("ingest", "logs/app.log")
            }
            #expect(
                try program.run("verify").text == program.run("verify", "--db", "whole.db").text, "seed \(seed)")
            let sql =
                "select rule, deviation, severity, line, message, repair from findings order by line, rule, message"
            #expect(try rows(program, sql) == rows(program, sql, "whole.db"), "seed \(seed)")
        }
    }
}
