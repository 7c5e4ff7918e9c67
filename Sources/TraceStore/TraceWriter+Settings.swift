import GRDB

/// What holds for a database as a whole.
extension TraceWriter {
    /// A setting; `nil` when it was never set.
    package func setting(_ name: String) throws -> String? {
        try read { try String.fetchOne($0, sql: "SELECT value FROM raw_settings WHERE name = ?", arguments: [name]) }
    }

    /// Sets a setting; `nil` removes it.
    package func set(_ name: String, to value: String?) throws {
        try transaction { db in
            if let value {
                try db.execute(sql: "REPLACE INTO raw_settings VALUES (?, ?)", arguments: [name, value])
            } else {
                try db.execute(sql: "DELETE FROM raw_settings WHERE name = ?", arguments: [name])
            }
        }
    }
}
