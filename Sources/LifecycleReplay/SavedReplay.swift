import Foundation
package import TraceRecords

/// What a replay must remember to go on when its log is read on: everything but the plan and the options.
private struct SavedReplay: Codable {
    /// Grows with every change of the state's meaning; a state of another version is not read.
    static let version = 1

    var version = SavedReplay.version
    var symbols: Symbols
    var origins: OriginTable
    var kinds: [KindKey]
    var copies: CopyDetector
    var serials: Int64
    var runs: [RunState]
    var freeRuns: [Int32]
    var instances: [InstanceState]
    var freeInstances: [Int32]
    var memories: [RuleMemory]
    var runMemories: [RuleMemory]
    var pending: [Int32: [PendingFinding]]
    var suspects: [Int32: [Finding]]
    var overSessions: Set<UInt64>
    var undecided: [Int32: UndecidedLaunch]
    var slots: [RunKey: Int32]
    var slotOfPid: [Int32: Int32]
    var lastSpoken: Int32
    var firstOfApp: [UInt32: Int32]
    var processOfBundle: [UInt32: UInt32]
    var processesOfFold: [UInt32: [UInt32]]
    var ended: SlotQueue
    var begunRuns: Int64
    var untimedRuns: Int64
    var sharedPids: Set<Int32>
    var open: SlotQueue
    var openCount: Int
    var prospects: SlotQueue
    var prospectCount: Int
    var latest: Int64
    var source: Int32
    var sourcesSeen: Int32
}

/// Why a saved state cannot be continued from: derive the log again.
package struct UnusableState: Error {}

extension LogReplayer {
    /// The state after ``takeBatch()``, to go on from when the log is read on.
    package func savedState() -> [UInt8] {
        let saved = SavedReplay(
            symbols: symbols, origins: origins, kinds: kinds.all, copies: copies, serials: serials, runs: runs,
            freeRuns: freeRuns, instances: instances, freeInstances: freeInstances, memories: memories,
            runMemories: runMemories, pending: pending, suspects: suspects, overSessions: overSessions,
            undecided: undecided, slots: slots, slotOfPid: slotOfPid, lastSpoken: lastSpoken, firstOfApp: firstOfApp,
            processOfBundle: processOfBundle, processesOfFold: processesOfFold, ended: ended, begunRuns: begunRuns,
            untimedRuns: untimedRuns, sharedPids: sharedPids, open: open, openCount: openCount, prospects: prospects,
            prospectCount: prospectCount, latest: latest, source: source, sourcesSeen: sourcesSeen)
        // An empty state is not usable: the log is then derived again.
        return (try? JSONEncoder().encode(saved)).map { [UInt8]($0) } ?? []
    }

    /// A replay that goes on from a saved state. Its first batch hands everything over again that the log's end had shown.
    ///
    /// - Throws: ``UnusableState`` when the state is damaged, or of another version.
    package init(plan: ReplayPlan, options: ReplayOptions, blocks: BlockSequence, resuming state: [UInt8]) throws {
        self.init(plan: plan, options: options, blocks: blocks)
        guard let saved = try? JSONDecoder().decode(SavedReplay.self, from: Data(state)),
            saved.version == SavedReplay.version
        else { throw UnusableState() }
        symbols = saved.symbols
        origins = saved.origins
        copies = saved.copies
        serials = saved.serials
        (runs, freeRuns) = (saved.runs, saved.freeRuns)
        (instances, freeInstances) = (saved.instances, saved.freeInstances)
        (memories, runMemories) = (saved.memories, saved.runMemories)
        (pending, suspects) = (saved.pending, saved.suspects)
        overSessions = saved.overSessions
        undecided = saved.undecided
        (slots, slotOfPid, lastSpoken) = (saved.slots, saved.slotOfPid, saved.lastSpoken)
        (firstOfApp, processOfBundle, processesOfFold) = (
            saved.firstOfApp, saved.processOfBundle, saved.processesOfFold
        )
        (ended, begunRuns, untimedRuns, sharedPids) = (
            saved.ended, saved.begunRuns, saved.untimedRuns, saved.sharedPids
        )
        (open, openCount, prospects, prospectCount) = (
            saved.open, saved.openCount, saved.prospects, saved.prospectCount
        )
        (latest, source, sourcesSeen) = (saved.latest, saved.source, saved.sourcesSeen)
        for key in saved.kinds { _ = number(of: key) }
        for slot in runs.indices { runs[slot].dirty = true }
        for launch in undecided.values { out.revisedSteps += launch.steps.map(\.step) }
    }
}
