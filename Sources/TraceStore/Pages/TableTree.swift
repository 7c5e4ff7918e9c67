/// Makes the leaf pages of a spool the content of an empty table: the second half of writing a large table fast.
///
/// The leaves are copied to the end of the database, wherever their ids belong; interior pages above them put them in
/// order, and the topmost becomes the root page that the table has.
///
/// Source: "Database File Format", section 1.6, B-tree Pages (https://www.sqlite.org/fileformat2.html#b_tree_pages).
struct TableTree {
    /// A page below another: its number, and the greatest id in it and below.
    struct Child {
        var number: UInt32
        var last: Int64
    }

    fileprivate let file: PageFile
    fileprivate let spool: LeafSpool
    private static let interiorHeader = 12
    /// Pages that are copied at a time.
    private static let pagesAtOnce = 32

    /// Puts the rows of a spool into a table.
    ///
    /// - Parameter root: the table's root page, an empty leaf.
    static func attach(_ spool: LeafSpool, root: UInt32, to file: PageFile) throws {
        try spool.finish()
        let tree = TableTree(file: file, spool: spool)
        let leaves = try tree.orderedLeaves()
        guard leaves.count > 1 else {
            if let leaf = leaves.first { try tree.copy([leaf], root: root) }
            return
        }
        let children = try tree.copy(leaves, root: nil)
        try tree.build(above: children, root: root)
    }

    /// The leaves in the order of their ids, none of which overlap.
    private func orderedLeaves() throws -> [LeafSpool.Leaf] {
        let sorted = spool.leaves.sorted { ($0.first, $0.place) < ($1.first, $1.place) }
        var ordered: [LeafSpool.Leaf] = []
        var cluster: [LeafSpool.Leaf] = []
        var last = Int64.min
        func close() throws {
            ordered += cluster.count > 1 ? try spool.repack(cluster) : cluster
            cluster.removeAll()
        }
        for leaf in sorted {
            if !cluster.isEmpty, leaf.first > last { try close() }
            cluster.append(leaf)
            last = cluster.count == 1 ? leaf.last : max(last, leaf.last)
        }
        try close()
        return ordered
    }

    // MARK: - Leaves

    /// Copies leaves, and the overflow pages of all rows, to the end of the database.
    ///
    /// - Parameter root: where the only leaf goes, when there is one.
    /// - Returns: the leaves with their new numbers, in the order given.
    @discardableResult
    private func copy(_ leaves: [LeafSpool.Leaf], root: UInt32?) throws -> [Child] {
        var numbers = [UInt32](repeating: 0, count: spool.pageCount)
        let isLeaf = Set(spool.leaves.map(\.place))
        let wanted = Set(leaves.map(\.place))
        for place in numbers.indices where wanted.contains(place) || !isLeaf.contains(place) {
            numbers[place] = root.map { wanted.contains(place) ? $0 : file.take() } ?? file.take()
        }
        let links = Dictionary(grouping: spool.links, by: \.place)
        let size = spool.pageSize
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.pagesAtOnce * size, alignment: 8)
        defer { buffer.deallocate() }
        guard let start = buffer.baseAddress else { return [] }
        var place = 0
        while place < numbers.count {
            guard numbers[place] != 0 else {
                place += 1
                continue
            }
            // As many pages as follow each other in both files.
            var count = 1
            while count < Self.pagesAtOnce, place + count < numbers.count,
                numbers[place + count] == numbers[place] + UInt32(count)
            { count += 1 }
            try spool.read(from: place, count: count, into: start)
            for index in 0..<count {
                for link in links[place + index] ?? [] {
                    let field = start + index * size + link.offset
                    let target = Int(UInt32(bigEndian: field.loadUnaligned(as: UInt32.self)))
                    field.storeBytes(of: numbers[target].bigEndian, as: UInt32.self)
                }
            }
            try file.write(UnsafeRawBufferPointer(start: start, count: count * size), at: numbers[place])
            place += count
        }
        return leaves.map { Child(number: numbers[$0.place], last: $0.last) }
    }

    // MARK: - Interior pages

    /// Builds interior pages above others, level by level, up to the root.
    private func build(above leaves: [Child], root: UInt32) throws {
        var level = leaves
        while true {
            let groups = groups(of: level)
            if groups.count == 1 { return try write(interior(groups[0]), at: root) }
            var above: [Child] = []
            for group in groups {
                let number = file.take()
                try write(interior(group), at: number)
                above.append(Child(number: number, last: group.last?.last ?? 0))
            }
            level = above
        }
    }

    /// Divides the pages of a level among as few pages above as hold them. Each has two or more below it.
    private func groups(of level: [Child]) -> [ArraySlice<Child>] {
        var groups: [ArraySlice<Child>] = []
        var start = 0
        var used = Self.interiorHeader
        for (index, child) in level.enumerated() {
            let size = 2 + 4 + Varint.length(UInt64(bitPattern: child.last))
            if used + size > spool.pageSize {
                groups.append(level[start...index])
                start = index + 1
                used = Self.interiorHeader
            } else {
                used += size
            }
        }
        if start < level.count { groups.append(level[start...]) }
        if let rest = groups.last, rest.count == 1, groups.count > 1 {
            groups.removeLast()
            let full = groups.removeLast()
            groups.append(full.dropLast())
            groups.append(level[(full.endIndex - 1)...])
        }
        return groups
    }

    /// An interior page: for all pages below but the last a cell with the number and the greatest id, and the number of the
    /// last in the header.
    private func interior(_ children: ArraySlice<Child>) -> [UInt8] {
        var page = [UInt8](repeating: 0, count: spool.pageSize)
        var content = page.count
        page[0] = 5  // interior page of a table
        for (index, child) in children.dropLast().enumerated() {
            var cell = [UInt8](repeating: 0, count: 4 + Varint.most)
            PageFile.put(child.number, at: 0, in: &cell)
            let length = cell.withUnsafeMutableBufferPointer { buffer in
                buffer.baseAddress.map { 4 + Varint.write(UInt64(bitPattern: child.last), to: $0 + 4) } ?? 0
            }
            content -= length
            page.replaceSubrange(content..<content + length, with: cell[..<length])
            page[Self.interiorHeader + 2 * index] = UInt8(truncatingIfNeeded: content >> 8)
            page[Self.interiorHeader + 2 * index + 1] = UInt8(truncatingIfNeeded: content)
        }
        let count = children.count - 1
        page[3] = UInt8(truncatingIfNeeded: count >> 8)
        page[4] = UInt8(truncatingIfNeeded: count)
        page[5] = UInt8(truncatingIfNeeded: content >> 8)
        page[6] = UInt8(truncatingIfNeeded: content)
        PageFile.put(children.last?.number ?? 0, at: 8, in: &page)
        return page
    }

    private func write(_ page: [UInt8], at number: UInt32) throws {
        try page.withUnsafeBytes { try file.write($0, at: number) }
    }
}
