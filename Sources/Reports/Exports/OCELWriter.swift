internal import TraceRecords

/// A type of events or objects in OCEL 2.0, with the attributes that its members may have, each `string` or `integer`.
package typealias OCELType = (name: String, attributes: [(name: String, type: String)])

/// An event or an object.
package struct OCELItem: Sendable {
    package var id: String
    package var type: String
    /// Of an event, in nanoseconds since 1970 UTC; `nil` for an object.
    package var time: Int64?
    /// The values of the type's attributes, in their order.
    package var values: [Cell]
    /// The objects that it is related to.
    package var relations: [(object: String, qualifier: String)]

    /// The time from which on the values of objects hold.
    package static let beginning = "1970-01-01T00:00:00Z"

    package init(
        id: String, type: String, time: Int64? = nil, values: [Cell] = [],
        relations: [(object: String, qualifier: String)] = []
    ) {
        (self.id, self.type, self.time, self.values, self.relations) = (id, type, time, values, relations)
    }
}

/// Writes an object-centric event log: the types, then all objects, then all events.
package protocol OCELWriter {
    mutating func begin(objectTypes: [OCELType], eventTypes: [OCELType]) throws
    mutating func write(_ item: OCELItem) throws
    mutating func finish() throws
}

/// Writes OCEL 2.0 as JSON.
package struct OCELJSONWriter: OCELWriter {
    private let output: ([UInt8]) throws -> Void
    private var buffer: [UInt8] = []
    private var attributes: [String: [(name: String, type: String)]] = [:]
    private var isFirst = true
    private var hasEvents = false

    /// - Parameter output: receives the bytes in pieces; every method rethrows what it throws.
    package init(output: @escaping ([UInt8]) throws -> Void) { self.output = output }

    package mutating func begin(objectTypes: [OCELType], eventTypes: [OCELType]) throws {
        for type in objectTypes + eventTypes { attributes[type.name] = type.attributes }
        buffer.append("{\"objectTypes\":")
        Self.list(objectTypes).appendCompact(to: &buffer)
        buffer.append(",\n\"eventTypes\":")
        Self.list(eventTypes).appendCompact(to: &buffer)
        buffer.append(",\n\"objects\":[")
    }

    package mutating func write(_ item: OCELItem) throws {
        if item.time != nil { endObjects() }
        let values = zip(attributes[item.type] ?? [], item.values).filter { $1 != .null }.map { attribute, value in
            JSONValue.members([
                "name": .string(attribute.name), "time": item.time == nil ? .string(OCELItem.beginning) : nil,
                "value": value.json,
            ])
        }
        buffer.append(isFirst ? "\n" : ",\n")
        isFirst = false
        JSONValue.members([
            "id": .string(item.id), "type": .string(item.type),
            "time": item.time.map { .string(CivilTime.iso(nanoseconds: $0)) }, "attributes": .array(values),
            "relationships": .array(
                item.relations.map { .members(["objectId": .string($0.object), "qualifier": .string($0.qualifier)]) }),
        ]).appendCompact(to: &buffer)
        guard buffer.count >= 1 << 16 else { return }
        try output(buffer)
        buffer.removeAll(keepingCapacity: true)
    }

    package mutating func finish() throws {
        endObjects()
        buffer.append("\n]}\n")
        try output(buffer)
        buffer = []
    }

    private mutating func endObjects() {
        guard !hasEvents else { return }
        hasEvents = true
        isFirst = true
        buffer.append("\n],\n\"events\":[")
    }

    private static func list(_ types: [OCELType]) -> JSONValue {
        .array(
            types.map { type in
                .members([
                    "name": .string(type.name),
                    "attributes": .array(
                        type.attributes.map {
                            .members(["name": .string($0.name), "type": .string($0.type)])
                        }),
                ])
            })
    }
}
