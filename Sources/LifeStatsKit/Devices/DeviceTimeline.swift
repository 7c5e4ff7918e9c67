import TraceRecords
import TraceStore

/// The facts of a log with those of its device's other logs in between, by time.
///
/// The log itself keeps its order, whatever its clock says. A line of another log stands before the first line of it
/// that is later; of equal times the log's own line comes first, then stream by stream and line by line.
struct DeviceTimeline {
    private struct Witness {
        var fact: StoredFact
        var time: Int64
        /// 0 for a stretch of life: it ends where the event comes that it leads up to.
        var place: Int
    }

    private let own: [StoredFact]
    private var witnesses: [Witness] = []

    /// - Parameters:
    ///   - own: the facts of the log.
    ///   - lent: what other logs tell of its processes.
    ///   - settled: how many lines of each source will not be read again: what comes behind them may go.
    init(own facts: [StoredFact], lent: [ProcessKey: LentFacts], settled: [Int32: Int64]) {
        own = Self.withoutPauses(facts, of: lent, settled)
        var events: [ProcessKey: [Int64]] = [:]
        var lives: [ProcessKey: [ClosedRange<Int64>]] = [:]
        var said: Set<Said> = []
        for fact in own {
            guard let key = ProcessKey(fact), lent[key] != nil else { continue }
            if let span = fact.span {
                lives[key, default: []].append(span)
            } else if case .event(_, _, let kind, let time?, _) = fact.content {
                events[key, default: []].append(time)
                said.insert(Said(key, kind, time))
            }
        }
        for (key, facts) in lent {
            var borders = events[key] ?? []
            for (fact, place, time) in facts.evidence {
                guard case .event(_, _, let kind, let own, _) = fact.content else { continue }
                // The same line in two logs is one event.
                if let own, !said.insert(Said(key, kind, own)).inserted { continue }
                borders.append(time)
                witnesses.append(Witness(fact: fact, time: time, place: place))
            }
            borders.sort()
            let known = Self.joined(lives[key] ?? [])
            for (fact, span) in Self.joined(facts.life) {
                for rest in Self.parts(of: span, outside: known) {
                    witnesses += Self.parts(of: rest, cutAt: borders).map { part in
                        Witness(fact: fact.stretch(part), time: part.upperBound, place: 0)
                    }
                }
            }
        }
        witnesses.sort { a, b in
            (a.time, a.place, a.fact.run.app ?? "", a.fact.run.pid ?? 0)
                < (b.time, b.place, b.fact.run.app ?? "", b.fact.run.pid ?? 0)
        }
    }

    /// What an event says, and when.
    private struct Said: Hashable {
        let key: ProcessKey
        let origin: String
        let proves: Proof?
        let time: Int64

        init(_ key: ProcessKey, _ kind: StepKind, _ time: Int64) {
            self.key = key
            origin = kind.kind
            proves = kind.proves
            self.time = time
        }
    }

    /// The facts with each stretch of life as it is without the pauses of reading, which end stretches.
    private static func withoutPauses(
        _ facts: [StoredFact], of lent: [ProcessKey: LentFacts], _ settled: [Int32: Int64]
    ) -> [StoredFact] {
        var result: [StoredFact?] = []
        result.reserveCapacity(facts.count)
        var open: [ProcessKey: Int] = [:]
        for var fact in facts {
            if let key = ProcessKey(fact), lent[key] != nil {
                if fact.span != nil {
                    if let place = open[key], fact.firstLine <= settled[fact.source] ?? .max,
                        let joined = result[place]?.joined(with: fact)
                    {
                        result[place] = nil
                        fact = joined
                    }
                    open[key] = result.count
                } else if case .event = fact.content {
                    open[key] = nil
                }
            }
            result.append(fact)
        }
        return result.compactMap(\.self)
    }

    /// All facts in order.
    func merged() -> [StoredFact] {
        var result: [StoredFact] = []
        result.reserveCapacity(own.count + witnesses.count)
        var next = 0
        for var fact in own {
            while next < witnesses.count, let time = fact.end {
                let witness = witnesses[next]
                guard witness.time < time || witness.time == time && witness.place == 0 else { break }
                // A stretch of life is cut in two where another log tells an event, so that what comes in between
                // finds the process as it was.
                if let span = fact.span, witness.place != 0, span.lowerBound < witness.time,
                    ProcessKey(fact) == ProcessKey(witness.fact)
                {
                    result.append(fact.stretch(span.lowerBound...witness.time))
                    fact = fact.stretch(witness.time...span.upperBound)
                }
                result.append(witness.fact)
                next += 1
            }
            result.append(fact)
        }
        return result + witnesses[next...].map(\.fact)
    }

