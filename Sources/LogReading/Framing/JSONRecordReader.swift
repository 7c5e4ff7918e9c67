import TraceRecords

/// Which keys of a JSON record hold which field. A dot leads into a nested object.
package struct JSONKeys: Sendable, Hashable {
    /// Each element is a list of keys of which the record must have one.
    var requires: [[[UInt8]]] = []
    /// Keys that the record must not have.
    var lacks: [[UInt8]] = []
    /// Texts that must occur somewhere in the record.
    var contains: [[UInt8]] = []
    /// Keys by field, the first that the record has is taken.
    var time: [[UInt8]] = []
    /// Whether a record without a time has that of the last one with a time.
    var takesTimeBefore = false
    var message: [[UInt8]] = []
    var process: [[UInt8]] = []
    /// Name of the attribute that names the process: of the record, or of what it is a part of.
    var processAttribute: [UInt8] = []
    /// Whether the image that wrote the line follows the name of the process in brackets.
    var hasImage = false
    var pid: [[UInt8]] = []
    /// Key of the object that follows the record and goes on with it: it has the process id that the record lacks.
    var pidOfNext: [UInt8]?
    var device: [[UInt8]] = []
    var subsystem: [[UInt8]] = []
    /// Number of the entry, and what its numbers begin anew with.
    var number: [[UInt8]] = []
    var numberOf: [[UInt8]] = []
    /// Nanoseconds of a monotonic clock, and the boot that it belongs to.
    var monotonic: [[UInt8]] = []
    var boot: [[UInt8]] = []
    /// Key whose text is read with the other layouts.
    var unwrap: [[UInt8]] = []
    /// What names the scene or the view controller, whatever the message says; versions of the app and of the system.
    var instance: [[UInt8]] = []
    var appVersion: [[UInt8]] = []
    var systemVersion: [[UInt8]] = []
}

/// The fields of a JSON record, as texts of their own or ranges of the line's bytes.
struct JSONRecord {
    var time: RawTime?
    /// A time that is written as a number.
    var epoch: Int64?
    var pid: Int32?
    var process: JSONText.Value?
    var device: JSONText.Value?
    var subsystem: JSONText.Value?
    var number: Int64?
    var numberOf: String?
    var monotonic: Int64?
    var boot: String?
    /// All texts of the layout's keys, one behind the other: some loggers tell the event beside the message. `nil`: the
    /// whole record.
    var message: JSONText.Value?
    /// Text that is to be read with the other layouts.
    var wrapped: JSONText.Value?
    /// What the layout names of instance and versions, as an object with the keys of ``RecordKey``.
    var told: [UInt8] = []
}

/// Reads the fields of JSON records with the keys of one layout.
struct JSONRecordReader {
    private let keys: JSONKeys
    private static let timePatterns = ["yyyy-MM-ddTHH:mm:ss[.S][Z]", "yyyy-MM-dd HH:mm:ss[.S][Z]"]
        .compactMap { try? TimePattern($0) }
    private var timeReaders = JSONRecordReader.timePatterns.map(TimeReader.init)

    /// The name of the attribute that names the process, in quotation marks.
    let quotedAttribute: [UInt8]
    /// How the names of the keys of messages end: most records hold one of them, and a search is faster than a walk.
    private let endsOfMessageKeys: [[UInt8]]
    /// The keys of what a layout names of instance and versions.
    private let toldKeys: [(name: [UInt8], keys: [[UInt8]])]

    init(_ keys: JSONKeys) {
        self.keys = keys
        toldKeys = [
            (RecordKey.instance, keys.instance), (RecordKey.appVersion, keys.appVersion),
            (RecordKey.systemVersion, keys.systemVersion),
        ].filter { !$0.1.isEmpty }
        quotedAttribute =
            keys.processAttribute.isEmpty ? [] : [UInt8(ascii: "\"")] + keys.processAttribute + [UInt8(ascii: "\"")]
        endsOfMessageKeys = keys.message.map { name in
            (name.split(separator: UInt8(ascii: ".")).last ?? []) + [UInt8(ascii: "\"")]
        }
    }

    /// The keys of messages, in quotation marks.
    var messageKeys: [[UInt8]] {
        (keys.message + keys.unwrap).map { [UInt8(ascii: "\"")] + $0 + [UInt8(ascii: "\"")] }
    }

    /// The keys by which a damaged record is recognised, in quotation marks: those of its message, or where the whole
    /// object is the message, those that it must have.
    var recordKeys: [[UInt8]] {
        guard messageKeys.isEmpty else { return messageKeys }
        return keys.requires.joined().map { [UInt8(ascii: "\"")] + $0 + [UInt8(ascii: "\"")] }
    }

