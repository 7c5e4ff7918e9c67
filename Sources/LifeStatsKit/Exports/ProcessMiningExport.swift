import Foundation
import Reports
import TraceRecords
import TraceStore

/// XES: one trace for each instance, one event for each callback.
enum XESExport {
    static func write(_ reader: DatabaseReading, _ filter: Filter, _ output: @escaping ([UInt8]) -> Void) throws {
        var writer = XESWriter(output: output)
        try writer.begin()
        var open: Int64?
        try reader.query(events, filter.values) { row in
            let instance = row.integer(0) ?? 0
            if instance != open {
                if open != nil { try writer.endTrace() }
                open = instance
                try writer.beginTrace(
                    name: row.text(1) ?? "", attributes: [("app", row[2]), ("layer", row[3]), ("run", row[4])])
            }
            // Clocks step back, and tools that sort by time would change the order.
            try writer.write(
                event: row.text(5) ?? "", time: row.integer(6),
                attributes: [("lifecycle:state", row[7]), ("order", row[8])])
        }
        if open != nil { try writer.endTrace() }
        try writer.finish()
    }

    private static let events = """
        SELECT v.instance_id, coalesce(v.app, '') || ' ' || v.run_id || ' ' || coalesce(v.instance, v.layer), v.app,
            v.layer, v.run_id, \(ExportQueries.activity), v.time_ns, v.state_after, v.seq
        FROM events AS v
        WHERE \(ExportQueries.chosen("time"))
        ORDER BY v.instance_id, v.seq
        """
}

/// OCEL 2.0: callbacks and evidence as events; runs, devices, apps, scenes and controllers as objects.
///
/// Its events need a time, so those without one are left out.
struct OCELExport {
    let reader: DatabaseReading
    let filter: Filter

    /// Whether a file of this name becomes a SQLite database.
    ///
    /// - Throws: ``LifeStatsError`` when the extension is neither of SQLite nor of JSON.
    static func isDatabase(_ name: String?) throws -> Bool {
        switch name.map({ URL(fileURLWithPath: $0).pathExtension.lowercased() }) {
        case nil, "json", "jsonocel": return false
        case "sqlite", "sqlite3", "db": return true
        case let other:
            throw LifeStatsError(
                "OCEL in a file .\(other ?? "")", why: "the extension determines the format of the log",
                remedy: "name a file ending in .sqlite or .json with -o")
        }
    }

    func write(_ writer: consuming some OCELWriter) throws {
        let ids = try StableIDs(reader.store)
        var writer = writer
        let layers = try texts("SELECT DISTINCT layer FROM instances WHERE layer <> 'app' ORDER BY layer")
        let kinds = try texts("SELECT DISTINCT \(ExportQueries.activity) AS name FROM step_kinds AS v ORDER BY name")
        let run = [("pid", "integer"), ("app_version", "string"), ("os_version", "string"), ("end_reason", "string")]
        let event = [("state", "string"), ("source", "string"), ("line", "integer"), ("order", "integer")]
        try writer.begin(
            objectTypes: [("app", []), ("device", []), ("run", run)]
                + layers.map { (Self.type(ofLayer: $0), [("label", "string")]) },
            eventTypes: kinds.map { ($0, event) })
        try writeObjects(to: &writer, ids)
        try reader.query(Self.events, filter.values) { row in
            guard let time = row.integer(2) else { return }
            var relations = [("run:\(ids.id(row.integer(3) ?? 0, .run))", "within")] + Self.speaker(row[4], row[5])
            if row.text(7) != "app" { relations.append(("instance:\(ids.id(row.integer(6) ?? 0, .instance))", "to")) }
            try writer.write(
                OCELItem(
                    id: "event:\(ids.id(row.integer(0) ?? 0, .step))", type: row.text(1) ?? "", time: time,
                    values: [row[8], row[9], row[10], .integer(ids.id(row.integer(11) ?? 0, .order))],
                    relations: relations))
        }
        try writer.finish()
    }

