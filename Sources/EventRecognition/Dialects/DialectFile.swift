import Dispatch
import LifecycleModel
import TraceRecords
import Yams

/// A dialect or alias file that cannot be used.
package struct DialectError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Name of the file.
    package var file: String
    /// Line in it, counted from 1; `nil` when the file as a whole is meant.
    package var line: Int?
    /// What is wrong, and how to fix it.
    package var message: String

    package var description: String {
        line.map { "\(file):\($0): \(message)" } ?? "\(file): \(message)"
    }
}

/// A YAML file of words and texts, read with messages that name the line.
///
/// Keys and values are compared as they are written: resolving their types took most of the time of a start.
struct DialectFile {
    let name: String
    /// The keys at the top with their values, in order.
    let fields: [(key: String, value: Node)]

    init(name: String, text: String) throws(DialectError) {
        self.name = name
        let node: Node?
        do {
            node = try Yams.compose(yaml: text, .basic, .default, .utf8)
        } catch {
            throw DialectError(file: name, message: "This is not YAML: \(error)")
        }
        guard let node, let fields = Self.fields(of: node) else {
            throw DialectError(file: name, message: "A mapping of keys to values is expected at the top.")
        }
        self.fields = fields
    }

    /// The keys of a mapping with their values, in order; `nil` for anything else.
    static func fields(of node: Node) -> [(key: String, value: Node)]? {
        node.mapping?.map { (key: $0.key.scalar?.string ?? "", value: $0.value) }
    }

    /// The node under a key; `nil` when there is none.
    subscript(key: String) -> Node? { fields.first { $0.key == key }?.value }

    /// The list of texts under a key.
    func texts(_ key: String) throws(DialectError) -> [String] {
        try texts(of: try node(key), as: key)
    }

    /// The texts under a key, as UTF-8.
    func bytes(_ key: String) throws(DialectError) -> [[UInt8]] { try texts(key).map { Array($0.utf8) } }

    /// The whole number under a key.
    func number(_ key: String) throws(DialectError) -> Int {
        let node = try node(key)
        guard let number = node.scalar.flatMap({ Int($0.string) }) else {
            throw error(node, "`\(key)` must be a whole number.")
        }
        return number
    }

    /// The lists of texts under `alternatives`, and those that all files share.
    func alternatives(
        _ shared: TextPattern.Alternatives = TextPattern.Alternatives()
    ) throws(DialectError) -> TextPattern.Alternatives {
        var alternatives = shared
        for (key, value) in self["alternatives"].flatMap(Self.fields) ?? [] {
            guard !TextPattern.hasPlace(key) else {
                throw error(value, "`{\(key)}` is reserved; give the list another name.")
            }
            alternatives.add(try texts(of: value, as: key), as: key)
        }
        return alternatives
    }

    /// The patterns under a key.
    func patterns(
        _ key: String, _ alternatives: TextPattern.Alternatives = TextPattern.Alternatives(),
        bounds: TextPattern.Bounds = .anywhere
    ) throws(DialectError) -> [TextPattern] {
        try patterns(of: try node(key), as: key, alternatives, bounds: bounds)
    }

    /// A node as a list of patterns.
    func patterns(
        of node: Node, as key: String, _ alternatives: TextPattern.Alternatives, bounds: TextPattern.Bounds = .anywhere
    ) throws(DialectError) -> [TextPattern] {
        var patterns: [TextPattern] = []
        for text in try texts(of: node, as: key).flatMap(alternatives.expand) {
            guard let pattern = TextPattern(text, alternatives: alternatives, bounds: bounds) else {
                throw error(node, "`\(text)` has an unknown placeholder in braces.")
            }
            patterns.append(pattern)
        }
        return patterns
    }

    /// A node as a list of texts; a single text is a list of one.
    func texts(of node: Node, as key: String) throws(DialectError) -> [String] {
        if let text = node.scalar?.string { return [text] }
        guard let sequence = node.sequence else { throw error(node, "`\(key)` must be a list of texts.") }
        var texts: [String] = []
        for item in sequence {
            guard let text = item.scalar?.string else {
                throw error(item, "`\(key)` contains something that is not a text.")
            }
            texts.append(text)
        }
        return texts
    }

