internal import TraceRecords

/// The run that a span or log record belongs to, by an id that is the same in all exports.
package typealias OTLPResource = (run: Int64, attributes: [Attribute])

/// Writes spans or log records as OTLP/JSON: one `TracesData` or `LogsData` a line, as OpenTelemetry's file exporter does.
///
/// A line has the records of one run, a thousand at most. Ids are hexadecimal, and 64-bit numbers are texts.
package struct OTLPWriter {
    /// The two kinds of files.
    package enum Signal: Sendable, Hashable { case traces, logs }

    private static let recordsOfLine = 1_000

    private let signal: Signal
    private let version: String
    private let output: ([UInt8]) throws -> Void
    private var resource: OTLPResource?
    private var records: [JSONValue] = []

    /// - Parameters:
    ///   - version: of lifestats.
    ///   - output: receives the bytes in pieces; every method rethrows what it throws.
    package init(_ signal: Signal, version: String, output: @escaping ([UInt8]) throws -> Void) {
        self.signal = signal
        self.version = version
        self.output = output
    }

    /// Writes a span; times in nanoseconds since 1970 UTC.
    ///
    /// - Parameters:
    ///   - id: the same in all exports; not 0.
    ///   - parent: the span that it is a part of; `nil` at the top.
    package mutating func span(
        _ name: String, id: Int64, parent: Int64?, of resource: OTLPResource, from: Int64, until: Int64,
        attributes: [Attribute]
    ) throws {
        try append(
            .members([
                "traceId": .string(Self.trace(resource)), "spanId": .string(Self.span(id)),
                "parentSpanId": parent.map { .string(Self.span($0)) }, "name": .string(name), "kind": .integer(1),
                "startTimeUnixNano": Self.number(max(0, from)), "endTimeUnixNano": Self.number(max(0, until)),
                "attributes": Self.list(attributes),
            ]), of: resource)
    }

    /// Writes a log record; `time` in nanoseconds since 1970 UTC, `nil` when unknown.
    ///
    /// - Parameters:
    ///   - event: name of the event in the semantic conventions; `nil` when they have none.
    ///   - span: the span that it belongs to.
    package mutating func log(
        _ body: String, event: String?, time: Int64?, span: Int64, of resource: OTLPResource,
        attributes: [Attribute]
    ) throws {
        try append(
            .members([
                "timeUnixNano": time.map { Self.number(max(0, $0)) }, "severityNumber": .integer(9),
                "severityText": .string("INFO"), "eventName": event.map(JSONValue.string),
                "body": .members(["stringValue": .string(body)]), "attributes": Self.list(attributes),
                "traceId": .string(Self.trace(resource)), "spanId": .string(Self.span(span)),
            ]), of: resource)
    }

    /// Writes the rest. Must be the last call.
    package mutating func finish() throws { try endLine() }

    private mutating func append(_ record: JSONValue, of owner: OTLPResource) throws {
        if resource?.run != owner.run || records.count >= Self.recordsOfLine { try endLine() }
        resource = owner
        records.append(record)
    }

    private mutating func endLine() throws {
        guard let resource, !records.isEmpty else { return }
        let scope = JSONValue.members(["name": .string("lifestats"), "version": .string(version)])
        let content: JSONValue = .members(["attributes": Self.list(resource.attributes)])
        let (resources, scopes, list) =
            signal == .traces ? ("resourceSpans", "scopeSpans", "spans") : ("resourceLogs", "scopeLogs", "logRecords")
        let scoped = JSONValue.object([.init(name: "scope", value: scope), .init(name: list, value: .array(records))])
        let owner = JSONValue.object([
            .init(name: "resource", value: content), .init(name: scopes, value: .array([scoped])),
        ])
        let line = JSONValue.object([.init(name: resources, value: .array([owner]))])
        var bytes: [UInt8] = []
        line.appendCompact(to: &bytes)
        bytes.append(0x0A)
        records.removeAll(keepingCapacity: true)
        try output(bytes)
    }

    private static func trace(_ resource: OTLPResource) -> String {
        span(resource.run) + UInt64(bitPattern: ~resource.run).hexadecimal
    }

    private static func span(_ id: Int64) -> String { UInt64(bitPattern: id).hexadecimal }

    private static func number(_ value: Int64) -> JSONValue { .string(String(value)) }

    private static func list(_ attributes: [Attribute]) -> JSONValue {
        .array(
            attributes.compactMap { attribute in
                let value: JSONValue
                switch attribute.value {
                case .null: return nil
                case .integer(let number): value = .members(["intValue": .string(String(number))])
                case .real(let number): value = .members(["doubleValue": .number(number)])
                case .text(let text): value = .members(["stringValue": .string(text)])
                case .blob(let bytes): value = .members(["stringValue": .string(HexadecimalText.blob(bytes))])
                }
                return .members(["key": .string(attribute.key), "value": value])
            })
    }
}
