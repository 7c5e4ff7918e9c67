import GRDB

/// The figures of ``Summary`` about dwells for each app, each version of an app, and each device.
///
/// They are exact, and found in the same way: a first pass over the ledger counts the dwells of each member in fine
/// buckets, a second collects those around the wanted ranks.
struct PartSummary {
    /// What runs are parted by, and where a run says it.
    private static let parts = [
        (name: "app", column: "app"), (name: "app_version", column: "coalesce(app_version, reported_version)"),
        (name: "device", column: "device"),
    ]
    /// More histograms, or instances, would take more memory than an ingest may; the visits then have the answer.
    static let histogramsKept = 256
    private static let instancesKept: Int64 = 4 << 20
    private static let shares = [0, 0.5, 0.9, 1]

    private struct Group {
        var layer: String
        var state: String?
    }

    private struct Kind {
        var group: Int
        var isComplete: Bool
        var isCensored: Bool
    }

    /// What is known of the visits of one member in one state.
    private struct Cell {
        var visits: Int64 = 0
        var complete: Int64 = 0
        var censored: Int64 = 0

        mutating func add(_ count: Int64, of kind: Kind) {
            visits += count
            if kind.isComplete { complete += count }
            if kind.isCensored { censored += count }
        }
    }

    private let part: String
    private var groups: [Group] = []
    private var kinds: [Int64: Kind] = [:]
    private var names: [String?] = []
    /// The place of the member that an instance belongs to among ``names``, by the instance's id; -1 for none.
    private var owners: [Int32] = []
    private var cells: [Cell] = []
    /// Of the cells in which there is a completed visit.
    private var histograms: [DwellHistogram?] = []

    /// Makes the figures anew. Those of the whole must be up to date.
    static func make(in db: Database) throws {
        try db.execute(sql: "DELETE FROM raw_dwell_part_summary")
        let instances = try Int64.fetchOne(db, sql: "SELECT max(instance_id) FROM raw_instances") ?? 0
        guard instances <= instancesKept else { return }
        for part in parts {
            let names = try Row.fetchAll(
                db, sql: "SELECT DISTINCT \(part.column) FROM raw_runs LIMIT \(histogramsKept + 1)"
            )
            .map { try $0.value(0) as String? }
            if names.count == 1 {
                // What holds for the whole holds for its only part.
                try db.execute(
                    sql: """
                        INSERT INTO raw_dwell_part_summary
                        SELECT ?, ?, layer, state, visits, complete, censored, total_ns, mean_ns, min_ns, p50_ns, p90_ns, max_ns
                        FROM raw_dwell_summary
                        """, arguments: [part.name, names[0]])
                continue
            }
            var summary = PartSummary(part: part.name, names: names)
            try summary.readKinds(db)
            guard names.count * summary.groups.count <= histogramsKept else { continue }
            try summary.readOwners(part.column, upTo: instances, db)
            try summary.count(db)
            try summary.store(in: db)
        }
    }

    private init(part: String, names: [String?]) {
        self.part = part
        self.names = names
    }

    private mutating func readKinds(_ db: Database) throws {
        var places: [[String?]: Int] = [:]
        let sql = "SELECT kind_id, layer, state_before, is_complete, closed_censoring FROM raw_kinds WHERE is_visit"
        for row in try Row.fetchAll(db, sql: sql) {
            let group = try Group(layer: row.value(1), state: row.value(2))
            let place = places[[group.layer, group.state]] ?? groups.count
            if place == groups.count {
                places[[group.layer, group.state]] = place
                groups.append(group)
            }
            try kinds[row.value(0)] = Kind(
                group: place, isComplete: row.value(3), isCensored: !(row.value(4) as String).isEmpty)
        }
        cells = Array(repeating: Cell(), count: names.count * groups.count)
        histograms = Array(repeating: nil, count: cells.count)
    }

