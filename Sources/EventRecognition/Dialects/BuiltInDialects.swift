import LifecycleModel

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

    private static let files = Result { () throws(DialectError) in try BuiltInDialects() }

    /// The files, read once in a process.
    static func read() throws(DialectError) -> BuiltInDialects { try files.get() }

    private init() throws(DialectError) {
        labels = try LabelRules(Self.file("labels.yaml", PackageResources.labels_yaml))
        prose = try ProseRules(Self.file("prose.yaml", PackageResources.prose_yaml))
        typos = try Typos(Self.file("typos.yaml", PackageResources.typos_yaml))
        units = try TimeUnits(Self.file("units.yaml", PackageResources.units_yaml))
        versions = try VersionRules(Self.file("versions.yaml", PackageResources.versions_yaml))
        let windows = try Self.file("windows.yaml", PackageResources.windows_yaml).bytes("common")
        commonWindows = Set(windows.filter { $0.count >= 4 }.map { NeedleIndex.window($0, 0) })
        let connectors = try Self.file("connectors.yaml", PackageResources.connectors_yaml)
        var shared = TextPattern.Alternatives()
        for (name, _) in connectors.fields { shared.add(try connectors.texts(name), as: name) }
        let endings = EndingTable((try? ModelCatalog.builtIn())?.settings.endCodes ?? [])
        shared.add(endings.jetsamReasons, as: "jetsam")
        var evidence: [EvidenceDialect] = []
        for (name, bytes) in Self.ruleFiles {
            evidence.append(try EvidenceDialect(try Self.file(name, bytes), shared, endings))
        }
        self.evidence = evidence
    }

    private static func file(_ name: String, _ bytes: [UInt8]) throws(DialectError) -> DialectFile {
        try DialectFile(name: name, text: String(decoding: bytes, as: UTF8.self))
    }
}

/// Slips of the pen that people make in callback names (`dialects/typos.yaml`).
struct Typos: Sendable {
    private let words: [(word: [UInt8], slips: [[UInt8]])]

    init(_ file: DialectFile) throws(DialectError) {
        var words: [(word: [UInt8], slips: [[UInt8]])] = []
        for field in file.fields {
            let slips = try file.texts(of: field.value, as: field.key).map { Array($0.utf8) }
            words.append((Array(field.key.utf8), slips))
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
