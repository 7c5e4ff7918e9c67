import Reports
import Synchronization
import TraceRecords
import TraceStore

/// Writes every public view as a table into a folder.
///
/// The union of the exports of shards is the export of all logs: ids are stable, and the two kept answers that cannot be
/// added up are written without rows, as a database has them where they do not hold.
struct TableExport: Sendable {
    /// What the files are partitioned by: the values of `--partition-by`.
    enum Part: String, Sendable, CaseIterable {
        case app, date

        /// - Throws: ``LifeStatsError`` when the list names something else.
        static func list(_ text: String) throws -> [Part] {
            try text.split(separator: ",").map { name in
                if let part = Part(rawValue: String(name)) { return part }
                throw LifeStatsError(
                    "--partition-by \(text): cannot partition by \(name)", remedy: "use app, date, or app,date")
            }
        }
    }

    private static let withoutRows: Set<String> = ["dwell_summary", "transition_summary"]
    /// The views that take longest. They are begun first, so that both threads end at about the same time.
    private static let large = ["visits_estimated", "visits", "transitions", "events", "scenarios"]

    let filter: Filter
    let parts: [Part]
    let fileExtension: String
    /// Makes the writer of a file.
    let writer: @Sendable (ViewTable, @escaping ([UInt8]) -> Void) -> any TableWriter

    /// Writes the tables in two threads, each of which takes the next one when it has written one.
    func run(_ database: String, limit: ReadingLimit, into path: String) throws {
        let folder = try OutputFolder(path)
        let views = SchemaDocumentation.views
        let waiting = Mutex(
            views.filter { !Self.large.contains($0.name) }
                + Self.large.reversed().compactMap {
                    SchemaDocumentation.view(named: $0)
                })
        try DatabaseReading.runInTwoThreads(database, limit: limit) { reader in
            let ids = try StableIDs(reader.store)
            while let view = waiting.withLock({ $0.popLast() }) {
                do {
                    try write(view, reader, ids, into: folder)
                } catch {
                    waiting.withLock { $0 = [] }
                    throw error
                }
            }
        }
        try folder.finish()
    }

    private func write(
        _ view: SchemaDocumentation.View, _ reader: DatabaseReading, _ ids: StableIDs, into folder: OutputFolder
    ) throws {
        let table = ViewTable(view, parts: parts)
        let files = TableFiles(folder: folder, table: table, fileExtension: fileExtension) { output in
            writer(table) { bytes in reader.whileWriting { output(bytes) } }
        }
        if !Self.withoutRows.contains(view.name) { try write(table, reader, ids, files) }
        try files.finish()
    }

    private func write(
        _ table: ViewTable, _ reader: DatabaseReading, _ ids: StableIDs, _ files: TableFiles
    ) throws {
        let (condition, values) = table.condition(filter)
        var known = Array(repeating: (row: Int64.min, stable: Int64.min), count: table.columns.count)
        var time = TimestampText()
        // Without the names of columns, which would be counted for every value.
        let cells = table.columns.map { (source: $0.source, content: $0.content) }
        try reader.query(table.query(where: condition), values) { row in
            let writer = try files.writer(for: row)
            for (index, column) in cells.enumerated() {
                if row.isNull(column.source) {
                    writer.null(index)
                    continue
                }
                switch column.content {
                case .value(.text): row.withText(column.source) { writer.text($0, index) }
                case .value(.real): writer.real(row.real(column.source) ?? 0, index)
                case .value(.integer), .value(.time): writer.integer(row.integer(column.source) ?? 0, index)
                case .id(let meaning):
                    let id = row.integer(column.source) ?? 0
                    // The next row mostly belongs to the same run, instance and kind.
                    if known[index].row != id { known[index] = (id, ids.id(id, meaning)) }
                    writer.integer(known[index].stable, index)
                case .textOfTime: time.with(row.integer(column.source) ?? 0) { writer.text($0, index) }
                }
            }
            try writer.endRow()
        }
    }
}

/// A public view as a table of an export: which columns it gets, and how they are read.
struct ViewTable {
    /// What a column holds.
    enum Content {
        case value(TableColumn.Kind)
        case id(StableIDs.Meaning)
        /// The ISO 8601 text of a time, which is made here: in SQL it would take longer than everything else.
        case textOfTime
    }

    struct Column {
        var declared: TableColumn
        var content: Content
        /// The column of the query's result that it is made from.
        var source: Int
    }

    let name: String
    let purpose: String
    private(set) var columns: [Column] = []
    private var sources: [String] = []
    /// Where the parts of the partition are in the result.
    private(set) var app: Int?
    private(set) var times: [Int] = []
    let isByDate: Bool

    init(_ view: SchemaDocumentation.View, parts: [TableExport.Part]) {
        (name, purpose) = (view.name, view.purpose)
        let timed = view.columns.filter { $0.type == "time" }.map(\.name)
        isByDate = parts.contains(.date) && !timed.isEmpty
        let isByApp = parts.contains(.app) && view.columns.contains { $0.name == "app" }
        for column in view.columns {
            // The names of the folders hold what files are partitioned by.
            if isByApp, column.name == "app" { continue }
            let kind: TableColumn.Kind =
                switch column.type {
                case "integer", "duration": .integer
                case "time": .time
                case "real", "seconds": .real
                default: .text
                }
            let isTwin = timed.contains(column.name + "_ns")
            let meaning = StableIDs.meaning(ofColumn: column.name, in: view.name)
            columns.append(
                Column(
                    declared: TableColumn(column.name, kind, purpose: column.purpose),
                    content: isTwin ? .textOfTime : meaning.map(Content.id) ?? .value(kind),
                    source: source(isTwin ? column.name + "_ns" : column.name)))
        }
        if isByApp { app = source("app") }
        if isByDate { times = timed.map { source($0) } }
    }

