import Foundation
public import StateDiagrams

/// A lifestats database: the way into the library for other programs.
///
///     let database = LifecycleDatabase("lifestats.db")
///     try database.ingest(["logs"])
///     let times = try database.rows(Dwell.self, of: "dwell_times", parameters: ["app": "Postbox"])
///
/// A value of this type is only a path: each call opens the file, works, and closes it. Calls may come from any thread, and
/// readers see the state before or after an ingest, never one between.
///
/// The requests of the command line (``IngestOptions``, ``QueryRequest``, ``DiagramRequest``, ``CheckRequest``,
/// ``ExportRequest``) are public as well, and offer every option.
public struct LifecycleDatabase: Sendable, Hashable {
    /// Path of the file. ``ingest(_:)`` creates it where there is none.
    public let path: String

    public init(_ path: String) { self.path = path }

    /// Reads logs into the database: files, folders, globs, archives. What was read before is not read again.
    ///
    /// - Returns: what was read, with a summary for people.
    /// - Throws: ``LifeStatsError`` when nothing could be read, or the database cannot be written.
    @discardableResult
    public func ingest(_ paths: [String]) throws -> IngestReport {
        try IngestPipeline(options: IngestOptions(paths: paths, database: path)).run()
    }

    /// The rows of a query, each decoded into a type whose properties are named like its columns.
    ///
    /// Rows are decoded from the JSON of `lifestats query --format json`: a property that is not optional requires that its
    /// column is never NULL, and truth values are the integers 0 and 1. Times (`…_ns`) are nanoseconds since 1970 UTC,
    /// durations nanoseconds (`…_ns`) or seconds (`…_s`).
    ///
    /// - Parameters:
    ///   - query: the name of a query in `queries/`, or SQL over the public views.
    ///   - parameters: values as typed on the command line. Those of a named query that are left out restrict nothing.
    /// - Throws: ``LifeStatsError`` when the database or the query is invalid, or reading takes longer than 30 s;
    ///   `DecodingError` when a row does not fit the type.
    public func rows<Row: Decodable>(
        _ type: Row.Type = Row.self, of query: String, parameters: [String: String] = [:]
    ) throws -> [Row] {
        var request = QueryRequest(database: path, question: QueryRequest.Question(query))
        request.parameters = parameters.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
        request.format = .json
        var text = Data()
        _ = try DatabaseReading.run(path, limit: ReadingLimit(seconds: request.timeout)) {
            try QueryRunner.answer(request, $0) { text += $0 }
        }
        return try JSONDecoder().decode([QueryRow<Row>].self, from: text).map(\.value)
    }

    /// The observed lifecycle and the documented one as a picture.
    ///
    /// - Parameter layer: `app`, `scene`, `view`, or a model of your own.
    /// - Returns: the bytes of the file.
    /// - Throws: ``LifeStatsError``.
    public func diagram(
        layer: String = "app", view: DiagramView = .overlay, format: DiagramFormat = .svg
    ) throws -> [UInt8] {
        var request = DiagramRequest(database: path)
        request.layer = layer
        request.view = view
        request.format = format
        return try DiagramRenderer.render(request).bytes
    }

    /// The deviations from the documented lifecycle, in the order of the logs.
    ///
    /// - Throws: ``LifeStatsError``, also when the database has no runs or no events: an empty log must not pass a check.
    public func check() throws -> [Deviation] {
        _ = try CheckRunner.run(CheckRequest(database: path)) { _ in
        } write: { _ in
        }
        return try rows(
            of: """
                SELECT rule, severity, message, repair, source, line, app, run_id, layer, instance, time_ns FROM findings
                ORDER BY source, line, finding_id
                """)
    }

    /// A deviation from the documented lifecycle: a row of the view `findings`.
    public struct Deviation: Sendable, Hashable, Decodable {
        /// Id of the rule; `lifestats check --explain RULE` explains it.
        public var rule: String
        /// `info`, `warning` or `error`.
        public var severity: String
        public var message: String
        /// The smallest change that would make the log conform, where there is one.
        public var repair: String?
        /// Path of the log, and the line, counted from 1.
        public var source: String
        public var line: Int
        public var app: String?
        /// `run_id` of the view `runs`.
        public var run: Int64
        public var layer: String
        public var instance: String?
        /// Nanoseconds since 1970 UTC.
        public var time: Int64?

        private enum CodingKeys: String, CodingKey {
            case rule, severity, message, repair, source, line, app, layer, instance
            case run = "run_id"
            case time = "time_ns"
        }
    }
}

/// A row of a result, as JSON.
private struct QueryRow<Row: Decodable>: Decodable {
    let value: Row

    private struct Column: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        do {
            value = try Row(from: decoder)
        } catch {
            // A type of one value takes the only column.
            let columns = try decoder.container(keyedBy: Column.self)
            guard columns.allKeys.count == 1, let found = try? columns.decode(Row.self, forKey: columns.allKeys[0])
            else {
                throw error
            }
            value = found
        }
    }
}
