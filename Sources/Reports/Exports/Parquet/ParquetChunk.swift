import Foundation

/// The values of one column in one row group, encoded page by page.
///
/// Values begin as numbers of a dictionary. When that is full, or hardly a value of the first page occurs twice, the pages
/// that follow have the values themselves.
struct ParquetChunk {
    private static let (rowsOfPage, bytesOfPage) = (20_000, 1 << 20)
    /// Longer texts make no good bounds.
    private static let longestBound = 128

    private let kind: TableColumn.Kind
    private var dictionary = ValueDictionary()
    private var usesDictionary = true
    /// Of the present page: 1 for a value, 0 for NULL; then the numbers or the values.
    private var levels: [UInt32] = []
    private var numbers: [UInt32] = []
    private var values: [UInt8] = []
    /// The pages before the present one.
    private var pages: [UInt8] = []
    private var encodings: Set<Int> = [3]
    private var nulls: Int64 = 0
    private var rows: Int64 = 0
    private var integers: (least: Int64, most: Int64)?
    private var reals: (least: Double, most: Double)?
    private var texts: (least: [UInt8], most: [UInt8])?
    private var hasLongText = false

    init(_ kind: TableColumn.Kind) { self.kind = kind }

    /// Bytes in memory.
    var size: Int { pages.count + values.count + 4 * (numbers.count + levels.count) + dictionary.bytes.count }

    mutating func appendNull() {
        nulls += 1
        levels.append(0)
        endValue()
    }

    mutating func append(_ value: Int64) {
        if let known = integers {
            if value < known.least { integers = (value, known.most) }
            if value > known.most { integers = (known.least, value) }
        } else {
            integers = (value, value)
        }
        withUnsafeBytes(of: value.littleEndian) { append(bytes: $0) }
    }

    mutating func append(_ value: Double) {
        if !value.isNaN {
            reals = (min(value, reals?.least ?? value), max(value, reals?.most ?? value))
        }
        withUnsafeBytes(of: value.bitPattern.littleEndian) { append(bytes: $0) }
    }

    /// - Parameter value: UTF-8.
    mutating func append(_ value: UnsafeRawBufferPointer) { append(bytes: value) }

    private mutating func append(bytes value: UnsafeRawBufferPointer) {
        levels.append(1)
        if usesDictionary {
            let known = dictionary.count
            if let number = dictionary.number(of: value) {
                numbers.append(UInt32(number))
                if dictionary.count > known { widenBounds(value) }
                return endValue()
            }
            levels.removeLast()
            endPage()
            levels.append(1)
            usesDictionary = false
        }
        if kind == .text { values.append(littleEndian: UInt32(value.count)) }
        values.append(contentsOf: value)
        widenBounds(value)
        endValue()
    }

    private mutating func endValue() {
        rows += 1
        if levels.count >= Self.rowsOfPage || values.count >= Self.bytesOfPage { endPage() }
    }

    private mutating func widenBounds(_ value: UnsafeRawBufferPointer) {
        guard kind == .text, !hasLongText else { return }
        guard value.count <= Self.longestBound else {
            hasLongText = true
            return
        }
        guard let known = texts else {
            texts = (Array(value), Array(value))
            return
        }
        if Self.isLess(value, known.least) { texts = (Array(value), known.most) }
        if known.most.withUnsafeBytes({ Self.isLess($0, value) }) { texts = (known.least, Array(value)) }
    }

    private static func isLess(_ a: UnsafeRawBufferPointer, _ b: [UInt8]) -> Bool {
        b.withUnsafeBytes { isLess(a, $0) }
    }