    /// The record `start..<end`; `nil` when it lacks what the layout requires.
    mutating func read(_ base: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> JSONRecord? {
        let walker = JSONWalker(base: base)
        func find(_ names: [[UInt8]]) -> Range<Int>? {
            for name in names { if let value = walker.value(name, start, end) { return value } }
            return nil
        }
        for alternatives in keys.requires where find(alternatives) == nil { return nil }
        for key in keys.lacks where walker.value(key, start, end) != nil { return nil }
        for text in keys.contains where Bytes.position(of: text, base, start, end) == nil { return nil }
        var record = JSONRecord()
        if let value = find(keys.time) ?? nested(keys.time, walker, start, end) {
            readTime(base, value, into: &record)
        }
        if let value = find(keys.pid) { record.pid = Self.number(base, value).flatMap { Int32(exactly: $0) } }
        record.process = find(keys.process).flatMap { JSONText.string(base, $0) }.map { processName($0, base) }
        if record.process == nil, !quotedAttribute.isEmpty,
            let name = Bytes.position(of: quotedAttribute, base, start, end)
        {
            record.process = walker.attributeText(after: name + quotedAttribute.count, end).map { .plain($0) }
        }
        record.device = find(keys.device).flatMap { JSONText.string(base, $0) }
        record.subsystem = find(keys.subsystem).flatMap { JSONText.string(base, $0) }
        if !keys.number.isEmpty {
            func text(_ names: [[UInt8]]) -> String? {
                find(names).map {
                    String(decoding: UnsafeBufferPointer(start: base + $0.lowerBound, count: $0.count), as: UTF8.self)
                }
            }
            record.number = find(keys.number).flatMap { Self.number(base, $0) }
            record.numberOf = text(keys.numberOf)
            record.monotonic = find(keys.monotonic).flatMap { Self.number(base, $0) }
            record.boot = text(keys.boot)
        }
        var texts: [JSONText.Value] = []
        for (name, ending) in zip(keys.message, endsOfMessageKeys)
        where Bytes.position(of: ending, base, start, end) != nil {
            if let value = walker.value(name, start, end) { texts += JSONText.strings(base, value) }
        }
        record.message = texts.count > 1 ? .unescaped(JSONText.joined(texts, base)) : texts.first
        if !keys.message.isEmpty, record.message == nil { return nil }
        if !keys.unwrap.isEmpty {
            guard let text = find(keys.unwrap).flatMap({ JSONText.string(base, $0) }) else { return nil }
            record.wrapped = text
        }
        for (name, keys) in toldKeys {
            guard let value = find(keys) else { continue }
            record.told += (record.told.isEmpty ? "{\"" : ",\"").utf8
            record.told += name + Array("\":".utf8)
            record.told += UnsafeBufferPointer(start: base + value.lowerBound, count: value.count)
        }
        if !record.told.isEmpty { record.told.append(UInt8(ascii: "}")) }
        return record
    }

    /// The value of a key anywhere inside a record that need not have it at its top.
    private func nested(
        _ names: [[UInt8]], _ walker: JSONWalker, _ start: Int, _ end: Int
    ) -> Range<Int>? {
        guard !keys.contains.isEmpty else { return nil }
        for name in names {
            let quoted = [UInt8(ascii: "\"")] + name + [UInt8(ascii: "\"")]
            guard let found = Bytes.position(of: quoted, walker.base, start, end) else { continue }
            var at = walker.skipBlanks(found + quoted.count, end)
            guard at < end, walker.base[at] == UInt8(ascii: ":") else { continue }
            at = walker.skipBlanks(at + 1, end)
            return walker.valueEnd(at, end).map { at..<$0 }
        }
        return nil
    }

    private mutating func readTime(
        _ base: UnsafePointer<UInt8>, _ range: Range<Int>, into record: inout JSONRecord
    ) {
        var range = range
        let isText = base[range.lowerBound] == UInt8(ascii: "\"")
        if isText { range = range.lowerBound + 1..<max(range.upperBound - 1, range.lowerBound + 1) }
        for index in timeReaders.indices {
            var time = RawTime()
            guard case .time = timeReaders[index].read(base + range.lowerBound, range.count, into: &time) else {
                continue
            }
            record.time = time
            return
        }
        record.epoch = Self.epoch(base, range).flatMap(TimeLimits.checked)
    }

    /// A time as a number since 1970: seconds with or without a fraction, or whole milli-, micro- or nanoseconds. Nine
    /// digits are seconds since 2001, as Foundation writes a `Date`: in the other count they end in that year.
    private static func epoch(_ base: UnsafePointer<UInt8>, _ range: Range<Int>) -> Int64? {
        let parts = UnsafeBufferPointer(start: base + range.lowerBound, count: range.count)
            .split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        let texts = parts.map { String(decoding: $0, as: UTF8.self) }
        guard texts.allSatisfy({ $0.utf8.allSatisfy { $0 &- 48 < 10 } }), let whole = Int64(texts[0]) else {
            return nil
        }
        let digits = texts[0].utf8.count
        if texts.count == 2 || digits == 9 {
            let decimals = texts.count == 2 ? texts[1] : ""
            guard digits <= 10, let fraction = Int64((decimals + "000000000").prefix(9)) else { return nil }
            return TimeLimits.nanoseconds(digits == 9 ? whole + referenceDate : whole, fraction)
        }
        let units: [Int: Int64] = [10: 1_000_000_000, 13: 1_000_000, 16: 1000, 19: 1]
        guard let unit = units[digits] else { return nil }
        let (nanoseconds, overflow) = whole.multipliedReportingOverflow(by: unit)
        return overflow ? nil : nanoseconds
    }

    /// The beginning of 2001 in UTC, in seconds since 1970.
    private static let referenceDate: Int64 = 978_307_200

    static func number(_ base: UnsafePointer<UInt8>, _ range: Range<Int>) -> Int64? {
        let digits = UnsafeBufferPointer(start: base + range.lowerBound, count: range.count)
            .filter { $0 != UInt8(ascii: "\"") }
        return digits.allSatisfy { $0 &- 48 < 10 } ? Int64(String(decoding: digits, as: UTF8.self)) : nil
    }

    private func processName(_ value: JSONText.Value, _ base: UnsafePointer<UInt8>) -> JSONText.Value {
        switch value {
        case .plain(let range): .plain(nameRange(range) { base[$0] })
        case .unescaped(let bytes): .unescaped(Array(bytes[nameRange(bytes.indices) { bytes[$0] }]))
        }
    }

    /// The last component of a path, without the image in brackets after it where the layout has one.
    private func nameRange(_ path: Range<Int>, _ byte: (Int) -> UInt8) -> Range<Int> {
        let start = path.last { byte($0) == UInt8(ascii: "/") }.map { $0 + 1 } ?? path.lowerBound
        let name = start..<path.upperBound
        guard keys.hasImage, let last = name.last, byte(last) == UInt8(ascii: ")"),
            let bracket = name.last(where: { byte($0) == UInt8(ascii: "(") }), bracket > start
        else { return name }
        return start..<bracket
    }
}

/// The layouts of a catalog that are JSON, ready to read records.
struct JSONLayouts {
    private var readers: [(layout: Int, reader: JSONRecordReader)] = []
    private var ignored: [[[UInt8]]] = []
    /// The keys of messages, and those by which a broken record is recognised, in quotation marks.
    private let messageKeys: [[UInt8]]
    private let recordKeys: [[UInt8]]
    /// The attributes that name the process of all records after them, in quotation marks.
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

