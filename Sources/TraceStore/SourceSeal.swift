import TraceRecords

/// A sum over what decides how a source is read on. Nothing else in a database tells when it has been changed, and the
/// next ingest would count lines twice, or none.
///
/// It stands as a member of its own in front of those of `resume`.
enum SourceSeal {
    private static let opening = #"{"seal":""#
    private static let closing = #"","#
    private static let digits = 16

    /// What is stored for `resume`.
    static func sealed(_ source: SourceRecord) -> String? {
        guard let resume = source.resume, resume.hasPrefix("{") else { return source.resume }
        return opening + sum(of: source) + closing + resume.dropFirst()
    }

    /// How `resume` begins without a seal, as earlier builds wrote it.
    private static let former = ["beginning", "clockStart", "context"].map { "{\"\($0)\":" }

    /// Takes the seal off a source as it is stored. One of an earlier build has none.
    ///
    /// - Throws: ``DamagedRow`` when it is not that of the source.
    static func open(_ source: inout SourceRecord) throws {
        guard let stored = source.resume, !former.contains(where: stored.hasPrefix) else { return }
        let rest = stored.dropFirst(opening.count)
        source.resume = "{" + rest.dropFirst(digits + closing.count)
        guard stored.hasPrefix(opening), rest.dropFirst(digits).hasPrefix(closing),
            rest.prefix(digits) == sum(of: source)
        else {
            throw DamagedRow(
                description: "path, stream, ordinal, fingerprint or resume of \(source.path) is not what was written")
        }
    }

    private static func sum(of source: SourceRecord) -> String {
        var hash = RowHash("seal")
        for text in [source.path, source.stream, source.fingerprint, source.resume] { hash.add(text) }
        hash.add(source.ordinal)
        return hash.low.hexadecimal
    }
}
