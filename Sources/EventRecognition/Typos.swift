/// Slips of the pen that people make in callback names (`dialects/typos.yaml`).
struct Typos: Sendable {
    private let slips: [(word: String, slip: String)]

    static func builtIn() throws(DialectError) -> Typos {
        let file = try DialectFile(
            name: "typos.yaml", text: String(decoding: PackageResources.typos_yaml, as: UTF8.self))
        var slips: [(word: String, slip: String)] = []
        for field in file.fields {
            for slip in try file.texts(of: field.value, as: field.key) { slips.append((field.key, slip)) }
        }
        return Typos(slips: slips)
    }

    /// What slips make of a spelling.
    func slips(of spelling: String) -> [String] {
        let lower = spelling.lowercased()
        var variants: [String] = []
        for (word, slip) in slips {
            let pieces = lower.split(separator: word.lowercased(), omittingEmptySubsequences: false)
            guard pieces.count == 2 else { continue }
            variants.append(pieces.joined(separator: slip.lowercased()))
        }
        return variants
    }
}