    /// Reads the record `start..<end` with the first layout that has all it requires, and accepts what it wraps.
    mutating func read(
        _ base: UnsafePointer<UInt8>, _ start: Int, _ end: Int, accept: (Int, JSONRecord) -> Bool
    ) {
        for index in readers.indices {
            guard let record = readers[index].reader.read(base, start, end) else { continue }
            if accept(readers[index].layout, record) { return }
        }
    }

    /// Whether a key of a record is somewhere in what is no sound object.
    func holdsRecordKey(_ base: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Bool {
        recordKeys.contains { Bytes.position(of: $0, base, start, end) != nil }
    }

    /// Whether an object, which may be broken, has a key of a record itself.
    ///
    /// - Parameter isOverLines: only the keys of messages count; what has none may be read line by line.
    func isRecord(_ base: UnsafePointer<UInt8>, _ start: Int, _ end: Int, isOverLines: Bool = false) -> Bool {
        let keys = isOverLines ? messageKeys : recordKeys
        var isFound = false
        JSONWalker(base: base).forEachMember(start, end) { key, _ in
            isFound =
                isFound
                || keys.contains {
                    key.count == $0.count - 2 && Bytes.areEqual(base + key.lowerBound - 1, $0, $0.count)
                }
        }
        return isFound
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

    /// Whether the record is of a kind without information.
    func ignores(_ base: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Bool {
        let walker = JSONWalker(base: base)
        return ignored.contains { keys in keys.allSatisfy { walker.value($0, start, end) != nil } }
    }
}
