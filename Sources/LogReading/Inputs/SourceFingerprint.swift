/// What identifies the content of a source: its length, and hashes of its first bytes and of all.
///
/// Content is what comes out of decompression, so that a log and its compressed rotation have the same fingerprint.
package struct SourceFingerprint: Sendable, Hashable, Codable {
    /// How what a source holds is related to what was read.
    package enum Relation: Sendable {
        /// It holds the same.
        case same
        /// It begins with what was read, and goes on.
        case grown
        /// It holds something else, or less.
        case replaced
    }

    /// Bytes that ``head`` covers, at most.
    package static let headLength = 4096

    /// Bytes that were covered.
    package var length: Int64
    /// Hash of the first bytes.
    package var head: UInt64
    /// Hash of all bytes.
    package var whole: UInt64

    package init(length: Int64, head: UInt64, whole: UInt64) {
        self.length = length
        self.head = head
        self.whole = whole
    }

    /// The fingerprint as a text, for the column `fingerprint`.
    package var text: String { "\(length)-\(head.hexadecimal)-\(whole.hexadecimal)" }

    /// The fingerprint written as a text.
    package init?(text: String) {
        let parts = text.split(separator: "-")
        guard parts.count == 3, let length = Int64(parts[0]), let head = UInt64(parts[1], radix: 16),
            let whole = UInt64(parts[2], radix: 16)
        else { return nil }
        self.init(length: length, head: head, whole: whole)
    }

    /// The fingerprints of the first bytes of a source, for each length in one reading; of everything for a length
    /// beyond it.
    package static func beginnings(
        of source: SourceDescription, lengths: [Int64], options: ReadingOptions = ReadingOptions()
    ) throws(ReadingError) -> [SourceFingerprint] {
        let stream = try StreamOpener.open(source, options: options)
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
        defer { room.deallocate() }
        var content = RunningFingerprint()
        var found = Array(repeating: content.fingerprint, count: lengths.count)
        let order = lengths.indices.sorted { lengths[$0] < lengths[$1] }
        var isOver = false
        for index in order {
            while content.length < lengths[index], !isOver {
                let wanted = Int(min(Int64(room.count), lengths[index] - content.length))
                do throws(ReadingError) {
                    let got = try stream.read(into: UnsafeMutableRawBufferPointer(rebasing: room[..<wanted]))
                    isOver = got == 0
                    content.add(UnsafeRawBufferPointer(rebasing: room[..<got]))
                } catch {
                    // Where damage begins, the content ends: what came before it is worth reading.
                    guard error.code == .damaged else { throw error }
                    isOver = true
                }
            }
            found[index] = content.fingerprint
        }
        return found
    }

    /// How what a source holds now is related to what has this fingerprint.
    package func relation(
        to source: SourceDescription, options: ReadingOptions = ReadingOptions()
    ) throws(ReadingError) -> Relation {
        if source.isSeekable, let size = source.size, size < length { return .replaced }
        let found = try Self.beginnings(of: source, lengths: [length, length + 1], options: options)
        guard found[0] == self else { return .replaced }
        return found[1].length > length ? .grown : .same
    }
}

/// A fingerprint that grows with the bytes that pass: what it needs to go on is a few numbers, not the bytes before.
package struct RunningFingerprint: Sendable, Hashable, Codable {
    private var content = ContentHash()
    /// Hash of the first bytes; `nil` until there are as many as it covers.
    private var head: UInt64?

    package init() {}

    /// Bytes that were added.
    package var length: Int64 { content.length }

    /// The fingerprint of all bytes so far.
    package var fingerprint: SourceFingerprint {
        let whole = content.value
        return SourceFingerprint(length: length, head: head ?? whole, whole: whole)
    }

    /// Adds the bytes that follow.
    package mutating func add(_ bytes: UnsafeRawBufferPointer) {
        guard head == nil else { return content.add(bytes) }
        let rest = min(bytes.count, SourceFingerprint.headLength - Int(content.length))
        content.add(UnsafeRawBufferPointer(rebasing: bytes[..<rest]))
        guard content.length == Int64(SourceFingerprint.headLength) else { return }
        head = content.value
        content.add(UnsafeRawBufferPointer(rebasing: bytes[rest...]))
    }

    // One text, because a list of numbers for every source would be long.
    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let content = ContentHash(text: parts[0]) else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "not a running fingerprint"))
        }
        self.content = content
        head = UInt64(parts[1], radix: 16)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode("\(content.text)-\(head?.hexadecimal ?? "")")
    }
}

/// A fast hash of a sequence of bytes, whatever the pieces that it comes in. Not meant to resist attacks.
///
/// Four lanes each take 16 bytes of a block of 64 and fold the product of two words, as wyhash does.
private struct ContentHash: Sendable, Hashable {
    private static let blockSize = 64
    private typealias Lanes = (UInt64, UInt64, UInt64, UInt64)
    private static var keys: Lanes {
        (0xA076_1D64_78BD_642F, 0xE703_7ED1_A0B4_28DB, 0x8EBC_6AF0_9C88_C6E3, 0x5899_65CC_7537_4CC3)
    }

