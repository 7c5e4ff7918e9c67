import Foundation
import Reports

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
                "there is no place to keep the key of --redact", why: "neither HOME nor XDG_CONFIG_HOME is set",
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
