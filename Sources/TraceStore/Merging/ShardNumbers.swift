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
        func read<Kind: InternedKind>(_ numbers: inout KindNumbers, _ rows: inout InternedRows<Kind>) throws {
            for row in try shard.rows("SELECT * FROM \(Kind.table) ORDER BY kind_id") {
                let kind = try Kind(row) { try numbers.number($0) }
                try numbers.note(row.number("kind_id") ?? 0, rows.id(kind, in: db))
            }
        }
        // A kind that refers to another one comes after it.
        try callbacks.note(0, 0)
        for row in try shard.rows("SELECT * FROM raw_kinds ORDER BY kind_id") {
            let old = try row.number("kind_id") ?? 0
            guard var key = try KindTable.Key(row) else {
                throw DamagedRow(description: "kind \(old) has words that no kind has")
            }
            key.attachedOf = try key.attachedOf.map { try kinds.number($0) }
            let new = try known.kinds.id(key, in: db)
            try kinds.note(old, new)
            if try row.number("callback_id") == old, let callback = known.kinds.traits(of: new)?.callback {
                try callbacks.note(old, callback)
            }
        }
        try read(&suspensionKinds, &known.suspensionKinds)
        try read(&findingKinds, &known.findingKinds)
        try read(&scenarioKinds, &known.scenarioKinds)
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
