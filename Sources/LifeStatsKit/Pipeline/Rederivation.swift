import LifecycleModel
import LifecycleReplay
import TraceRecords
import TraceStore

/// Derives the runs of streams again from the facts that the store keeps, without the logs.
struct Rederivation {
    private let writer: TraceWriter
    private let options: ReplayOptions
    private let vocabulary: Vocabulary
    private let plan: ReplayPlan

    init(writer: TraceWriter, catalog: ModelCatalog, options: ReplayOptions) {
        self.writer = writer
        self.options = options
        vocabulary = Vocabulary(models: catalog.models)
        plan = ReplayPlan(catalog, options)
    }

    /// Derives every stream again.
    ///
    /// - Returns: how many there are.
    func runAll() throws -> Int {
        let streams = try writer.streams()
        try run(groupsOf: streams)
        return streams.count
    }

    /// Derives streams again with all that are to be derived together with them, group by group, each in one transaction.
    func run(groupsOf streams: [String]) throws {
        let groups = try groups(of: streams)
        var done: Set<String> = []
        for stream in streams where !done.contains(stream) {
            let group = groups.group(of: stream)
            done.formUnion(group)
            try writer.atomically { try derive(group, groups.shared, without: nil) }
        }
    }

    /// Removes sources of a stream, and derives what rests on it again, in one transaction.
    func run(stream: String, without loss: Loss) throws {
        let groups = try groups(of: [stream])
        let group = groups.group(of: stream)
        try writer.atomically {
            try derive(group, groups.shared, without: loss)
            try writer.move(loss.changed)
            try writer.forget(sources: loss.sources)
            // A log whose callbacks of a process are forgotten may bear witness to those of another log.
            let left = try self.groups(of: [stream])
            let sharesMore = !left.shared.isSubset(of: groups.shared)
            guard left.group(of: stream) != group || sharesMore else { return }
            try derive(left.group(of: stream), left.shared, without: nil)
        }
    }

    /// Brings streams of one device to agree whose facts have changed.
    ///
    /// - Returns: what there is more of afterwards than before.
    func settle() throws -> StreamCounts {
        var change = StreamCounts()
        let unsettled = try writer.unsettledStreams()
        guard !unsettled.isEmpty else { return change }
        let groups = try groups(of: unsettled.keys.sorted())
        var done: Set<String> = []
        var alone: [String] = []
        for stream in unsettled.keys.sorted() where !done.contains(stream) {
            let group = groups.group(of: stream)
            done.formUnion(group)
            guard group.count > 1 || group.contains(where: { unsettled[$0] == true }) else {
                alone += group
                continue
            }
            try writer.atomically {
                let before = try writer.counts(ofStreams: group)
                try derive(group, groups.shared, without: nil)
                change.add(try writer.counts(ofStreams: group), minus: before)
            }
        }
        if !alone.isEmpty { try writer.settle(alone, links: []) }
        return change
    }

    private func groups(of streams: [String]) throws -> DeviceGroups {
        DeviceGroups(try writer.processes(onDevicesOf: streams), links: try writer.links())
    }

    /// Replaces everything that was derived from a group of streams.
    private func derive(_ group: [String], _ shared: Set<ProcessKey>, without loss: Loss?) throws {
        var witnesses = DeviceWitnesses(shared: shared)
        if group.count > 1 {
            for stream in group {
                let facts = try attached(facts(of: stream, without: loss), isCut: loss != nil)
                for fact in facts { witnesses.note(fact, of: stream) }
            }
            witnesses.assign()
        }
        for stream in group { try derive(stream, witnesses, without: loss) }
        try writer.settle(group, links: witnesses.links)
    }

    private func derive(_ stream: String, _ witnesses: DeviceWitnesses, without loss: Loss?) throws {
        var own = try facts(of: stream, without: loss)
        var taken: [StoredFact] = []
        if witnesses.takes(from: stream) {
            own = try attached(own, isCut: loss != nil)
            taken = own.filter { witnesses.isTaken($0, from: stream) }
            own.removeAll { witnesses.isTaken($0, from: stream) }
        }
        let lent = witnesses.lent(to: stream)
        let sources = try writer.sources().filter { $0.stream == stream && loss?.sources.contains($0.id) != true }
        let merged = lent.isEmpty ? own : DeviceTimeline(own: own, lent: lent, settled: settled(sources)).merged()

        let known = try writer.runs(inStream: stream)
        let mine = Set(sources.map(\.id))
        var options = options
        options.forgottenRuns = known.map(\.id)
        options.remember(known, derivedAgain: Set(options.forgottenRuns))
        for source in sources { options.appVersionsOfSources[source.id] = source.appVersion }
        options.home = sources.inOrderOfLog.first?.id
        // Messages that were kept are facts.
        options.keepsMessages = true
        var replayer = LogReplayer(plan: plan, options: options, first: writer.firstIDs)
        for batch in try StoredFactBatch.batches(
            merged, vocabulary: vocabulary, isWitness: { !mine.contains($0) })
        {
            replayer.replay(batch.facts, source: batch.source, isWitness: batch.isWitness)
        }
        // How far the log goes decides open ends, also where its last lines state no fact.
        for source in sources { replayer.replay(FactBatch(position: source.position), source: source.id) }
        var batch = replayer.takeBatch(final: true)
        batch.life.joinPieces()
        var kinds = KindNumbers()
        try writer.write(batch, kinds: &kinds, stream: stream)
        if !taken.isEmpty { try writer.keep(taken, ofStream: stream) }
    }

