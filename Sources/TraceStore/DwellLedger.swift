import Foundation
import GRDB

/// The dwells of a batch of steps, kind by kind: what ``Summary`` is made from.
struct DwellLedger {
    /// How many steps of a kind there are, and how long the visits that they ended lasted.
    struct Entry {
        var steps: Int64 = 0
        var stays: [Int64] = []
    }

    /// By number of the kind in the replay.
    private var entries: [Entry]

    init(kinds: Int) {
        entries = Array(repeating: Entry(), count: kinds)
    }

    @inline(__always)
    mutating func add(_ stay: Int64?, kind: Int) {
        entries[kind].steps += 1
        if let stay { entries[kind].stays.append(stay) }
    }

    /// Stores what was added.
    ///
    /// - Parameter rows: row ids of the kinds.
    func store(sign: Int64, kinds rows: [Int64], in db: Database) throws {
        for (kind, entry) in entries.enumerated() { try entry.store(kind: rows[kind], sign: sign, in: db) }
    }

    /// The same by row id of the kind, for rows that are read back.
    struct Rows {
        private var entries: [Int64: Entry] = [:]

        mutating func add(_ stay: Int64?, kind: Int64) {
            entries[kind, default: Entry()].steps += 1
            if let stay { entries[kind, default: Entry()].stays.append(stay) }
        }

        func store(sign: Int64, in db: Database) throws {
            for (kind, entry) in entries { try entry.store(kind: kind, sign: sign, in: db) }
        }
    }
}

extension DwellLedger.Entry {
    fileprivate func store(kind: Int64, sign: Int64, in db: Database) throws {
        guard steps > 0 else { return }
        let bytes = stays.withUnsafeBytes { Data($0) }
        try db.cachedStatement(sql: "INSERT INTO raw_dwells (kind, sign, steps, stays) VALUES (?, ?, ?, ?)")
            .execute(arguments: [kind, sign, steps, bytes])
    }
}
