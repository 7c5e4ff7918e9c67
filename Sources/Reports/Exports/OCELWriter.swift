internal import TraceRecords

/// A type of events or objects in OCEL 2.0, with the attributes that its members may have.
package struct OCELType: Sendable, Hashable {
    package var name: String
    package var attributes: [OCELAttribute]

    package init(_ name: String, _ attributes: [OCELAttribute]) {
        self.name = name
        self.attributes = attributes
    }
}

/// An attribute of a type: `string` or `integer`.
package struct OCELAttribute: Sendable, Hashable {
    package var name: String
    package var type: String

    package init(_ name: String, _ type: String) {
        self.name = name
        self.type = type
    }
}

/// An event or an object: its id, type, the values of the type's attributes in their order, and the objects to which it
/// is related.
package struct OCELItem: Sendable, Hashable {
    /// A qualified relation to an object.
    package struct Relation: Sendable, Hashable {
        package var object: String
        package var qualifier: String

        package init(_ object: String, _ qualifier: String) {
            self.object = object
            self.qualifier = qualifier
        }
    }

    package var id: String
    package var type: String
    package var values: [Cell]
    package var relations: [Relation]

    package init(id: String, type: String, values: [Cell], relations: [Relation]) {
        self.id = id
        self.type = type
        self.values = values
        self.relations = relations
    }
}

/// Writes an object-centric event log: the types, then all objects, then all events.
package protocol OCELWriter {
    mutating func begin(objectTypes: [OCELType], eventTypes: [OCELType]) throws
    mutating func write(object: OCELItem) throws
    /// - Parameter time: nanoseconds since 1970 UTC.
    mutating func write(event: OCELItem, time: Int64) throws
    mutating func finish() throws
}

/// Writes OCEL 2.0 as JSON.
package struct OCELJSONWriter: OCELWriter {
    private let output: ([UInt8]) throws -> Void
    private var buffer: [UInt8] = []
    private var attributes: [String: [OCELAttribute]] = [:]
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

    package mutating func write(object: OCELItem) throws {
        // The values of objects hold from the beginning of time.
        try append(
            .members([
                "id": .string(object.id), "type": .string(object.type),
                "attributes": values(of: object, time: "1970-01-01T00:00:00Z"),
                "relationships": Self.list(object.relations),
            ]))
    }

    package mutating func write(event: OCELItem, time: Int64) throws {
        endObjects()
        try append(
            .members([
                "id": .string(event.id), "type": .string(event.type),
                "time": .string(CivilTime.iso(nanoseconds: time)), "attributes": values(of: event, time: nil),
                "relationships": Self.list(event.relations),
            ]))
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

    private mutating func append(_ item: JSONValue) throws {
        buffer.append(isFirst ? "\n" : ",\n")
        isFirst = false
        item.appendCompact(to: &buffer)
        guard buffer.count >= 1 << 16 else { return }
        try output(buffer)
        buffer.removeAll(keepingCapacity: true)
    }

    private func values(of item: OCELItem, time: String?) -> JSONValue {
        .array(
            zip(attributes[item.type] ?? [], item.values).compactMap { attribute, value in
                let json: JSONValue
                switch value {
                case .null: return nil
                case .integer(let number): json = .integer(number)
                case .real(let number): json = .number(number)
                case .text(let text): json = .string(text)
                case .blob(let bytes): json = .string(HexadecimalText.blob(bytes))
                }
                return .members([
                    "name": .string(attribute.name), "time": time.map(JSONValue.string), "value": json,
                ])
            })
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

    private static func list(_ relations: [OCELItem.Relation]) -> JSONValue {
        .array(
            relations.map {
                .members(["objectId": .string($0.object), "qualifier": .string($0.qualifier)])
            })
    }
}
