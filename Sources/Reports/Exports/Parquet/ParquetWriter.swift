/// Writes a table as an Apache Parquet file: row groups of a million rows, dictionaries, bounds of the values, and the
/// meaning of the table and its columns. Nothing is compressed.
///
/// Memory holds one row group. Numbers in the calls are those of `parquet.thrift` in the format's specification.
package final class ParquetWriter: TableWriter {
    private static let rowsOfGroup = 1_000_000
    private static let magic = Array("PAR1".utf8)

    private struct Group {
        var offset: Int64
        var rows: Int64
        var chunks: [ParquetChunk.Description]
    }

    private let columns: [TableColumn]
    private let metadata: [(key: String, value: String)]
    private let program: String
    private let output: ([UInt8]) throws -> Void
    private var chunks: [ParquetChunk]
    private var groups: [Group] = []
    private var rows: Int64 = 0
    private var offset: Int64 = 0

    /// - Parameters:
    ///   - purpose: what the table is.
    ///   - program: name and version of the writer.
    ///   - output: receives the bytes in pieces; every method rethrows what it throws.
    package init(
        columns: [TableColumn], purpose: String, program: String, output: @escaping ([UInt8]) throws -> Void
    ) {
        self.columns = columns
        self.program = program
        self.output = output
        metadata =
            [("description", purpose)] + columns.map { ("description.\($0.name)", $0.purpose) }
        chunks = columns.map { ParquetChunk($0.kind) }
    }

    /// Bytes in memory.
    package var size: Int { chunks.reduce(0) { $0 + $1.size } }

    package func null(_ column: Int) { chunks[column].appendNull() }
    package func integer(_ value: Int64, _ column: Int) { chunks[column].append(value) }
    package func real(_ value: Double, _ column: Int) { chunks[column].append(value) }
    package func text(_ bytes: UnsafeRawBufferPointer, _ column: Int) { chunks[column].append(bytes) }

    package func endRow() throws {
        rows += 1
        if rows == Self.rowsOfGroup { try endGroup() }
    }

    package func finish() throws {
        try endGroup()
        if offset == 0 { try write(Self.magic) }
        let footer = footer
        try write(footer)
        var end: [UInt8] = []
        end.append(littleEndian: UInt32(footer.count))
        try write(end + Self.magic)
    }

    private func write(_ bytes: [UInt8]) throws {
        guard !bytes.isEmpty else { return }
        offset += Int64(bytes.count)
        try output(bytes)
    }

    private func endGroup() throws {
        guard rows > 0 else { return }
        if offset == 0 { try write(Self.magic) }
        var group = Group(offset: offset, rows: rows, chunks: [])
        for column in chunks.indices {
            let (bytes, description) = chunks[column].finish(at: offset)
            for piece in bytes { try write(piece) }
            group.chunks.append(description)
        }
        groups.append(group)
        rows = 0
    }

    // MARK: - Footer

    private var footer: [UInt8] {
        ThriftCompact.bytes { file in
            file.number(1, 2)
            file.list(2, of: .structure, [nil] + columns.map(Optional.some)) { column, list in
                list.element { Self.declare(column, fields: columns.count, &$0) }
            }
            file.long(3, groups.reduce(0) { $0 + $1.rows })
            file.list(4, of: .structure, groups) { group, list in list.element { describe(group, &$0) } }
            file.list(5, of: .structure, metadata) { pair, list in
                list.element {
                    $0.text(1, pair.key.utf8)
                    $0.text(2, pair.value.utf8)
                }
            }
            file.text(6, program.utf8)
            // Bounds are in the order of the type, for all columns.
            file.list(7, of: .structure, columns) { _, list in list.element { $0.structure(1) { _ in } } }
        }
    }

    /// An element of the schema: a column, or the root.
    private static func declare(_ column: TableColumn?, fields: Int, _ element: inout ThriftCompact) {
        guard let column else {
            element.text(4, "schema".utf8)
            return element.number(5, fields)
        }
        element.number(1, physicalType(column.kind))
        element.number(3, 1)
        element.text(4, column.name.utf8)
        switch column.kind {
        case .integer, .real: break
        case .text:
            element.number(6, 0)
            element.structure(10) { $0.structure(1) { _ in } }
        case .time:
            element.structure(10) { type in
                type.structure(8) { timestamp in
                    timestamp.flag(1, true)
                    timestamp.structure(2) { unit in unit.structure(3) { _ in } }
                }
            }
        }
    }

    private static func physicalType(_ kind: TableColumn.Kind) -> Int {
        switch kind {
        case .integer, .time: 2
        case .real: 5
        case .text: 6
        }
    }

    private func describe(_ group: Group, _ element: inout ThriftCompact) {
        element.list(1, of: .structure, Array(zip(columns, group.chunks))) { pair, list in
            let (column, chunk) = pair
            list.element { element in
                element.long(2, 0)
                element.structure(3) { Self.describe(chunk, column.name, &$0) }
            }
        }
        element.long(2, group.chunks.reduce(0) { $0 + $1.bytes })
        element.long(3, group.rows)
        element.long(5, group.offset)
    }

    private static func describe(_ chunk: ParquetChunk.Description, _ name: String, _ element: inout ThriftCompact) {
        element.number(1, physicalType(chunk.kind))
        element.list(2, of: .number, chunk.encodings) { $1.element($0) }
        element.list(3, of: .text, [name]) { $1.element($0.utf8) }
        element.number(4, 0)
        element.long(5, chunk.rows)
        element.long(6, chunk.bytes)
        element.long(7, chunk.bytes)
        element.long(9, chunk.dataOffset)
        if let offset = chunk.dictionaryOffset { element.long(11, offset) }
        element.structure(12) { statistics in
            statistics.long(3, chunk.nulls)
            if let bounds = chunk.bounds {
                statistics.text(5, bounds.most)
                statistics.text(6, bounds.least)
            }
        }
    }
}

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
