import Foundation

/// The leaf pages of one table with a rowid, in a file of their own: the first half of writing a large table at the speed
/// of copying. ``TableTree`` makes a b-tree of them.
///
/// Rows come in any order of blocks. They are collected, sorted where they must be, and packed into full pages. Of rows
/// with the same id the last one counts.
///
/// Source: "Database File Format", section 1.6, B-tree Pages (https://www.sqlite.org/fileformat2.html#b_tree_pages).
final class LeafSpool {
    /// A leaf page of the spool.
    struct Leaf {
        /// Place in the spool, in pages.
        var place: Int
        /// The least and the greatest id on it.
        var first: Int64
        var last: Int64
    }

    /// Where a page has the number of an overflow page: as long as it is in the spool, the place there.
    struct Link: Hashable {
        var place: Int
        var offset: Int
    }

    /// A row, as it will be on its page.
    private struct Cell {
        var id: Int64
        var offset: Int
        var length: Int
    }

    let pageSize: Int
    private(set) var leaves: [Leaf] = []
    private(set) var links: [Link] = []
    /// Pages in the spool, overflow pages included.
    private(set) var pageCount = 0

    private let descriptor: Int32
    /// Behind a pointer, because an access to it happens for every value.
    private let record: UnsafeMutablePointer<RecordEncoder>
    /// Rows that are not on a page yet.
    private var window: UnsafeMutablePointer<UInt8>
    private var windowLength = 0
    private var windowCapacity: Int
    private var cells: [Cell] = []
    private var isSorted = true
    private var page: LeafPage

    private static let windowSize = 1 << 19

