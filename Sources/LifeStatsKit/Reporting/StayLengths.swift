import StateDiagrams
import TraceStore

/// How long the stays in the states of one layer are, as distributions.
struct StayLengths {
    typealias Bucket = DwellBook.Bucket

    /// The stays in one state.
    struct State {
        /// Both ends are observed.
        var complete: [Bucket] = []
        /// Both ends are known, observed or inferred.
        var ended: [Bucket] = []
        /// The end of the log cuts them; their lengths are lower bounds.
        var cut: [Bucket] = []

        /// Everything that tells how long stays go on.
        var survival: [SurvivalCurve.Series.Stays] {
            ended.map { ($0.duration, true, $0.count) } + cut.map { ($0.duration, false, $0.count) }
        }
    }

    private(set) var states: [String: State] = [:]

    init(layer: String, source: PictureSource) throws {
        if let filter = source.filter, !filter.isEmpty {
            try read(layer, filter, source.reader)
        } else {
            try read(layer, source.book)
        }
    }

    private mutating func read(_ layer: String, _ book: DwellBook) throws {
        var kinds: [String: (complete: [Int64], ended: [Int64], cut: [Int64])] = [:]
        for (id, kind) in book.kinds where kind.layer == layer && kind.isVisit && kind.steps > 0 {
            guard let state = kind.before else { continue }
            if kind.isComplete { kinds[state, default: ([], [], [])].complete.append(id) }
            if kind.censoring.isEmpty { kinds[state, default: ([], [], [])].ended.append(id) }
            if kind.censoring == "right" { kinds[state, default: ([], [], [])].cut.append(id) }
        }
        for (state, group) in kinds {
            states[state] = State(
                complete: try book.distribution(of: group.complete), ended: try book.distribution(of: group.ended),
                cut: try book.distribution(of: group.cut))
        }
    }

    private mutating func read(_ layer: String, _ filter: Filter, _ reader: TraceReader) throws {
        typealias Counts = [Int64: Int]
        var counts: [String: (complete: Counts, ended: Counts, cut: Counts)] = [:]
        let values = DiagramQueries.values(filter, layer: layer)
        try reader.query(DiagramQueries.lengths, parameters: values, limits: QueryLimits(timeout: nil)) { row in
            guard let state = row.text(0), let length = row.integer(2) else { return }
            var own = counts[state] ?? ([:], [:], [:])
            let censoring = row.text(3) ?? ""
            if row.integer(1) == 1 { own.complete[length, default: 0] += 1 }
            if censoring.isEmpty { own.ended[length, default: 0] += 1 }
            if censoring == "right" { own.cut[length, default: 0] += 1 }
            counts[state] = own
        }
        func buckets(_ counts: Counts) -> [Bucket] {
            counts.sorted { $0.key < $1.key }.map { Bucket(duration: $0.key, count: $0.value) }
        }
        states = counts.mapValues {
            State(complete: buckets($0.complete), ended: buckets($0.ended), cut: buckets($0.cut))
        }
    }
}
