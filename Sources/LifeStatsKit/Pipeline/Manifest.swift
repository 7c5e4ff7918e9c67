import LogReading

/// A file of a log as it was read: what the database keeps to recognise it again.
struct KnownFile: Equatable {
    var id: Int32
    var path: String
    /// Place of its name among the rotations: lower is older.
    var rank: Int64
    /// Identifies everything that was read of it.
    var content: SourceFingerprint
    var beginning: Beginning
    /// Time of its first entry that has one.
    var firstTime: Int64?
    /// Whether it was read as far as it went.
    var isComplete = true
}

/// A file of a log as it is now.
struct FoundFile: Hashable {
    var path: String
    var rank: Int64
    var beginning: Beginning
    var isEmpty = false
}

/// What is at hand of a log, compared with what was read of it: decides what is new, what is read again, and in which
/// order the files stand.
///
/// Pure: contents are compared by the functions that it is given.
struct Manifest {
    /// Compares contents.
    struct Comparison {
        /// How what was read before relates to what a file holds.
        var ofKnown: (KnownFile, FoundFile) throws(ReadingError) -> SourceFingerprint.Relation
        /// How all that the first file holds relates to what the second one holds.
        var ofFound: (FoundFile, FoundFile) throws(ReadingError) -> SourceFingerprint.Relation
        /// Time of the first entry of a file that has one.
        var firstTime: (FoundFile) throws(ReadingError) -> Int64?
    }

    /// What is to be done with one file of the log.
    struct Part: Equatable {
        enum Action: Equatable { case keep, readOn, readFromStart }

        /// The known file; `nil` for a new one.
        var known: Int32?
        /// Where it is now; `nil` when it is not at hand.
        var found: FoundFile?
        var action: Action
    }

    /// What is to be done with the log.
    enum Verdict: Equatable {
        /// Nothing is new, but files may have other names.
        case unchanged
        /// Everything new comes after what was read.
        case goOn
        /// Something new belongs before what was read.
        case deriveAgain
        /// A file was rewritten or cut back: everything is read again.
        case readAgain(because: String)
        /// The same, but not all files are at hand.
        case leave(because: String, missing: String)
    }

    /// A file that another one makes superfluous.
    struct Skipped: Equatable {
        var path: String
        var other: String
        /// Whether the other one goes on where this one ends.
        var isBeginning: Bool
    }

    struct Changes: Equatable {
        var verdict: Verdict
        /// The files of the log, oldest first; those that are not at hand included.
        var parts: [Part]
        var skipped: [Skipped]
    }

    /// The files that were read, oldest first.
    let known: [KnownFile]

    /// Compares them with the files at hand.
    ///
    /// - Parameter files: oldest rotation first.
    func changes(with files: [FoundFile], _ comparison: Comparison) throws(ReadingError) -> Changes {
        let (distinct, skipped) = try withoutCopies(files, comparison)
        let matches = try match(distinct, comparison)
        let matched = Set(matches.values)
        if let rewritten = try rewritten(distinct.filter { !matched.contains($0) }, matches, comparison) {
            let parts = distinct.map { Part(known: nil, found: $0, action: .readFromStart) }
            let missing = known.first { file in
                file.content.length > 0 && matches[file.id] == nil && !files.contains { $0.path == file.path }
            }
            let verdict =
                missing.map { Verdict.leave(because: rewritten, missing: $0.path) } ?? .readAgain(because: rewritten)
            return Changes(verdict: verdict, parts: parts, skipped: skipped)
        }
        var parts = try order(distinct, matches, comparison)
        let verdict = verdict(of: parts)
        if verdict == .deriveAgain {
            // Only the last file that was read can be read on: the last entry of the others was final.
            for index in parts.indices where parts[index].action == .readOn && parts[index].known != known.last?.id {
                parts[index].action = .readFromStart
            }
        }
        return Changes(verdict: verdict, parts: parts, skipped: skipped)
    }

    /// Leaves out files that hold what another one holds or begins with. Of equal files the known one counts, else the
    /// first.
    private func withoutCopies(
        _ files: [FoundFile], _ comparison: Comparison
    ) throws(ReadingError) -> (distinct: [FoundFile], skipped: [Skipped]) {
        var skipped: [Skipped] = []
        let paths = Set(known.map(\.path))
        for (place, file) in files.enumerated() where !file.isEmpty {
            for (otherPlace, other) in files.enumerated() where otherPlace != place && !other.isEmpty {
                guard file.beginning.isPart(of: other.beginning), !skipped.contains(where: { $0.path == other.path })
                else { continue }
                let relation = try comparison.ofFound(file, other)
                let counts = (paths.contains(file.path) ? 0 : 1, place)
                let otherCounts = (paths.contains(other.path) ? 0 : 1, otherPlace)
                guard relation == .grown || relation == .same && otherCounts < counts else { continue }
                skipped.append(Skipped(path: file.path, other: other.path, isBeginning: relation == .grown))
                break
            }
        }
        let left = Set(skipped.map(\.path))
        // Where something was read already, an empty file adds nothing.
        let isNew = !known.contains { $0.content.length > 0 }
        let empty = Set(known.filter { $0.content.length == 0 }.map(\.path))
        return (
            files.filter { !left.contains($0.path) && (!$0.isEmpty || isNew || empty.contains($0.path)) }, skipped
        )
    }

