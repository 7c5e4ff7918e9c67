import Foundation
import LogReading
import TraceStore

/// One log can be named in several ways: `logs/app.log`, `./logs/app.log`, or its path from the root. The way in which a
/// database knows it stays, so that nothing of it is read once more.
struct SourceSpelling {
    /// What the database knows, by its streams.
    private let known: [String: [SourceRecord]]
    /// The folder that each stream is taken to lie in; its own, where the database knows nothing else.
    private var folders: [String: String] = [:]
    private let redaction: Redaction?
    /// The folder that paths without a root begin at, with a slash behind it.
    private let root: String

    init(known: [SourceRecord], redaction: Redaction?) {
        self.known = Dictionary(grouping: known, by: \.stream)
        self.redaction = redaction
        root = FileManager.default.currentDirectoryPath + "/"
    }

    /// The sources by the names that the database has for them.
    mutating func known(_ sources: [SourceDescription], options: ReadingOptions) -> [SourceDescription] {
        if known.isEmpty { return sources }
        let looks = SourceLooks(options: options)
        for (stream, group) in Dictionary(grouping: sources, by: \.stream)
        where folders[stream] == nil && !group.contains(where: \.isOnce) {
            let isKnown = known[shown(stream, of: group[0])] != nil
            let other = isKnown ? nil : others(for: stream).first { holds(group, of: $0, looks: looks) }
            folders[stream] = Self.folder(of: other ?? stream)
        }
        return sources.map { source in
            let own = Self.folder(of: source.stream)
            guard let folder = folders[source.stream], folder != own else { return source }
            var source = source
            source.path = folder + source.path.dropFirst(own.count)
            source.stream = folder + source.stream.dropFirst(own.count)
            return source
        }
    }

    /// Whether one of the files goes on with what the database knows by another name. From another folder, the same name
    /// may be that of another log.
    private func holds(_ group: [SourceDescription], of stream: String, looks: SourceLooks) -> Bool {
        for record in known[shown(stream, of: group[0])] ?? [] {
            guard let fingerprint = SourceFingerprint(text: record.fingerprint), fingerprint.length > 0 else {
                continue
            }
            for source in group {
                if let relation = try? looks.relation(of: fingerprint, to: source), relation != .replaced {
                    return true
                }
            }
        }
        return false
    }

    /// A stream as the database calls it.
    private func shown(_ stream: String, of source: SourceDescription) -> String {
        guard let redaction else { return stream }
        var named = source
        named.stream = stream
        return redaction.source(named).stream
    }

    private func others(for stream: String) -> [String] {
        if stream.hasPrefix(root) {
            let inside = String(stream.dropFirst(root.count))
            return [inside, "./" + inside]
        }
        if stream.hasPrefix("/") { return [] }
        let inside = stream.hasPrefix("./") ? String(stream.dropFirst(2)) : stream
        return [inside, "./" + inside, root + inside].filter { $0 != stream }
    }

    private static func folder(of stream: String) -> String {
        String(stream[..<(stream.lastIndex(of: "/").map { stream.index(after: $0) } ?? stream.startIndex)])
    }
}
