import TraceRecords
import Yams

/// The dialects of evidence (`dialects/evidence-*.yaml`).
struct Dialects: Sendable {
    /// All rules, in the order of the files.
    private(set) var rules: [DialectRule] = []
    /// Whole messages that state something, as they are written.
    private(set) var messages: [(text: String, rule: DialectRule)] = []

    static func builtIn() throws(DialectError) -> Dialects {
        var dialects = Dialects()
        for (name, bytes) in DialectResources.evidence {
            try dialects.add(DialectFile(name: name, text: String(decoding: bytes, as: UTF8.self)))
        }
        return dialects
    }

    private mutating func add(_ file: DialectFile) throws(DialectError) {
        let origin = try file.texts("origin").first ?? ""
        let isSpoken = file.fields.contains { $0.key == "spoken" && $0.value.bool == true }
        var alternatives: [(name: String, texts: [String])] = []
        if let node = file.fields.first(where: { $0.key == "alternatives" })?.value {
            for (key, value) in node.mapping ?? [:] {
                alternatives.append((key.string ?? "", try file.texts(of: value, as: key.string ?? "")))
            }
        }
        guard let list = try file.node("rules").sequence else {
            throw file.error(try file.node("rules"), "`rules` must be a list.")
        }
        for node in list {
            guard let mapping = node.mapping, let word = mapping["proves"]?.string else {
                throw file.error(node, "A rule needs `proves`.")
            }
            guard let proof = Proof(rawValue: word) else {
                let words = Proof.allCases.map(\.rawValue).joined(separator: ", ")
                throw file.error(node, "`\(word)` is no proof. It is one of \(words).")
            }
            let own = mapping["origin"]?.string ?? origin
            for text in try Self.texts(mapping["message"], "message", file) {
                let pattern = try Self.pattern(text, node, file)
                messages.append((text, DialectRule(outcome: .proof(proof, origin: own), pattern: pattern)))
            }
            var with: [TextPattern] = []
            for text in try Self.texts(mapping["with"], "with", file) {
                with.append(try Self.pattern(text, node, file))
            }
            for text in try Self.texts(mapping["line"], "line", file) {
                for variant in Self.expand(text, alternatives) {
                    let pattern = try Self.pattern(variant, node, file)
                    guard pattern.needle.count >= NeedleIndex.shortest else {
                        throw file.error(
                            node, "`\(variant)` needs \(NeedleIndex.shortest) characters in a row that never change.")
                    }
                    rules.append(
                        DialectRule(
                            outcome: .proof(proof, origin: own), pattern: pattern, with: with, isSpoken: isSpoken))
                }
            }
        }
    }

    private static func texts(_ node: Node?, _ key: String, _ file: DialectFile) throws(DialectError) -> [String] {
        guard let node else { return [] }
        return try file.texts(of: node, as: key)
    }

    private static func pattern(
        _ text: String, _ node: Node, _ file: DialectFile
    ) throws(DialectError) -> TextPattern {
        guard let pattern = TextPattern(text) else {
            throw file.error(node, "`\(text)` names an unknown place in braces.")
        }
        return pattern
    }

    /// A text with each of the alternatives in the place of their name.
    private static func expand(_ text: String, _ alternatives: [(name: String, texts: [String])]) -> [String] {
        var variants = [text]
        for (name, texts) in alternatives {
            variants = variants.flatMap { variant in
                guard let pieces = ByteSearch.pieces(of: Array(variant.utf8), around: Array("{\(name)}".utf8)) else {
                    return [variant]
                }
                return texts.map { String(decoding: pieces.before + Array($0.utf8) + pieces.behind, as: UTF8.self) }
            }
        }
        return variants
    }
}
