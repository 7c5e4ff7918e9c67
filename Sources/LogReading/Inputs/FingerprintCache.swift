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
        for (length, print) in zip(lengths, prints) {
            beginnings[Beginning(source: source, length: length)] = print
        }
        return prints[0]
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
