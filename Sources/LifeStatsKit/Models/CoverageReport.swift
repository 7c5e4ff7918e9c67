import LifecycleModel
import LifecycleReplay
public import Reports
import TraceRecords
import TraceStore

/// Which documented states, transitions, callbacks, scenarios and rules occur in a database.
public enum CoverageReport {
    /// What was found.
    public struct Result: Sendable {
        public var text: String
        /// The lowest coverage of any model that occurs, 0 to 1; 0 when none occurs.
        public var fraction: Double
        /// Models of the database that are left out, one sentence each.
        public var remarks: [String] = []
    }

    /// - Parameter models: files of the user's models and overlays, besides the built-in ones.
    /// - Throws: ``LifeStatsError`` when there is no database, or a file is not a model.
    public static func run(
        database: String, filter: Filter, models: [String] = [], format: OutputFormat,
        limit: ReadingLimit = ReadingLimit()
    ) throws -> Result {
        try DatabaseReading.run(database, limit: limit) { reader in
            try filter.requireMatch(in: reader)
            let catalog = try ModelLoading.catalog(with: models)
            let groups = try Groups(filter, reader)
            var rows: [[Cell]] = []
            var smallest = 1.0
            for (number, group) in groups.all.enumerated() {
                for model in catalog.models {
                    guard let seen = groups.seen(of: model.id, in: number) else { continue }
                    let coverage = ModelCoverage(
                        of: model, seen: seen, classes: catalog.models.flatMap(\.classes))
                    smallest = min(smallest, coverage.fraction)
                    rows += coverage.shares.map { share in
                        [
                            group[0], group[1], .text(model.id), .text(share.category.rawValue),
                            .integer(Int64(share.seen.count)),
                            .integer(Int64(share.seen.count + share.missing.count)), .real(share.fraction),
                            .text(share.missing.joined(separator: " ")),
                        ]
                    }
                }
            }
            let columns = ["app", "app_version", "model", "kind", "seen", "documented", "share", "missing"]
            return Result(
                text: ResultWriter.text(format, columns: columns.map { Column($0) }, rows: rows, options: .ofTerminal),
                fraction: rows.isEmpty ? 0 : smallest, remarks: try remarks(reader, catalog))
        }
    }

    /// A database stores the states and transitions of a model, which is enough to draw it, but not to measure coverage.
    private static func remarks(_ reader: DatabaseReading, _ catalog: ModelCatalog) throws -> [String] {
        try Rows.all(reader, "SELECT DISTINCT model FROM documented_states ORDER BY model")
            .compactMap { $0.text("model") }.filter { catalog.model($0) == nil }
            .map { "model \($0) is not covered: add its file with --model FILE" }
    }

    /// Apps with their versions, and what their runs show.
    private struct Groups {
        /// App and version; NULL where the runs have none.
        private(set) var all: [[Cell]] = []
        private var steps: CoverageScan
        private var scenarios: [[Cell]: Set<String>] = [:]
        private var findings: [[Cell]: Set<String>] = [:]

        init(_ filter: Filter, _ reader: DatabaseReading) throws {
            let values = DiagramQueries.values(filter)
            let runs = "JOIN runs AS r ON r.run_id = v.run_id WHERE \(DiagramQueries.living)"
            var groups: [[Cell]: Int] = [:]
            var groupOfInstance: [Int64: Int] = [:]
            let instances = "SELECT r.app, r.app_version, v.instance_id FROM instances AS v \(runs) ORDER BY 1, 2"
            try reader.query(instances, values) { row in
                let number = groups[[row[0], row[1]], default: groups.count]
                groups[[row[0], row[1]]] = number
                groupOfInstance[row.integer(2) ?? 0] = number
            }
            all = groups.sorted { $0.value < $1.value }.map(\.key)
            var scan = CoverageScan(try reader.store.kinds(), groups: all.count)
            try reader.store.scanSteps { step in
                if let group = groupOfInstance[step.instance] { scan.add(step, group: group) }
            }
            steps = scan
            let names =
                "SELECT DISTINCT r.app, r.app_version, coalesce(v.class, v.scenario) FROM scenarios AS v \(runs)"
            try reader.query(names, values) { scenarios[[$0[0], $0[1]], default: []].insert($0.text(2) ?? "") }
            let rules = "SELECT DISTINCT r.app, r.app_version, v.rule FROM findings AS v \(runs)"
            try reader.query(rules, values) { findings[[$0[0], $0[1]], default: []].insert($0.text(2) ?? "") }
        }

