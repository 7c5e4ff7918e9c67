import DataFiles
import TraceRecords

/// One kind of line, and what it states.
struct DialectRule: Sendable {
    /// What a line states.
    enum Outcome: Sendable {
        /// A callback of the vocabulary.
        case callback(UInt16)
        /// A callback by its id: it counts where a model in use has it.
        case callbackNamed(String)
        /// Evidence, and who states it.
        case proof(Proof, origin: String)
        /// Evidence of an end, which follows from the code in the line.
        case ending(EndingTable, origin: String)
    }

    /// How people write such lines: whether sentences must be told from statements.
    enum Style: Sendable {
        /// A program writes it always alike.
        case fixed
        /// People write it: the words around it decide.
        case spoken
        /// A user has chosen it.
        case chosen
    }

    var outcome: Outcome
    var pattern: TextPattern
    /// Its place among all rules: of those that hold for a line the first one counts.
    var order = 0
    /// Texts of which every such line has one; none where they would be too short to be found.
    var needles: [[UInt8]] = []
    /// What else must be in the line, wherever; a label in it names the instance, and a code tells the end.
    var with: [TextPattern] = []
    /// One of what must be in the subsystem of the entry, and names the process; none where the message does.
    var subsystem: [TextPattern] = []
    var style = Style.fixed
    /// Whether the line does not show which process it is about.
    var isAboutUnknown = false
    /// Whether the line may name a scene, as callbacks of scenes do.
    var isAboutScene = false
    /// What must not be in the line.
    var without: [TextPattern] = []
    /// Where the text that was found is what is to be known of the end of a run, what stands before it: what a code means,
    /// or nothing.
    var endMeaning: String?
    /// Whether the state begins with the line, which names another one before it.
    var isChange = false
    /// The state in which the process ended, where such a line says it.
    var lastState: Proof?
    /// Why the system launched the process, where such a line says it.
    var launchCause: String?

    /// What the line `start..<end` says, when the rule is about it.
    func match(_ bytes: RawSpan, _ start: Int, _ end: Int, subsystem place: Range<Int>) -> TextPattern.Finding? {
        guard var finding = pattern.match(bytes, start, end) else { return nil }
        for other in without where other.match(bytes, start, end) != nil { return nil }
        for other in with {
            guard let more = other.match(bytes, start, end) else { return nil }
            if !more.label.isEmpty { finding.label = more.label }
            finding.code = finding.code ?? more.code
        }
        if !subsystem.isEmpty {
            var found: TextPattern.Finding?
            for pattern in subsystem where found == nil {
                found = pattern.match(bytes, place.lowerBound, place.upperBound)
            }
            guard let more = found else { return nil }
            (finding.bundle, finding.name, finding.pid) = (more.bundle, more.name, more.pid)
        }
        if case .ending(let table, _) = outcome, table.ending(finding, bytes) == nil { return nil }
        return finding
    }
}

/// A rule of a lexicon. A class, so that trying it counts none of the many references of a rule.
final class TriedRule: Sendable {
    let rule: DialectRule

    init(_ rule: DialectRule) { self.rule = rule }
}

/// What a framework or a part of the system writes that proves a state (`dialects/evidence-*.yaml`), or what says in other
/// words that a callback ran (`dialects/callback-words.yaml`).
struct EvidenceDialect: Sendable {
    /// The rules, in the order in which they are tried.
    private(set) var rules: [DialectRule] = []
    /// Whole messages that state something, as they are written.
    private(set) var messages: [(text: String, rule: DialectRule)] = []

    /// - Parameters:
    ///   - shared: lists of alternatives that all dialects may use.
    ///   - endings: what codes say.
    init(_ file: Field, _ shared: TextPattern.Alternatives, _ endings: EndingTable) throws(DataFileError) {
        let origin = file["origin"]?.text ?? ""
        let isSpoken = file["spoken"]?.text == "yes"
        let alternatives = try file.alternatives(shared)
        for source in try file.required("rules").elements() {
            var rule = DialectRule(
                outcome: try source.outcome(endings, origin: origin), pattern: .empty,
                with: try source.patterns("with", alternatives),
                subsystem: try source.patterns("subsystem", alternatives))
            rule.isAboutUnknown = try source.text("about") == "unknown"
            rule.isAboutScene = file["about"]?.text == "scene"
            rule.without = try source.patterns("without", alternatives)
            rule.endMeaning = try source.text("tells").map { endings.meanings[$0] ?? "" }
            rule.isChange = source["begins"]?.text == "yes"
            rule.lastState = try source.text("state").flatMap(Proof.init)
            rule.launchCause = try source.text("cause")
            for text in try source["message"]?.texts() ?? [] { messages.append((text, rule)) }
            rule.style = isSpoken ? .spoken : .fixed
            let patterns =
                try source.patterns("line", alternatives, bounds: isSpoken ? .words : .anywhere)
                + source.patterns("statement", alternatives, bounds: .statement)
                + source.patterns("alone", alternatives, bounds: .alone)
                + source.patterns("whole", alternatives, bounds: .line)
            for pattern in patterns {
                rule.needles = pattern.needles(ofLength: NeedleIndex.shortest)
                guard !rule.needles.isEmpty else {
                    throw source.error(
                        "a line needs \(NeedleIndex.shortest) characters in a row that are always the same")
                }
                rule.pattern = pattern
                rules.append(rule)
            }
        }
    }

    /// Evidence that a user has chosen.
    init(_ evidence: [AliasTable.Evidence]) {
        rules = evidence.compactMap { entry in
            TextPattern(entry.text, bounds: .words).map { pattern in
                var rule = DialectRule(outcome: .proof(entry.proof, origin: entry.origin), pattern: pattern)
                rule.style = .chosen
                rule.needles = pattern.needles(ofLength: NeedleIndex.shortest)
                return rule
            }
        }
    }
}

/// Messages that state something as they are, in exactly these letters: a bare `ACTIVE`.
struct WholeMessages: Sendable {
    private var table = ByteTable()
    private var rules: [TriedRule] = []
    /// Length of the longest one.
    private(set) var longest = 0

    init(_ messages: [(text: String, rule: DialectRule)]) {
        for (text, rule) in messages {
            let bytes = Array(text.utf8)
            let span = bytes.span.bytes
            guard table.value(span, 0, count: bytes.count) == nil else { continue }
            table.insert(span, 0, count: bytes.count, value: UInt32(rules.count))
            rules.append(TriedRule(rule))
            longest = max(longest, bytes.count)
        }
    }

    /// The rule that a whole message is; `nil` when it is none.
    func rule(_ bytes: RawSpan, _ start: Int, _ end: Int) -> TriedRule? {
        guard end - start <= longest, let number = table.value(bytes, start, count: end - start) else { return nil }
        return rules[Int(number)]
    }
}
