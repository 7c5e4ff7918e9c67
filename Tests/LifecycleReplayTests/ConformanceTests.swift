import LifecycleModel
import Testing

@testable import LifecycleReplay

/// Conformance on logs so small that every number can be worked out by hand.
struct ConformanceTests {
    private func app() throws -> LifecycleModel { try #require(try builtIn.get().model("app")) }
    private let launch = "didFinishLaunchingWithOptions"
    private let active = "applicationDidBecomeActive"
    private let resign = "applicationWillResignActive"
    private let background = "applicationDidEnterBackground"
    private let foreground = "applicationWillEnterForeground"

    @Test("A documented log is perfectly fit")
    func fit() throws {
        let model = try app()
        let variants = [
            TraceVariant(callbacks: [launch, active, resign, background, foreground, active], count: 3),
            TraceVariant(callbacks: [launch, background, "performFetch"]),
            TraceVariant(callbacks: [resign, active], beginsInLog: false),
        ]
        #expect(TokenReplay(variants, on: model).fitness == 1)
        #expect(AlignmentFitness(variants, on: model).fitness == 1)
        #expect(Footprints(variants, on: model).fitness == 1)
    }

    @Test("A missing resign costs one move, and the alignment names it")
    func missing() throws {
        let model = try app()
        let trace = TraceVariant(callbacks: [launch, active, background])
        let alignment = Alignment(trace, machine: ConformanceMachine(model))
        #expect(alignment.cost == 1)
        #expect(
            alignment.moves == [.model(position: 2, callback: resign)]
                || alignment.moves == [.log(position: 2, callback: background)]
                || alignment.moves == [.log(position: 1, callback: active)])
        #expect(AlignmentFitness([trace], on: model).fitness == 1 - 1.0 / 3)
        // Four tokens produced and consumed, one missing and one remaining: 1 - 1/4.
        #expect(TokenReplay([trace], on: model).fitness == 0.75)
    }

