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
            let length = Int(min(fingerprint.length, Int64(SourceFingerprint.window)))
            places[Head(length: length, hash: fingerprint.head), default: []].append(place)
        }
        lengths = Set(places.keys.map(\.length)).sorted()
    }

    package var isEmpty: Bool { places.isEmpty }

    /// The places of the fingerprints whose first bytes are those of a source, in their order.
    package func places(ofBeginning bytes: [UInt8]) -> [Int] {
        var result: [Int] = []
        var hash = SourceFingerprint.hash([])
        var hashed = 0
        for length in lengths {
            guard length <= bytes.count else { break }
            hash = SourceFingerprint.hash(bytes[hashed..<length], after: hash)
            hashed = length
            result += places[Head(length: length, hash: hash)] ?? []
        }
        return result.sorted()
    }
}
