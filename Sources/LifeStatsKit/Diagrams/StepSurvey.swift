import StateDiagrams
import TraceStore

/// What one pass over the steps tells the pictures of all layers: on which moves findings lie, where estimated
/// suspensions lead, and how each day was spent.
struct StepSurvey {
    private struct Place: Hashable {
        var instance: Int64
        var line: Int64
    }

    private struct Wake: Hashable {
        var instance: Int64
        var time: Int64
    }

    private struct Finding {
        var layer: String
        var time: Int64?
        var mark: StateGraph.Mark
        var example: String?
    }

    fileprivate struct MarkKey: Hashable, Comparable {
        var rule: String
        var severity: String

        static func < (a: MarkKey, b: MarkKey) -> Bool { (a.rule, a.severity) < (b.rule, b.severity) }
    }

    /// Findings on a line of a picture, by rule.
    struct Marks {
        fileprivate var found: [MarkKey: (mark: StateGraph.Mark, example: String?)] = [:]

        var all: [(mark: StateGraph.Mark, example: String?)] { found.sorted { $0.key < $1.key }.map(\.value) }
    }

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

    private var findings: [Place: [Finding]] = [:]
    private var wakes: [Wake: Int] = [:]
    private var dwells: [Int64] = []
    private var estimates = 0

    /// - Parameters:
    ///   - layer: the only layer that matters; `nil` for all.
    ///   - withDays: Whether days are added up, which only makes sense without a filter.
    init(
        layer: String? = nil, filter: Filter?, book: DwellBook, withDays: Bool = false, _ reader: TraceReader
    ) throws {
        try collect(layer, filter, reader)
        if withDays || !findings.isEmpty || !wakes.isEmpty { try scan(book, withDays: withDays, reader) }
        if estimates > 0 {
            var next = (estimate?.next ?? [:])
            let back = wakes.values.reduce(0, +)
            if back > 0 { next[Self.process.background, default: 0] += back }
            let figures = DwellFigures(dwells, shares: [0.5, 0.9])
            estimate = Estimate(stay: LayerObservation.stay(estimates, figures), next: next)
        }
    }

    private mutating func collect(_ layer: String?, _ filter: Filter?, _ reader: TraceReader) throws {
        let values = DiagramQueries.values(filter, layer: layer)
        try reader.query(DiagramQueries.findings, parameters: values, limits: QueryLimits(timeout: nil)) { row in
            guard let instance = row.integer(0), let line = row.integer(1) else { return }
            findings[Place(instance: instance, line: line), default: []].append(
                Finding(
                    layer: row.text(3) ?? "", time: row.integer(2),
                    mark: .init(
                        rule: row.text(4) ?? "", severity: row.text(5) ?? "", count: 1, message: row.text(6) ?? ""),
                    example: row.text(7)))
        }
        guard layer == nil || layer == Self.process.layer else { return }
        try reader.query(DiagramQueries.estimates, parameters: values, limits: QueryLimits(timeout: nil)) { row in
            estimates += 1
            if let length = row.integer(2) { dwells.append(length) }
            if let instance = row.integer(0), let until = row.integer(1) {
                wakes[Wake(instance: instance, time: until), default: 0] += 1
            }
        }
    }

    private mutating func scan(_ book: DwellBook, withDays: Bool, _ reader: TraceReader) throws {
        // Kinds are numbered densely: an array is quicker than a dictionary.
        var kinds = [DwellBook.Kind?](repeating: nil, count: Int(book.kinds.keys.max() ?? 0) + 1)
        for (id, kind) in book.kinds { kinds[Int(id)] = kind }
        var lines: [LayerObservation.Line?] = kinds.map { kind in
            guard let kind, kind.isTransition, let from = kind.before, let to = kind.after else { return nil }
            return .init(from: from, to: to, callback: kind.callback, isDocumented: kind.isDocumented)
        }
        if lines.isEmpty { lines = [nil] }
        let width = kinds.count
        var spent: [Int64: [Int64]] = [:]
        var (day, row) = (Int64.min, [Int64](repeating: 0, count: width))
        var next: [String: Int] = [:]
        try reader.scanSteps { step in
            let place = Int(step.kind)
            guard place < width, let kind = kinds[place] else { return }
            if withDays, kind.isComplete, kind.isVisit, let stay = step.stay, let time = step.time {
                // A stay counts for the day on which it begins. Most steps fall on the day of the one before.
                let entered = time - stay
                let own = entered >= 0 ? entered / Self.day : (entered - Self.day + 1) / Self.day
                if own != day {
                    if day != .min { spent[day] = row }
                    (day, row) = (own, spent[own] ?? [Int64](repeating: 0, count: width))
                }
                row[place] &+= stay
            }
            guard let line = lines[place] else { return }
            if !findings.isEmpty, let number = step.line,
                let here = findings[Place(instance: step.instance, line: number)]
            {
                for finding in here where finding.layer == kind.layer && finding.time == step.time {
                    add(finding, to: line)
                }
            }
            if !wakes.isEmpty, line.from == Self.process.background, kind.layer == Self.process.layer,
                let time = step.time
            {
                let wake = Wake(instance: step.instance, time: time)
                if let count = wakes.removeValue(forKey: wake) { next[line.to, default: 0] += count }
            }
        }
        if day != .min { spent[day] = row }
        for (day, row) in spent {
            for (place, time) in row.enumerated() where time > 0 {
                guard let kind = kinds[place], let state = kind.before else { continue }
                days[day, default: [:]][[kind.layer, state], default: 0] += time
            }
        }
        estimate = Estimate(stay: .init(count: 0), next: next)
    }

    private mutating func add(_ finding: Finding, to line: LayerObservation.Line) {
        let key = MarkKey(rule: finding.mark.rule, severity: finding.mark.severity)
        var known = marks[finding.layer]?[line] ?? Marks()
        if var old = known.found[key] {
            old.mark.count += 1
            old.mark.message = min(old.mark.message, finding.mark.message)
            old.example = [old.example, finding.example].compactMap(\.self).min()
            known.found[key] = old
        } else {
            known.found[key] = (finding.mark, finding.example)
        }
        marks[finding.layer, default: [:]][line] = known
    }

    static let day: Int64 = 86_400_000_000_000
}