    private static func isLess(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Bool {
        guard let start = a.baseAddress, let other = b.baseAddress else { return a.count < b.count }
        let order = memcmp(start, other, min(a.count, b.count))
        return order < 0 || (order == 0 && a.count < b.count)
    }

    // MARK: - Pages

    private mutating func endPage() {
        guard !levels.isEmpty else { return }
        var body: [UInt8] = []
        var packed: [UInt8] = []
        RunLengths.append(levels, width: 1, to: &packed)
        body.append(littleEndian: UInt32(packed.count))
        body += packed
        // Without any value there is no dictionary to refer to.
        let usesDictionary = usesDictionary && dictionary.count > 0
        if usesDictionary {
            let width = max(1, UInt64.bitWidth - UInt64(max(1, dictionary.count) - 1).leadingZeroBitCount)
            body.append(UInt8(width))
            RunLengths.append(numbers, width: width, to: &body)
        } else {
            body += values
        }
        if dictionary.count > levels.count / 10 * 9 { self.usesDictionary = false }
        let encoding = usesDictionary ? 8 : 0
        encodings.insert(encoding)
        let count = levels.count
        pages += ThriftCompact.bytes { header in
            header.number(1, 0)
            header.number(2, body.count)
            header.number(3, body.count)
            header.structure(5) { page in
                page.number(1, count)
                page.number(2, encoding)
                page.number(3, 3)
                page.number(4, 3)
            }
        }
        pages += body
        levels.removeAll(keepingCapacity: true)
        numbers.removeAll(keepingCapacity: true)
        values.removeAll(keepingCapacity: true)
    }

    private mutating func makeDictionaryPage() -> [UInt8] {
        guard dictionary.count > 0 else { return [] }
        var body: [UInt8] = []
        if kind == .text {
            body.reserveCapacity(dictionary.bytes.count + 4 * dictionary.count)
            for number in 0..<dictionary.count {
                let value = dictionary.value(number)
                body.append(littleEndian: UInt32(value.count))
                body += value
            }
        } else {
            body = dictionary.bytes
        }
        let size = body.count
        let header = ThriftCompact.bytes { header in
            header.number(1, 2)
            header.number(2, size)
            header.number(3, size)
            header.structure(7) { page in
                page.number(1, dictionary.count)
                page.number(2, 0)
            }
        }
        encodings.insert(0)
        return header + body
    }

    // MARK: - The chunk as a whole

    /// What the footer says of a chunk.
    struct Description {
        var kind: TableColumn.Kind
        var encodings: [Int]
        var rows: Int64
        var bytes: Int64
        var dictionaryOffset: Int64?
        var dataOffset: Int64
        var nulls: Int64
        /// The least and the greatest value, as Parquet writes them.
        var bounds: (least: [UInt8], most: [UInt8])?
    }

    /// The bytes of the chunk, which begins again empty.
    ///
    /// - Parameter offset: where it begins in the file.
    mutating func finish(at offset: Int64) -> (bytes: [[UInt8]], description: Description) {
        endPage()
        let dictionary = makeDictionaryPage()
        let description = Description(
            kind: kind, encodings: encodings.sorted(), rows: rows, bytes: Int64(dictionary.count + pages.count),
            dictionaryOffset: dictionary.isEmpty ? nil : offset, dataOffset: offset + Int64(dictionary.count),
            nulls: nulls, bounds: bounds)
        let bytes = [dictionary, pages]
        self.dictionary = ValueDictionary()
        usesDictionary = true
        pages = []
        encodings = [3]
        (nulls, rows) = (0, 0)
        (integers, reals, texts, hasLongText) = (nil, nil, nil, false)
        return (bytes, description)
    }

    private var bounds: (least: [UInt8], most: [UInt8])? {
        func bytes(_ value: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: value.littleEndian) { Array($0) } }
        switch kind {
        case .integer, .time: return integers.map { (bytes($0.least), bytes($0.most)) }
        case .real:
            // Zero has two signs, which readers do not compare alike.
            return reals.map { least, most in
                (bytes((least == 0 ? -0.0 : least).bitPattern), bytes((most == 0 ? 0.0 : most).bitPattern))
            }
        case .text: return hasLongText ? nil : texts
        }
    }
}
