import TraceRecords

/// Which lines of reports tell a version of the app or of the system (`dialects/versions.yaml`).
struct VersionRules: Sendable {
    /// The longest text that is taken for a version.
    private static let longest = 64

    /// What a line says.
    struct Finding: Sendable, Hashable, Codable {
        var proof: Proof
        var version: String
    }

    /// Labels of the layouts of reports about one process, and of those about many.
    private let ofOne: WordList
    private let ofMany: WordList
    private let patterns: [(proof: Proof, pattern: TextPattern)]

    /// The texts by which such a line is found.
    var needles: [[UInt8]] { patterns.map(\.pattern.needle) }

    static func builtIn() throws(DialectError) -> VersionRules {
        let file = try DialectFile(
            name: "versions.yaml", text: String(decoding: PackageResources.versions_yaml, as: UTF8.self))
        return try VersionRules(file)
    }

    private init(_ file: DialectFile) throws(DialectError) {
        ofOne = WordList(try file.texts("ofOne"))
        ofMany = WordList(try file.texts("ofMany"))
        var patterns: [(Proof, TextPattern)] = []
        for proof in Proof.allCases where proof.isVersion {
            for text in try file.texts(proof.rawValue) {
                guard let pattern = TextPattern(text, isWhole: true) else {
                    throw DialectError(file: file.name, message: "`\(text)` names an unknown place in braces.")
                }
                patterns.append((proof, pattern))
            }
        }
        self.patterns = patterns
    }

    /// Whether an entry is one of a report about one process.
    func isOfOne(_ entry: Entry, _ bytes: RawSpan) -> Bool { holds(ofOne, entry, bytes) }

    /// Whether an entry is one of a report about many processes.
    func isOfMany(_ entry: Entry, _ bytes: RawSpan) -> Bool { holds(ofMany, entry, bytes) }

    private func holds(_ labels: WordList, _ entry: Entry, _ bytes: RawSpan) -> Bool {
        let start = Int(entry.subsystem.offset)
        return !entry.subsystem.isEmpty && labels.contains(bytes, start, start + Int(entry.subsystem.length))
    }

    /// The versions that the line `start..<end` tells.
    func findings(_ bytes: RawSpan, _ start: Int, _ end: Int) -> [Finding] {
        patterns.compactMap { proof, pattern in
            guard let label = pattern.match(bytes, start, end)?.label, label.count <= Self.longest else { return nil }
            var text: [UInt8] = []
            for position in label { text.append(bytes.byte(position)) }
            guard text.contains(where: ByteClass.isDigit) else { return nil }
            var version = String(decoding: VisText.plain(text), as: UTF8.self)
            while version.last?.isWhitespace == true { version.removeLast() }
            return Finding(proof: proof, version: proof == .appVersion ? Self.withoutBuild(version) : version)
        }
    }

    /// `1.2 (34)` and `34 (1.2)` without the number of the build, where it is plain which of the two that is: reports
    /// have written them in either order.
    private static func withoutBuild(_ version: String) -> String {
        let parts = version.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[1].hasPrefix("("), parts[1].hasSuffix(")") else { return version }
        let first = String(parts[0])
        let second = String(parts[1].dropFirst().dropLast())
        if first == second || first.contains(".") && !second.contains(".") { return first }
        return second.contains(".") && !first.contains(".") ? second : version
    }
}
