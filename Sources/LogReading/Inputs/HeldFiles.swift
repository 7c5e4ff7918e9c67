/// Keeps files open that are followed: what was written to one that was deleted, or moved to where nobody looks, can
/// still be read to its end.
package struct HeldFiles {
    /// The most files that are kept open: the newest one of a log is the one that is written.
    private static let mostFiles = 64
    /// A file that a rotation renames while it is looked for is found at the next look.
    private static let looksUntilMoved = 4
    /// For how many looks a file that has gone is kept for whoever still writes to it.
    private static let looksKept = 40

    private var held: [FileIdentity: Held] = [:]

    private struct Held {
        let file: HeldFile
        /// Where it was found last.
        var source: SourceDescription
        /// How long it was when it was read.
        var sizeRead: Int64 = 0
        var looksWithoutIt = 0
    }

    package init() {}

    /// Keeps the newest file of each log open, before the sources are read.
    package mutating func hold(_ sources: [SourceDescription]) {
        var newest: [String: SourceDescription] = [:]
        for source in sources where source.isSeekable { newest[source.stream] = source }
        for source in sources {
            guard let identity = source.identity, case .file(let path) = source.location else { continue }
            if held[identity] != nil {
                held[identity]?.source = source
                held[identity]?.looksWithoutIt = 0
            } else if newest[source.stream] == source, held.count < Self.mostFiles,
                let file = HeldFile(path: path, identity: identity)
            {
                held[identity] = Held(file: file, source: source)
            }
        }
    }

    /// Takes note that sources were read as far as they went when they were found.
    package mutating func noteRead(_ sources: [SourceDescription]) {
        for source in sources {
            if let identity = source.identity { held[identity]?.sizeRead = source.size ?? 0 }
        }
    }

    /// The files that no path leads to any more, and that hold more than was read of them: to be read as what they were.
    package mutating func gone(from sources: [SourceDescription]) -> [SourceDescription] {
        let found = Set(sources.compactMap(\.identity))
        var gone: [SourceDescription] = []
        for (identity, one) in held where !found.contains(identity) {
            guard let status = one.file.status, one.looksWithoutIt < Self.looksKept else {
                held[identity] = nil
                continue
            }
            held[identity]?.looksWithoutIt += 1
            let isGone = status.links == 0 || one.looksWithoutIt >= Self.looksUntilMoved
            guard isGone, status.size > one.sizeRead else { continue }
            held[identity]?.looksWithoutIt = Self.looksUntilMoved
            var source = one.source
            source.held = one.file
            source.size = status.size
            gone.append(source)
        }
        return gone.sorted { $0.path < $1.path }
    }
}
