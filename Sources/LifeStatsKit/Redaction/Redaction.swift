import EventRecognition
import LogReading
import TraceStore

/// Replaces private text by pseudonyms: device names, paths, identifiers, free text. Names of processes, classes and
/// states stay: without them the data would be useless.
///
/// Equal values get equal pseudonyms; a pseudonym itself is left as it is.
struct Redaction: Sendable {
    let key: RedactionKey

    /// The setting of a redacted database: a mark of its key.
    private static let setting = "redaction"

    /// The redaction of an ingest: what the user wants, and what the database had until now.
    ///
    /// - Returns: `nil` when nothing is to be redacted.
    /// - Throws: ``LifeStatsError`` when the database has another key, or names that are not redacted.
    static func begin(wanted: Bool, writer: TraceWriter, path: String) throws -> Redaction? {
        let stored = try writer.setting(setting)
        guard wanted || stored != nil else { return nil }
        let redaction = Redaction(key: try RedactionKey.ofUser())
        let mark = redaction.key.digits(of: "", as: "key")
        if let stored {
            guard stored == mark else {
                throw LifeStatsError(
                    "\(path) was redacted with another key", why: "the same names would get other pseudonyms",
                    remedy: "set that key in LIFESTATS_REDACTION_KEY, or name another database with --db")
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

    /// Free text.
    func freeText(_ text: String) -> String { pseudonym(of: text, as: "text") }

    /// What recognition shows in place of the words of a log.
    var disguise: Disguise { Disguise(name: name, version: version, text: freeText) }

    /// The name of a process or of a figure: it stays, unless it is a path, an address or an identifier.
    func name(_ name: String) -> String { Self.isPrivate(name) ? pseudonym(of: name, as: "name") : name }

    /// A version, which is nothing but numbers: it stays, unless it is a path or an address of mail.
    func version(_ version: String) -> String {
        Self.hasMark(version) ? pseudonym(of: version, as: "version") : version
    }

    /// The label of a scene: the identifier of a session, however it looks.
    func sceneLabel(_ label: String) -> String {
        label.split(separator: " ", omittingEmptySubsequences: false)
            .map { pseudonym(of: String($0), as: "id") }.joined(separator: " ")
    }

    /// The label of a view controller: names of classes stay, everything else goes.
    func label(_ label: String) -> String {
        label.split(separator: " ", omittingEmptySubsequences: false).map { part in
            part.isEmpty || Self.isName(part) ? String(part) : pseudonym(of: String(part), as: "id")
        }.joined(separator: " ")
    }

    /// A source, under names that reveal only which rotation of which log it is.
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

    /// Whether it is a path, or an address of mail.
    private static func hasMark(_ text: String) -> Bool {
        text.utf8.contains { $0 == 0x2F || $0 == 0x40 || $0 == 0x5C }
    }

    /// Whether a name is not that of a program: a path, an address of mail or of a network, a UUID or another long number.
    private static func isPrivate(_ name: String) -> Bool {
        // Names are looked at line by line, and most have neither mark nor digit.
        if hasMark(name) { return true }
        guard name.utf8.contains(where: { $0 >= 0x30 && $0 <= 0x39 }) else { return false }
        return name.split { !$0.isLetter && !$0.isNumber && $0 != "-" && $0 != "." && $0 != ":" }.contains { word in
            let groups = word.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "." || $0 == ":" }
            let isLong = groups.contains { group in
                group.count >= 8 && group.contains(where: \.isNumber) && group.allSatisfy(\.isHexDigit)
            }
            // `192.168.7.8`, `fe80::1`; a version has fewer parts.
            return isLong || (groups.count >= 4 || word.contains("::")) && groups.joined().allSatisfy(\.isHexDigit)
        }
    }

    /// Whether it is an identifier of a programming language, and not a number in disguise.
    private static func isName(_ text: Substring) -> Bool {
        guard let first = text.first, first.isLetter || first == "_" else { return false }
        guard text.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." || $0 == "#" }) else {
            return false
        }
        let digits = text.count { $0.isNumber }
        return digits < 5 && !(text.count >= 8 && digits > 0 && text.allSatisfy(\.isHexDigit))
    }
}
