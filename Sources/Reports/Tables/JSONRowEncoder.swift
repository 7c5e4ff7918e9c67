/// One JSON object per row, in an array or one per line (NDJSON).
///
/// Integers are exact, NaN and infinities are `null`, a blob is a SQL literal in a text. Columns of the same name get a
/// number (`count`, `count_2`), because an object must not contain a name twice.
struct JSONRowEncoder: RowEncoder {
    private let keys: [[UInt8]]
    private let isArray: Bool
    private var isFirst = true

    init(columns: [Column], isArray: Bool) {
        self.isArray = isArray
        var taken: Set<String> = []
        keys = columns.map { column in
            var name = column.name
            var number = 1
            while !taken.insert(name).inserted {
                number += 1
                name = "\(column.name)_\(number)"
            }
            var bytes: [UInt8] = []
            JSONText.append(name, to: &bytes)
            bytes.append(UInt8(ascii: ":"))
            return bytes
        }
    }

    func begin(into bytes: inout [UInt8]) {
        if isArray { bytes.append("[") }
    }

    mutating func row(_ cells: [Cell], into bytes: inout [UInt8]) {
        if isArray { bytes.append(isFirst ? "\n" : ",\n") }
        isFirst = false
        bytes.append(UInt8(ascii: "{"))
        for (index, cell) in cells.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes.append(contentsOf: keys[index])
            switch cell {
            case .null: bytes.append("null")
            case .integer(let value): bytes.append(String(value))
            case .real(let value): bytes.append(JSONText.number(value))
            case .text(let text): JSONText.append(text, to: &bytes)
            case .blob(let value): JSONText.append(HexadecimalText.blob(value), to: &bytes)
            }
        }
        bytes.append(UInt8(ascii: "}"))
        if !isArray { bytes.append(0x0A) }
    }

    func end(into bytes: inout [UInt8]) {
        if isArray { bytes.append(isFirst ? "]\n" : "\n]\n") }
    }
}