    private mutating func source(_ column: String) -> Int {
        if let known = sources.firstIndex(of: column) { return known }
        sources.append(column)
        return sources.count - 1
    }

    func query(where condition: String) -> String {
        "SELECT \(sources.map { "v.\($0)" }.joined(separator: ", ")) FROM \(name) AS v\(condition)"
    }

    /// The part of a filter that the view has columns for.
    func condition(_ filter: Filter) -> (sql: String, values: [String: SQLValue]) {
        let has = Set(SchemaDocumentation.view(named: name)?.columns.map(\.name) ?? [])
        var conditions: [String] = []
        var values: [String: SQLValue] = [:]
        for (name, value) in filter.values {
            let condition: String? =
                switch name {
                case "app", "device": has.contains(name) ? "v.\(name) = $\(name)" : nil
                case "run": has.contains("run_id") ? "v.run_id = $run" : nil
                case "app_version":
                    has.contains("app_version")
                        ? "v.app_version = $app_version"
                        : has.contains("run_id")
                            ? "v.run_id IN (SELECT run_id FROM runs WHERE app_version = $app_version)" : nil
                default:
                    time(in: has).map { name == "since" ? "v.\($0) >= $since" : "v.\($0) < $until" }
                }
            guard let condition else { continue }
            conditions.append(condition)
            values[name] = value
        }
        return (conditions.isEmpty ? "" : " WHERE " + conditions.sorted().joined(separator: " AND "), values)
    }

    /// The ISO 8601 column that times of a filter apply to.
    private func time(in columns: Set<String>) -> String? {
        ["time", "entered", "started", "began"].first(where: columns.contains)
    }
}

/// The files of one table: one, or one and more for each part.
final class TableFiles {
    /// Files that are open at a time, and bytes that their writers hold. When there would be more, all are closed, and
    /// what follows goes into further files.
    private static let (mostFiles, mostBytes) = (200, 256 << 20)
    /// Bytes that the name of a folder may have on every usual file system.
    private static let longestName = 255

    private struct File {
        var sink: SystemFile.Sink
        var writer: any TableWriter
    }

    private let folder: OutputFolder
    private let table: ViewTable
    private let fileExtension: String
    private let make: (@escaping ([UInt8]) -> Void) -> any TableWriter
    private var open: [String: File] = [:]
    private var written: [String: Int] = [:]
    private var rows = 0
    private var last: (part: [SQLValue], writer: any TableWriter)?

    init(
        folder: OutputFolder, table: ViewTable, fileExtension: String,
        make: @escaping (@escaping ([UInt8]) -> Void) -> any TableWriter
    ) {
        self.folder = folder
        self.table = table
        self.fileExtension = fileExtension
        self.make = make
    }

    /// The writer of the file that a row belongs to.
    func writer(for row: ResultRow) throws -> any TableWriter {
        rows += 1
        if open.count > 1, rows % 4_096 == 0, size > Self.mostBytes { try closeAll() }
        var part: [SQLValue] = []
        if let app = table.app { part.append(row[app]) }
        if table.isByDate { part.append(date(of: row)) }
        if let last, last.part == part { return last.writer }
        let writer = try writer(inFolder: try folderName(part))
        last = (part, writer)
        return writer
    }

    /// Closes all files. A table without rows gets a file as well.
    func finish() throws {
        if written.isEmpty, table.app == nil, !table.isByDate { _ = try writer(inFolder: "") }
        try closeAll()
    }

    private var size: Int { open.values.reduce(0) { $0 + (($1.writer as? ParquetWriter)?.size ?? 0) } }

    private func closeAll() throws {
        for file in open.values {
            try file.writer.finish()
            try folder.close(file.sink)
        }
        open = [:]
        last = nil
    }

    private func writer(inFolder name: String) throws -> any TableWriter {
        if let file = open[name] { return file.writer }
        if open.count >= Self.mostFiles { try closeAll() }
        let number = written[name, default: 0]
        written[name] = number + 1
        let sink = try folder.open(
            name.isEmpty
                ? "\(table.name).\(fileExtension)" : "\(table.name)/\(name)/part-\(number).\(fileExtension)")
        let writer = make(sink.append)
        open[name] = File(sink: sink, writer: writer)
        return writer
    }

    /// The day of the first time that a row has, as a number.
    private func date(of row: ResultRow) -> SQLValue {
        guard let time = table.times.lazy.compactMap({ row.integer($0) }).first else { return .null }
        let length: Int64 = 86_400_000_000_000
        return .integer((time - (time % length + length) % length) / length)
    }

    /// The folders of a part, as Hive names them: `app=Postbox/date=2026-05-12`.
    ///
    /// - Throws: ``LifeStatsError`` when the name of an app is too long for a folder.
    private func folderName(_ part: [SQLValue]) throws -> String {
        let names = (table.app == nil ? [] : ["app"]) + (table.isByDate ? ["date"] : [])
        return try zip(names, part).map { name, value in
            switch value {
            case .text(let app) where !app.isEmpty:
                let folder = "\(name)=\(Self.escaped(app))"
                guard folder.utf8.count <= Self.longestName else {
                    throw LifeStatsError(
                        "cannot partition by app", why: "the name of an app is too long for a folder: \(app)",
                        remedy: "leave app out of --partition-by; nothing was written")
                }
                return folder
            case .integer(let day): return "\(name)=\(CivilTime.date(nanoseconds: day * 86_400_000_000_000))"
            default: return "\(name)=__HIVE_DEFAULT_PARTITION__"
            }
        }.joined(separator: "/")
    }

    /// ASCII letters, digits and a few marks as they are, other bytes as `%2F`.
    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
                escaped.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                escaped += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
        return escaped
    }
}