    @Test("An unknown callback is a deviation and not ignored")
    func unknown() throws {
        let model = try app()
        let trace = TraceVariant(callbacks: [launch, "somethingElse", active])
        #expect(
            Alignment(trace, machine: ConformanceMachine(model)).moves == [.log(position: 1, callback: "somethingElse")]
        )
        #expect(TokenReplay([trace], on: model).fitness == 0.75)
    }

    @Test("Fitness weights variants by how often they occur")
    func weights() throws {
        let model = try app()
        let good = TraceVariant(callbacks: [launch, active], count: 9)
        let bad = TraceVariant(callbacks: [launch, active, active], count: 1)
        let fitness = AlignmentFitness([good, bad], on: model)
        #expect(fitness.cost == 1 && fitness.worst == 21)
    }

    @Test("Precision counts what the model allows and the log never shows")
    func precision() throws {
        let toy = try ModelReader.read(
            """
            model: toy
            initial: a
            states:
              a: {}
              b: {}
            callbacks:
              go: {proves: b}
              back: {proves: a}
              stay: {proves: b}
            transitions:
              T1: {from: a, to: b, callbacks: go}
              T2: {from: b, to: a, callbacks: back}
              T3: {from: b, to: b, callbacks: stay}
            """, file: "toy.yaml")
        // After nothing: go enabled, go seen (2 traces). After go: back and stay enabled, back seen (1 trace goes on).
        let variants = [TraceVariant(callbacks: ["go", "back"]), TraceVariant(callbacks: ["go"])]
        let edges = EscapingEdges(variants, on: toy)
        #expect(edges.enabled == 2 * 1 + 1 * 2 && edges.escaping == 1)
        #expect(edges.precision == 0.75)
        // go>back, go>stay, back>go, stay>back, stay>stay are documented; the log shows go>back only.
        let footprints = Footprints(variants, on: toy)
        #expect(footprints.documented.count == 5 && footprints.precision == 0.2)
    }

    @Test("A time far from the median is an outlier")
    func temporal() {
        let pair = Footprints.Pair(first: "a", second: "b")
        for (last, outliers) in [(20, 0), (21, 1)] as [(Int64, Int)] {
            var profile = TemporalProfile()
            profile.add([10, 11, 12, 12, 13, 14, last], pair)
            // Median 12, absolute deviations 0 0 1 1 2 2 and more, MAD 1: up to 6 * 1.4826 away is usual.
            #expect(profile.usual(pair)?.median == 12)
            #expect(profile.outliers(pair) == outliers)
        }
    }

    @Test("Equal traces are one variant, whatever comes between them, and a line of the same time may stand too late")
    func traces() {
        var log = TraceLog()
        let (a, b, c) = (log.number(of: "a"), log.number(of: "b"), log.number(of: "c"))
        for instance in [1, 2] as [Int64] { log.add(a, of: instance, at: 10, beginsInLog: true) }
        log.add(c, of: 1, at: 30, beginsInLog: false)
        log.add(b, of: 1, at: 30, beginsInLog: false, comesBefore: true)
        log.add(b, of: 2, at: 25, beginsInLog: false)
        log.add(c, of: 2, at: 30, beginsInLog: false)
        log.add(a, of: 3, at: nil, beginsInLog: false)
        #expect(log.traces == 3 && log.callbacks == 7)
        #expect(
            Set(log.variants) == [
                TraceVariant(callbacks: ["a", "b", "c"], count: 2),
                TraceVariant(callbacks: ["a"], count: 1, beginsInLog: false),
            ])
    }

    @Test("The alignment is the cheapest of all, on short traces")
    func exactness() throws {
        let model = try app()
        let names = [launch, active, resign, background, foreground, "nonsense"]
        var traces: [[String]] = [[]]
        for _ in 0..<4 {
            traces += traces.filter { $0.count == traces.last?.count }.flatMap { t in names.map { t + [$0] } }
        }
        let machine = ConformanceMachine(model)
        var dice = Chance(state: 7)
        for trace in traces.shuffled(using: &dice).prefix(60) {
            for begins in [true, false] {
                let variant = TraceVariant(callbacks: trace, beginsInLog: begins)
                let alignment = Alignment(variant, machine: machine)
                #expect(alignment.moves.count == alignment.cost)
                // Repaired, the trace conforms; and no trace of fewer changes would do.
                #expect(TokenReplay.deviations(of: repaired(variant, alignment), on: machine) == 0)
                #expect(alignment.cost == cheapest(variant, machine))
            }
        }
    }

    private struct Chance: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ state >> 29
        }
    }

    /// A trace with the moves of an alignment carried out.
    private func repaired(_ variant: TraceVariant, _ alignment: Alignment) -> TraceVariant {
        var callbacks: [String] = []
        for position in 0...variant.callbacks.count {
            var isLeftOut = false
            for move in alignment.moves {
                switch move {
                case .model(position, let callback): callbacks.append(callback)
                case .log(position, _): isLeftOut = true
                default: break
                }
            }
            if position < variant.callbacks.count, !isLeftOut { callbacks.append(variant.callbacks[position]) }
        }
        return TraceVariant(callbacks: callbacks, beginsInLog: variant.beginsInLog)
    }

    /// The cost by Dijkstra's algorithm on states and positions, the plain way.
    private func cheapest(_ variant: TraceVariant, _ machine: ConformanceMachine) -> Int {
        let length = variant.callbacks.count
        var best: [[Int]] = Array(repeating: Array(repeating: .max, count: machine.states.count), count: length + 1)
        for state in ConformanceMachine.members(machine.beginning(variant)) { best[0][state] = 0 }
        for _ in 0...(2 * length + machine.states.count) {
            for position in 0...length {
                for state in machine.states.indices where best[position][state] != .max {
                    let cost = best[position][state]
                    for callback in machine.moving {
                        for next in ConformanceMachine.members(machine.after(callback, in: state)) {
                            best[position][next] = min(best[position][next], cost + 1)
                        }
                    }
                    guard position < length else { continue }
                    best[position + 1][state] = min(best[position + 1][state], cost + 1)
                    guard let callback = machine.numbers[variant.callbacks[position]] else { continue }
                    for next in ConformanceMachine.members(machine.after(callback, in: state)) {
                        best[position + 1][next] = min(best[position + 1][next], cost)
                    }
                }
            }
        }
        return best[length].min() ?? 0
    }
}
