import Foundation
import GRDB
import Testing

@testable import TraceStore

/// Tables whose pages we build, against SQLite itself.
@Suite("Pages")
struct PageTests {
    let folder: TemporaryFolder
    let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("t.db")
    }

    enum Value: Hashable {
        case null
        case integer(Int64)
        case real(Double)
        case text(String)
        case blob([UInt8])
    }

    typealias Row = (id: Int64, values: [Value])

    /// Makes a table of two columns from rows by pages, beside one that SQLite writes.
    private func build(_ rows: [Row], pageSize: Int) throws {
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { db in
            try db.execute(
                sql: """
                    PRAGMA page_size = \(pageSize);
                    CREATE TABLE own (id INTEGER PRIMARY KEY, a, b);
                    CREATE TABLE stock (id INTEGER PRIMARY KEY, a, b);
                    CREATE TABLE other (x);
                    INSERT INTO other VALUES (zeroblob(20000));
                    """)
            try db.inTransaction {
                for row in rows {
                    try db.execute(
                        sql: "REPLACE INTO stock VALUES (?, ?, ?)",
                        arguments: [row.id] + StatementArguments(row.values.map(Self.stored)))
                }
                return .commit
            }
        }
        let root = try queue.read {
            try Int64.fetchOne($0, sql: "SELECT rootpage FROM sqlite_schema WHERE name = 'own'")
        }
        let spool = try LeafSpool(path: folder.file("spool"), pageSize: pageSize, columns: 3)
        for row in rows {
            try spool.add(row.id) { record in
                for value in row.values {
                    switch value {
                    case .null: record.null()
                    case .integer(let number): record.integer(number)
                    case .real(let number): record.real(number)
                    case .text(let text): record.text(text)
                    case .blob(let bytes): record.blob(bytes)
                    }
                }
            }
        }
        let file = try PageFile(path: path)
        try TableTree.attach(spool, root: UInt32(try #require(root)), to: file)
        try file.commit()
        try queue.read { db in
            #expect(try String.fetchAll(db, sql: "PRAGMA integrity_check") == ["ok"])
            #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM own") == Set(rows.map(\.id)).count)
            try Self.expectEqual(db)
        }
        try queue.close()
    }

    private static func stored(_ value: Value) -> (any DatabaseValueConvertible)? {
        switch value {
        case .null: nil
        case .integer(let number): number
        case .real(let number): number
        case .text(let text): text
        case .blob(let bytes): Data(bytes)
        }
    }

    private static func expectEqual(_ db: Database) throws {
        for (one, other) in [("own", "stock"), ("stock", "own")] {
            let sql =
                "SELECT count(*) FROM (SELECT *, typeof(a), typeof(b) FROM \(one) EXCEPT SELECT *, typeof(a), typeof(b) FROM \(other))"
            #expect(try Int.fetchOne(db, sql: sql) == 0)
        }
        // Both ways of reading a table: in order, and by id.
        #expect(try Int64.fetchAll(db, sql: "SELECT id FROM own") == Int64.fetchAll(db, sql: "SELECT id FROM stock"))
        #expect(
            try Int.fetchOne(db, sql: "SELECT count(*) FROM stock AS s JOIN own AS o ON o.id = +s.id WHERE o.a IS s.a")
                == Int.fetchOne(db, sql: "SELECT count(*) FROM stock"))
    }

    /// Later changes by SQLite, as every user may make them.
    private func change() throws {
        let queue = try DatabaseQueue(path: path)
        try queue.write { db in
            for table in ["own", "stock"] {
                try db.execute(
                    sql: """
                        DELETE FROM \(table) WHERE id % 3 = 0;
                        UPDATE \(table) SET b = b || 'longer than it was' WHERE id % 5 = 1;
                        INSERT OR IGNORE INTO \(table) SELECT id + 1, 'new', id FROM \(table) WHERE id % 7 = 2;
                        INSERT OR IGNORE INTO \(table) VALUES (-9000000000000000000, 1, 1), (9000000000000000000, 1, 1);
                        """)
            }
            #expect(try String.fetchAll(db, sql: "PRAGMA integrity_check") == ["ok"])
            try Self.expectEqual(db)
        }
        try queue.writeWithoutTransaction { try $0.execute(sql: "VACUUM") }
        try queue.read { try Self.expectEqual($0) }
        try queue.close()
    }

    private static let everyType: [Value] =
        [.null, .real(0), .real(-1.5e300), .text(""), .text("ä"), .blob([]), .blob([0, 255])]
        + [
            0, 1, -1, 2, 127, 128, -128, -129, 32_767, 32_768, -32_768, -32_769, 8_388_607, 8_388_608, -8_388_608,
            -8_388_609, 2_147_483_647, 2_147_483_648, -2_147_483_648, -2_147_483_649, 140_737_488_355_327,
            140_737_488_355_328, -140_737_488_355_328, -140_737_488_355_329, .max, .min,
        ].map(Value.integer)

    @Test("No row, one row, and every type of value", arguments: [512, 4096, 16_384, 65_536], [0, 1, 1000])
    func types(pageSize: Int, count: Int) throws {
        let rows: [Row] = (0..<count).map { number in
            (
                Int64(number * 3),
                [Self.everyType[number % Self.everyType.count], Self.everyType[number / 7 % Self.everyType.count]]
            )
        }
        try build(rows, pageSize: pageSize)
        if count > 0 { try change() }
    }

    @Test("Three levels of interior pages, and negative ids")
    func deep() throws {
        try build(
            (-60_000..<60_000).map { (Int64($0) * 77_777_777, [.integer(Int64($0)), .text("x")]) }, pageSize: 512)
        let pages = try #require(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) / 512
        // With less than 40 children a page, more than 40³ pages need a third level below the root.
        #expect(pages > 5_000)
        try change()
    }

    @Test("Rows that need overflow pages", arguments: [512, 4096])
    func overflow(pageSize: Int) throws {
        let sizes = [
            0, 400, 460, 470, 476, 477, 478, 480, 500, 508, 1000, 1020, 4050, 4058, 4060, 4065, 4090, 9000, 40_000,
        ]
        let rows: [Row] = (0..<200).map { number in
            (
                Int64(number),
                [.blob([UInt8](repeating: UInt8(number), count: sizes[number % sizes.count])), .integer(Int64(number))]
            )
        }
        try build(rows, pageSize: pageSize)
        try change()
    }

    @Test("Parts in any order, and of rows with the same id the last", arguments: [4096, 16_384])
    func order(pageSize: Int) throws {
        var rows: [Row] = []
        for part in [5, 0, 9, 1, 3, 2, 8] as [Int64] {
            // Long enough that parts are not sorted together.
            for number in 0..<Int64(40_000) { rows.append((part << 16 + number, [.integer(number), .integer(part)])) }
        }
        // Between and over others.
        for number in 0..<Int64(3_000) { rows.append((4 << 16 + number * 30, [.text("again"), .integer(number)])) }
        try build(rows, pageSize: pageSize)
        try change()
    }

    @Test("The page that SQLite locks is not used")
    func lockByte() throws {
        try build([(1, [.null, .null])], pageSize: 4096)
        let queue = try DatabaseQueue(path: path)
        try queue.close()
        // A file that seems to end just before it.
        var header = try Data(contentsOf: URL(filePath: path))
        let last = UInt32(PageFile.lockByte / 4096)
        withUnsafeBytes(of: (last - 1).bigEndian) { header.replaceSubrange(28..<32, with: $0) }
        try header.write(to: URL(filePath: path))
        let file = try PageFile(path: path)
        #expect((file.take(), file.take(), file.take()) == (last, last + 2, last + 3))
    }

    @Test(
        "Variable-length integers are those of SQLite",
        arguments: [
            (0, [0]), (127, [0x7F]), (128, [0x81, 0]), (16_383, [0xFF, 0x7F]), (16_384, [0x81, 0x80, 0]),
            (.max, [255, 255, 255, 255, 255, 255, 255, 255, 255]),
            (1 << 56 - 1, [255, 255, 255, 255, 255, 255, 255, 127]),
            (1 << 56, [0x80, 0xC0, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0]),
        ] as [(UInt64, [UInt8])])
    func varint(_ value: UInt64, _ bytes: [UInt8]) {
        var buffer = [UInt8](repeating: 0, count: 9)
        let length = buffer.withUnsafeMutableBufferPointer { Varint.write(value, to: $0.baseAddress!) }
        #expect(Array(buffer.prefix(length)) == bytes)
        #expect(Varint.length(value) == bytes.count)
        var place = 0
        #expect(buffer.withUnsafeBufferPointer { Varint.read($0.baseAddress!, &place) } == value)
        #expect(place == length)
    }
}
