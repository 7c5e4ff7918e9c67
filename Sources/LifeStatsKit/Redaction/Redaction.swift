import LogReading
import TraceStore

/// Replaces what could tell about a person by pseudonyms: device names, paths, identifiers, free text. Names of
/// processes, classes and states stay, because nobody could work without them.
///
/// The same value always gets the same pseudonym, so that everything that was equal stays equal; a pseudonym itself is
/// left as it is.
struct Redaction: Sendable {
    let key: RedactionKey

    /// The setting of a database that says that it is redacted, and with which key.
    private static let setting = "redaction"

    /// The redaction of an ingest: what the user wants, and what the database had until now.
    ///
    /// - Returns: `nil` when nothing is to be redacted.
    /// - Throws: ``LifeStatsError`` when the database holds something that does not go together with it.
    static func begin(wanted: Bool, writer: TraceWriter, path: String) throws -> Redaction? {
        let stored = try writer.setting(setting)
        guard wanted || stored != nil else { return nil }
        let redaction = Redaction(key: try RedactionKey.ofUser())
        let mark = redaction.key.digits(of: "", as: "key")
        if let stored {
            guard stored == mark else {
                throw LifeStatsError(
                    "\(path) was redacted with another key", why: "the same names would get other pseudonyms",
                    remedy: "give that key in LIFESTATS_REDACTION_KEY, or name another database with --db")
            }
        } else {
            guard try writer.sources().isEmpty else {
                throw LifeStatsError(
                    "\(path) already holds names that are not redacted",
                    remedy: "ingest the logs into another database: lifestats ingest --redact --db FILE …")
            }
            try writer.set(setting, to: mark)
        }
        return redaction
    }

    /// The name of a device.
    func device(_ name: String) -> String { pseudonym(of: name, as: "device") }

    /// Text that somebody wrote.
    func freeText(_ text: String) -> String { pseudonym(of: text, as: "text") }

    /// The label of a scene or view controller: names of classes stay, everything else goes.
    func label(_ label: String) -> String {
        label.split(separator: " ", omittingEmptySubsequences: false).map { part in
            part.isEmpty || Self.isName(part) ? String(part) : pseudonym(of: String(part), as: "id")
        }.joined(separator: " ")
    }

    /// A source, by names that tell nothing but which rotation of which log it is.
    func source(_ source: SourceDescription) -> SourceDescription {
        guard source.location != .standardInput else { return source }
        var shown = source
        shown.stream = pseudonym(of: source.stream, as: "log")
        if source.path.hasPrefix(source.stream) {
            shown.path = shown.stream + source.path.dropFirst(source.stream.count)
        } else {
            shown.path = shown.stream + "-" + key.digits(of: source.path, as: "path")
        }
        return shown
    }

    private func pseudonym(of text: String, as kind: String) -> String {
        if text.isEmpty || Self.isPseudonym(text, kind) { return text }
        return "\(kind)-\(key.digits(of: text, as: kind))"
    }

    private static func isPseudonym(_ text: String, _ kind: String) -> Bool {
        let prefix = kind + "-"
        guard text.hasPrefix(prefix), text.utf8.count == prefix.utf8.count + 12 else { return false }
        return text.dropFirst(prefix.count).allSatisfy { $0.isHexDigit && !$0.isUppercase }
    }

    /// Whether it is a name of a programming language, and no number in disguise.
    private static func isName(_ text: Substring) -> Bool {
        guard let first = text.first, first.isLetter || first == "_" else { return false }
        guard text.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." || $0 == "#" }) else {
            return false
        }
        let digits = text.count { $0.isNumber }
        return digits < 5 && !(text.count >= 8 && digits > 0 && text.allSatisfy(\.isHexDigit))
    }
}
