import EventRecognition
import Foundation
import LogReading
import Reports
import TraceRecords
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

/// Redacts the facts of a source before the replay and the store see them.
struct FactRedactor {
    let redaction: Redaction
    private let lexicon: Lexicon

    init(_ redaction: Redaction, _ lexicon: Lexicon) {
        self.redaction = redaction
        self.lexicon = lexicon
    }

    func redact(_ facts: inout SourceFacts) {
        redact(&facts.facts)
        for index in facts.rejects.indices {
            facts.rejects[index].text = redaction.freeText(facts.rejects[index].text)
        }
    }

    /// What recognition remembers for the lines that follow.
    func redact(_ context: inout RecognitionContext) {
        context.device = context.device.map(redaction.device)
        context.firstDevice = context.firstDevice.map(redaction.device)
    }

    private func redact(_ batch: inout FactBatch) {
        var tables = Tables(batch)
        for index in batch.facts.indices {
            switch batch.facts[index] {
            case .event(var event):
                event.speaker = tables.speaker(event.speaker, isScene: lexicon.isAboutScene(event), redacted)
                event.origin = tables.text(event.origin, shown(event.proof))
                event.message = tables.text(event.message, redaction.freeText)
                event.textHash = redaction.key.permuted(event.textHash)
                batch.facts[index] = .event(event)
            case .activity(var interval):
                interval.speaker = tables.speaker(interval.speaker, isScene: false, redacted)
                batch.facts[index] = .activity(interval)
            }
        }
        batch.speakers = tables.speakers
        batch.texts = tables.texts
    }

    /// How the origin of evidence is shown: mostly the name of a framework, but a text in details.
    private func shown(_ proof: Proof?) -> (String) -> String {
        guard let proof, proof.isDetail else { return redaction.name }
        if proof.isVersion { return redaction.version }
        // Recognition has disguised what lines print of an end or a launch.
        return { $0 }
    }

    private func redacted(_ speaker: Speaker, isScene: Bool) -> Speaker {
        var speaker = speaker
        speaker.process = speaker.process.map(redaction.name)
        speaker.device = speaker.device.map(redaction.device)
        speaker.label = speaker.label.map(isScene ? redaction.sceneLabel : redaction.label)
        return speaker
    }

    /// The speakers and texts of a batch, built anew: nothing of the open ones stays.
    private struct Tables {
        private struct Use: Hashable {
            var speaker: UInt32
            var isScene: Bool
        }

        private let before: FactBatch
        private var numbers: [Use: UInt32] = [:]
        private(set) var speakers: [Speaker] = []
        private(set) var texts: [String] = []
        private var symbols: [String: Symbol] = [:]

        init(_ batch: FactBatch) { before = batch }

        mutating func speaker(
            _ number: UInt32, isScene: Bool, _ redacted: (Speaker, Bool) -> Speaker
        ) -> UInt32 {
            let use = Use(speaker: number, isScene: isScene)
            if let known = numbers[use] { return known }
            let new = UInt32(speakers.count)
            speakers.append(redacted(before.speakers[Int(number)], isScene))
            numbers[use] = new
            return new
        }

        mutating func text(_ symbol: Symbol, _ redacted: (String) -> String) -> Symbol {
            guard let open = before.text(symbol) else { return .none }
            let shown = redacted(open)
            if let known = symbols[shown] { return known }
            texts.append(shown)
            let new = Symbol(id: UInt32(texts.count))
            symbols[shown] = new
            return new
        }
    }
}

/// The secret that pseudonyms are made with. It keeps others from finding the name of a pseudonym by trying names, and is
/// therefore kept apart from the databases, in a file that only its owner can read.
struct RedactionKey: Sendable {
    private let bytes: [UInt8]
    private let rounds: [[UInt8]]

    init(bytes: [UInt8]) {
        self.bytes = bytes
        rounds = Self.rounds(of: bytes)
    }

    /// The key in `LIFESTATS_REDACTION_KEY`, else that of the user's configuration folder, which is generated when there is
    /// none yet.
    ///
    /// - Throws: ``LifeStatsError`` when the file can neither be read nor created.
    static func ofUser() throws -> RedactionKey {
        if let text = ProcessInfo.processInfo.environment["LIFESTATS_REDACTION_KEY"], !text.isEmpty {
            return RedactionKey(bytes: Array(text.utf8))
        }
        guard let folder = ConfigurationFolder.path else {
            throw LifeStatsError(
                "there is nowhere to store the key of --redact", why: "neither HOME nor XDG_CONFIG_HOME is set",
                remedy: "set a key of your own in LIFESTATS_REDACTION_KEY")
        }
        let path = folder + "/redaction-key"
        if let known = FileManager.default.contents(atPath: path), known.count >= 32 {
            return RedactionKey(bytes: Array(known))
        }
        var generator = SystemRandomNumberGenerator()
        let fresh = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        // Without the folder, the first write says why.
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        do throws(SystemFile.Failure) {
            // Written beside and linked: of two ingests that begin together one makes the key, and both have it.
            let draft = path + ".\(ProcessInfo.processInfo.processIdentifier)"
            try SystemFile.create(draft, with: fresh, mode: 0o600)
            defer { try? FileManager.default.removeItem(atPath: draft) }
            try? FileManager.default.linkItem(atPath: draft, toPath: path)
        } catch {
            throw LifeStatsError(
                "\(path): the key of --redact cannot be stored", why: error.reason,
                remedy: "set a key of your own in LIFESTATS_REDACTION_KEY")
        }
        guard let stored = FileManager.default.contents(atPath: path), stored.count >= 32 else {
            throw LifeStatsError(
                "\(path): not a key of --redact", remedy: "remove the file; a new key is then generated")
        }
        return RedactionKey(bytes: Array(stored))
    }

    /// The first 12 hexadecimal digits of what the key makes of a text.
    func digits(of text: String, as kind: String) -> String {
        let digest = SHA256.digest(bytes + [0] + Array(kind.utf8) + [0] + Array(text.utf8))
        return HexadecimalText.digits(digest.prefix(6))
    }

    /// What the key makes of a hash of a line: different hashes stay different, and nobody without the key can find out
    /// whether a guess at a line is right.
    func permuted(_ hash: UInt16) -> UInt16 {
        var (left, right) = (UInt8(hash >> 8), UInt8(truncatingIfNeeded: hash))
        for round in rounds { (left, right) = (right, left ^ round[Int(right)]) }
        return UInt16(left) << 8 | UInt16(right)
    }

    /// The round functions of a Feistel network, as tables.
    private static func rounds(of bytes: [UInt8]) -> [[UInt8]] {
        (0..<4).map { round in
            (0..<256).map { value in SHA256.digest(bytes + [1, UInt8(round), UInt8(value)]).first ?? 0 }
        }
    }
}
