/// Comma-separated values after RFC 4180.
///
/// NULL is an empty field and the empty text a quoted one (`""`), so that both survive. Numbers are written in full;
/// a blob is a SQL literal (`x'0a1b'`). What is no number (NaN) is NULL.
struct CSVEncoder: RowEncoder {
    let columns: [Column]
    /// On a terminal the control characters are made visible; anywhere else the bytes of a text are exact.
    let isTerminal: Bool

    func begin(into bytes: inout [UInt8]) {
        row(columns.map { .text($0.name) }, into: &bytes)
    }

    func row(_ cells: [Cell], into bytes: inout [UInt8]) {
        for (index, cell) in cells.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            switch cell {
            case .null: break
            case .text(let text): field(isTerminal ? VisibleText.neutralised(text) : text, into: &bytes)
            case .integer(let value): bytes.append(String(value))
            case .real(let value): if !value.isNaN { bytes.append(NumberText.exact(value)) }
            case .blob(let value): bytes.append(NumberText.blob(value))
            }
        }
        bytes.append(contentsOf: [0x0D, 0x0A])
    }

    func end(into bytes: inout [UInt8]) {}

    private func field(_ text: String, into bytes: inout [UInt8]) {
        let utf8 = text.utf8
        guard utf8.isEmpty || utf8.contains(where: Self.needsQuotes) || text.first == " " || text.last == " " else {
            bytes.append(contentsOf: utf8)
            return
        }
        bytes.append(UInt8(ascii: "\""))
        for byte in utf8 {
            if byte == UInt8(ascii: "\"") { bytes.append(byte) }
            bytes.append(byte)
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func needsQuotes(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\"") || byte == 0x0D || byte == 0x0A
    }
}
