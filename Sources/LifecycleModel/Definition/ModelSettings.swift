/// What belongs to no single model: profiles, configuration keys, codes of ends, decisions.
package struct ModelSettings: Sendable, Hashable {
    package var profiles: [ModelProfile] = []
    package var options: [ConfigurationKey] = []
    package var decisions: [ModelDecision] = []
    package var endCodes: [EndCode] = []
    package var silentEvidence: [SilentEvidence] = []
    package var choices: [ModelChoice] = []
    package var documents: [CitedDocument] = []

    package init() {}

    /// The configuration key with an id.
    package func option(_ id: String) -> ConfigurationKey? { options.first { $0.id == id } }

    /// The documents that a citation names, in its order, each once: `S1:14, S1:20, A-LIFE` names two.
    package func documents(of citation: String) -> [CitedDocument] {
        var found: [CitedDocument] = []
        for part in citation.split(separator: ",") {
            let name = part.drop { $0 == " " }.prefix { $0 != ":" && $0 != " " }
            guard let document = documents.first(where: { $0.id == name }), !found.contains(document) else { continue }
            found.append(document)
        }
        return found
    }

    /// What a code of a crash report, a jetsam reason or a MetricKit counter means. Case, a leading `0x` and the
    /// decimal form make no difference.
    package func endCode(_ text: String) -> EndCode? {
        let wanted = text.lowercased()
        return endCodes.first {
            $0.code.lowercased() == wanted || $0.code.lowercased() == "0x" + wanted
                || $0.decimal.map(String.init) == wanted
        }
    }
}