    private func texts(_ sql: String) throws -> [String] {
        var texts: [String] = []
        try reader.query(sql) { row in
            if let text = row.text(0) { texts.append(text) }
        }
        return texts
    }

    /// What a run or an event is related to.
    private static func speaker(_ app: SQLValue, _ device: SQLValue) -> [(object: String, qualifier: String)] {
        var relations: [(object: String, qualifier: String)] = []
        if case .text(let app) = app { relations.append(("app:\(app)", "of")) }
        if case .text(let device) = device { relations.append(("device:\(device)", "on")) }
        return relations
    }

    private func writeObjects(to writer: inout some OCELWriter, _ ids: StableIDs) throws {
        let values = filter.namedValues
        for type in ["app", "device"] {
            let sql = """
                SELECT DISTINCT v.\(type) FROM runs AS v WHERE v.\(type) IS NOT NULL AND \(ExportQueries.named) ORDER BY 1
                """
            try reader.query(sql, values) { try writer.write(OCELItem(id: "\(type):\($0.text(0) ?? "")", type: type)) }
        }
        try reader.query(Self.runs, values) { row in
            try writer.write(
                OCELItem(
                    id: "run:\(ids.id(row.integer(0) ?? 0, .run))", type: "run", values: (1...4).map { row[$0] },
                    relations: Self.speaker(row[5], row[6])))
        }
        try reader.query(Self.instances, values) { row in
            try writer.write(
                OCELItem(
                    id: "instance:\(ids.id(row.integer(0) ?? 0, .instance))",
                    type: Self.type(ofLayer: row.text(1) ?? ""),
                    values: [row[2]], relations: [("run:\(ids.id(row.integer(3) ?? 0, .run))", "within")]))
        }
    }

    /// Writes a SQLite database beside the system's temporary files, and hands over its bytes.
    func writeDatabase(_ output: ([UInt8]) -> Void) throws {
        let path = FileManager.default.temporaryDirectory.path + "/lifestats-\(getpid()).ocel"
        unlink(path)
        TemporaryFiles.hold(path)
        defer { TemporaryFiles.remove(path) }
        try write(OCELDatabaseWriter(path: path))
        guard let file = FileHandle(forReadingAtPath: path) else {
            throw LifeStatsError("cannot read \(path)", why: String(cString: strerror(errno)))
        }
        defer { try? file.close() }
        while let piece = try file.read(upToCount: 1 << 20), !piece.isEmpty { output(Array(piece)) }
    }

    private static func type(ofLayer layer: String) -> String {
        switch layer {
        case "view": "view controller"
        // The names of the other objects are taken.
        case "run", "device": "\(layer) layer"
        default: layer
        }
    }

    private static let runs = """
        SELECT v.run_id, v.pid, v.app_version, v.os_version, v.end_reason, v.app, v.device FROM runs AS v
        WHERE \(ExportQueries.named)
        """

    private static let instances = """
        SELECT v.instance_id, v.layer, v.instance, v.run_id FROM instances AS v
        WHERE v.layer <> 'app' AND \(ExportQueries.named)
        """

    private static let events = """
        SELECT v.event_id, \(ExportQueries.activity), v.time_ns, v.run_id, v.app, v.device, v.instance_id, v.layer,
            v.state_after, v.source, v.line, v.seq
        FROM events AS v
        WHERE \(ExportQueries.chosen("time"))
        """
}

/// Writes OCEL 2.0 as the tables of its SQLite form.
struct OCELDatabaseWriter: OCELWriter {
    private let path: String
    private var file: TableFile?
    /// Names of the tables of each type.
    private var tables: [String: String] = [:]

    init(path: String) { self.path = path }

