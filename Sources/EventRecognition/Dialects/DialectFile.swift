import DataFiles
import Dispatch
import LifecycleModel
import TraceRecords

/// The words and texts of dialect files and of users' files.
extension Field {
    /// The entry under a key that must be there.
    func required(_ key: String) throws(DataFileError) -> Field {
        guard let entry = self[key] else { throw error("the key '\(key)' is missing") }
        return entry
    }

    /// The texts under a key that must be there.
    func texts(_ key: String) throws(DataFileError) -> [String] { try required(key).texts() }

    /// The texts under a key, as UTF-8.
    func bytes(_ key: String) throws(DataFileError) -> [[UInt8]] { try texts(key).map { Array($0.utf8) } }

    /// The text under a key; `nil` where there is none.
    func text(_ key: String) throws(DataFileError) -> String? { try self[key]?.texts().first }

    /// The lists of texts under `alternatives`, and those that all files share.
    func alternatives(
        _ shared: TextPattern.Alternatives = TextPattern.Alternatives()
    ) throws(DataFileError) -> TextPattern.Alternatives {
        var alternatives = shared
        for list in try self["alternatives"]?.entries() ?? [] {
            guard !TextPattern.hasPlace(list.key) else {
                throw list.error("'{\(list.key)}' is reserved; give the list another name")
            }
            alternatives.add(try list.texts(), as: list.key)
        }
        return alternatives
    }

    /// The patterns under a key; none where there is no such key.
    func patterns(
        _ key: String, _ alternatives: TextPattern.Alternatives = TextPattern.Alternatives(),
        bounds: TextPattern.Bounds = .anywhere
    ) throws(DataFileError) -> [TextPattern] {
        guard let list = self[key] else { return [] }
        var patterns: [TextPattern] = []
        for text in try list.texts().flatMap(alternatives.expand) {
            guard let pattern = TextPattern(text, alternatives: alternatives, bounds: bounds) else {
                throw list.error("'\(text)' has an unknown placeholder in braces")
            }
            patterns.append(pattern)
        }
        return patterns
    }

    /// What lines of a rule state: a callback (`says`), a proof (`proves`), or what their code says (`proves: ending`).
    func outcome(_ endings: EndingTable, origin: String) throws(DataFileError) -> DialectRule.Outcome {
        if let callback = try text("says") { return .callbackNamed(callback) }
        let origin = try text("origin") ?? origin
        guard let word = try text("proves") else { throw error("a rule needs 'proves'") }
        return word == "ending" ? .ending(endings, origin: origin) : .proof(try proof(word), origin: origin)
    }

    /// The proof that a word means.
    func proof(_ word: String) throws(DataFileError) -> Proof {
        guard let proof = Proof(rawValue: word) else {
            let words = Proof.allCases.filter { !$0.isDetail }.map(\.rawValue).joined(separator: ", ")
            throw error("'\(word)' is not a proof; it is one of \(words)")
        }
        return proof
    }
}

/// The files of the folder `dialects`, which the build embeds as ``CompiledFiles``.
struct BuiltInDialects: Sendable {
    let labels: LabelRules
    let prose: ProseRules
    let typos: Typos
    let units: TimeUnits
    let versions: VersionRules
    /// Windows of four bytes that ordinary log text is full of.
    let commonWindows: Set<UInt32>
    /// In the order in which their rules are tried.
    let evidence: [EvidenceDialect]

    /// The files of rules, in the order in which their rules are tried.
    static let ruleFiles = [
        "evidence-runningboard.yaml",
        "evidence-assertiond.yaml",
        "evidence-frontboard.yaml",
        "evidence-springboard.yaml",
        "evidence-launchd.yaml",
        "evidence-uikit.yaml",
        "evidence-migration.yaml",
        "evidence-crash-report.yaml",
        "evidence-endings.yaml",
        "evidence-flutter.yaml",
        "evidence-react-native.yaml",
        "evidence-swiftui.yaml",
        "evidence-transistor.yaml",
        "evidence-frameworks.yaml",
        "evidence-background-task.yaml",
        "background-task-words.yaml",
        "evidence-sentry.yaml",
        "evidence-opentelemetry.yaml",
        "callback-words.yaml",
        "evidence-app-state.yaml",
    ]
    /// All others.
    static let otherFiles = [
        "labels.yaml", "prose.yaml", "typos.yaml", "units.yaml", "versions.yaml", "windows.yaml", "connectors.yaml",
    ]