    private mutating func readOwners(_ column: String, upTo last: Int64, _ db: Database) throws {
        let places = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, Int32($0)) })
        owners = Array(repeating: -1, count: Int(last) + 1)
        let rows = try Row.fetchCursor(
            db,
            sql: "SELECT i.instance_id, \(column) FROM raw_instances AS i CROSS JOIN raw_runs AS r ON r.run_id = i.run")
        while let row = try rows.next() {
            let instance: Int64 = try row.value(0)
            guard owners.indices.contains(Int(instance)) else { continue }
            owners[Int(instance)] = try places[row.value(1)] ?? -1
        }
    }

    /// The place of the cell in which the visits of an instance count; `nil` when the instance has gone, with which
    /// what stands in the ledger for it comes to nothing.
    private func cell(_ instance: Int, _ kind: Kind) -> Int? {
        guard owners.indices.contains(instance), owners[instance] >= 0 else { return nil }
        return Int(owners[instance]) * groups.count + kind.group
    }

    private mutating func count(_ db: Database) throws {
        let open = try Row.fetchCursor(db, sql: "SELECT instance, kind FROM raw_steps WHERE step_id < 0")
        while let row = try open.next() {
            if let kind = kinds[try row.value(1)], let cell = cell(try row.value(0), kind) {
                cells[cell].add(1, of: kind)
            }
        }
        try forEachVisit(db) { summary, kind, sign, instance, stay in
            guard let cell = summary.cell(instance, kind) else { return }
            summary.cells[cell].add(sign, of: kind)
            guard kind.isComplete, let stay else { return }
            if summary.histograms[cell] == nil { summary.histograms[cell] = DwellHistogram() }
            summary.histograms[cell]?.add(stay, sign: sign)
        }
    }

    private mutating func store(in db: Database) throws {
        var samples = Array(repeating: DwellSample(), count: cells.count)
        var wanted: [Int64: DwellSample.Wanted] = [:]
        for (cell, histogram) in histograms.enumerated() {
            guard let histogram else { continue }
            samples[cell].prepare([Int64(cell)], [Int64(cell): histogram], Self.shares, &wanted)
        }
        var found = Array(repeating: DwellSample.Found(), count: cells.count)
        let buckets = cells.indices.map { wanted[Int64($0)] }
        try forEachVisit(db) { summary, kind, sign, instance, stay in
            guard kind.isComplete, let stay, let cell = summary.cell(instance, kind), let wanted = buckets[cell] else {
                return
            }
            found[cell].collect(stay, sign: sign, wanted)
        }
        for (cell, count) in cells.enumerated() where count.visits > 0 {
            samples[cell].take([Int64(cell): found[cell]])
            let sample = samples[cell]
            let (member, place) = cell.quotientAndRemainder(dividingBy: groups.count)
            try db.execute(
                sql: "INSERT INTO raw_dwell_part_summary VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                arguments: [
                    part, names[member], groups[place].layer, groups[place].state, count.visits, count.complete,
                    count.censored, sample.total, sample.mean, sample.quantile(0), sample.quantile(0.5),
                    sample.quantile(0.9), sample.quantile(1),
                ])
        }
    }

    /// Goes through the ledger: visit by visit the kind, whether it counts or has gone, the instance, and the dwell.
    private mutating func forEachVisit(
        _ db: Database, _ body: (inout PartSummary, Kind, Int64, Int, Int64?) -> Void
    ) throws {
        let rows = try Row.fetchCursor(
            db, sql: "SELECT kind, sign, stays, instances FROM raw_dwells ORDER BY dwells_id")
        while let row = try rows.next() {
            guard let kind = kinds[try row.value(0)] else { continue }
            let sign = try (row.value(1) as Int64).signum()
            try row.withUnsafeData(atIndex: 2) { stays in
                try row.withUnsafeData(atIndex: 3) { instances in
                    stays?.withUnsafeBytes { stays in
                        instances?.withUnsafeBytes { instances in
                            let stays = stays.bindMemory(to: Int64.self)
                            for (place, instance) in instances.bindMemory(to: UInt32.self).enumerated() {
                                body(&self, kind, sign, Int(instance), place < stays.count ? stays[place] : nil)
                            }
                        }
                    }
                }
            }
        }
    }
}