    /// - Parameters:
    ///   - path: of the file, which is made and loses its name at once.
    ///   - columns: of the table, without the rowid.
    init(path: String, pageSize: Int, columns: Int) throws {
        descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SystemFailure() }
        unlink(path)
        self.pageSize = pageSize
        record = .allocate(capacity: 1)
        record.initialize(to: RecordEncoder(columns: columns))
        windowCapacity = Self.windowSize + pageSize
        window = .allocate(capacity: windowCapacity)
        page = LeafPage(size: pageSize)
    }

    deinit {
        record.deinitialize(count: 1)
        record.deallocate()
        window.deallocate()
        close(descriptor)
    }

    /// Adds a row.
    ///
    /// - Parameter encode: adds the columns after the rowid, in order. The column that is the rowid itself is left out: it
    ///   is stored as NULL.
    @inline(__always)
    func add(_ id: Int64, encode: (inout RecordEncoder) -> Void) throws {
        record.pointee.reset()
        record.pointee.null()
        encode(&record.pointee)
        record.pointee.trim()
        let length = record.pointee.length
        if windowLength + length + 2 * Varint.most > windowCapacity || windowLength > Self.windowSize {
            try flush(room: length + 2 * Varint.most)
        }
        let start = window + windowLength
        var size = Varint.write(UInt64(length), to: start)
        size += Varint.write(UInt64(bitPattern: id), to: start + size)
        record.pointee.write(to: start + size)
        size += length
        if let last = cells.last, last.id >= id { isSorted = false }
        cells.append(Cell(id: id, offset: windowLength, length: size))
        windowLength += size
    }

    /// Puts all rows onto pages, and the last page into the spool.
    func finish() throws {
        try flush(room: 0)
        try emit()
    }

    // MARK: - From rows to pages

    private func flush(room: Int) throws {
        if !isSorted { sortCells() }
        for cell in cells { try place(window + cell.offset, cell.length, id: cell.id) }
        cells.removeAll(keepingCapacity: true)
        windowLength = 0
        isSorted = true
        if room > windowCapacity {
            window.deallocate()
            windowCapacity = room + pageSize
            window = .allocate(capacity: windowCapacity)
        }
    }

    /// Sorts by id; of equal ids the last one stays.
    private func sortCells() {
        cells.sort { ($0.id, $0.offset) < ($1.id, $1.offset) }
        var kept: [Cell] = []
        kept.reserveCapacity(cells.count)
        for cell in cells {
            if kept.last?.id == cell.id { kept.removeLast() }
            kept.append(cell)
        }
        cells = kept
    }

    @inline(__always)
    private func place(_ cell: UnsafeMutablePointer<UInt8>, _ length: Int, id: Int64) throws {
        if length > Overflow.longestCell(pageSize) { return try placeOverflowing(cell, id: id) }
        if !page.hasRoom(for: length) || !page.isEmpty && id <= page.last { try emit() }
        page.add(cell, length, id: id)
    }

    /// A row that does not fit: its beginning is on the leaf, the rest in a chain of overflow pages.
    private func placeOverflowing(_ cell: UnsafeMutablePointer<UInt8>, id: Int64) throws {
        var head = 0
        let payload = Int(Varint.read(cell, &head))
        _ = Varint.read(cell, &head)
        let local = Overflow.local(payload, pageSize)
        guard local < payload else {
            if !page.hasRoom(for: head + payload) || !page.isEmpty && id <= page.last { try emit() }
            return page.add(cell, head + payload, id: id)
        }
        let first = pageCount
        var rest = UnsafePointer(cell + head + local)
        var left = payload - local
        var buffer = [UInt8](repeating: 0, count: pageSize)
        while left > 0 {
            let part = min(left, pageSize - 4)
            let isLast = part == left
            PageFile.put(isLast ? 0 : UInt32(pageCount + 1), at: 0, in: &buffer)
            if !isLast { links.append(Link(place: pageCount, offset: 0)) }
            for index in 0..<part { buffer[4 + index] = rest[index] }
            rest += part
            left -= part
            try buffer.withUnsafeBytes { try write($0) }
        }
        let length = head + local + 4
        if !page.hasRoom(for: length) || !page.isEmpty && id <= page.last { try emit() }
        // The rest of the row is stored already, so that its place can hold the number.
        var number = UInt32(first).bigEndian
        withUnsafeBytes(of: &number) { bytes in
            for (index, byte) in bytes.enumerated() { cell[head + local + index] = byte }
        }
        page.add(cell, length, id: id)
        page.links.append(page.lastOffset + head + local)
    }

    /// Writes the page that is being filled, and begins another.
    private func emit() throws {
        guard !page.isEmpty else { return }
        page.close()
        leaves.append(Leaf(place: pageCount, first: page.first, last: page.last))
        for offset in page.links { links.append(Link(place: pageCount, offset: offset)) }
        try write(UnsafeRawBufferPointer(start: page.bytes, count: pageSize))
        page.clear()
    }

    private func write(_ bytes: UnsafeRawBufferPointer) throws {
        try PageFile.write(bytes, to: descriptor, at: pageCount * pageSize)
        pageCount += 1
    }

    // MARK: - From the spool

    /// Reads pages of the spool.
    func read(from place: Int, count: Int, into buffer: UnsafeMutableRawPointer) throws {
        try PageFile.read(buffer, count * pageSize, from: descriptor, at: place * pageSize)
    }

    /// Packs the rows of leaves whose ids overlap onto new leaves, in order.
    ///
    /// Only at the seams of parts that came in another order than that of their ids.
    func repack(_ leaves: [Leaf]) throws -> [Leaf] {
        let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: leaves.count * pageSize)
        defer { buffer.deallocate() }
        var found: [(id: Int64, arrival: Int, start: UnsafeMutablePointer<UInt8>, length: Int, link: Int?)] = []
        for (index, leaf) in leaves.enumerated() {
            let bytes = buffer + index * pageSize
            try read(from: leaf.place, count: 1, into: bytes)
            for (number, offset) in LeafPage.offsets(bytes, pageSize).enumerated() {
                var head = offset
                let payload = Int(Varint.read(bytes, &head))
                let id = Int64(bitPattern: Varint.read(bytes, &head))
                let local = Overflow.local(payload, pageSize)
                let end = head + local + (local < payload ? 4 : 0)
                found.append(
                    (
                        id, leaf.place << 20 | number, bytes + offset, end - offset,
                        local < payload ? head + local - offset : nil
                    ))
            }
        }
        found.sort { ($0.id, $0.arrival) < ($1.id, $1.arrival) }
        let gone = Set(leaves.map(\.place))
        links.removeAll { gone.contains($0.place) }
        let before = self.leaves.count
        for (index, cell) in found.enumerated() where index + 1 == found.count || found[index + 1].id != cell.id {
            if !page.hasRoom(for: cell.length) { try emit() }
            page.add(cell.start, cell.length, id: cell.id)
            if let link = cell.link { page.links.append(page.lastOffset + link) }
        }
        try emit()
        return Array(self.leaves[before...])
    }
}

