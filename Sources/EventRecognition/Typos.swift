/// Slips of the pen that people make in callback names (`dialects/typos.yaml`).
struct Typos: Sendable {
    private let words: [(word: [UInt8], slips: [[UInt8]])]

    static func builtIn() throws(DialectError) -> Typos {
        let file = try DialectFile(
            name: "typos.yaml", text: String(decoding: PackageResources.typos_yaml, as: UTF8.self))
        var words: [(word: [UInt8], slips: [[UInt8]])] = []
        for field in file.fields {
            let slips = try file.texts(of: field.value, as: field.key).map { Array($0.utf8) }
            words.append((Array(field.key.utf8), slips))
        }
        return Typos(words: words)
    }

    /// What slips make of a spelling.
    func slips(of spelling: String) -> [String] {
        let text = Array(spelling.utf8)
        return words.flatMap { word, slips in
            guard let pieces = ByteSearch.pieces(of: text, around: word) else { return [String]() }
            return slips.map { String(decoding: pieces.before + $0 + pieces.behind, as: UTF8.self) }
        }
    }
}