    // MARK: - Stretches of time

    /// How long after the one stretch the other begins; negative where they overlap.
    fileprivate static func gap(from span: ClosedRange<Int64>, to next: ClosedRange<Int64>) -> Int64 {
        let (gap, overflow) = next.lowerBound.subtractingReportingOverflow(span.upperBound)
        return overflow ? (next.lowerBound < 0 ? .min : .max) : gap
    }

    private static func joined(_ spans: [ClosedRange<Int64>]) -> [ClosedRange<Int64>] {
        var result: [ClosedRange<Int64>] = []
        for span in spans.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = result.last, gap(from: last, to: span) <= LifeSpan.resolution {
                result[result.count - 1] = last.lowerBound...max(last.upperBound, span.upperBound)
            } else {
                result.append(span)
            }
        }
        return result
    }

    /// The stretches joined where nothing lies between them, each with the last line of those that it consists of.
    private static func joined(_ facts: [StoredFact]) -> [(fact: StoredFact, span: ClosedRange<Int64>)] {
        let spans = joined(facts.compactMap(\.span))
        var lasts = [StoredFact?](repeating: nil, count: spans.count)
        for fact in facts {
            guard let begin = fact.span?.lowerBound else { continue }
            let place = spans.place { $0.upperBound >= begin }
            if let last = lasts[place], (last.source, last.line) >= (fact.source, fact.line) { continue }
            lasts[place] = fact
        }
        return zip(lasts, spans).compactMap { fact, span in fact.map { ($0, span) } }
    }

    /// What of a stretch lies outside of others, which are in order and apart.
    private static func parts(of span: ClosedRange<Int64>, outside others: [ClosedRange<Int64>])
        -> [ClosedRange<Int64>]
    {
        var result: [ClosedRange<Int64>] = []
        var from: Int64? = span.lowerBound
        for other in others[others.place { $0.upperBound >= span.lowerBound }...] {
            guard let begin = from, other.lowerBound <= span.upperBound else { break }
            if begin < other.lowerBound { result.append(begin...other.lowerBound) }
            from = other.upperBound < span.upperBound ? max(begin, other.upperBound) : nil
        }
        if let from { result.append(from...span.upperBound) }
        return result
    }

    /// A stretch in pieces that end where events are.
    private static func parts(of span: ClosedRange<Int64>, cutAt borders: [Int64]) -> [ClosedRange<Int64>] {
        var result: [ClosedRange<Int64>] = []
        var from = span.lowerBound
        for border in borders[borders.place { $0 > span.lowerBound }...] {
            guard border < span.upperBound else { break }
            if border > from { result.append(from...border) }
            from = border
        }
        return result + [from...span.upperBound]
    }
}

extension Array {
    /// The first place from which on something holds, in an array in which it holds for all elements after one.
    fileprivate func place(where holds: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = (low + high) / 2
            if holds(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension StoredFact {
    /// When it is over; `nil` without times.
    fileprivate var end: Int64? {
        switch content {
        case .event(_, _, _, let time, _): time
        case .life(let life): life.until
        }
    }

    /// The time of a stretch of life.
    fileprivate var span: ClosedRange<Int64>? {
        guard case .life(let life) = content, let from = life.from, let until = life.until, from <= until else {
            return nil
        }
        return from...until
    }

    /// Both stretches as one, where the second goes on with the first.
    fileprivate func joined(with next: StoredFact) -> StoredFact? {
        guard case .life(var life) = content, case .life(let other) = next.content, source == next.source,
            life.naming == other.naming, name == next.name, device == next.device, let span, let following = next.span,
            (-LifeSpan.resolution...LifeSpan.resolution).contains(DeviceTimeline.gap(from: span, to: following))
        else { return nil }
        life.from = min(span.lowerBound, following.lowerBound)
        life.until = max(span.upperBound, following.upperBound)
        life.firstLine = min(life.firstLine, other.firstLine)
        life.lastLine = max(life.lastLine, other.lastLine)
        var fact = next
        fact.content = .life(life)
        return fact
    }

    /// The part of a stretch of life in a time.
    fileprivate func stretch(_ span: ClosedRange<Int64>) -> StoredFact {
        guard case .life(var life) = content else { return self }
        (life.from, life.until) = (span.lowerBound, span.upperBound)
        var fact = self
        fact.content = .life(life)
        return fact
    }
}
