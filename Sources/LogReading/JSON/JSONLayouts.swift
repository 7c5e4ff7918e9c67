/// The layouts of a catalog that are JSON, ready to read records.
struct JSONLayouts {
    private var readers: [(layout: Int, reader: JSONRecordReader)] = []
    private var ignored: [[[UInt8]]] = []
    /// The keys of messages of all layouts, in quotation marks.
    private let messageKeys: [[UInt8]]
    /// The keys that tell a damaged record, in quotation marks.
    private let recordKeys: [[UInt8]]
    /// The attributes that name the process of all records behind them, in quotation marks.
    private let processAttributes: [[UInt8]]

    init(_ layouts: [Layout]) {
        for (number, layout) in layouts.enumerated() {
            if let keys = layout.json { readers.append((number, JSONRecordReader(keys))) }
            ignored += layout.ignoredJSON
        }
        messageKeys = readers.flatMap(\.reader.messageKeys)
        recordKeys = readers.flatMap(\.reader.recordKeys)
        processAttributes = readers.map(\.reader.quotedAttribute).filter { !$0.isEmpty }
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

    /// Whether a key of a message stands at a place. What is left of a damaged record with one would be read as a line
    /// that has neither time nor process.
    func isMessageKey(_ base: UnsafePointer<UInt8>, _ at: Int, _ end: Int) -> Bool {
        Self.stands(oneOf: messageKeys, base, at, end)
    }

    /// Whether a key stands at a place that tells a record, in an object that is known to be damaged.
    func isRecordKey(_ base: UnsafePointer<UInt8>, _ at: Int, _ end: Int) -> Bool {
        Self.stands(oneOf: recordKeys, base, at, end)
    }

    private static func stands(oneOf keys: [[UInt8]], _ base: UnsafePointer<UInt8>, _ at: Int, _ end: Int) -> Bool {
        keys.contains { key in
            guard end - at >= key.count else { return false }
            for index in key.indices where base[at + index] != key[index] { return false }
            return true
        }
    }

    /// Whether the text at a place is the name of an attribute that names the process.
    func isProcessAttribute(_ base: UnsafePointer<UInt8>, _ at: Int, _ end: Int) -> Bool {
        processAttributes.contains { name in
            end - at == name.count && name.indices.allSatisfy { base[at + $0] == name[$0] }
        }
    }

    /// The process that the object `start..<end` names, when it is an attribute that does:
    /// `{"key":"service.name","value":{"stringValue":"Tea"}}`.
    func processOfAttribute(_ base: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Range<Int>? {
        let walker = JSONWalker(base: base)
        guard let key = walker.value(Array("key".utf8), start, end),
            isProcessAttribute(base, key.lowerBound, key.upperBound),
            let text = walker.value(Array("value.stringValue".utf8), start, end),
            text.count > 2, base[text.lowerBound] == UInt8(ascii: "\"")
        else { return nil }
        return text.lowerBound + 1..<text.upperBound - 1
    }

    /// Whether the record is one that says nothing.
    func ignores(_ base: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Bool {
        let walker = JSONWalker(base: base)
        return ignored.contains { keys in keys.allSatisfy { walker.value($0, start, end) != nil } }
    }
}
