import LifecycleModel
import LifecycleReplay
import TraceRecords
import TraceStore

/// Facts that the store kept, in the form in which recognition once gave them.
struct StoredFactBatch: Sendable {
    var source: Int32
    var facts: FactBatch
    /// Whether the facts are those of another log of the device.
    var isWitness = false

    /// Turns stored facts back into batches, one for each stretch of facts of one source.
    ///
    /// - Parameters:
    ///   - stored: facts in the order of the log.
    ///   - lastLine: the last line of a source whose facts still hold; later ones are left out, because they will be
    ///     read again.
    ///   - isWitness: whether a source is of another log of the device.
    /// - Throws: ``LifeStatsError`` when a fact is one of a model that is not given: it would be lost.
    static func batches(
        _ stored: some Sequence<StoredFact>, vocabulary: Vocabulary, lastLine: (Int32) -> Int64? = { _ in nil },
        isWitness: (Int32) -> Bool = { _ in false }
    ) throws -> [StoredFactBatch] {
        var batches: [StoredFactBatch] = []
        var tables: [Int32: SymbolTable] = [:]
        var announced: [Int32: Int] = [:]
        var marked: (source: Int32, line: Int64)?
        for fact in stored {
            if let last = lastLine(fact.source), fact.firstLine > last { continue }
            try requireModel(of: fact, in: vocabulary)
            if case .event(_, _, let kind, _, _) = fact.content, kind.kind == StepKind.saidEnd {
                marked = (fact.source, fact.line)
                continue
            }
            if batches.last?.source != fact.source {
                batches.append(
                    StoredFactBatch(source: fact.source, facts: FactBatch(), isWitness: isWitness(fact.source)))
            }
            var table = tables[fact.source] ?? SymbolTable()
            var restored = fact.restored(&table, vocabulary)
            if let mark = marked, mark == (fact.source, fact.line), case .event(var event) = restored {
                event.saysEnd = true
                restored = .event(event)
                marked = nil
            }
            batches[batches.count - 1].facts.facts.append(restored)
            tables[fact.source] = table
            let known = announced[fact.source] ?? 1
            batches[batches.count - 1].facts.newSymbols += table.texts(since: known)
            announced[fact.source] = table.count
        }
        return batches
    }

    /// Facts of a model that is not at hand would be lost for good.
    private static func requireModel(of fact: StoredFact, in vocabulary: Vocabulary) throws {
        guard case .event(_, _, let kind, _, _) = fact.content else { return }
        guard vocabulary.models.contains(kind.model),
            kind.callback.map({ vocabulary.index(of: $0, model: kind.model) != nil }) ?? true
        else {
            throw LifeStatsError(
                "the database holds events of the model \(kind.model)"
                    + (kind.callback.map { ", such as \($0), that no model at hand knows" } ?? ""),
                remedy: "name its file with --model, so that they are not lost")
        }
    }
}

extension StoredFact {
    /// The first line of the source that the fact rests on.
    var firstLine: Int64 {
        switch content {
        case .event: line
        case .life(let life): life.firstLine
        }
    }

    /// Whether it is an event that the views show: no copy, no further line of one execution.
    var isShownEvent: Bool {
        if case .event(_, _, let kind, _, _) = content { kind.role != .folded } else { false }
    }

    fileprivate func restored(_ table: inout SymbolTable, _ vocabulary: Vocabulary) -> FactBatch.Fact {
        let device = device.map { table.intern($0) } ?? .none
        let process = name.map { table.intern($0) } ?? .none
        let pid = naming.contains(.withoutPid) ? nil : run.pid
        switch content {
        case .event(_, _, let kind, let time, let message):
            let callback = kind.callback.flatMap { vocabulary.index(of: $0, model: kind.model) }
            return .event(
                Event(
                    time: time, line: line, callback: callback,
                    origin: callback == nil ? table.intern(kind.kind) : .none, proof: kind.proves, process: process,
                    namesBundle: name != nil && naming.contains(.byBundle),
                    saysEnd: kind.kind == StepKind.end, pid: pid, device: device,
                    instance: label.map { table.intern($0) } ?? .none,
                    copyKey: kind.isCopy ? LogReplayer.knownCopy : 0,
                    message: message.map { table.intern($0) } ?? .none))
        case .life(let life):
            return .life(
                LifeSpan(
                    process: process, pid: pid, device: device, from: life.from, until: life.until,
                    firstLine: life.firstLine, lastLine: life.lastLine))
        }
    }
}
