import LifecycleModel
import Testing
import TraceRecords

@testable import LifecycleReplay

/// A replay that is saved and resumed goes on as if it had never stopped.
struct SavedStateTests {
    typealias Dice = InvarianceTests.Dice

    @Test("Saved and resumed anywhere, a log gives the same rows")
    func resumed() throws {
        for seed in 1...20 as ClosedRange<UInt64> {
            var dice = Dice(state: seed &* 313)
            let lines =
                seed % 4 == 0 ? InvarianceTests.windows(seed, lines: 120) : InvarianceTests.chaos(seed, lines: 120)
            let whole = try play(lines)
            let stops = Set((0..<6).map { _ in dice.roll(lines.count) })
            let resumed = try play(lines, resumed: stops)
            let difference = resumed.difference(from: whole)
            #expect(difference == nil, "seed \(seed), after \(stops.sorted())")
        }
    }

    @Test("What the end of a log gave for the time being is replaced when the log goes on")
    func provisionalEnd() throws {
        let plan = ReplayPlan(try builtIn.get(), ReplayOptions())
        let vocabulary = Vocabulary(models: try builtIn.get().models)
        for seed in 1...16 as ClosedRange<UInt64> {
            var dice = Dice(state: seed &* 71)
            let lines = InvarianceTests.chaos(seed, lines: 100)
            let stop = 10 + dice.roll(80)
            let whole = try play(lines, beginsBefore: false)
            var replayer = LogReplayer(plan: plan, options: ReplayOptions(), blocks: BlockSequence(first: 5, stride: 3))
            var played = Played()
            var reader = LineReader(vocabulary)
            func facts(_ range: Range<Int>) -> FactBatch {
                for index in range { reader.read(lines[index], number: Int64(index + 1)) }
                return reader.take()
            }
            let source = SourceContext(id: 1)
            replayer.replay(facts(0..<stop), of: source)
            played.take(replayer.takeBatch())
            let state = replayer.savedState()
            // The last line may be continued: its facts and the end of the log are provisional.
            var provisional = played
            replayer.replay(facts(stop..<stop + 1), of: source)
            let end = replayer.finish()
            provisional.take(end)
            played.replace(with: provisional, butNotBlocks: end.blocks)
            played.resume()
            var next = try LogReplayer(
                plan: plan, options: ReplayOptions(), blocks: replayer.blocks, resuming: state)
            next.replay(facts(stop..<lines.count), of: source)
            played.take(next.takeBatch())
            played.take(next.finish())
            let difference = played.difference(from: whole)
            #expect(difference == nil, "seed \(seed), after line \(stop)")
        }
    }

    @Test("Damaged bytes and the state of another version are refused")
    func damaged() throws {
        let catalog = try builtIn.get()
        let plan = ReplayPlan(catalog, ReplayOptions())
        let replayer = LogReplayer(plan: plan, options: ReplayOptions(), blocks: BlockSequence(first: 1))
        let state = replayer.savedState()
        func resume(_ bytes: [UInt8]) throws -> LogReplayer {
            try LogReplayer(plan: plan, options: ReplayOptions(), blocks: BlockSequence(first: 1), resuming: bytes)
        }
        #expect(throws: Never.self) { try resume(state) }
        #expect(throws: SavedStateError.damaged) { try resume(Array(state.dropLast())) }
        #expect(throws: SavedStateError.damaged) { try resume([]) }
        var changed = state
        changed[20] ^= 1
        #expect(throws: SavedStateError.damaged) { try resume(changed) }
        var older = state
        older[0] ^= 1
        #expect(throws: SavedStateError.anotherVersion) { try resume(older) }
    }
}
