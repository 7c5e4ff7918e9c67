/// A column of a table, as exports declare it.
package struct TableColumn: Sendable, Hashable {
    /// What the values are.
    package enum Kind: Sendable, Hashable {
        case integer
        /// Nanoseconds since 1970 UTC.
        case time
        case real
        case text
    }

    package var name: String
    package var kind: Kind
    /// What the column means.
    package var purpose: String

    package init(_ name: String, _ kind: Kind, purpose: String = "") {
        self.name = name
        self.kind = kind
        self.purpose = purpose
    }
}

/// Gets a table value by value and row by row, and writes it.
package protocol TableWriter: AnyObject {
    /// Sets a value of the present row. Every column gets one; `text` is UTF-8.
    func null(_ column: Int)
    func integer(_ value: Int64, _ column: Int)
    func real(_ value: Double, _ column: Int)
    func text(_ bytes: UnsafeRawBufferPointer, _ column: Int)
    func endRow() throws
    /// Writes the rest. Must be the last call.
    func finish() throws
}

/// Writes a table as CSV; see ``CSVEncoder``.
package final class CSVTableWriter: TableWriter {
    private var writer: ResultWriter
    private var row: [Cell]

    /// - Parameter output: receives the bytes in pieces; every method rethrows what it throws.
    package init(columns: [TableColumn], output: @escaping ([UInt8]) throws -> Void) {
        writer = ResultWriter(
            format: .csv, columns: columns.map { Column($0.name) }, options: TableOptions(), output: output)
        row = Array(repeating: .null, count: columns.count)
    }

    package func null(_ column: Int) { row[column] = .null }
    package func integer(_ value: Int64, _ column: Int) { row[column] = .integer(value) }
    package func real(_ value: Double, _ column: Int) { row[column] = .real(value) }
    package func text(_ bytes: UnsafeRawBufferPointer, _ column: Int) {
        row[column] = .text(String(decoding: bytes, as: UTF8.self))
    }
    package func endRow() throws { try writer.write(row) }
    package func finish() throws { try writer.finish() }
}
