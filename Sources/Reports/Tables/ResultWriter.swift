/// Writes the rows of a result one after another in any ``TableFormat``, in memory that does not grow with their number.
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

    /// - Parameter output: gets the bytes in pieces; what it throws (a closed pipe …) comes out of `write` and `finish`.
    package init(
        format: TableFormat, columns: [Column], options: TableOptions, output: @escaping ([UInt8]) throws -> Void
    ) {
        columnCount = columns.count
        self.output = output
        encoder =
            switch format {
            case .table: AlignedTableEncoder(columns: columns, options: options, style: .text)
            case .markdown: AlignedTableEncoder(columns: columns, options: options, style: .markdown)
            case .csv: CSVEncoder(columns: columns, isTerminal: options.isTerminal)
            case .json: JSONRowEncoder(columns: columns, isArray: true)
            case .ndjson: JSONRowEncoder(columns: columns, isArray: false)
            }
    }

    /// Writes one row. Cells that are missing are NULL; cells beyond the columns are left out.
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

    /// Writes what is still held back. Must be the last call.
    package mutating func finish() throws {
        beginOnce()
        encoder.end(into: &buffer)
        try flush()
    }

    /// A whole result as text.
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