    /// Which file holds what was read, by the number of the known one: the longest that it begins with.
    private func match(
        _ files: [FoundFile], _ comparison: Comparison
    ) throws(ReadingError) -> [Int32: FoundFile] {
        var matches: [Int32: FoundFile] = [:]
        for file in files where !file.isEmpty {
            var best: KnownFile?
            for candidate in known
            where candidate.content.length > 0 && matches[candidate.id] == nil
                && candidate.beginning.isPart(of: file.beginning)
            {
                let isBetter =
                    best.map {
                        ($0.content.length, $0.path == file.path ? 1 : 0)
                            < (candidate.content.length, candidate.path == file.path ? 1 : 0)
                    } ?? true
                if isBetter, try comparison.ofKnown(candidate, file) != .replaced { best = candidate }
            }
            if let best { matches[best.id] = file }
        }
        let taken = Set(matches.values)
        for empty in known where empty.content.length == 0 {
            if let file = files.first(where: { $0.path == empty.path && !taken.contains($0) }) {
                matches[empty.id] = file
            }
        }
        return matches
    }

    /// The path of a file that begins like one that was read, and goes on in another way or ends before; `nil` when there
    /// is none. Any other file is the next one of the log, also when all files begin with the same banner: then the first
    /// times differ.
    private func rewritten(
        _ files: [FoundFile], _ matches: [Int32: FoundFile], _ comparison: Comparison
    ) throws(ReadingError) -> String? {
        for gone in known where gone.content.length > 0 && matches[gone.id] == nil {
            for file in files where gone.beginning.mayStartLike(file.beginning) {
                guard let time = gone.firstTime else {
                    if gone.beginning.isLike(file.beginning) { return file.path }
                    continue
                }
                if try comparison.firstTime(file) == time { return file.path }
            }
        }
        return nil
    }

    /// The files at hand in the order of their names, and those that are not at hand between them.
    private func order(
        _ files: [FoundFile], _ matches: [Int32: FoundFile], _ comparison: Comparison
    ) throws(ReadingError) -> [Part] {
        var knownOf: [FoundFile: KnownFile] = [:]
        for file in known { if let found = matches[file.id] { knownOf[found] = file } }
        var parts: [Part] = []
        for file in files {
            guard let old = knownOf[file] else {
                parts.append(Part(known: nil, found: file, action: .readFromStart))
                continue
            }
            var isSame = file.isEmpty
            if old.content.length > 0 { isSame = try comparison.ofKnown(old, file) == .same }
            parts.append(Part(known: old.id, found: file, action: isSame && old.isComplete ? .keep : .readOn))
        }
        var after = 0
        for file in known {
            if let place = parts.firstIndex(where: { $0.known == file.id }) {
                after = place + 1
                continue
            }
            // A file whose name another one has by now was moved on, and is older than all that are new.
            if !files.contains(where: { $0.path == file.path }) {
                while after < parts.count, parts[after].known == nil, parts[after].found?.rank ?? .max < file.rank {
                    after += 1
                }
            }
            parts.insert(Part(known: file.id, found: nil, action: .keep), at: after)
            after += 1
        }
        return parts
    }

    private func verdict(of parts: [Part]) -> Verdict {
        let isInOrder = parts.prefix(known.count).map(\.known) == known.map { $0.id }
        if parts.allSatisfy({ $0.action == .keep }), isInOrder { return .unchanged }
        return isInOrder && parts.prefix(max(0, known.count - 1)).allSatisfy { $0.action == .keep }
            ? .goOn : .deriveAgain
    }
}

/// What the first bytes of a file are, piece by piece: tells whether a shorter file begins in the same way, when the longer
/// one is gone.
struct Beginning: Hashable {
    private static let pieceLength = 64

    /// Four hexadecimal digits for each whole piece of 64 bytes.
    let text: String

    init(text: String) { self.text = text }

    /// - Parameter head: the first bytes; 4,096 count at most.
    init(_ head: some Collection<UInt8>) {
        var text = ""
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for (index, byte) in head.prefix(SourceFingerprint.headLength).enumerated() {
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
            guard index % Self.pieceLength == Self.pieceLength - 1 else { continue }
            let digits = String(UInt16(truncatingIfNeeded: hash >> 24), radix: 16)
            text += String(repeating: "0", count: 4 - digits.count) + digits
        }
        self.text = text
    }

    /// Whether another file may begin with all of this one, as far as both go.
    func isPart(of other: Beginning) -> Bool { other.text.hasPrefix(text) }

    /// Whether the first 64 bytes may be the same: of a shorter file that is not known.
    func mayStartLike(_ other: Beginning) -> Bool {
        text.isEmpty || other.text.isEmpty || text.prefix(4) == other.text.prefix(4)
    }

    /// Whether both begin in the same way, as far as the shorter one goes. A file of less than 64 bytes is like no other.
    func isLike(_ other: Beginning) -> Bool {
        let count = min(text.utf8.count, other.text.utf8.count)
        return count > 0 && text.prefix(count) == other.text.prefix(count)
    }
}
