internal import TraceRecords

/// Comma-separated values after RFC 4180, with lines that end with LF unless CRLF is asked for.
///
/// NULL is an empty field and the empty text a quoted one (`""`), so that both survive. Numbers are written in full;
/// NaN is NULL; a blob is a SQL literal (`x'0a1b'`).
///
/// Texts come from logs, which anyone may have written. Control characters become visible (see ``VisibleText``), except
/// line feeds and tabs inside a quoted field. A text that a spreadsheet would run as a formula (`=`, `+`, `-`, `@`, tab
/// or line end first) gets a leading `'`. JSON has the exact texts.
struct CSVEncoder: RowEncoder {
    private let columns: [Column]
    private let keepsLines: Bool
    private let lineEnd: String

    init(columns: [Column], options: TableOptions) {
        self.columns = columns
        keepsLines = !options.isTerminal
        lineEnd = options.endsLinesWithCRLF ? "\r\n" : "\n"
    }

    func begin(into bytes: inout [UInt8]) {
        row(columns.map { .text($0.name) }, into: &bytes)
    }

    func row(_ cells: [Cell], into bytes: inout [UInt8]) {
        for (index, cell) in cells.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            switch cell {
            case .null: break
            case .text(let text): field(text, into: &bytes)
            case .integer(let value): bytes.append(String(value))
            case .real(let value): if !value.isNaN { bytes.append(NumberText.exact(value)) }
            case .blob(let value): bytes.append(HexadecimalText.blob(value))
            }
        }
        bytes.append(lineEnd)
    }

    func end(into bytes: inout [UInt8]) {}

    private func field(_ text: String, into bytes: inout [UInt8]) {
        let isFormula = text.utf8.first.map(Self.formulaStarts.contains) ?? false
        let utf8 = ((isFormula ? "'" : "") + VisibleText.neutralised(text, keepsLines: keepsLines)).utf8
        guard utf8.isEmpty || utf8.contains(where: Self.quoted.contains) || text.first == " " || text.last == " " else {
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

    private static let formulaStarts = Array("=+-@\t\r\n".utf8)
    private static let quoted = Array(",\"\r\n".utf8)
}
