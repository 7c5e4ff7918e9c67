import TraceRecords
import Yams

/// One kind of line, and what it states.
struct DialectRule: Sendable {
    /// What a line states.
    enum Outcome: Sendable {
        /// A callback of the vocabulary: the line is a message of a user's model.
        case callback(UInt16)
        /// Evidence, and who states it.
        case proof(Proof, origin: String)
    }

    var outcome: Outcome
    var pattern: TextPattern
    /// What else must be in the line, wherever; a label in it names the instance.
    var with: [TextPattern] = []
    /// Whether people write such lines, so that sentences must be told from statements.
    var isSpoken = false

    /// What the line `start..<end` says, when the rule is about it.
    func match(_ bytes: RawSpan, _ start: Int, _ end: Int) -> TextPattern.Finding? {
        guard var finding = pattern.match(bytes, start, end) else { return nil }
        for other in with {
            guard let more = other.match(bytes, start, end) else { return nil }
            if !more.label.isEmpty { finding.label = more.label }
        }
        return finding
    }
}

/// What a framework or a part of the system writes that proves a state (`dialects/evidence-*.yaml`).
struct EvidenceDialect: Sendable {
    /// The rules, in the order in which they are tried.
    private(set) var rules: [DialectRule] = []
    /// Whole messages that state something, as they are written.
    private(set) var messages: [(text: String, rule: DialectRule)] = []

    /// - Parameter shared: lists of alternatives that all dialects may use.
    init(_ file: DialectFile, _ shared: [String: [String]]) throws(DialectError) {
        let origin = file["origin"]?.scalar?.string ?? ""
        let isSpoken = file["spoken"]?.scalar?.string == "yes"
        let alternatives = try file.alternatives(shared)
        guard let list = try file.node("rules").sequence else {
            throw file.error(try file.node("rules"), "`rules` must be a list.")
        }
        for node in list {
            let fields = DialectFile.fields(of: node) ?? []
            func field(_ key: String) -> Node? { fields.first { $0.key == key }?.value }
            func patterns(_ key: String, _ bounds: TextPattern.Bounds) throws(DialectError) -> [TextPattern] {
                guard let value = field(key) else { return [] }
                return try file.patterns(of: value, as: key, alternatives, bounds: bounds)
            }
            let outcome = DialectRule.Outcome.proof(
                try Self.proof(field("proves"), of: node, file), origin: field("origin")?.scalar?.string ?? origin)
            let with = try patterns("with", .anywhere)
            for pattern in try patterns("line", isSpoken ? .words : .anywhere) {
                guard !pattern.needles(ofLength: NeedleIndex.shortest).isEmpty else {
                    throw file.error(
                        node, "A line needs \(NeedleIndex.shortest) characters in a row that are always the same.")
                }
                rules.append(DialectRule(outcome: outcome, pattern: pattern, with: with, isSpoken: isSpoken))
            }
            guard let value = field("message"), let whole = TextPattern("") else { continue }
            for text in try file.texts(of: value, as: "message") {
                messages.append((text, DialectRule(outcome: outcome, pattern: whole)))
            }
        }
    }

    private static func proof(
        _ node: Node?, of rule: Node, _ file: DialectFile
    ) throws(DialectError) -> Proof {
        guard let word = node?.scalar?.string else { throw file.error(rule, "A rule needs `proves`.") }
        guard let proof = Proof(rawValue: word) else {
            let words = Proof.allCases.map(\.rawValue).joined(separator: ", ")
            throw file.error(rule, "`\(word)` is not a proof. It is one of \(words).")
        }
        return proof
    }
}

/// Messages that state something as they are, in exactly these letters: a bare `ACTIVE`.
struct WholeMessages: Sendable {
    private var table = ByteTable()
    private var rules: [DialectRule] = []
    /// Length of the longest one.
    private(set) var longest = 0

    init(_ messages: [(text: String, rule: DialectRule)]) {
        for (text, rule) in messages {
            let bytes = Array(text.utf8)
            let span = bytes.span.bytes
            guard table.value(span, 0, count: bytes.count) == nil else { continue }
            table.insert(span, 0, count: bytes.count, value: UInt32(rules.count))
            rules.append(rule)
            longest = max(longest, bytes.count)
        }
    }

    /// The rule that a whole message is; `nil` when it is none.
    func rule(_ bytes: RawSpan, _ start: Int, _ end: Int) -> DialectRule? {
        guard end - start <= longest, let number = table.value(bytes, start, count: end - start) else { return nil }
        return rules[Int(number)]
    }
}
