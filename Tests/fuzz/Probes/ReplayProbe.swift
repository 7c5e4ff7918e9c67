@testable import LifecycleModel
@testable import LifecycleReplay
@testable import TraceRecords

/// Any history of processes: every callback and proof at any time, in one batch and in several, with the same runs.
///
/// Eight bytes are one fact; the first of all says how often the store takes what there is.
public enum ReplayProbe {
    private static let catalog = try? ModelCatalog.builtIn()
    private static let plan = catalog.map { ReplayPlan($0, ReplayOptions()) }
    private static let callbacks = UInt16((catalog.map { Vocabulary(models: $0.models).count } ?? 0))
    /// Every speaker of 4 names, 8 process ids and 3 labels.
    private static let speakers: [Speaker] = (0..<96).map { (number: Int) -> Speaker in
        let names: [String?] = ["Tour", "Other", "com.example.tour", nil]
        let labels: [String?] = [nil, "Home", "Map"]
        let pid = Int32(number >> 2 & 7)
        return Speaker(
            process: names[number & 3], namesBundle: number & 3 == 2, pid: pid == 0 ? nil : pid,
            label: labels[number >> 5])
    }

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
        var findings: [Finding] = []
        var scenarios: [ScenarioMatch] = []

        /// The same with ids counted in order: when rows are taken changes the ids.
        var numbered: Outcome {
            func ranks(_ ids: some Sequence<Int64>) -> [Int64: Int64] {
                Dictionary(uniqueKeysWithValues: ids.sorted().enumerated().map { ($1, Int64($0 + 1)) })
            }
            let (stepIDs, runIDs, instanceIDs) = (ranks(steps.keys), ranks(runs.keys), ranks(instances.keys))
            var result = Outcome()
            for var run in runs.values {
                run.id = runIDs[run.id] ?? 0
                result.runs[run.id] = run
            }
            for var instance in instances.values {
                (instance.id, instance.run) = (instanceIDs[instance.id] ?? 0, runIDs[instance.run] ?? 0)
                let opener = instance.tail?.opener.flatMap { stepIDs[$0] }
                instance.tail?.opener = opener
                result.instances[instance.id] = instance
            }
            for var move in steps.values {
                (move.step.id, move.step.instance) = (stepIDs[move.step.id] ?? 0, instanceIDs[move.step.instance] ?? 0)
                move.step.opener = move.step.opener.flatMap { stepIDs[$0] }
                result.steps[move.step.id] = move
            }
            result.findings = findings.map { finding in
                var finding = finding
                (finding.id, finding.run) = (0, runIDs[finding.run] ?? 0)
                finding.instance = finding.instance.flatMap { instanceIDs[$0] }
                finding.step = finding.step.flatMap { stepIDs[$0] }
                return finding
            }
            result.scenarios = scenarios.map { match in
                var match = match
                match.run = runIDs[match.run] ?? 0
                (match.firstStep, match.lastStep) = (stepIDs[match.firstStep] ?? 0, stepIDs[match.lastStep] ?? 0)
                return match
            }
            return result
        }
    }

    private static func replay(_ facts: [FactBatch.Fact], taking interval: Int) -> Outcome {
        guard let plan else { preconditionFailure("the built-in models cannot be read") }
        var replayer = LogReplayer(plan: plan, options: ReplayOptions(), blocks: BlockSequence(first: 0))
        var outcome = Outcome()
        var kinds: [StepKind] = []
        func take(_ batch: ReplayBatch) {
            kinds += batch.kinds
            for run in batch.runs { outcome.runs[run.id] = run }
            for instance in batch.instances { outcome.instances[instance.id] = instance }
            for step in batch.steps + batch.revisedSteps {
                var unnumbered = step
                unnumbered.kind = 0
                outcome.steps[step.id] = Outcome.Move(step: unnumbered, kind: kinds[Int(step.kind)])
            }
            outcome.findings += batch.findings
            outcome.scenarios += batch.scenarios
        }
        for (index, fact) in facts.enumerated() {
            replayer.replay(
                FactBatch(facts: [fact], speakers: speakers, texts: ["runningboard", "uikit"]), of: SourceContext(id: 1)
            )
            if index % interval == interval - 1 { take(replayer.takeBatch()) }
        }
        take(replayer.takeBatch())
        take(replayer.finish())
        return outcome.numbered
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
            let label = b[6] & 6 == 0 ? 0 : 1 + Int(b[6] & 1)
            let speaker = UInt32(b[3] & 3) | UInt32(b[3] >> 4 & 7) << 2
            if b[0] & 3 == 3 {
                facts.append(
                    .activity(
                        ActivityInterval(speaker: speaker, from: when, until: when, firstLine: line, lastLine: line)))
                continue
            }
            let isCallback = b[0] & 3 != 2
            let number = (UInt16(b[4]) << 8 | UInt16(b[5])) % max(callbacks, 1)
            facts.append(
                .event(
                    Event(
                        time: when, line: line, callback: isCallback ? number : nil,
                        proof: isCallback ? nil : Proof.allCases[Int(b[5]) % Proof.allCases.count],
                        origin: isCallback ? .none : Symbol(id: 1 + UInt32(b[6] & 1)),
                        speaker: speaker | UInt32(label) << 5, textHash: UInt16(b[7]))))
        }
        return facts
    }
}
