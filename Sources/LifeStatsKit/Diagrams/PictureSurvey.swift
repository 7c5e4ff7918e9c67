import StateDiagrams
import TraceStore

/// What is drawn over the observed graphs of all layers: on which moves findings lie, and where estimated suspensions
/// lead; for the report also how each day was spent.
struct PictureSurvey {
    /// Findings on a line of a picture, in the order of their rules.
    typealias Marks = [(mark: StateGraph.Mark, example: String?)]

    /// Estimated stays in `suspended`, and the states that they lead to.
    struct Estimate {
        var stay: StateGraph.Stay
        var next: [String: Int]
    }

    private(set) var marks: [String: [LayerObservation.Line: Marks]] = [:]
    /// The estimate of the app's layer; only processes are suspended.
    private(set) var estimate: Estimate?
    /// Nanoseconds of completed stays by day since 1970, layer and state; empty unless asked for.
    private(set) var days: [Int64: [[String]: Int64]] = [:]

    /// The layer whose instances are suspended, the state in which they are, and the one they come from.
    static let process = (layer: "app", suspended: "suspended", background: "background")

    /// - Parameters:
    ///   - layer: the only layer that matters; `nil` for all.
    ///   - withDays: Whether days are added up, which only makes sense without a filter.
    init(
        layer: String? = nil, filter: Filter?, book: DwellBook, withDays: Bool = false, _ reader: TraceReader
    ) throws {
        let values = DiagramQueries.values(filter, layer: layer)
        try mark(book, values, reader)
        if layer == nil || layer == Self.process.layer { try estimate(values, reader) }
        if withDays { try addUpDays(book, reader) }
    }

    private mutating func mark(_ book: DwellBook, _ values: [String: SQLValue], _ reader: TraceReader) throws {
        try reader.query(DiagramQueries.marks, parameters: values, limits: QueryLimits(timeout: nil)) { row in
            guard let layer = row.text(0), let kind = row.integer(1), let line = book.kinds[kind]?.line else { return }
            let mark = StateGraph.Mark(
                rule: row.text(2) ?? "", severity: row.text(3) ?? "", count: Int(row.integer(4) ?? 0),
                message: row.text(5) ?? "")
            add(mark, example: row.text(6), to: line, of: layer)
        }
        for (layer, lines) in marks {
            marks[layer] = lines.mapValues { marks in
                marks.sorted { ($0.mark.rule, $0.mark.severity) < ($1.mark.rule, $1.mark.severity) }
            }
        }
    }

    /// Several kinds of steps are one line of the picture.
    private mutating func add(
        _ mark: StateGraph.Mark, example: String?, to line: LayerObservation.Line, of layer: String
    ) {
        var known = marks[layer]?[line] ?? []
        if let place = known.firstIndex(where: { ($0.mark.rule, $0.mark.severity) == (mark.rule, mark.severity) }) {
            known[place].mark.count += mark.count
            known[place].mark.message = min(known[place].mark.message, mark.message)
            known[place].example = [known[place].example, example].compactMap(\.self).min()
        } else {
            known.append((mark, example))
        }
        marks[layer, default: [:]][line] = known
    }

    private mutating func estimate(_ values: [String: SQLValue], _ reader: TraceReader) throws {
        var count = 0
        var lengths: [Int64] = []
        var next: [String: Int] = [:]
        let parameters = values.filter { $0.key != "layer" }
        try reader.query(DiagramQueries.estimates, parameters: parameters, limits: QueryLimits(timeout: nil)) { row in
            count += 1
            if let length = row.integer(0) { lengths.append(length) }
            if let state = row.text(1) { next[state, default: 0] += 1 }
        }
        guard count > 0 else { return }
        estimate = Estimate(
            stay: LayerObservation.stay(count, DwellFigures(lengths, shares: [0.5, 0.9])), next: next)
    }

    private mutating func addUpDays(_ book: DwellBook, _ reader: TraceReader) throws {
        let counted = book.kinds.filter { $0.value.isVisit && $0.value.isComplete }.map(\.key)
        let places = Dictionary(uniqueKeysWithValues: zip(counted, 0...))
        let width = counted.count
        var spent: [Int64: [Int64]] = [:]
        var (day, row) = (Int64.min, [Int64](repeating: 0, count: width))
        try reader.scanStays { kind, stay, left in
            guard let place = places[kind] else { return }
            // A stay counts for the day on which it begins. Most steps fall on the day of the one before.
            let entered = DrawnTime.bounded(left.subtractingReportingOverflow(stay).partialValue)
            let own = entered >= 0 ? entered / Self.day : (entered - Self.day + 1) / Self.day
            if own != day {
                if day != .min { spent[day] = row }
                (day, row) = (own, spent[own] ?? [Int64](repeating: 0, count: width))
            }
            row[place] &+= stay
        }
        if day != .min { spent[day] = row }
        for (day, row) in spent {
            for (place, time) in row.enumerated() where time > 0 {
                guard let kind = book.kinds[counted[place]], let state = kind.before else { continue }
                days[day, default: [:]][[kind.layer, state], default: 0] &+= time
            }
        }
    }

    static let day: Int64 = 86_400_000_000_000
}

extension DwellBook.Kind {
    /// The line of a picture that shows the steps; `nil` when they change no state.
    fileprivate var line: LayerObservation.Line? {
        guard isTransition, let before, let after else { return nil }
        return .init(from: before, to: after, callback: callback, isDocumented: isDocumented)
    }
}
