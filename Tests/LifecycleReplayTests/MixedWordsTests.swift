import Testing
import TraceRecords

@testable import LifecycleReplay

/// Logs of apps that log callbacks of some states, words for some, and both for others.
@Suite struct MixedWordsTests {
    private struct Chance: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ state >> 29
        }
    }

    /// An app's life, and what it logs of it.
    private struct Life {
        var lines: [Line] = []
        /// The states, each once.
        var path = ["not_running", "inactive"]
        /// Whether a line tells of each change.
        var isTold = true

        init(_ dice: inout Chance, origin: String) {
            let callbacks: [(from: String, to: String, name: String)] = [
                ("inactive", "active", "applicationDidBecomeActive"),
                ("active", "inactive", "applicationWillResignActive"),
                ("inactive", "background", "applicationDidEnterBackground"),
                ("background", "inactive", "applicationWillEnterForeground"),
            ]
            let logged = callbacks.map { _ in Int.random(in: 0..<4, using: &dice) > 0 }
            let words = ["active", "inactive", "background"].filter { _ in Bool.random(using: &dice) }
            let delay = Double(Int.random(in: -40...40, using: &dice)) / 1000
            var time = 0.0
            var timed: [(time: Double, line: Line)] = [(0, .at(0, "didFinishLaunchingWithOptions"))]
            for _ in 0..<Int.random(in: 3...14, using: &dice) {
                let state = path[path.count - 1]
                time += Double(Int.random(in: 500...4_000, using: &dice)) / 1000
                let ways = callbacks.indices.filter { callbacks[$0].from == state }
                // On the way up, only active follows.
                let isUp = path.count == 2 || path[path.count - 2] == "background"
                let way = isUp ? ways[0] : ways[Int.random(in: 0..<ways.count, using: &dice)]
                let to = callbacks[way].to
                path.append(to)
                if logged[way] { timed.append((time, .at(time, callbacks[way].name))) }
                let isWorded = words.contains(to)
                if isWorded, let proof = Proof(rawValue: to) {
                    timed.append((time + delay, .evidence(time + delay, proof, origin)))
                }
                isTold = isTold && (logged[way] || isWorded)
            }
            lines = timed.sorted { $0.time < $1.time }.map(\.line)
        }
    }

    @Test(
        "A cut adds no complete visit, and what is told of every change is the path",
        arguments: ["app-state", "flutter", "runningboard"])
    func lives(origin: String) throws {
        var dice = Chance(state: 7)
        var told = 0
        for number in 0..<300 {
            let life = Life(&dice, origin: origin)
            let whole = try play(life.lines)
            if life.isTold {
                told += 1
                #expect(whole.path() == life.path, "life \(number): \(life.lines)")
                #expect(
                    whole.findings.allSatisfy { $0.severity == .info },
                    "life \(number): \(whole.findings.map { "\($0.rule) \($0.line): \($0.message)" }) \(life)")
            }
            let known = Set(InvarianceTests.completeStays(whole).map { "\($0)" })
            for first in life.lines.indices.dropFirst() {
                let cut = try play(Array(life.lines[first...]))
                let added = InvarianceTests.completeStays(cut, after: first).map { "\($0)" }
                    .filter { !known.contains($0) }
                #expect(added.isEmpty, "life \(number) from line \(first): \(added) \(life.lines)")
            }
        }
        #expect(told > 50)
    }

    @Test("A phase that is printed before the first scene connects is of that scene")
    func phaseBeforeConnection() throws {
        for label in ["", "A"] {
            let played = try play([
                .at(0, "didFinishLaunchingWithOptions"), .evidence(0.02, .background, "swiftui"),
                .at(0.1, "sceneWillConnect", label), .at(0.18, "sceneWillEnterForeground", label),
                .evidence(0.19, .inactive, "swiftui"), .at(0.3, "sceneDidBecomeActive", label),
                .evidence(0.31, .active, "swiftui"),
            ])
            #expect(played.path("scene", label.isEmpty ? "scene0" : label).last == "fg_active")
            #expect(played.instances.values.count { $0.layer == "scene" } == 1 && played.findings.isEmpty)
        }
    }
}
