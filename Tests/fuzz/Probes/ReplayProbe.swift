@testable import LifecycleModel
@testable import LifecycleReplay
@testable import TraceRecords

/// Any history of processes: every callback and proof at any time, in one batch and in several, with the same runs.
///
/// Eight bytes are one fact; the first of all says how often the store takes what there is.
public enum ReplayProbe {
    private static let catalog = try? ModelCatalog.builtIn()
    /// Compiled once; every input begins with a copy.
    private static let fresh = catalog.map { LogReplayer(catalog: $0) }
    private static let callbacks = UInt16((catalog.map { Vocabulary(models: $0.models).count } ?? 0))
    private static let texts = ["Tour", "Other", "com.example.tour", "iPhone", "Home", "Map", "runningboard", "uikit"]

    public static func run(_ bytes: [UInt8]) {
        guard let first = bytes.first else { return }
        let facts = facts(Array(bytes.dropFirst()))
        let whole = replay(facts, taking: .max)
        let parts = replay(facts, taking: 1 + Int(first % 32))
        precondition(whole == parts, "when the store takes what there is must change nothing")
    }

    /// What the store would hold in the end: of rows that were handed over again, the last.
    private struct Outcome: Equatable {
        /// A step with what its number of a kind stands for: kinds may be numbered in another order.
        struct Move: Equatable {
            var step: Step
            var kind: StepKind
        }

        var runs: [Int64: RunRecord] = [:]
        var instances: [Int64: InstanceRecord] = [:]
        var steps: [Int64: Move] = [:]
        /// How often each occurs.
        var findings: [Finding: Int] = [:]
        var scenarios: [ScenarioMatch: Int] = [:]
    }

    private static func replay(_ facts: [FactBatch.Fact], taking interval: Int) -> Outcome {
        guard var replayer = fresh else { preconditionFailure("the built-in models cannot be read") }
        replayer.replay(FactBatch(newSymbols: texts), source: 1)
        var outcome = Outcome()
        var kinds: [StepKind] = []
        func take(final: Bool) {
            let batch = replayer.takeBatch(final: final)
            kinds += batch.kinds
            for run in batch.runs { outcome.runs[run.id] = run }
            for instance in batch.instances { outcome.instances[instance.id] = instance }
            for step in batch.steps + batch.revisedSteps {
                var unnumbered = step
                unnumbered.kind = 0
                outcome.steps[step.id] = Outcome.Move(step: unnumbered, kind: kinds[Int(step.kind)])
            }
            for finding in batch.findings { outcome.findings[finding, default: 0] += 1 }
            for scenario in batch.scenarios { outcome.scenarios[scenario, default: 0] += 1 }
        }
        for (index, fact) in facts.enumerated() {
            replayer.replay(FactBatch(facts: [fact]), source: 1)
            if index % interval == interval - 1 { take(final: false) }
        }
        take(final: true)
        return outcome
    }

    private static func facts(_ bytes: [UInt8]) -> [FactBatch.Fact] {
        var facts: [FactBatch.Fact] = []
        var time: Int64 = 1_700_000_000_000_000_000
        var place = 0
        while place + 8 <= bytes.count {
            let b = Array(bytes[place..<place + 8])
            place += 8
            // From steps back to days.
            time = TimeLimits.checked(time + (Int64(b[1]) - 8) << Int64(b[2] % 40)) ?? time
            let line = Int64(place / 8)
            let when = b[0] & 0x80 == 0 ? time : nil
            let process = b[3] & 3 == 3 ? Symbol.none : Symbol(id: UInt32(b[3] & 3) + 1)
            let pid = b[3] & 0x70 == 0 ? nil : Int32(b[3] >> 4)
            if b[0] & 3 == 3 {
                facts.append(
                    .life(
                        LifeSpan(
                            process: process, pid: pid, device: .none, from: when, until: when, firstLine: line,
                            lastLine: line)))
                continue
            }
            let isCallback = b[0] & 3 != 2
            let number = (UInt16(b[4]) << 8 | UInt16(b[5])) % max(callbacks, 1)
            facts.append(
                .event(
                    Event(
                        time: when, line: line, callback: isCallback ? number : nil,
                        origin: isCallback ? .none : Symbol(id: 7 + UInt32(b[6] & 1)),
                        proof: isCallback ? nil : Proof.allCases[Int(b[5]) % Proof.allCases.count],
                        process: process, namesBundle: b[3] & 3 == 2, pid: pid,
                        instance: b[6] & 6 == 0 ? .none : Symbol(id: 5 + UInt32(b[6] & 1)),
                        copyKey: UInt64(b[7]))))
        }
        return facts
    }
}
