/// The layouts of a catalog that are JSON, ready to read records.
struct JSONLayouts {
    private var readers: [(layout: Int, reader: JSONRecordReader)] = []
    private var ignored: [[[UInt8]]] = []

    init(catalog: LayoutCatalog) {
        for (number, layout) in catalog.layouts.enumerated() {
            if let keys = layout.json { readers.append((number, JSONRecordReader(keys))) }
            ignored += layout.ignoredJSON
        }
    }

    var isEmpty: Bool { readers.isEmpty }

    /// Reads the record `start..<end` with the first layout that has all it requires, and accepts what it wraps.
    mutating func read(
        _ base: UnsafePointer<UInt8>, _ start: Int, _ end: Int, accept: (Int, JSONRecord) -> Bool
    ) -> Bool {
        for index in readers.indices {
            guard let record = readers[index].reader.read(base, start, end) else { continue }
            if accept(readers[index].layout, record) { return true }
        }
        return false
    }

    /// Whether the record is one that says nothing.
    func ignores(_ base: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Bool {
        let walker = JSONWalker(base: base)
        return ignored.contains { keys in keys.allSatisfy { walker.value($0, start, end) != nil } }
    }
}