        func seen(of model: String, in group: Int) -> ModelCoverage.Seen? {
            guard var seen = steps.seen(of: model, in: group), !seen.states.isEmpty else { return nil }
            seen.scenarios = scenarios[all[group]] ?? []
            seen.findings = findings[all[group]] ?? []
            return seen
        }
    }
}

/// Collects what the steps of a database show of each model, for groups of instances.
struct CoverageScan {
    /// A kind of steps, or two of which the second ends the visit that the first began.
    private struct Use: Hashable {
        var group: Int
        var first: Int64
        var last: Int64?
    }

    /// What was seen of each model, by group and the id of the model.
    private var seen: [[String: ModelCoverage.Seen]]
    private let kinds: [Int64: StepKind]
    /// Whether steps of a kind change the state.
    private let moves: ByKind<Bool>
    private var uses: Set<Use> = []
    /// Those noted last, by a simple hash: most steps repeat one.
    private var recent = [Use?](repeating: nil, count: 4096)
    private var visits = OpenVisits()

    /// - Parameter kinds: those of the database, by row id.
    init(_ kinds: [Int64: StepKind], groups: Int = 1) {
        self.kinds = kinds
        moves = ByKind(kinds.mapValues { $0.stateBefore != $0.stateAfter })
        seen = Array(repeating: [:], count: groups)
    }

    /// What was seen of a model, with the callbacks of all.
    func seen(of model: String, in group: Int = 0) -> ModelCoverage.Seen? {
        guard var known = seen[group][model] else { return nil }
        known.callbacks = seen[group].values.reduce(into: []) { $0.formUnion($1.callbacks) }
        return known
    }

    mutating func add(_ step: ScannedStep, group: Int = 0) {
        if isNew(Use(group: group, first: step.kind)) { note(step.kind, group) }
        guard !step.isTail, moves[step.kind] == true else { return }
        let opener = visits.begin(step.instance, with: step.kind)
        if let opener, isNew(Use(group: group, first: opener, last: step.kind)) { noteVisit(opener, step.kind, group) }
    }

    private mutating func isNew(_ use: Use) -> Bool {
        let slot = Int(truncatingIfNeeded: (use.first &* 61 &+ (use.last ?? 0)) &* 61 &+ Int64(use.group)) & 4095
        if recent[slot] == use { return false }
        recent[slot] = use
        return uses.insert(use).inserted
    }

    private mutating func note(_ id: Int64, _ group: Int) {
        guard let kind = kinds[id] else { return }
        var known = seen[group][kind.model] ?? ModelCoverage.Seen()
        if let callback = kind.callback { known.callbacks.insert(callback) }
        for state in [kind.stateBefore, kind.stateAfter] { if let state { known.states.insert(state) } }
        if let from = kind.stateBefore, let to = kind.stateAfter, from != to {
            known.moves.insert(.init(from: from, callback: kind.callback, to: to))
        }
        seen[group][kind.model] = known
    }

    private mutating func noteVisit(_ opener: Int64, _ closer: Int64, _ group: Int) {
        guard let first = kinds[opener], let last = kinds[closer], let state = last.stateBefore,
            let entered = first.callback, let left = last.callback, first.stateAfter == state
        else { return }
        seen[group][last.model, default: ModelCoverage.Seen()].visits
            .insert(.init(state: state, enteredBy: entered, leftBy: left))
    }
}

/// Values by the row ids of kinds, which are small numbers: an array finds them faster than a dictionary.
struct ByKind<Value: Sendable>: Sendable {
    private var values: [Value?] = []

    /// Ids that only a damaged database has are left out.
    init(_ values: [Int64: Value]) {
        let known = values.filter { 0...1 << 20 ~= $0.key }
        self.values = Array(repeating: nil, count: Int(known.keys.max() ?? -1) + 1)
        for (id, value) in known { self.values[Int(id)] = value }
    }

    subscript(kind: Int64) -> Value? { kind >= 0 && kind < values.count ? values[Int(kind)] : nil }
}
