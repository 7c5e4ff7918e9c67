import Foundation
import Reports

/// The secret that pseudonyms are made with. Without it nobody can find out which name a pseudonym stands for by trying
/// names; it is therefore kept apart from the databases, in a file of its own that only its owner can read.
struct RedactionKey: Sendable {
    let bytes: [UInt8]

    /// The key that `LIFESTATS_REDACTION_KEY` gives, else that of the user's configuration folder, which is made up when
    /// there is none yet.
    ///
    /// - Throws: ``LifeStatsError`` when the file can neither be read nor be made.
    static func ofUser() throws -> RedactionKey {
        if let text = ProcessInfo.processInfo.environment["LIFESTATS_REDACTION_KEY"], !text.isEmpty {
            return RedactionKey(bytes: Array(text.utf8))
        }
        guard let folder = ConfigurationFolder.path else {
            throw LifeStatsError(
                "there is no place for the key of --redact", why: "neither HOME nor XDG_CONFIG_HOME is set",
                remedy: "give a key of your own in LIFESTATS_REDACTION_KEY")
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
                remedy: "give a key of your own in LIFESTATS_REDACTION_KEY")
        }
        guard let stored = FileManager.default.contents(atPath: path), stored.count >= 32 else {
            throw LifeStatsError(
                "\(path): this is no key of --redact", remedy: "remove the file; another key is made up then")
        }
        return RedactionKey(bytes: Array(stored))
    }

    /// The first 12 hexadecimal digits of what the key makes of a text.
    func digits(of text: String, as kind: String) -> String {
        let digest = SHA256.digest(bytes + [0] + Array(kind.utf8) + [0] + Array(text.utf8))
        return HexadecimalText.digits(digest.prefix(6))
    }

    /// What the key makes of a number that tells equal lines: whoever guesses a line can't find out whether it is one.
    func number(of number: UInt64) -> UInt64 {
        let digest = SHA256.digest(bytes + [1] + withUnsafeBytes(of: number.littleEndian, Array.init))
        return digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
