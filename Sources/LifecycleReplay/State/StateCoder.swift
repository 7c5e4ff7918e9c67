import TraceRecords

/// Why a saved state cannot be resumed; the rows are then derived again from the facts.
package enum SavedStateError: Error, Sendable {
    /// It was saved by another version of lifestats or on another kind of machine.
    case anotherVersion
    /// Bytes are missing or changed.
    case damaged
}

/// Writes or reads the state of a replay: each part has one function for both, so that the two cannot differ.
///
/// Flat values are kept as their bytes in memory, so that a state is only good for the version that saved it: see
/// ``LogReplayer/savedState()``.
protocol StateCoder {
    /// Values without references, as they are in memory.
    mutating func list<Element: BitwiseCopyable>(_ values: inout [Element]) throws(SavedStateError)
    mutating func text(_ text: inout String?) throws(SavedStateError)
}

extension StateCoder {
    mutating func value<Value: BitwiseCopyable>(_ value: inout Value) throws(SavedStateError) {
        var list = [value]
        try self.list(&list)
        guard list.count == 1 else { throw .damaged }
        value = list[0]
    }

    mutating func string(_ string: inout String) throws(SavedStateError) {
        var optional: String? = string
        try text(&optional)
        string = optional ?? ""
    }

    /// Values that have a function of their own.
    mutating func each<Element>(
        _ values: inout [Element], empty: @autoclosure () -> Element,
        _ body: (inout Self, inout Element) throws(SavedStateError) -> Void
    ) throws(SavedStateError) {
        var count = values.count
        try value(&count)
        guard count >= 0, count < 1 << 32 else { throw .damaged }
        while values.count < count { values.append(empty()) }
        for place in values.indices { try body(&self, &values[place]) }
    }

    mutating func lists<Element: BitwiseCopyable>(_ lists: inout [[Element]]) throws(SavedStateError) {
        try each(&lists, empty: []) { coder, list throws(SavedStateError) in try coder.list(&list) }
    }

    mutating func table<Key: Hashable & BitwiseCopyable, Value>(
        _ table: inout [Key: Value], empty: @autoclosure () -> Value,
        _ body: (inout Self, inout Value) throws(SavedStateError) -> Void
    ) throws(SavedStateError) {
        var keys = Array(table.keys)
        try list(&keys)
        for key in keys {
            var value = table[key] ?? empty()
            try body(&self, &value)
            table[key] = value
        }
    }

    mutating func table<Key: Hashable & BitwiseCopyable, Value: BitwiseCopyable>(
        _ table: inout [Key: Value]
    ) throws(SavedStateError) {
        var (keys, values) = (Array(table.keys), Array(table.values))
        try list(&keys)
        try list(&values)
        guard keys.count == values.count else { throw .damaged }
        table = Dictionary(zip(keys, values)) { $1 }
    }

    mutating func set<Element: Hashable & BitwiseCopyable>(_ set: inout Set<Element>) throws(SavedStateError) {
        var members = Array(set)
        try list(&members)
        set = Set(members)
    }

    mutating func queue(_ queue: inout SlotQueue) throws(SavedStateError) {
        var entries = queue.rest
        try list(&entries)
        queue = SlotQueue(entries)
    }
}

struct StateWriter: StateCoder {
    private(set) var bytes: [UInt8] = []

    /// A leaf that copies memory: flat values have no references, so their bytes are all of them. Each value is written as
    /// what differs from the one before it: most of their times and ids begin alike, and zeros are packed.
    mutating func list<Element: BitwiseCopyable>(_ values: inout [Element]) {
        withUnsafeBytes(of: Int64(values.count)) { bytes.append(contentsOf: $0) }
        let (start, stride) = (bytes.count, MemoryLayout<Element>.stride)
        values.withUnsafeBytes { buffer in
            bytes.append(contentsOf: buffer)
            guard stride >= StateSeal.leastCompared, buffer.count > stride else { return }
            bytes.withUnsafeMutableBytes { all in
                for place in stride..<buffer.count { all[start + place] = buffer[place] ^ buffer[place - stride] }
            }
        }
    }

    mutating func text(_ text: inout String?) {
        var utf8: [UInt8] = text.map { [1] + Array($0.utf8) } ?? []
        list(&utf8)
    }
}