    private static let files = Result { () throws(DataFileError) in try BuiltInDialects() }

    /// The files, read once in a process.
    static func read() throws(DataFileError) -> BuiltInDialects { try files.get() }

    private init() throws(DataFileError) {
        let files = try CompiledFiles(PackageResources.dialects_bin, name: "dialects.bin")
        labels = try LabelRules(files.file("labels.yaml"))
        prose = try ProseRules(files.file("prose.yaml"))
        typos = try Typos(files.file("typos.yaml"))
        units = try TimeUnits(files.file("units.yaml"))
        versions = try VersionRules(files.file("versions.yaml"))
        let windows = try files.file("windows.yaml").bytes("common")
        commonWindows = Set(windows.filter { $0.count >= 4 }.map { NeedleIndex.window($0, 0) })
        let connectors = try files.file("connectors.yaml")
        var shared = TextPattern.Alternatives()
        for list in try connectors.entries() { shared.add(try list.texts(), as: list.key) }
        let endings = EndingTable((try? ModelCatalog.builtIn())?.settings.endCodes ?? [])
        shared.add(endings.knownCodes, as: "known_code")
        shared.add(endings.jetsamReasons, as: "jetsam")
        // Those that are found by themselves.
        shared.add(endings.jetsamReasons.filter { $0.utf8.count >= NeedleIndex.shortest }, as: "long_jetsam")
        evidence = try Self.dialects(files, shared, endings)
    }

    /// Reads the files side by side: a small ingest waits for them.
    private static func dialects(
        _ files: CompiledFiles, _ shared: TextPattern.Alternatives, _ endings: EndingTable
    ) throws(DataFileError) -> [EvidenceDialect] {
        var read = [Result<EvidenceDialect, DataFileError>?](repeating: nil, count: ruleFiles.count)
        read.withUnsafeMutableBufferPointer { buffer in
            // Each place is written once, by one thread.
            nonisolated(unsafe) let places = buffer
            DispatchQueue.concurrentPerform(iterations: ruleFiles.count) { place in
                places[place] = Result { () throws(DataFileError) in
                    try EvidenceDialect(files.file(ruleFiles[place]), shared, endings)
                }
            }
        }
        var dialects: [EvidenceDialect] = []
        for case let dialect? in read { dialects.append(try dialect.get()) }
        return dialects
    }
}

/// Slips of the pen that people make in callback names (`dialects/typos.yaml`).
struct Typos: Sendable {
    private let words: [(word: [UInt8], slips: [[UInt8]])]

    init(_ file: Field) throws(DataFileError) {
        var words: [(word: [UInt8], slips: [[UInt8]])] = []
        for word in try file.entries() {
            words.append((Array(word.key.utf8), try word.texts().map { Array($0.utf8) }))
        }
        self.words = words
    }

    /// What slips make of a spelling.
    func slips(of spelling: String) -> [String] {
        let text = Array(spelling.utf8)
        return words.flatMap { word, slips in
            guard let place = Self.onlyPlace(of: word, in: text) else { return [String]() }
            return slips.map {
                String(decoding: text[..<place] + $0 + text[(place + word.count)...], as: UTF8.self)
            }
        }
    }

    /// The place of a word in a text, in any case of letters; `nil` when it is nowhere or in two places.
    private static func onlyPlace(of word: [UInt8], in text: [UInt8]) -> Int? {
        guard let first = word.first, text.count >= word.count else { return nil }
        let bytes = text.span.bytes
        var found: Int?
        // Nearly everywhere the first byte already shows that the word is not there.
        for start in 0...text.count - word.count
        where (text[start] ^ first) & 0xDF == 0 && bytes.equalsFolded(start, word.span.bytes, 0, count: word.count) {
            if found != nil { return nil }
            found = start
        }
        return found
    }
}
