import LifecycleReplay
import LogReading
import TraceRecords
import TraceStore

/// What is to be done for one log as a whole.
extension IngestPlanner {
    /// Puts the sources of a log in order, and says what each of them goes on from. A source that rests on what the one
    /// before it left is read again when another one has turned up in between, or that one has grown.
    ///
    /// - Parameter withHeirs: whether to read those again, too.
    mutating func place(_ plan: inout LogPlan, withHeirs: Bool = true) throws {
        let stream = plan.stream
        let order = known.places(ofStream: stream).map { known[$0] }.inOrderOfLog
        plan.places = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1.id, $0) })
        var mine = Dictionary(uniqueKeysWithValues: plan.sources.map { ($0.record.id, $0) })
        for record in order {
            plan.appVersions[record.id] = (mine[record.id] == nil ? nil : appVersion) ?? record.appVersion
        }
        var hasNewsBefore = false
        var predecessor: SourceRecord?
        for record in order {
            let point = ResumePoint(text: record.resume)
            let isReadFromItsBeginning = mine[record.id].map { $0.point == nil } ?? false
            if withHeirs, !isReadFromItsBeginning, let point, point.leansOnPredecessor,
                hasNewsBefore || point.isStale || stale.contains(record.id)
            {
                stale.insert(record.id)
                if let again = try again(record, point, at: mine[record.id]?.description) {
                    mine[record.id] = again
                    plan.isReadAgain.insert(record.id)
                } else {
                    mine[record.id]?.point?.isStale = true
                }
            }
            hasNewsBefore = mine[record.id] != nil
            mine[record.id]?.predecessor = predecessor?.id
            mine[record.id]?.legacy = ResumePoint(text: predecessor?.resume)?.legacy
            predecessor = record
        }
        plan.sources = order.compactMap { mine[$0.id] }
        // Who says a device says it of what is read now.
        for record in order {
            let source = mine[record.id]
            if let device, let source, source.wishes == nil {
                plan.devices[record.id] = device
            } else if (source?.point ?? ResumePoint(text: record.resume))?.wishes?.namesDevice == true {
                plan.devices[record.id] = record.device
            }
        }
    }

    /// A source that is read again as it was read before; `nil` where its file is not at hand, or the person's own
    /// layouts, spellings or models of then are not.
    private func again(
        _ record: SourceRecord, _ point: ResumePoint, at description: SourceDescription?
    ) throws -> LogPlan.Source? {
        var wishes = point.wishes ?? ReadingWishes()
        guard wishes.isCovered(by: material.wishes), let source = description ?? stillInPlace(record) else {
            return nil
        }
        (wishes.ownFiles, wishes.ownModels) = (material.wishes.ownFiles, material.wishes.ownModels)
        var again = LogPlan.Source(again: record, description: source)
        again.wishes = wishes
        again.reading = try wishes.applied(to: options)
        return again
    }

    /// Takes up the runs that may go on in what is new.
    func reopen(_ plan: inout LogPlan) throws {
        let mine = Dictionary(uniqueKeysWithValues: plan.sources.map { ($0.record.id, $0) })
        let others = known.places(ofStream: plan.stream).map { known[$0] }.filter { mine[$0.id] == nil }
        guard !others.isEmpty || plan.sources.contains(where: { $0.point != nil }) || !plan.isReadAgain.isEmpty else {
            return
        }
        let oldest = plan.sources.compactMap { plan.places[$0.record.id] }.min() ?? 0
        let first = plan.sources.first
        plan.isOutOfOrder =
            !plan.isReadAgain.isEmpty || others.contains { plan.places[$0.id] ?? 0 > oldest }
            || plan.sources.contains { $0.point != nil && $0.record.id != first?.record.id }

        let runs: [RunRecord]
        if plan.isOutOfOrder {
            runs = try writer.runs(inStream: plan.stream)
            plan.reopenedRuns = runs.map(\.id)
        } else {
            // Beside the runs that may go on, those that began after one of them had ended: they tell that it did.
            let last = LogReplayer.endedRunsKept + 1
            runs = try writer.runs(inStream: plan.stream, last: last)
            let late = Set(runs.suffix(last).map(\.id))
            plan.reopenedRuns = runs.filter { $0.isAtHand || late.contains($0.id) }.map(\.id)
        }
        plan.knownRuns = runs
        var stored: [StoredFact] = []
        try writer.facts(ofRuns: plan.reopenedRuns, stream: plan.stream) { stored.append($0) }
        plan.reopenedEvents = Int64(stored.count { $0.isShownEvent })
        let vocabulary = try material.load().vocabulary
        plan.storedFacts = try StoredFactBatch.batches(stored, vocabulary: vocabulary) { source in
            mine[source].map { $0.point?.position.counts.lines ?? 0 }
        }
        // How far the log goes decides open ends, also where its last lines state no fact.
        for record in others {
            plan.storedFacts.append(StoredFactBatch(source: record.id, facts: FactBatch(position: record.position)))
        }
        let places = plan.places
        let inOrder = places.sorted { $0.value < $1.value }.map(\.key)
        plan.copyKeys = try writer.copyKeys(ofSources: inOrder).filter { key in
            mine[key.source].map { key.line <= $0.point?.position.counts.lines ?? 0 } ?? true
        }
        plan.storedFacts = plan.storedFacts.enumerated().sorted {
            (places[$0.element.source] ?? 0, $0.offset) < (places[$1.element.source] ?? 0, $1.offset)
        }.map(\.element)
        let reopened = Set(plan.reopenedRuns)
        plan.earlierUntimedRuns =
            try writer.untimedRuns(inStream: plan.stream)
            - Int64(runs.count { $0.firstSeen == nil && reopened.contains($0.id) })
    }
}
