/// Slips of the pen that people make in callback names (`dialects/typos.yaml`).
struct Typos: Sendable {
    private let slips: [(word: [UInt8], slip: [UInt8])]

    static func builtIn() throws(DialectError) -> Typos {
        let file = try DialectFile(
            name: "typos.yaml", text: String(decoding: PackageResources.typos_yaml, as: UTF8.self))
        var slips: [(word: [UInt8], slip: [UInt8])] = []
        for field in file.fields {
            for slip in try file.texts(of: field.value, as: field.key) {
                slips.append((Array(field.key.utf8), Array(slip.utf8)))
            }
        }
        return Typos(slips: slips)
    }

    /// What slips make of a spelling.
    func slips(of spelling: String) -> [String] {
        let text = Array(spelling.utf8)
        return slips.compactMap { word, slip in
            ByteSearch.pieces(of: text, around: word).map {
                String(decoding: $0.before + slip + $0.behind, as: UTF8.self)
            }
        }
    }
}