    /// How many lines of each source will not be read again when it goes on.
    private func settled(_ sources: [SourceRecord]) -> [Int32: Int64] {
        var lines: [Int32: Int64] = [:]
        for source in sources { lines[source.id] = ResumePoint(text: source.resume)?.position.counts.lines }
        return lines
    }

    /// The facts with the runs that they belong to when the log stands alone. A line that does not say of which process it
    /// is belongs to whatever the lines before it tell, those included that another log has taken.
    ///
    /// - Parameter isCut: whether facts before were forgotten, so that a copy may be the only one left.
    private func attached(_ facts: [StoredFact], isCut: Bool) throws -> [StoredFact] {
        guard isCut || facts.contains(where: { !$0.naming.isDisjoint(with: [.withoutPid, .withoutName]) }) else {
            return facts
        }
        var replayer = LogReplayer(plan: plan, options: options, first: FirstIDs(step: 1, run: 1, instance: 1))
        for batch in try StoredFactBatch.batches(facts, vocabulary: vocabulary) {
            replayer.replay(batch.facts, source: batch.source)
        }
        let batch = replayer.takeBatch(final: true)
        let runs = Dictionary(batch.runs.map { ($0.id, $0) }) { $1 }
        let runOfInstance = Dictionary(batch.instances.map { ($0.id, $0.run) }) { $1 }
        // Steps wait for what decides them, so that they do not always come in the order of their lines.
        var steps: [EventLine: ArraySlice<Step>] = [:]
        for step in batch.steps {
            let kind = batch.kinds[Int(step.kind)]
            guard kind.role != .derived, kind.kind != StepKind.saidEnd else { continue }
            steps[EventLine(source: step.source, line: step.line, kind), default: []].append(step)
        }
        var lives: [LifeLines: ArraySlice<LifeRecord>] = [:]
        for life in batch.life { lives[LifeLines(life), default: []].append(life) }
        return facts.map { fact in
            switch fact.content {
            case .event(let id, let instance, var kind, let time, let message):
                guard let step = steps[EventLine(source: fact.source, line: fact.line, kind)]?.popFirst(),
                    let run = runOfInstance[step.instance].flatMap({ runs[$0] })
                else { return fact }
                var fact = fact.attached(to: run)
                guard kind.isEvidence else { return fact }
                kind.role = batch.kinds[Int(step.kind)].role
                kind.evidence = batch.kinds[Int(step.kind)].evidence
                fact.content = .event(step: id, instance: instance, kind: kind, time: time, message: message)
                return fact
            case .life(let life):
                return lives[LifeLines(life)]?.popFirst().flatMap { runs[$0.run] }.map(fact.attached) ?? fact
            }
        }
    }

    /// Where an event stands, and of what kind it is.
    private struct EventLine: Hashable {
        var source: Int32
        var line: Int64
        var kind: String
        var callback: String?

        init(source: Int32, line: Int64, _ kind: StepKind) {
            self.source = source
            self.line = line
            self.kind = kind.kind
            callback = kind.callback
        }
    }

    /// Where a stretch of life stands.
    private struct LifeLines: Hashable {
        var source: Int32
        var first: Int64
        var last: Int64

        init(_ life: LifeRecord) {
            source = life.source
            first = life.firstLine
            last = life.lastLine
        }
    }

    private func facts(of stream: String, without loss: Loss?) throws -> [StoredFact] {
        var facts: [StoredFact] = []
        try writer.facts(ofRuns: writer.runs(inStream: stream).map(\.id), stream: stream) { facts.append($0) }
        if let loss {
            let before = facts.count
            facts.removeAll { loss.sources.contains($0.source) }
            facts = facts.map(loss.applied)
            if facts.count < before { FoldedCopies.unfoldOrphans(in: &facts) }
        }
        return facts
    }
}

extension StoredFact {
    /// The fact as one of a run that was found by deriving its log alone.
    fileprivate func attached(to found: RunRecord) -> StoredFact {
        var fact = self
        fact.run = RunRecord(
            id: run.id, source: run.source, device: found.device, app: found.app, pid: found.pid,
            profile: found.profile, key: run.key, bundle: found.bundle)
        return fact
    }
}
