import GRDB
import TraceRecords

/// What the numbers of a shard become in the database that it is merged into: ids move on by a constant, kinds are those
/// that are equal.
struct ShardNumbers {
    private let blocks: Int64
    private let logs: Int64
    private let sources: Int64
    private var kinds = KindNumbers("step")
    private var callbacks = KindNumbers("callback")
    private var suspensionKinds = KindNumbers("suspension")
    private var findingKinds = KindNumbers("finding")
    private var scenarioKinds = KindNumbers("scenario")

    /// Stores the kinds that are new.
    init(_ shard: TraceReader, in known: inout TraceWriter.Known, _ db: Database) throws {
        (blocks, logs, sources) = (known.lastBlock, Int64(known.lastLog), Int64(known.lastSource))
        func read(_ table: String) throws -> [ShardRow] {
            var names: [String] = []
            try shard.query("SELECT name FROM pragma_table_info('\(table)') ORDER BY cid") {
                names.append($0.text(0) ?? "")
            }
            var rows: [ShardRow] = []
            try shard.query("SELECT * FROM \(table) ORDER BY kind_id") {
                rows.append(ShardRow($0, names))
            }
            return rows
        }
        // A kind that refers to another one comes after it.
        try callbacks.note(0, 0)
        for row in try read("raw_kinds") {
            let old = row.integer("kind_id")
            let attachedOf = try row.optional("attached_of").map { try kinds.number($0) }
            guard
                let key = try KindTable.Key(
                    attachedOf: attachedOf, unit: row.integer("unit_ns"), text: { row.text($0) })
            else {
                throw DamagedRow(description: "kind \(old) has words that no kind has")
            }
            let new = try known.kinds.id(key, in: db)
            try kinds.note(old, new)
            if row.optional("callback_id") == old, let callback = known.kinds.traits(of: new)?.callback {
                try callbacks.note(old, callback)
            }
        }
        for row in try read("raw_suspension_kinds") {
            let kind = SuspensionKind(
                evidence: row.text("evidence") ?? "", basis: row.text("basis") ?? "", leadsTo: row.text("leads_to"),
                after: row.optional("after_ns"), role: row.text("role").flatMap(SuspensionKind.Role.init) ?? .own,
                hiddenOf: try row.optional("hidden_of").map { try suspensionKinds.number($0) })
            try suspensionKinds.note(row.integer("kind_id"), known.suspensionKinds.id(kind, in: db))
        }
        for row in try read("raw_finding_kinds") {
            let kind = FindingKind(
                layer: row.text("layer") ?? "", rule: row.text("rule") ?? "", deviation: row.text("deviation") ?? "",
                severity: row.text("severity") ?? "", message: row.text("message"))
            try findingKinds.note(row.integer("kind_id"), known.findingKinds.id(kind, in: db))
        }
        for row in try read("raw_scenario_kinds") {
            let kind = ScenarioKind(
                scenario: row.text("scenario") ?? "", equivalenceClass: row.text("class"), members: row.text("members"))
            try scenarioKinds.note(row.integer("kind_id"), known.scenarioKinds.id(kind, in: db))
        }
    }

    /// What a number becomes.
    ///
    /// - Throws: ``DamagedRow`` when it is that of a kind which the shard does not have.
    @inline(__always)
    func number(_ number: Int64, _ rule: MergedTable.Rule, isOpenVisit: Bool = false) throws -> Int64 {
        switch rule {
        case .opener: isOpenVisit ? number - blocks << 17 : number
        case .row: number < 0 ? number - blocks << 16 : number + blocks << 16
        case .block: number + blocks
        case .log: number + logs
        case .source: number + sources
        case .kind: try kinds.number(number)
        case .callback: try callbacks.number(number)
        case .suspensionKind: try suspensionKinds.number(number)
        case .findingKind: try findingKinds.number(number)
        case .scenarioKind: try scenarioKinds.number(number)
        case .fresh, .null: number
        }
    }
}

/// What the numbers of one table of kinds become. They are small.
private struct KindNumbers {
    private let name: String
    private var numbers: [Int64] = []
    private static let none: Int64 = -1
    private static let most: Int64 = 1 << 24

    init(_ name: String) { self.name = name }

    mutating func note(_ old: Int64, _ new: Int64) throws {
        guard (0..<Self.most).contains(old) else { throw DamagedRow(description: "a \(name) kind has the id \(old)") }
        while numbers.count <= old { numbers.append(Self.none) }
        numbers[Int(old)] = new
    }

    @inline(__always)
    func number(_ old: Int64) throws -> Int64 {
        guard old >= 0, old < numbers.count, numbers[Int(old)] != Self.none else {
            throw DamagedRow(description: "there is no \(name) kind \(old)")
        }
        return numbers[Int(old)]
    }
}

/// A row of a small table of a shard.
struct ShardRow {
    private var values: [String: SQLValue] = [:]

    init(_ row: ResultRow, _ names: [String]) {
        for (index, name) in names.enumerated() { values[name] = row[index] }
    }

    func text(_ name: String) -> String? {
        guard case .text(let text) = values[name] else { return nil }
        return text
    }

    func optional(_ name: String) -> Int64? {
        guard case .integer(let number) = values[name] else { return nil }
        return number
    }

    func integer(_ name: String) -> Int64 { optional(name) ?? 0 }
}
