internal import TraceRecords

/// JSON after RFC 8259, written byte by byte.
package enum JSONText {
    /// Appends a text with its quotes. Whatever would control a terminal is escaped, so that a program still reads the
    /// exact text.
    package static func append(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
            bytes.append(contentsOf: text.utf8)
        } else {
            for scalar in text.unicodeScalars {
                switch scalar {
                case "\"": bytes.append(#"\""#)
                case "\\": bytes.append(#"\\"#)
                case "\n": bytes.append(#"\n"#)
                case "\r": bytes.append(#"\r"#)
                case "\t": bytes.append(#"\t"#)
                case _ where VisibleText.isHarmful(scalar):
                    let digits = String(scalar.value, radix: 16)
                    bytes.append("\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
                default: bytes.append(contentsOf: String(scalar).utf8)
                }
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    package static func quoted(_ text: String) -> String {
        var bytes: [UInt8] = []
        append(text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A number; `null` when it is not finite.
    static func number(_ value: Double) -> String {
        value.isFinite ? NumberText.exact(value) : "null"
    }
}

/// A JSON document whose objects keep the order of their names, so that equal content gives equal bytes.
package enum JSONValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    /// A number that is already written out.
    case literal(String)
    case string(String)
    case array([JSONValue])
    case object([Member])

    /// A name with its value.
    package struct Member: Sendable, Hashable {
        var name: String
        var value: JSONValue
    }

    /// An object without the members that are `nil`.
    package static func members(_ pairs: KeyValuePairs<String, JSONValue?>) -> JSONValue {
        .object(pairs.compactMap { name, value in value.map { Member(name: name, value: $0) } })
    }

    /// A text or, for `nil`, `null`.
    package static func optional(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }

    /// An integer or, for `nil`, `null`.
    package static func optional(_ number: Int64?) -> JSONValue { number.map { .integer($0) } ?? .null }

    /// The document, indented by two spaces, with a line end.
    package var indentedText: String {
        var bytes: [UInt8] = []
        append(to: &bytes, indentation: 0)
        bytes.append(0x0A)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Stands for the elements of an array that are written one by one; no text of JSON has a NUL.
    static let laterElements = JSONValue.literal("\0")

    /// Writes the document, indented by two spaces, with a line end.
    ///
    /// - Parameter elements: puts the elements of the array that has only ``laterElements``.
    func write(
        _ append: ([UInt8]) throws -> Void, elements: @escaping (_ put: (JSONValue) throws -> Void) throws -> Void
    ) throws {
        let parts = Array(indentedText.utf8).split(separator: 0, maxSplits: 1)
        guard parts.count == 2 else { return try append(Array(indentedText.utf8)) }
        let indentation = parts[0].reversed().prefix { $0 == 0x20 }.count
        try append(Array(parts[0].dropLast(indentation + 1)))
        var isEmpty = true
        try elements { value in
            var bytes: [UInt8] = []
            bytes.append((isEmpty ? "\n" : ",\n") + String(repeating: " ", count: indentation))
            value.append(to: &bytes, indentation: indentation)
            isEmpty = false
            try append(bytes)
        }
        try append(Array(isEmpty ? parts[1].drop { $0 != UInt8(ascii: "]") } : parts[1]))
    }

    package func appendCompact(to bytes: inout [UInt8]) { append(to: &bytes, indentation: nil) }

    private func append(to bytes: inout [UInt8], indentation: Int?) {
        switch self {
        case .null: bytes.append("null")
        case .bool(let value): bytes.append(value ? "true" : "false")
        case .integer(let value): bytes.append(String(value))
        case .number(let value): bytes.append(JSONText.number(value))
        case .literal(let text): bytes.append(text)
        case .string(let value): JSONText.append(value, to: &bytes)
        case .array(let values):
            Self.append(values, "[", "]", to: &bytes, indentation) { value, bytes, inner in
                value.append(to: &bytes, indentation: inner)
            }
        case .object(let members):
            Self.append(members, "{", "}", to: &bytes, indentation) { member, bytes, inner in
                JSONText.append(member.name, to: &bytes)
                bytes.append(inner == nil ? ":" : ": ")
                member.value.append(to: &bytes, indentation: inner)
            }
        }
    }

    private static func append<Element>(
        _ elements: [Element], _ open: String, _ close: String, to bytes: inout [UInt8], _ indentation: Int?,
        element: (Element, inout [UInt8], Int?) -> Void
    ) {
        bytes.append(open)
        let inner = indentation.map { $0 + 2 }
        for (index, value) in elements.enumerated() {
            if index > 0 { bytes.append(",") }
            if let inner { bytes.append("\n" + String(repeating: " ", count: inner)) }
            element(value, &bytes, inner)
        }
        if let indentation, !elements.isEmpty { bytes.append("\n" + String(repeating: " ", count: indentation)) }
        bytes.append(close)
    }
}

extension [UInt8] {
    mutating func append(_ text: String) { append(contentsOf: text.utf8) }
}
