/// What sources hold, each looked at once: to open a member of an archive may be to read all that stands before it.
package final class SourceLooks {
    /// The first bytes of a source, however many they are.
    private struct Beginning: Hashable {
        var source: SourceDescription
        var length: Int64
    }

    private let options: ReadingOptions
    private var fingerprints: [String: SourceFingerprint] = [:]
    private var prefixes: [Beginning: SourceFingerprint] = [:]
    private var found: [String: SourceDescription?] = [:]
    /// The first bytes of the source that was looked at last, where they are not to be had again at once.
    private var lastHead: (path: String, bytes: [UInt8])?
    /// Hashes of what was read from the first byte to the last, now and by the looks before these.
    private var contents: [Beginning: Int] = [:]
    private let formerContents: [Beginning: Int]

    /// - Parameter former: earlier looks. A file of the same size as then, with the same beginning and end, is taken to
    ///   hold the same: who follows a log would read its copies again and again.
    package init(options: ReadingOptions = ReadingOptions(), after former: SourceLooks? = nil) {
        self.options = options
        formerContents = former?.contents ?? [:]
    }

    /// The source that lies at a path.
    package func source(at path: String) -> SourceDescription? {
        if let known = found[path] { return known }
        let source = InputFinder.find([path], options: options).sources.first
        found[path] = .some(source)
        return source
    }

    /// The fingerprint of all that a source holds.
    package func fingerprint(of source: SourceDescription) throws(ReadingError) -> SourceFingerprint {
        if let known = fingerprints[source.path] { return known }
        let fingerprint: SourceFingerprint
        if source.isSeekable {
            fingerprint = try SourceFingerprint.of(source, options: options)
        } else {
            let content = try SourceContent(of: StreamOpener.open(source, options: options), length: nil)
            fingerprint = content.fingerprint
            lastHead = (source.path, content.head)
            contents[Beginning(source: source, length: fingerprint.length)] = content.hash
        }
        fingerprints[source.path] = fingerprint
        return fingerprint
    }

    /// The first bytes of a source, as many as a fingerprint's hash of them covers.
    package func head(of source: SourceDescription) throws(ReadingError) -> [UInt8] {
        if let lastHead, lastHead.path == source.path { return lastHead.bytes }
        let stream = try StreamOpener.open(source, options: options)
        return try StreamOpener.beginning(of: stream, size: SourceFingerprint.window)
    }

    /// How a source relates to the fingerprint of an earlier reading.
    package func relation(
        of earlier: SourceFingerprint, to source: SourceDescription
    ) throws(ReadingError) -> SourceFingerprint.Relation {
        let now = try fingerprint(of: source)
        guard earlier.length < now.length else { return earlier == now ? .same : .replaced }
        guard earlier.length < SourceFingerprint.window || earlier.head == now.head else { return .replaced }
        let beginning = Beginning(source: source, length: earlier.length)
        if let known = prefixes[beginning] { return known == earlier ? .grown : .replaced }
        let prefix = try SourceFingerprint.prefix(of: source, length: earlier.length, options: options)
        prefixes[beginning] = prefix
        return prefix == earlier ? .grown : .replaced
    }

    /// Whether another source begins with all that a source holds, byte for byte.
    package func holds(
        _ other: SourceDescription, allOf source: SourceDescription
    ) throws(ReadingError) -> Bool {
        if source.isSameFile(as: other) { return true }
        let length = try fingerprint(of: source).length
        return try content(of: source, length: length) == content(of: other, length: length)
    }

    private func content(of source: SourceDescription, length: Int64) throws(ReadingError) -> Int {
        let beginning = Beginning(source: source, length: length)
        if let known = contents[beginning] ?? formerContents[beginning] {
            contents[beginning] = known
            return known
        }
        let hash = try SourceContent(of: StreamOpener.open(source, options: options), length: length).hash
        contents[beginning] = hash
        return hash
    }
}