/// How much of a row stays on its leaf (section 1.6, "cell payload overflow").
enum Overflow {
    /// Cells up to this length never overflow, whatever their head.
    @inline(__always)
    static func longestCell(_ pageSize: Int) -> Int { pageSize - 35 }

    static func local(_ payload: Int, _ pageSize: Int) -> Int {
        let most = pageSize - 35
        guard payload > most else { return payload }
        let least = (pageSize - 12) * 32 / 255 - 23
        let fitting = least + (payload - least) % (pageSize - 4)
        return fitting <= most ? fitting : least
    }
}

/// One leaf page while it is filled: rows from the end, their places from the beginning.
struct LeafPage: ~Copyable {
    let bytes: UnsafeMutablePointer<UInt8>
    private let size: Int
    private var count = 0
    private var content: Int
    private(set) var first: Int64 = 0
    private(set) var last: Int64 = 0
    /// Where it has numbers of overflow pages.
    var links: [Int] = []

    private static let header = 8

    init(size: Int) {
        self.size = size
        content = size
        bytes = .allocate(capacity: size)
        bytes.update(repeating: 0, count: size)
    }

    deinit { bytes.deallocate() }

    var isEmpty: Bool { count == 0 }

    /// Where the row that was added last is.
    var lastOffset: Int { content }

    @inline(__always)
    func hasRoom(for length: Int) -> Bool { Self.header + 2 * (count + 1) + max(4, length) <= content }

    @inline(__always)
    mutating func add(_ cell: UnsafePointer<UInt8>, _ length: Int, id: Int64) {
        if count == 0 { first = id }
        last = id
        // Four bytes at least, so that a row can become a free block.
        content -= max(4, length)
        (bytes + content).update(from: cell, count: length)
        let slot = bytes + Self.header + 2 * count
        slot[0] = UInt8(truncatingIfNeeded: content >> 8)
        slot[1] = UInt8(truncatingIfNeeded: content)
        count += 1
    }

    /// Completes the header of the page.
    mutating func close() {
        bytes[0] = 13  // leaf of a table
        bytes[3] = UInt8(truncatingIfNeeded: count >> 8)
        bytes[4] = UInt8(truncatingIfNeeded: count)
        // 0 means 65,536.
        bytes[5] = UInt8(truncatingIfNeeded: content >> 8)
        bytes[6] = UInt8(truncatingIfNeeded: content)
    }

    mutating func clear() {
        bytes.update(repeating: 0, count: size)
        count = 0
        content = size
        links.removeAll(keepingCapacity: true)
    }

    /// The places of the rows of a complete page.
    static func offsets(_ bytes: UnsafePointer<UInt8>, _ size: Int) -> [Int] {
        let count = Int(bytes[3]) << 8 | Int(bytes[4])
        return (0..<count).map { Int(bytes[header + 2 * $0]) << 8 | Int(bytes[header + 2 * $0 + 1]) }
    }
}