struct StateReader: StateCoder {
    private let bytes: [UInt8]
    private var place = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { place == bytes.count }

    /// A leaf that copies memory: the bytes are those of a state of this version, see ``StateSeal``.
    mutating func list<Element: BitwiseCopyable>(_ values: inout [Element]) throws(SavedStateError) {
        let size = try Int(load(Int64.self))
        let stride = MemoryLayout<Element>.stride
        guard size >= 0, size <= (bytes.count - place) / max(stride, 1) else { throw .damaged }
        let range = place..<place + size * stride
        place = range.upperBound
        values = bytes.withUnsafeBytes { buffer in
            Array(unsafeUninitializedCapacity: size) { target, count in
                let room = UnsafeMutableRawBufferPointer(target)
                room.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[range]))
                count = size
                guard stride >= StateSeal.leastCompared, range.count > stride else { return }
                for place in stride..<range.count { room[place] ^= room[place - stride] }
            }
        }
    }

    private mutating func load<Number: FixedWidthInteger & BitwiseCopyable>(
        _ type: Number.Type
    ) throws(SavedStateError) -> Number {
        let size = MemoryLayout<Number>.size
        guard bytes.count - place >= size else { throw .damaged }
        defer { place += size }
        return bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: type) }
    }

    mutating func text(_ text: inout String?) throws(SavedStateError) {
        var utf8: [UInt8] = []
        try list(&utf8)
        text = utf8.isEmpty ? nil : String(decoding: utf8.dropFirst(), as: UTF8.self)
    }
}

/// Bytes as words of eight: which of them are not zero, one bit each, and those. Nearly two thirds of a state are zeros, and
/// zlib would take twenty times as long to halve what is left.
enum ZeroPacking {
    /// A leaf that writes into storage of its own: at most nine bytes a word.
    static func packed(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: (bytes.count + 7) / 8 * 9 + 1) { room, filled in
            // How many bytes of the last word count.
            room[0] = UInt8(bytes.count % 8)
            filled = 1
            for start in stride(from: 0, to: bytes.count, by: 8) {
                var rest = word(bytes, at: start)
                let place = filled
                room[place] = 0
                filled += 1
                var bit: UInt8 = 1
                while rest != 0 {
                    if rest & 0xFF != 0 {
                        room[place] |= bit
                        room[filled] = UInt8(truncatingIfNeeded: rest)
                        filled += 1
                    }
                    rest >>= 8
                    bit &<<= 1
                }
            }
        }
    }

    private static func word(_ bytes: [UInt8], at start: Int) -> UInt64 {
        guard bytes.count - start < 8 else {
            return bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: start, as: UInt64.self).littleEndian }
        }
        return bytes[start...].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// - Throws: where bytes are missing.
    static func unpacked(_ packed: ArraySlice<UInt8>) throws(SavedStateError) -> [UInt8] {
        guard let rest = packed.first, rest < 8 else { throw .damaged }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(packed.count * 3)
        var place = packed.startIndex + 1
        while place < packed.endIndex {
            let mask = packed[place]
            place += 1
            guard packed.endIndex - place >= mask.nonzeroBitCount else { throw .damaged }
            for bit in 0..<8 {
                let isSet = mask >> UInt8(bit) & 1 == 1
                bytes.append(isSet ? packed[place] : 0)
                if isSet { place += 1 }
            }
        }
        guard rest > 0 else { return bytes }
        guard bytes.count >= 8 else { throw .damaged }
        bytes.removeLast(8 - Int(rest))
        return bytes
    }
}

/// What precedes the bytes of a state: the version of its layout, and a hash of all that follows.
enum StateSeal {
    /// Grows whenever what is saved changes its form or meaning.
    private static let version: UInt64 = 17
    /// Values of fewer bytes are not compared with the one before: there is little to gain.
    static let leastCompared = 8
    static let size = 16

    /// Stands for the version and the layout of the flat values on this machine, and for the plan that the state belongs
    /// to.
    static func form(_ plan: ReplayPlan) -> UInt64 {
        let sizes = [
            MemoryLayout<RunState>.stride, MemoryLayout<InstanceState>.stride, MemoryLayout<ScenarioThread>.stride,
            MemoryLayout<ScenarioCandidate>.stride, MemoryLayout<LimitTimer>.stride, MemoryLayout<Judge.Cell>.stride,
            plan.rules.checks.count, plan.rules.rules.count, plan.limits.limits.count, plan.scenarios.patterns.count,
            plan.catalog.models.count, plan.catalog.places.count,
        ]
        return sizes.reduce(Hashing.mix(Hashing.start, version)) { Hashing.mix($0, UInt64($1)) }
    }

