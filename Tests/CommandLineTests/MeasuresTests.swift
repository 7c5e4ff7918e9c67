import Foundation
import Testing

/// Fitness, precision and other measures on logs small enough to compute them by hand.
@Suite("Measures")
struct MeasuresTests {
    private struct Report: Decodable {
        struct Layer: Decodable {
            struct Measure: Decodable {
                var measure: String
                var value: Double?
                var formula: String
                var terms: [String: Int]
            }
            struct Repair: Decodable, Equatable {
                var repair: String
                var count: Int
            }
            var layer: String
            var traces: Int
            var variants: Int
            var callbacks: Int
            var measures: [Measure]
            var repairs: [Repair]

            func value(_ id: String) -> Double? { measures.first { $0.measure == id }?.value }
        }
        var measures: [Layer]
    }

    private func measure(_ lines: [String], _ options: String...) throws -> [Report.Layer] {
        let program = try Program()
        try program.write(lines.map { $0 + "\n" }.joined(), to: "app.log")
        let check = try program.run(
            ["check", "app.log", "--measures", "--format", "json", "--fail-on", "never"] + options)
        #expect(check.status == 0, "\(check.errors)")
        return try JSONDecoder().decode(Report.self, from: check.output).measures
    }

    private func line(_ time: String, _ name: String, pid: Int = 500) -> String {
        "2026-03-01 08:\(time) Tour[\(pid):1] \(name)"
    }

    /// Two runs: one as documented, one without the resign-active.
    private var missing: [String] {
        [
            line("00:00.000", "didFinishLaunchingWithOptions"), line("00:00.400", "applicationDidBecomeActive"),
            line("01:00.000", "applicationWillResignActive"), line("01:01.000", "applicationDidEnterBackground"),
            line("01:02.000", "applicationWillTerminate"),
            line("02:00.000", "didFinishLaunchingWithOptions", pid: 501),
            line("02:00.400", "applicationDidBecomeActive", pid: 501),
            line("03:00.000", "applicationDidEnterBackground", pid: 501),
        ]
    }

    @Test("every value equals its formula")
    func byHand() throws {
        let app = try #require(try measure(missing).first)
        #expect(app.layer == "app" && app.traces == 2 && app.variants == 2 && app.callbacks == 8)
        // Tokens: 6 and 4 produced and consumed, one missing and one remaining: 1 - 1/10.
        #expect(app.value("token_replay_fitness") == 0.9)
        // One callback to insert, eight callbacks: 1 - 1/8.
        #expect(app.value("alignment_fitness") == 0.875)
        #expect(
            app.repairs == [
                .init(repair: "with applicationWillResignActive before applicationDidEnterBackground", count: 1)
            ])
        // Six successions, of which active > background is not documented.
        #expect(app.value("footprint_fitness") == 5.0 / 6)
        let precision = try #require(app.measures.first { $0.measure == "etc_precision" })
        let enabled = try #require(precision.terms["enabled"])
        let escaping = try #require(precision.terms["escaping"])
        #expect(precision.value == 1 - Double(escaping) / Double(enabled))
        // Seven callbacks are replayable (the last is not), and each beginning goes on in one way only.
        #expect(enabled - escaping == 7)
        // APP-T01, T02a (after a launch), T04, T05 and T10; nothing was suspended.
        let coverage = try #require(app.measures.first { $0.measure == "model_coverage" }).terms
        #expect(coverage["transitions shown"] == 5)
        #expect(coverage["states shown"] == 4 && coverage["callbacks shown"] == 5)
        for measure in app.measures { #expect(!measure.formula.isEmpty && !measure.terms.isEmpty) }
    }

    @Test("an unknown callback is a deviation")
    func unknown() throws {
        let app = try #require(
            try measure([
                line("00:00.000", "didFinishLaunchingWithOptions"),
                line("00:00.200", "applicationWillBecomeActive"),
                line("00:00.400", "applicationDidBecomeActive"),
            ]).first)
        #expect(app.value("token_replay_fitness") == 0.75)
        #expect(app.value("alignment_fitness") == 1 - 1.0 / 3)
        #expect(
            app.repairs == [
                .init(repair: "without applicationWillBecomeActive after didFinishLaunchingWithOptions", count: 1)
            ])
    }

    @Test("the order of lines with equal times, a clock that goes back and a truncated log do not reduce fitness")
    func noDeviation() throws {
        let app = try #require(
            try measure([
                line("00:00.000", "applicationWillResignActive"), line("00:01.000", "applicationDidBecomeActive"),
                line("00:09.000", "applicationDidEnterBackground"), line("00:09.000", "applicationWillResignActive"),
                line("02:00.000", "applicationWillEnterForeground"), line("01:30.000", "applicationDidBecomeActive"),
            ]).first)
        #expect(app.value("token_replay_fitness") == 1)
        #expect(app.value("alignment_fitness") == 1)
        #expect(app.value("footprint_fitness") == 1)
    }

    @Test("in a run with scenes the app's own activation is a notification")
    func scenes() throws {
        let layers = try measure([
            line("00:00.000", "application(_:didFinishLaunchingWithOptions:)"),
            line("00:00.100", "scene(_:willConnectTo:options:) main"),
            line("00:00.300", "sceneWillEnterForeground main"), line("00:00.500", "applicationDidBecomeActive"),
            line("00:00.700", "sceneDidBecomeActive main"), line("00:09.000", "applicationDidBecomeActive"),
        ])
        #expect(layers.map(\.layer).sorted() == ["app", "scene"])
        for layer in layers { #expect(layer.value("token_replay_fitness") == 1) }
        #expect(layers.first { $0.layer == "app" }?.callbacks == 1)
    }

    @Test("a filter restricts the measures, and a format without room for them is refused")
    func filter() throws {
        let second = try #require(try measure(missing, "--since", "2026-03-01T08:01:30Z").first)
        #expect(second.traces == 1 && second.callbacks == 3)
        let program = try Program()
        try program.write("", to: "app.log")
        let sarif = try program.run("check", "app.log", "--measures", "--format", "sarif")
        #expect(sarif.status == 2)
        #expect(sarif.errors.contains("--format text, json or markdown"))
    }

    @Test("A log without callbacks says that there is nothing to measure")
    func nothingToMeasure() throws {
        let program = try Program()
        try program.write(line("00:00.000", "AppState: active") + "\n", to: "app.log")
        let check = try program.run(["check", "app.log", "--measures"])
        #expect(check.status == 0)
        #expect(check.errors.contains("nothing to measure: measures compare callbacks with the models"))
    }
}
