import Dispatch
import LifecycleModel
import TraceRecords

/// The words and texts of dialect files and of users' files.
extension Field {
    /// The entry under a key that must be there.
    func required(_ key: String) throws(ModelError) -> Field {
        guard let entry = self[key] else { throw error("the key '\(key)' is missing") }
        return entry
    }

    /// The texts under a key that must be there.
    func texts(_ key: String) throws(ModelError) -> [String] { try required(key).texts() }

    /// The texts under a key, as UTF-8.
    func bytes(_ key: String) throws(ModelError) -> [[UInt8]] { try texts(key).map { Array($0.utf8) } }

    /// The text under a key; `nil` where there is none.
    func text(_ key: String) throws(ModelError) -> String? { try self[key]?.texts().first }

    /// The lists of texts under `alternatives`, and those that all files share.
    func alternatives(
        _ shared: TextPattern.Alternatives = TextPattern.Alternatives()
    ) throws(ModelError) -> TextPattern.Alternatives {
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
    ) throws(ModelError) -> [TextPattern] {
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
    func outcome(_ endings: EndingTable, origin: String) throws(ModelError) -> DialectRule.Outcome {
        if let callback = try text("says") { return .callbackNamed(callback) }
        let origin = try text("origin") ?? origin
        guard let word = try text("proves") else { throw error("a rule needs 'proves'") }
        return word == "ending" ? .ending(endings, origin: origin) : .proof(try proof(word), origin: origin)
    }

    /// The proof that a word means.
    func proof(_ word: String) throws(ModelError) -> Proof {
        guard let proof = Proof(rawValue: word) else {
            let words = Proof.allCases.filter { !$0.isDetail }.map(\.rawValue).joined(separator: ", ")
            throw error("'\(word)' is not a proof; it is one of \(words)")
        }
        return proof
    }
}

/// The dialect files of this target, as the build embeds them (`dialects/`).
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

    private static let ruleFiles: [(name: String, bytes: [UInt8])] = [
        ("evidence-runningboard.yaml", PackageResources.evidence_runningboard_yaml),
        ("evidence-assertiond.yaml", PackageResources.evidence_assertiond_yaml),
        ("evidence-frontboard.yaml", PackageResources.evidence_frontboard_yaml),
        ("evidence-springboard.yaml", PackageResources.evidence_springboard_yaml),
        ("evidence-launchd.yaml", PackageResources.evidence_launchd_yaml),
        ("evidence-uikit.yaml", PackageResources.evidence_uikit_yaml),
        ("evidence-migration.yaml", PackageResources.evidence_migration_yaml),
        ("evidence-crash-report.yaml", PackageResources.evidence_crash_report_yaml),
        ("evidence-endings.yaml", PackageResources.evidence_endings_yaml),
        ("evidence-flutter.yaml", PackageResources.evidence_flutter_yaml),
        ("evidence-react-native.yaml", PackageResources.evidence_react_native_yaml),
        ("evidence-swiftui.yaml", PackageResources.evidence_swiftui_yaml),
        ("evidence-transistor.yaml", PackageResources.evidence_transistor_yaml),
        ("evidence-frameworks.yaml", PackageResources.evidence_frameworks_yaml),
        ("evidence-background-task.yaml", PackageResources.evidence_background_task_yaml),
        ("background-task-words.yaml", PackageResources.background_task_words_yaml),
        ("evidence-sentry.yaml", PackageResources.evidence_sentry_yaml),
        ("evidence-opentelemetry.yaml", PackageResources.evidence_opentelemetry_yaml),
        ("evidence-app-state.yaml", PackageResources.evidence_app_state_yaml),
        ("callback-words.yaml", PackageResources.callback_words_yaml),
    ]

    private static let files = Result { () throws(ModelError) in try BuiltInDialects() }

    /// The files, read once in a process.
    static func read() throws(ModelError) -> BuiltInDialects { try files.get() }

    private init() throws(ModelError) {
        labels = try LabelRules(Self.file("labels.yaml", PackageResources.labels_yaml))
        prose = try ProseRules(Self.file("prose.yaml", PackageResources.prose_yaml))
        typos = try Typos(Self.file("typos.yaml", PackageResources.typos_yaml))
        units = try TimeUnits(Self.file("units.yaml", PackageResources.units_yaml))
        versions = try VersionRules(Self.file("versions.yaml", PackageResources.versions_yaml))
        let windows = try Self.file("windows.yaml", PackageResources.windows_yaml).bytes("common")
        commonWindows = Set(windows.filter { $0.count >= 4 }.map { NeedleIndex.window($0, 0) })
        let connectors = try Self.file("connectors.yaml", PackageResources.connectors_yaml)
        var shared = TextPattern.Alternatives()
        for list in try connectors.entries() { shared.add(try list.texts(), as: list.key) }
        let endings = EndingTable((try? ModelCatalog.builtIn())?.settings.endCodes ?? [])
        shared.add(endings.jetsamReasons, as: "jetsam")
        evidence = try Self.dialects(shared, endings)
    }

    /// Reads the files side by side: a small ingest waits for them.
    private static func dialects(
        _ shared: TextPattern.Alternatives, _ endings: EndingTable
    ) throws(ModelError) -> [EvidenceDialect] {
        var read = [Result<EvidenceDialect, ModelError>?](repeating: nil, count: ruleFiles.count)
        read.withUnsafeMutableBufferPointer { buffer in
            // Each place is written once, by one thread.
            nonisolated(unsafe) let places = buffer
            DispatchQueue.concurrentPerform(iterations: ruleFiles.count) { place in
                let (name, bytes) = ruleFiles[place]
                places[place] = Result { () throws(ModelError) in
                    try EvidenceDialect(try file(name, bytes), shared, endings)
                }
            }
        }
        var dialects: [EvidenceDialect] = []
        for case let dialect? in read { dialects.append(try dialect.get()) }
        return dialects
    }

    private static func file(_ name: String, _ bytes: [UInt8]) throws(ModelError) -> Field {
        try Field.document(String(decoding: bytes, as: UTF8.self), file: name)
    }
}

/// Slips of the pen that people make in callback names (`dialects/typos.yaml`).
struct Typos: Sendable {
    private let words: [(word: [UInt8], slips: [[UInt8]])]

    init(_ file: Field) throws(ModelError) {
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