    mutating func begin(objectTypes: [OCELType], eventTypes: [OCELType]) throws {
        let objects = Self.names(objectTypes)
        let events = Self.names(eventTypes)
        var schema = Self.schema
        for (type, name) in zip(objectTypes, objects) {
            schema += """
                CREATE TABLE "object_\(name)" (ocel_id TEXT, ocel_time TIMESTAMP, ocel_changed_field TEXT\(
                    Self.columns(type)), FOREIGN KEY (ocel_id) REFERENCES object (ocel_id));

                """
            tables[type.name] = "object_\(name)"
        }
        for (type, name) in zip(eventTypes, events) {
            schema += """
                CREATE TABLE "event_\(name)" (ocel_id TEXT PRIMARY KEY, ocel_time TIMESTAMP\(
                    Self.columns(type)), FOREIGN KEY (ocel_id) REFERENCES event (ocel_id));

                """
            tables[type.name] = "event_\(name)"
        }
        let file = try TableFile(path: path, schema: schema)
        for (type, name) in zip(objectTypes, objects) {
            try file.insert(into: "object_map_type", [.text(type.name), .text(name)])
        }
        for (type, name) in zip(eventTypes, events) {
            try file.insert(into: "event_map_type", [.text(type.name), .text(name)])
        }
        self.file = file
    }

    func write(_ item: OCELItem) throws {
        let kind = item.time == nil ? "object" : "event"
        try file?.insert(into: kind, [.text(item.id), .text(item.type)])
        if let table = tables[item.type] {
            let time = item.time.map { CivilTime.iso(nanoseconds: $0) } ?? OCELItem.beginning
            let key = [.text(item.id), .text(time)] + (item.time == nil ? [SQLValue.null] : [])
            try file?.insert(into: table, key + item.values)
        }
        for relation in item.relations {
            try file?.insert(
                into: "\(kind)_object", [.text(item.id), .text(relation.object), .text(relation.qualifier)])
        }
    }

    func finish() throws { try file?.close() }

    /// A name for the table of each type: letters and digits, different even where case does not count.
    private static func names(_ types: [OCELType]) -> [String] {
        // The tables that all logs have.
        var taken: Set<String> = ["object", "map_type"]
        return types.map { type in
            let letters = type.name.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
            let stem = letters.isEmpty ? "type" : letters
            var name = stem
            var number = 1
            while !taken.insert(name.lowercased()).inserted {
                number += 1
                name = "\(stem)\(number)"
            }
            return name
        }
    }

    private static func columns(_ type: OCELType) -> String {
        type.attributes.map { ", \"\($0.name)\" \($0.type == "integer" ? "INTEGER" : "TEXT")" }.joined()
    }

    private static let schema = """
        CREATE TABLE event_map_type (ocel_type TEXT PRIMARY KEY, ocel_type_map TEXT);
        CREATE TABLE object_map_type (ocel_type TEXT PRIMARY KEY, ocel_type_map TEXT);
        CREATE TABLE event (ocel_id TEXT PRIMARY KEY, ocel_type TEXT,
            FOREIGN KEY (ocel_type) REFERENCES event_map_type (ocel_type));
        CREATE TABLE object (ocel_id TEXT PRIMARY KEY, ocel_type TEXT,
            FOREIGN KEY (ocel_type) REFERENCES object_map_type (ocel_type));
        CREATE TABLE event_object (ocel_event_id TEXT, ocel_object_id TEXT, ocel_qualifier TEXT,
            PRIMARY KEY (ocel_event_id, ocel_object_id, ocel_qualifier),
            FOREIGN KEY (ocel_event_id) REFERENCES event (ocel_id),
            FOREIGN KEY (ocel_object_id) REFERENCES object (ocel_id)) WITHOUT ROWID;
        CREATE TABLE object_object (ocel_source_id TEXT, ocel_target_id TEXT, ocel_qualifier TEXT,
            PRIMARY KEY (ocel_source_id, ocel_target_id, ocel_qualifier),
            FOREIGN KEY (ocel_source_id) REFERENCES object (ocel_id),
            FOREIGN KEY (ocel_target_id) REFERENCES object (ocel_id)) WITHOUT ROWID;

        """
}