    private(set) var length: Int64 = 0
    private var lanes: Lanes = Self.keys
    /// The bytes after the last whole block.
    private var rest: [UInt8] = []

    init() {}

    static func == (a: ContentHash, b: ContentHash) -> Bool {
        a.length == b.length && a.lanes == b.lanes && a.rest == b.rest
    }

    func hash(into hasher: inout Hasher) { hasher.combine(value) }

    var value: UInt64 {
        var all = self
        // Adding the length distinguishes zeros at the end from the filling of the block.
        if !rest.isEmpty { all.pad() }
        let folded = Self.fold(all.lanes.0 ^ UInt64(bitPattern: length), all.lanes.1 ^ Self.keys.0)
        return Self.fold(folded ^ all.lanes.2 ^ Self.keys.1, all.lanes.3 ^ Self.keys.2)
    }

    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        guard let base = bytes.baseAddress, !bytes.isEmpty else { return }
        length += Int64(bytes.count)
        var at = 0
        if !rest.isEmpty {
            at = min(Self.blockSize - rest.count, bytes.count)
            rest.append(contentsOf: bytes[..<at])
            guard rest.count == Self.blockSize else { return }
            pad()
        }
        at = mix(base, from: at, bytes.count)
        if at < bytes.count { rest.append(contentsOf: bytes[at...]) }
    }

    /// Takes the rest, filled with zeros, as a block.
    private mutating func pad() {
        rest.append(contentsOf: repeatElement(0, count: Self.blockSize - rest.count))
        let block = rest
        rest.removeAll(keepingCapacity: true)
        block.withUnsafeBytes { buffer in
            if let base = buffer.baseAddress { _ = mix(base, from: 0, buffer.count) }
        }
    }

    /// Takes whole blocks. Returns where the bytes after them begin.
    private mutating func mix(_ base: UnsafeRawPointer, from start: Int, _ count: Int) -> Int {
        var (a, b, c, d) = lanes
        let (k0, k1, k2, k3) = Self.keys
        @inline(__always) func word(_ offset: Int) -> UInt64 {
            UInt64(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        }
        var at = start
        while at &+ Self.blockSize <= count {
            // Turned round, because the compiler would otherwise put the words into vectors, and take them out again.
            a = Self.fold(word(at) ^ a, word(at &+ 8).byteSwapped ^ k0)
            b = Self.fold(word(at &+ 16) ^ b, word(at &+ 24).byteSwapped ^ k1)
            c = Self.fold(word(at &+ 32) ^ c, word(at &+ 40).byteSwapped ^ k2)
            d = Self.fold(word(at &+ 48) ^ d, word(at &+ 56).byteSwapped ^ k3)
            at &+= Self.blockSize
        }
        lanes = (a, b, c, d)
        return at
    }

    @inline(__always)
    private static func fold(_ a: UInt64, _ b: UInt64) -> UInt64 {
        let product = a.multipliedFullWidth(by: b)
        return product.high ^ product.low
    }

    /// Length, lanes and rest in hexadecimal, separated by dots.
    var text: String {
        let numbers = [UInt64(bitPattern: length), lanes.0, lanes.1, lanes.2, lanes.3]
        return (numbers.map(\.hexadecimal) + [rest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()])
            .joined(separator: ".")
    }

    init?(text: Substring) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = parts.prefix(5).compactMap { UInt64($0, radix: 16) }
        guard parts.count == 6, numbers.count == 5 else { return nil }
        length = Int64(bitPattern: numbers[0])
        lanes = (numbers[1], numbers[2], numbers[3], numbers[4])
        var digits = parts[5]
        while digits.count >= 2, let byte = UInt8(digits.prefix(2), radix: 16) {
            rest.append(byte)
            digits.removeFirst(2)
        }
        guard digits.isEmpty, rest.count < Self.blockSize else { return nil }
    }
}

/// Takes the fingerprint of the bytes that pass.
final class FingerprintStream: LayeredStream {
    let source: any ByteStream
    /// What was read so far, now and before.
    private(set) var content: RunningFingerprint
    private var offset: Int64 = 0

    /// - Parameter content: the fingerprint of the first bytes, which need not be added again.
    init(_ stream: any ByteStream, after content: RunningFingerprint = RunningFingerprint()) {
        source = stream
        self.content = content
    }

    func read(into room: UnsafeMutableRawBufferPointer) throws(ReadingError) -> Int {
        let got = try source.read(into: room)
        let known = Int(clamping: content.length - offset)
        if got > known { content.add(UnsafeRawBufferPointer(rebasing: room[max(known, 0)..<got])) }
        offset += Int64(got)
        return got
    }