    static func seal(_ bytes: [UInt8], _ form: UInt64) -> [UInt8] {
        var sealed: [UInt8] = []
        sealed.reserveCapacity(bytes.count + size)
        for word in [form, hash(bytes[...])] {
            withUnsafeBytes(of: word.littleEndian) { sealed.append(contentsOf: $0) }
        }
        return sealed + bytes
    }

    /// - Throws: where the bytes are not a whole state of this form.
    static func check(_ sealed: [UInt8], _ form: UInt64) throws(SavedStateError) {
        guard sealed.count >= size else { throw .damaged }
        guard word(sealed, at: 0) == form else { throw .anotherVersion }
        guard word(sealed, at: 8) == hash(sealed[size...]) else { throw .damaged }
    }

    private static func word(_ bytes: [UInt8], at place: Int) -> UInt64 {
        (0..<8).reduce(0) { $0 | UInt64(bytes[place + $1]) << UInt64($1 * 8) }
    }

    private static func hash(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.withUnsafeBytes { buffer in
            var hash = Hashing.mix(Hashing.start, UInt64(buffer.count))
            var place = 0
            while place + 8 <= buffer.count {
                hash = Hashing.mix(hash, buffer.loadUnaligned(fromByteOffset: place, as: UInt64.self).littleEndian)
                place += 8
            }
            while place < buffer.count {
                hash = Hashing.mix(hash, UInt64(buffer[place]))
                place += 1
            }
            return hash
        }
    }
}

/// A hash that is the same on every machine and in every version: FNV-1a over words, with a final mix.
enum Hashing {
    static let start: UInt64 = 0xCBF2_9CE4_8422_2325

    @inline(__always)
    static func mix(_ hash: UInt64, _ word: UInt64) -> UInt64 {
        var mixed = (hash ^ word) &* 0x0000_0100_0000_01B3
        mixed ^= mixed >> 32
        mixed = mixed &* 0xD6E8_FEB8_6659_FD93
        return mixed ^ mixed >> 29
    }

    static func mix(_ hash: UInt64, _ text: String?) -> UInt64 {
        guard let text else { return mix(hash, 0) }
        var hash = mix(hash, UInt64(text.utf8.count) + 1)
        for byte in text.utf8 { hash = mix(hash, UInt64(byte)) }
        return hash
    }

    /// The hash that stands for a text wherever texts are compared; 0 for the absent or empty one.
    static func of(_ text: String?) -> UInt64 {
        guard let text, !text.isEmpty else { return 0 }
        return max(mix(start, text), 1)
    }

    /// Sixteen hexadecimal digits.
    static func text(_ hash: UInt64) -> String {
        let digits = Array("0123456789abcdef".utf8)
        var text = [UInt8](repeating: 0, count: 16)
        for place in 0..<16 { text[place] = digits[Int(hash >> UInt64(60 - 4 * place) & 15)] }
        return String(decoding: text, as: UTF8.self)
    }
}

/// Times in nanoseconds since 1970 UTC, with one value for "not known": half the size of an optional.
enum Time {
    static let none = Int64.min
    static let second: Int64 = 1_000_000_000

    /// Whether a time is of a line that has a date with a year: others are counted from 1970 or 1972.
    @inline(__always)
    static func isDated(_ time: Int64) -> Bool { time >= ClockText.dated }

    @inline(__always)
    static func optional(_ time: Int64) -> Int64? { time == none ? nil : time }

    @inline(__always)
    static func plain(_ time: Int64?) -> Int64 { time ?? none }

    /// Nanoseconds as seconds without needless digits.
    static func seconds(_ nanoseconds: Int64) -> String {
        let whole = nanoseconds / second
        let rest = nanoseconds % second
        guard rest != 0 else { return "\(whole)" }
        var digits = String(second + rest).dropFirst()
        while digits.hasSuffix("0") { digits = digits.dropLast() }
        return "\(whole).\(digits)"
    }
}
