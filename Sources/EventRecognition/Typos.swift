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

    /// A spelling, and what slips make of it.
    func variants(of spelling: String) -> [String] {
        let lower = spelling.lowercased()
        var variants = [spelling]
        for (word, slip) in slips {
            let pieces = lower.split(separator: word.lowercased(), omittingEmptySubsequences: false)
            guard pieces.count == 2 else { continue }
            // The case of the first letter stays: a glued prefix is told by a capital.
            variants.append(pieces.joined(separator: slip.lowercased()))
        }
        return variants
    }
}
