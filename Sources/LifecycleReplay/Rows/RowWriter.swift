import TraceRecords

/// Collects the rows of the present batch and gives them their ids.
struct RowWriter {
    private let catalog: CompiledCatalog
    var batch = ReplayBatch()
    private(set) var blocks: BlockSequence
    /// The block that ids are taken from, -1 while the batch has none, and the last numbers given out in it.
    private var block: Int64 = -1
    private var last = Numbers()
    /// Grows with every batch.
    private(set) var batchNumber: Int64 = 0
    var kinds = KindTable()
    var origins = OriginTable()

    private struct Numbers {
        var step: Int64 = 0
        var run: Int64 = 0
        var instance: Int64 = 0
        var finding: Int64 = 0
        var suspension: Int64 = 0
    }

    init(catalog: CompiledCatalog, blocks: BlockSequence, origins: OriginTable = OriginTable()) {
        self.catalog = catalog
        self.blocks = blocks
        self.origins = origins
    }

    /// The rows so far; the next ones are of another batch and another block.
    mutating func take(source: Int32) -> ReplayBatch {
        var taken = ReplayBatch(source: source)
        swap(&taken, &batch)
        taken.source = source
        batch.steps.reserveCapacity(taken.steps.count)
        batchNumber += 1
        block = -1
        return taken
    }

    mutating func runID() -> Int64 {
        makeRoom(after: last.run)
        last.run += 1
        return block << 16 | last.run
    }

    mutating func instanceID() -> Int64 {
        makeRoom(after: last.instance)
        last.instance += 1
        return block << 16 | last.instance
    }

    @inline(__always)
    mutating func stepID() -> Int64 {
        makeRoom(after: last.step)
        last.step += 1
        return block << 16 | last.step
    }

    /// Makes sure that the block has another id of a kind of which the last number is given.
    @inline(__always)
    private mutating func makeRoom(after number: Int64) {
        if block < 0 || number == Block.size - 1 { openBlock() }
    }

    private mutating func openBlock() {
        block = blocks.take()
        batch.blocks.append(block)
        last = Numbers()
    }

    mutating func add(_ finding: Finding) {
        var finding = finding
        makeRoom(after: last.finding)
        last.finding += 1
        finding.id = block << 16 | last.finding
        batch.findings.append(finding)
    }

    mutating func add(_ suspension: Suspension) {
        var suspension = suspension
        makeRoom(after: last.suspension)
        last.suspension += 1
        suspension.id = block << 16 | last.suspension
        batch.suspensions.append(suspension)
    }

    /// Number of an origin of evidence.
    mutating func origin(_ name: String?) -> UInt16 { origins.number(name ?? "evidence") }

    /// The number of a kind; its texts are handed over when it occurs for the first time.
    @inline(__always)
    mutating func number(of key: KindKey) -> Int32 {
        let packed = key.packed
        let found = kinds.find(packed)
        if let number = found.number { return number }
        batch.kinds.append(describe(key))
        return kinds.insert(packed, at: found.place)
    }

    private func describe(_ key: KindKey) -> StepKind {
        let model = catalog.models[Int(key.model)]
        let isCallback = key.origin == 0
        let name: (UInt8) -> String? = { $0 == CompiledModel.unknown ? nil : model.states[Int($0)] }
        let proofs = Proof.allCases
        return StepKind(
            role: key.isDerived ? .derived : .event, model: model.id, layer: model.layer,
            kind: isCallback ? "callback" : origins.names[Int(key.origin)],
            callback: isCallback && key.subject != CompiledModel.noCallback ? model.callbacks[Int(key.subject)] : nil,
            proves: isCallback || Int(key.subject) >= proofs.count ? nil : proofs[Int(key.subject)],
            stateBefore: name(key.before), stateAfter: name(key.after),
            verdict: key.verdict == .none ? nil : key.verdict == .documented ? .documented : .undocumented,
            evidence: key.inferred ? .inferred : .observed,
            closedEvidence: key.closedInferred ? .inferred : .observed,
            closedCensoring: key.closedLeft ? .left : .neither)
    }

    /// Gives a step another kind: in place, or as a revision when the store has it already.
    mutating func correct(_ step: Step, kind: Int32) {
        if Block.of(step.id) >= batch.blocks.first ?? Int64.max, let place = place(of: step.id) {
            batch.steps[place].kind = kind
        } else {
            var revised = step
            revised.kind = kind
            batch.revisedSteps.append(revised)
        }
    }

    /// Place of a step among those of the batch, whose ids grow.
    private func place(of id: Int64) -> Int? {
        var (low, high) = (0, batch.steps.count)
        while low < high {
            let middle = (low + high) / 2
            if batch.steps[middle].id < id { low = middle + 1 } else { high = middle }
        }
        return low < batch.steps.count && batch.steps[low].id == id ? low : nil
    }
}
