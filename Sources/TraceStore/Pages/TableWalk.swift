import GRDBSQLite

/// Reads the rows of a large table straight from its pages, in the order of their ids. A statement takes six times as long,
/// nearly all of it between the rows.
///
/// Pages are read through SQLite's own file, whose locks stay as they are. What they say is checked as far as memory
/// depends on it: a damaged database gives an error.
///
/// Source: "Database File Format", sections 1.3, 1.6 and 2.1 (https://www.sqlite.org/fileformat2.html).
struct TableWalk {
    /// The whole numbers in the columns of a row; `nil` for NULL and for everything else.
    typealias Columns = UnsafeMutableBufferPointer<Int64?>

    private let file: UnsafeMutablePointer<sqlite3_file>
    private let root: UInt32
    private let pageSize: Int
    private let pageCount: Int

    /// Pages that are read at a time.
    private static let pagesAtOnce = 16
    /// No tree of SQLite is deeper.
    private static let mostLevels = 20
    /// What a row may be read beyond the end of its page before that is noticed: its head, and one value.
    private static let slack = 64
    private static let damage = DamagedRow(description: "a page of a table is not laid out as SQLite lays it out")

    /// - Parameters:
    ///   - table: a table with a rowid.
    ///   - connection: of which a transaction under way has changed nothing, and which keeps others from writing.
    /// - Returns: `nil` where the file does not have everything: part of it may be in a write-ahead log.
    init?(_ table: String, of connection: OpaquePointer) {
        var file: UnsafeMutablePointer<sqlite3_file>?
        guard let root = Self.root(of: table, connection),
            sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK, let file
        else { return nil }
        var header = [UInt8](repeating: 0, count: 100)
        // Bytes 18 and 19 are the versions of the format for writing and reading: 1 without a write-ahead log. Byte 20
        // says how much of each page is not for SQLite.
        guard Self.read(file, &header, at: 0), header[18...20] == [1, 1, 0] else { return nil }
        let size = Int(header[16]) << 8 | Int(header[17])
        self.file = file
        self.root = root
        pageSize = size == 1 ? 65_536 : size
        pageCount = Int(PageFile.get(28, in: header))
        guard pageSize >= 512 else { return nil }
    }

    private static func root(of table: String, _ connection: OpaquePointer) -> UInt32? {
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        let sql = "SELECT rootpage FROM sqlite_schema WHERE type = 'table' AND name = '\(table)'"
        guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK,
            sqlite3_step(statement) == SQLITE_ROW
        else { return nil }
        return UInt32(exactly: sqlite3_column_int64(statement, 0))
    }

    private static func read(
        _ file: UnsafeMutablePointer<sqlite3_file>, _ bytes: inout [UInt8], at offset: Int
    ) -> Bool {
        bytes.withUnsafeMutableBytes { buffer in
            let methods = file.pointee.pMethods?.pointee
            return methods?.xRead?(file, buffer.baseAddress, Int32(buffer.count), Int64(offset)) == SQLITE_OK
        }
    }

    /// Hands over every row.
    ///
    /// - Parameters:
    ///   - columns: how many of the columns are wanted, from the first on; that of the rowid is NULL.
    ///   - page: called for every page.
    /// - Throws: ``DamagedRow``, or what the callbacks throw.
    @inline(__always)
    func forEachRow(
        columns: Int, page: () throws -> Void = {}, _ body: (_ id: Int64, _ columns: Columns) throws -> Void
    ) throws {
        let values = Columns.allocate(capacity: columns)
        values.initialize(repeating: nil)
        defer { values.deallocate() }
        var window = Window(self)
        // The pages that are still to be read, the next one last.
        var ahead: [(number: UInt32, level: Int)] = [(root, 0)]
        var count = 0
        while let (number, level) = ahead.popLast() {
            count += 1
            guard count <= pageCount, level < Self.mostLevels else { throw Self.damage }
            try page()
            let bytes = try window.page(number)
            let head = number == 1 ? 100 : 0
            let cells = Int(bytes[head + 3]) << 8 | Int(bytes[head + 4])
            let isLeaf = bytes[head] == 13
            let places = head + (isLeaf ? 8 : 12)
            guard isLeaf || bytes[head] == 5, places + 2 * cells <= pageSize else { throw Self.damage }
            if !isLeaf { ahead.append((Self.number(bytes + head + 8), level + 1)) }
            for cell in 0..<cells {
                let index = isLeaf ? cell : cells - 1 - cell
                let place = Int(bytes[places + 2 * index]) << 8 | Int(bytes[places + 2 * index + 1])
                guard place < pageSize else { throw Self.damage }
                if isLeaf {
                    try body(try read(bytes, place, values), values)
                } else {
                    ahead.append((Self.number(bytes + place), level + 1))
                }
            }
        }
    }

    @inline(__always)
    private static func number(_ bytes: UnsafePointer<UInt8>) -> UInt32 {
        UInt32(bigEndian: UnsafeRawPointer(bytes).loadUnaligned(as: UInt32.self))
    }

    /// Reads one row of a leaf, and returns its id.
    @inline(__always)
    private func read(_ bytes: UnsafePointer<UInt8>, _ start: Int, _ values: Columns) throws -> Int64 {
        var place = start
        _ = Varint.read(bytes, &place)
        let id = Int64(bitPattern: Varint.read(bytes, &place))
        var type = place
        let length = Varint.read(bytes, &type)
        guard length <= UInt64(pageSize - min(place, pageSize)) else { throw Self.damage }
        let end = place + Int(length)
        var value = end
        for column in values.indices {
            guard type < end, value <= pageSize else {
                values[column] = nil
                continue
            }
            let serial = Varint.read(bytes, &type)
            switch serial {
            case 1...6:
                let width = serial < 5 ? Int(serial) : serial == 5 ? 6 : 8
                let raw = UnsafeRawPointer(bytes + value).loadUnaligned(as: Int64.self)
                values[column] = Int64(bigEndian: raw) >> Int64(64 - 8 * width)
                value += width
            case 8, 9: values[column] = Int64(serial) - 8
            case 7:
                values[column] = nil
                value += 8
            default:
                values[column] = nil
                if serial >= 12 { value += Int(min((serial - 12) / 2, UInt64(pageSize))) }
            }
        }
        guard value <= pageSize else { throw Self.damage }
        return id
    }

    /// Some pages that follow each other in the file.
    private struct Window: ~Copyable {
        private let walk: TableWalk
        private let bytes: UnsafeMutablePointer<UInt8>
        private var first = 1
        private var count = 0

        init(_ walk: TableWalk) {
            self.walk = walk
            let size = TableWalk.pagesAtOnce * walk.pageSize + TableWalk.slack
            bytes = .allocate(capacity: size)
            bytes.initialize(repeating: 0, count: size)
        }

        deinit { bytes.deallocate() }

        /// A page, until the next one is asked for.
        mutating func page(_ number: UInt32) throws -> UnsafePointer<UInt8> {
            let number = Int(number)
            guard number >= 1, number <= walk.pageCount else { throw TableWalk.damage }
            if number < first || number >= first + count {
                first = number
                count = min(TableWalk.pagesAtOnce, walk.pageCount - number + 1)
                let offset = Int64(number - 1) * Int64(walk.pageSize)
                let methods = walk.file.pointee.pMethods?.pointee
                guard methods?.xRead?(walk.file, bytes, Int32(count * walk.pageSize), offset) == SQLITE_OK else {
                    throw TableWalk.damage
                }
            }
            return UnsafePointer(bytes + (number - first) * walk.pageSize)
        }
    }
}
