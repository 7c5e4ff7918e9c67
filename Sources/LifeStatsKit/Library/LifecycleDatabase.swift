import TraceStore

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
    /// A property that is not optional requires that its column is never NULL. Times (`…_ns`) are nanoseconds since 1970
    /// UTC, durations nanoseconds (`…_ns`) or seconds (`…_s`).
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
        var rows: [Row] = []
        var misfit: DecodingError?
        try LifeStatsError.translated {
            let reader = try TraceReader(path: path)
            let (sql, values) = try QueryRunner.resolve(request, reader)
            var places: [String: Int] = [:]
            try reader.query(
                sql, parameters: values, requiresValues: true, limits: QueryLimits(timeout: request.timeout)
            ) { columns in
                places = Dictionary(columns.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
            } row: { row in
                guard misfit == nil else { return }
                do {
                    rows.append(try Row(from: RowDecoder(row: row, places: places)))
                } catch let error as DecodingError {
                    misfit = error
                }
            }
        }
        if let misfit { throw misfit }
        return rows
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

/// Decodes a row of a result: columns by name, each a number, a text, a truth value or NULL.
struct RowDecoder: Decoder {
    let row: ResultRow
    let places: [String: Int]
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(Columns<Key>(row: row, places: places))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw Self.refusal("an array", codingPath) }

    /// A type of one value takes the first column.
    func singleValueContainer() -> any SingleValueDecodingContainer { Value(value: row[0], codingPath: []) }

    fileprivate static func refusal(_ what: String, _ path: [any CodingKey]) -> DecodingError {
        .typeMismatch(
            RowDecoder.self, DecodingError.Context(codingPath: path, debugDescription: "a row does not hold \(what)"))
    }

    private struct Columns<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let row: ResultRow
        let places: [String: Int]
        let codingPath: [any CodingKey] = []

        var allKeys: [Key] { places.keys.compactMap { Key(stringValue: $0) } }

        func contains(_ key: Key) -> Bool { places[key.stringValue] != nil }

        func decodeNil(forKey key: Key) throws -> Bool { try value(key).decodeNil() }

        func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
            try value(key).decode(type)
        }

        private func value(_ key: Key) throws -> Value {
            guard let place = places[key.stringValue] else {
                throw DecodingError.keyNotFound(
                    key,
                    DecodingError.Context(
                        codingPath: [], debugDescription: "columns are \(places.keys.sorted().joined(separator: ", "))")
                )
            }
            return Value(value: row[place], codingPath: [key])
        }

        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type, forKey key: Key
        ) throws -> KeyedDecodingContainer<Nested> { throw refusal("a nested value", [key]) }

        func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
            throw refusal("an array", [key])
        }

        func superDecoder() throws -> any Decoder { throw refusal("a class", []) }

        func superDecoder(forKey key: Key) throws -> any Decoder { throw refusal("a class", [key]) }
    }

    private struct Value: SingleValueDecodingContainer, Decoder {
        let value: SQLValue
        let codingPath: [any CodingKey]
        let userInfo: [CodingUserInfoKey: Any] = [:]

        func decodeNil() -> Bool { value == .null }

        func decode<T: Decodable>(_ type: T.Type) throws -> T {
            let found: Any? =
                switch value {
                case .null: nil
                case .integer(let number): Self.number(number, as: type)
                case .real(let number): type is Double.Type ? number : type is Float.Type ? Float(number) : nil
                case .text(let text): type is String.Type ? text : nil
                case .blob(let bytes): type is [UInt8].Type ? bytes : nil
                }
            if let found = found as? T { return found }
            if Self.isPlain(type) {
                throw DecodingError.typeMismatch(
                    type, DecodingError.Context(codingPath: codingPath, debugDescription: "the value is \(value)"))
            }
            return try T(from: self)
        }

        private static func isPlain(_ type: Any.Type) -> Bool {
            type is any BinaryInteger.Type || type is any BinaryFloatingPoint.Type || type is String.Type
                || type is Bool.Type || type is [UInt8].Type
        }

        private static func number(_ value: Int64, as type: Any.Type) -> Any? {
            switch type {
            case is Bool.Type: value != 0
            case is Double.Type: Double(value)
            case is Float.Type: Float(value)
            case let integer as any FixedWidthInteger.Type: exact(value, integer)
            default: nil
            }
        }

        private static func exact<T: FixedWidthInteger>(_ value: Int64, _: T.Type) -> Any? { T(exactly: value) }

        func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
            throw refusal("a nested value", codingPath)
        }

        func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw refusal("an array", codingPath) }

        func singleValueContainer() -> any SingleValueDecodingContainer { self }
    }
}
