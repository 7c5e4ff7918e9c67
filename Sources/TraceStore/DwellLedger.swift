import Foundation
import GRDB

/// The dwells of a batch of steps, kind by kind: what ``Summary`` and ``PartSummary`` are made from.
struct DwellLedger {
    /// How many steps of a kind there are, how long the visits that they ended lasted, and whose they were.
    struct Entry {
        var steps: Int64 = 0
        var stays: [Int64] = []
        /// The instances of the visits with a dwell, in the order of ``stays``, and of those without one.
        var instances: [UInt32] = []
        var instancesWithout: [UInt32] = []

        @inline(__always)
        mutating func add(_ stay: Int64?, instance: Int64, isVisit: Bool) {
            steps += 1
            guard isVisit else { return }
            if let stay {
                stays.append(stay)
                instances.append(UInt32(truncatingIfNeeded: instance))
            } else {
                instancesWithout.append(UInt32(truncatingIfNeeded: instance))
            }
        }
    }

    /// By number of the kind in the replay.
    private var entries: [Entry]
    private let areVisits: [Bool]

    init(_ traits: [KindTraits]) {
        entries = Array(repeating: Entry(), count: traits.count)
        areVisits = traits.map(\.isVisit)
    }

    @inline(__always)
    mutating func add(_ stay: Int64?, kind: Int, instance: Int64) {
        entries[kind].add(stay, instance: instance, isVisit: areVisits[kind])
    }

    /// Stores what was added.
    ///
    /// - Parameter rows: row ids of the kinds.
    func store(sign: Int64, kinds rows: [Int64], in db: Database) throws {
        for (kind, entry) in entries.enumerated() { try entry.store(kind: rows[kind], sign: sign, in: db) }
    }

    /// The same by row id of the kind, for rows that are read back.
    struct Rows {
        let sign: Int64
        private var entries: [Int64: Entry] = [:]
        private var count = 0

        init(sign: Int64) {
            self.sign = sign
        }

        /// Adds a step, and stores what has come together when that is much.
        mutating func add(_ stay: Int64?, kind: Int64, instance: Int64, isVisit: Bool, in db: Database) throws {
            entries[kind, default: Entry()].add(stay, instance: instance, isVisit: isVisit)
            count += 1
            if count == 1 << 16 { try store(in: db) }
        }

        /// Stores what was added since the last time.
        mutating func store(in db: Database) throws {
            for (kind, entry) in entries { try entry.store(kind: kind, sign: sign, in: db) }
            entries = [:]
            count = 0
        }
    }

    /// Writes the ledger of a database anew when much of it is about rows that have gone.
    static func tidy(in db: Database) throws {
        let sql = "SELECT 4 * sum(CASE WHEN sign < 0 THEN steps ELSE 0 END) > sum(steps) FROM raw_dwells"
        guard try Bool.fetchOne(db, sql: sql) == true else { return }
        try db.execute(sql: "DELETE FROM raw_dwells")
        var ledger = Rows(sign: 1)
        let steps = try Row.fetchCursor(
            db,
            sql: """
                SELECT s.stay, s.kind, s.instance, k.is_visit
                FROM raw_steps AS s CROSS JOIN raw_kinds AS k ON k.kind_id = s.kind WHERE s.step_id > 0
                """)
        while let step = try steps.next() {
            try ledger.add(step.value(0), kind: step.value(1), instance: step.value(2), isVisit: step.value(3), in: db)
        }
        try ledger.store(in: db)
    }
}

extension DwellLedger.Entry {
    fileprivate func store(kind: Int64, sign: Int64, in db: Database) throws {
        guard steps > 0 else { return }
        let dwells = stays.withUnsafeBytes { Data($0) }
        let owners = (instances + instancesWithout).withUnsafeBytes { Data($0) }
        try db.cachedStatement(
            sql: "INSERT INTO raw_dwells (kind, sign, steps, stays, instances) VALUES (?, ?, ?, ?, ?)"
        )
        .execute(arguments: [kind, sign, steps, dwells, owners])
    }
}