    func skip(_ count: Int64) throws(ReadingError) {
        guard offset + count <= content.length else { return try readOver(count) }
        try source.skip(count)
        offset += count
    }
}

/// Remembers what sources hold: to open a member of an archive may be to read everything before it.
package final class FingerprintCache {
    /// The first bytes of a source, however many they are.
    private struct Beginning: Hashable {
        var source: SourceDescription
        var length: Int64
    }

    private let options: ReadingOptions
    private var beginnings: [Beginning: SourceFingerprint] = [:]
    /// The first bytes of the source that was looked at last, where they can't be read again at once.
    private var lastHead: (source: SourceDescription, bytes: [UInt8])?
    private var found: [String: SourceDescription?] = [:]

    package init(options: ReadingOptions = ReadingOptions()) { self.options = options }

    /// The source at a path.
    package func source(at path: String) -> SourceDescription? {
        if let known = found[path] { return known }
        let source = InputFinder.find([path], options: options).sources.first
        found[path] = .some(source)
        return source
    }

    /// The first bytes of a source, as many as a fingerprint's ``SourceFingerprint/head`` covers.
    package func head(of source: SourceDescription) throws(ReadingError) -> [UInt8] {
        if let lastHead, lastHead.source == source { return lastHead.bytes }
        let stream = try StreamOpener.open(source, options: options)
        let head = try StreamOpener.beginning(of: stream, size: SourceFingerprint.headLength)
        if !source.isSeekable { lastHead = (source, head) }
        return head
    }

    /// The fingerprint of everything that a source holds.
    package func fingerprint(of source: SourceDescription) throws(ReadingError) -> SourceFingerprint {
        try fingerprint(of: source, length: .max)
    }

    /// How what a source holds is related to what was read.
    package func relation(
        of earlier: SourceFingerprint, to source: SourceDescription
    ) throws(ReadingError) -> SourceFingerprint.Relation {
        if source.isSeekable, let size = source.size, size < earlier.length { return .replaced }
        if let whole = beginnings[Beginning(source: source, length: .max)], whole.length <= earlier.length {
            return whole == earlier ? .same : .replaced
        }
        guard try fingerprint(of: source, length: earlier.length) == earlier else { return .replaced }
        return try fingerprint(of: source, length: earlier.length + 1).length > earlier.length ? .grown : .same
    }

    /// Whether another source begins with everything that a source holds.
    package func holds(_ other: SourceDescription, allOf source: SourceDescription) throws(ReadingError) -> Bool {
        if source.isSameFile(as: other) { return true }
        return try relation(of: fingerprint(of: source), to: other) != .replaced
    }

    /// The fingerprint of the first bytes of a source. Everything is looked at once, because sources that can't be read from
    /// the middle would be read again and again.
    private func fingerprint(of source: SourceDescription, length: Int64) throws(ReadingError) -> SourceFingerprint {
        if let known = beginnings[Beginning(source: source, length: length)] { return known }
        var lengths = [length]
        if length < .max { lengths += source.isSeekable ? [length + 1] : [length + 1, .max] }
        let prints = try SourceFingerprint.beginnings(of: source, lengths: lengths, options: options)
        keep(prints, of: source, lengths: lengths)
        return prints[0]
    }

    /// Remembers the fingerprints of the first bytes of a source.
    package func keep(_ prints: [SourceFingerprint], of source: SourceDescription, lengths: [Int64]) {
        for (length, print) in zip(lengths, prints) {
            beginnings[Beginning(source: source, length: length)] = print
        }
    }
}

/// Finds, of many fingerprints, those that a source may begin with, by its first bytes.
package struct FingerprintIndex {
    private struct Head: Hashable {
        var length: Int
        var hash: UInt64
    }

    private var places: [Head: [Int]] = [:]
    private let lengths: [Int]

    /// - Parameter fingerprints: with their places; those of nothing are left out.
    package init(_ fingerprints: some Sequence<(place: Int, fingerprint: SourceFingerprint)>) {
        for (place, fingerprint) in fingerprints where fingerprint.length > 0 {
            let length = Int(min(fingerprint.length, Int64(SourceFingerprint.headLength)))
            places[Head(length: length, hash: fingerprint.head), default: []].append(place)
        }
        lengths = Set(places.keys.map(\.length)).sorted()
    }

    package var isEmpty: Bool { places.isEmpty }

    /// The places of the fingerprints whose first bytes are those of a source, in their order.
    package func places(ofBeginning bytes: [UInt8]) -> [Int] {
        var result: [Int] = []
        var content = RunningFingerprint()
        bytes.withUnsafeBytes { buffer in
            for length in lengths where length <= buffer.count {
                content.add(UnsafeRawBufferPointer(rebasing: buffer[Int(content.length)..<length]))
                result += places[Head(length: length, hash: content.fingerprint.head)] ?? []
            }
        }
        return result.sorted()
    }
}