    /// The list of nodes under a key.
    func list(_ key: String) throws(DialectError) -> [Node] {
        let node = try node(key)
        guard let sequence = node.sequence else { throw error(node, "`\(key)` must be a list.") }
        return Array(sequence)
    }

    /// An item of such a list as a rule.
    func rule(_ node: Node) -> RuleNode { RuleNode(file: self, node: node) }

    func node(_ key: String) throws(DialectError) -> Node {
        guard let node = self[key] else { throw DialectError(file: name, message: "The key `\(key)` is missing.") }
        return node
    }

    func error(_ node: Node, _ message: String) -> DialectError {
        DialectError(file: name, line: node.mark?.line, message: message)
    }
}

/// A rule of a dialect, as the file has it.
struct RuleNode {
    private let file: DialectFile
    private let node: Node
    private let fields: [(key: String, value: Node)]

    init(file: DialectFile, node: Node) {
        self.file = file
        self.node = node
        fields = DialectFile.fields(of: node) ?? []
    }

    private func field(_ key: String) -> Node? { fields.first { $0.key == key }?.value }

    /// The texts under a key; none where the rule does not have it.
    func texts(_ key: String) throws(DialectError) -> [String] {
        guard let value = field(key) else { return [] }
        return try file.texts(of: value, as: key)
    }

    /// The text under a key; `nil` where the rule does not have it.
    func text(_ key: String) throws(DialectError) -> String? { try texts(key).first }

    /// The patterns under a key; none where the rule does not have it.
    func patterns(
        _ key: String, _ alternatives: TextPattern.Alternatives, bounds: TextPattern.Bounds = .anywhere
    ) throws(DialectError) -> [TextPattern] {
        guard let value = field(key) else { return [] }
        return try file.patterns(of: value, as: key, alternatives, bounds: bounds)
    }

    /// What lines of the rule state: a callback (`says`), a proof (`proves`), or what their code says (`proves: ending`).
    func outcome(_ endings: EndingTable, origin: String) throws(DialectError) -> DialectRule.Outcome {
        if let callback = try texts("says").first { return .callbackNamed(callback) }
        let origin = try texts("origin").first ?? origin
        if try texts("proves") == ["ending"] { return .ending(endings, origin: origin) }
        return .proof(try proof(), origin: origin)
    }

    func proof() throws(DialectError) -> Proof {
        guard let word = try texts("proves").first else { throw file.error(node, "A rule needs `proves`.") }
        return try file.proof(word, node)
    }
}

extension DialectFile {
    /// The proof that a word means.
    func proof(_ word: String, _ node: Node) throws(DialectError) -> Proof {
        guard let proof = Proof(rawValue: word) else {
            let words = Proof.allCases.filter { !$0.isDetail }.map(\.rawValue).joined(separator: ", ")
            throw error(node, "`\(word)` is not a proof. It is one of \(words).")
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
        evidence = try Self.dialects(shared, endings)
    }

    /// Reads the files side by side: a small ingest waits for them.
    private static func dialects(
        _ shared: TextPattern.Alternatives, _ endings: EndingTable
    ) throws(DialectError) -> [EvidenceDialect] {
        var read = [Result<EvidenceDialect, DialectError>?](repeating: nil, count: ruleFiles.count)
        read.withUnsafeMutableBufferPointer { buffer in
            // Each place is written once, by one thread.
            nonisolated(unsafe) let places = buffer
            DispatchQueue.concurrentPerform(iterations: ruleFiles.count) { place in
                let (name, bytes) = ruleFiles[place]
                places[place] = Result { () throws(DialectError) in
                    try EvidenceDialect(try file(name, bytes), shared, endings)
                }
            }
        }
        var dialects: [EvidenceDialect] = []
        for case let dialect? in read { dialects.append(try dialect.get()) }
        return dialects
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
