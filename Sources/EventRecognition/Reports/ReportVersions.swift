import DataFiles
import TraceRecords

/// The versions that a report gives, until a line shows the end of the process that it is about.
struct ReportVersions: Sendable, Hashable, Codable {
    /// What the lines so far say.
    private var findings: [VersionRules.Finding] = []
    /// Whether it holds for every process that the report names.
    private var isOfMany = false
    /// Whether a line has shown the end of the process already, and its time.
    private var hasEnd = false
    private(set) var endTime: Int64?

    var isActive: Bool { hasEnd || !findings.isEmpty }

    /// Reads the versions in a line of a report.
    mutating func read(
        _ entry: Entry, _ bytes: RawSpan, _ start: Int, _ end: Int, _ rules: VersionRules, _ disguise: Disguise
    ) {
        let isOfMany = rules.isOfMany(entry, bytes)
        guard isOfMany || rules.isOfOne(entry, bytes) else { return }
        let found = rules.findings(bytes, start, end).filter { $0.proof != .systemOfLog }
        guard !found.isEmpty else { return }
        // A report about many has its versions in its first line.
        if isOfMany || self.isOfMany { self = ReportVersions() }
        self.isOfMany = isOfMany
        findings += found.map { VersionRules.Finding(proof: $0.proof, version: disguise.version($0.version)) }
    }

    /// A line that names its process begins another report, unless the report is about many.
    mutating func end(at entry: Entry, _ bytes: RawSpan, _ rules: VersionRules) {
        if !isOfMany || !rules.isOfMany(entry, bytes) { self = ReportVersions() }
    }

    /// The versions of a process whose end a line of the report shows.
    mutating func after(
        _ proof: Proof, _ entry: Entry, _ bytes: RawSpan, _ rules: VersionRules
    ) -> [VersionRules.Finding] {
        switch proof {
        case .exitedBySignal, .exitedByWatchdog, .exitedByJetsam: break
        default: return []
        }
        if isOfMany { return rules.isOfMany(entry, bytes) ? findings : [] }
        guard rules.isOfOne(entry, bytes) else { return [] }
        hasEnd = true
        endTime = entry.time
        return takeLate()
    }

    /// The versions that a report gives after the end of its process.
    mutating func takeLate() -> [VersionRules.Finding] {
        guard hasEnd, !findings.isEmpty else { return [] }
        defer { findings = [] }
        return findings
    }
}

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
    private let ofLog: WordList
    private let patterns: [(proof: Proof, pattern: TextPattern)]

    /// The texts by which such a line is found.
    var needles: [[UInt8]] { patterns.flatMap { $0.pattern.needles(ofLength: NeedleIndex.shortest) } }

    init(_ file: Field) throws(DataFileError) {
        ofOne = WordList(try file.texts("ofOne"))
        ofMany = WordList(try file.texts("ofMany"))
        ofLog = WordList(try file.texts("ofLog"))
        var patterns: [(Proof, TextPattern)] = []
        for proof in Proof.allCases where proof.isVersion {
            patterns += try file.patterns(proof.rawValue, bounds: .line).map { (proof, $0) }
        }
        self.patterns = patterns
    }

    /// Whether an entry is one of a report about one process.
    func isOfOne(_ entry: Entry, _ bytes: RawSpan) -> Bool { holds(ofOne, entry, bytes) }

    /// Whether an entry is one of a report about many processes.
    func isOfMany(_ entry: Entry, _ bytes: RawSpan) -> Bool { holds(ofMany, entry, bytes) }

    /// Whether an entry with a certain subsystem is one of a report.
    func isReport(_ bytes: RawSpan, subsystem: Range<Int>) -> Bool {
        !subsystem.isEmpty && (ofOne.contains(bytes, subsystem) || ofMany.contains(bytes, subsystem))
    }

    /// The version of the system in a line of the head of a log.
    func system(_ entry: Entry, _ bytes: RawSpan) -> String? {
        guard holds(ofLog, entry, bytes) else { return nil }
        let start = Int(entry.message.offset)
        let found = findings(bytes, start, start + Int(entry.message.length)).first { $0.proof == .systemOfLog }
        // Nothing may follow but a build: prose speaks of versions, too.
        return found.flatMap { $0.version.wholeMatch(of: /\d+(\.\d+)*( \([0-9A-Za-z]+\))?/) == nil ? nil : $0.version }
    }

    private func holds(_ labels: WordList, _ entry: Entry, _ bytes: RawSpan) -> Bool {
        labels.contains(bytes, entry.subsystem.indices)
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

    /// `1.2 (34)` and `34 (1.2)` without the number of the build, where it is plain which one that is.
    private static func withoutBuild(_ version: String) -> String {
        let parts = version.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[1].hasPrefix("("), parts[1].hasSuffix(")") else { return version }
        let first = String(parts[0])
        let second = String(parts[1].dropFirst().dropLast())
        if first == second || first.contains(".") && !second.contains(".") { return first }
        return second.contains(".") && !first.contains(".") ? second : version
    }
}
