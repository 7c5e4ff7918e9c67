import TraceStore

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
