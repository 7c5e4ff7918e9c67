internal import TraceRecords

/// Output formats of tables: the values of `--format`.
public enum TableFormat: String, Sendable, CaseIterable {
    /// Aligned columns for people.
    case table
    /// Comma-separated values; see ``CSVEncoder``.
    case csv
    /// One array of objects.
    case json
    /// One object per line.
    case ndjson
    /// A table for GitHub and the like.
    case markdown
}

/// Where a table goes, and what the user asked for.
package struct TableOptions: Sendable, Hashable {
    /// Numbers as they are stored, instead of units, percent and grouped thousands.
    package var raw: Bool
    /// Whether colour and bold may be used.
    package var colour: Bool
    /// Width of the terminal, to which a table is fitted by shortening its texts; `nil` for a pipe: no limit.
    package var width: Int?
    /// Whether the output is a terminal, where every CSV record stays on one line.
    package var isTerminal: Bool
    /// Whether lines of CSV end with CR and LF, as RFC 4180 has it, instead of LF alone.
    package var endsLinesWithCRLF = false

    package init(raw: Bool = false, colour: Bool = false, width: Int? = nil, isTerminal: Bool = false) {
        self.raw = raw
        self.colour = colour
        self.width = width
        self.isTerminal = isTerminal
    }
}

/// Turns rows into the bytes of one format. Every row has as many cells as there are columns.
protocol RowEncoder {
    mutating func begin(into bytes: inout [UInt8])
    mutating func row(_ cells: [Cell], into bytes: inout [UInt8])
    mutating func end(into bytes: inout [UInt8])
}

/// Writes the rows of a result one after another in any ``TableFormat``. Memory does not grow with their number.
///
///     var writer = ResultWriter(format: .csv, columns: [Column("state"), Column("dwell_s")], options: TableOptions()) {
///         try standardOutput.write($0)
///     }
///     try writer.write([.text("active"), .real(4.2)])
///     try writer.finish()
package struct ResultWriter {
    private var encoder: any RowEncoder
    private let columnCount: Int
    private var buffer: [UInt8] = []
    private var hasBegun = false
    private let output: ([UInt8]) throws -> Void

    /// - Parameter output: Receives the bytes in pieces; `write` and `finish` rethrow what it throws (a closed pipe).
    package init(
        format: TableFormat, columns: [Column], options: TableOptions, output: @escaping ([UInt8]) throws -> Void
    ) {
        columnCount = columns.count
        self.output = output
        encoder =
            switch format {
            case .table: AlignedTableEncoder(columns: columns, options: options, style: .text)
            case .markdown: AlignedTableEncoder(columns: columns, options: options, style: .markdown)
            case .csv: CSVEncoder(columns: columns, options: options)
            case .json: JSONRowEncoder(columns: columns, isArray: true)
            case .ndjson: JSONRowEncoder(columns: columns, isArray: false)
            }
    }

    /// Writes one row. Missing cells are NULL; cells beyond the columns are left out.
    package mutating func write(_ row: [Cell]) throws {
        beginOnce()
        if row.count == columnCount {
            encoder.row(row, into: &buffer)
        } else {
            let padding = Array(repeating: Cell.null, count: max(0, columnCount - row.count))
            encoder.row(row.prefix(columnCount) + padding, into: &buffer)
        }
        if buffer.count >= 1 << 16 { try flush() }
    }

    /// Writes the rest. Must be the last call.
    package mutating func finish() throws {
        beginOnce()
        encoder.end(into: &buffer)
        try flush()
    }

    package static func text(
        _ format: TableFormat, columns: [Column], rows: [[Cell]], options: TableOptions = TableOptions()
    ) -> String {
        var encoder = ResultWriter(format: format, columns: columns, options: options) { _ in }.encoder
        var bytes: [UInt8] = []
        encoder.begin(into: &bytes)
        for row in rows { encoder.row(row, into: &bytes) }
        encoder.end(into: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private mutating func beginOnce() {
        guard !hasBegun else { return }
        hasBegun = true
        encoder.begin(into: &buffer)
    }

    private mutating func flush() throws {
        guard !buffer.isEmpty else { return }
        try output(buffer)
        buffer.removeAll(keepingCapacity: true)
    }
}

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
            cell.json.appendCompact(to: &bytes)
        }
        bytes.append(UInt8(ascii: "}"))
        if !isArray { bytes.append(0x0A) }
    }

    func end(into bytes: inout [UInt8]) {
        if isArray { bytes.append(isFirst ? "]\n" : "\n]\n") }
    }
}
