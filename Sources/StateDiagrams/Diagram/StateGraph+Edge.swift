extension StateGraph {
    /// A change of state, as the model has it and as it was seen.
    ///
    /// The same pair of states may carry several edges: documented, undocumented (by another callback) and silent.
    package struct Edge: Sendable, Hashable, Codable {
        /// Ids of the states.
        package var from: String
        package var to: String
        /// Callbacks that mark the change, in their order; empty for a silent one.
        package var callbacks: [String]
        /// Whether the model has the change.
        package var isDocumented: Bool
        /// Whether no callback marks the change, or it was only inferred.
        package var isSilent: Bool
        /// Number, and time spent in `from` before the change; `nil` when it was never seen.
        package var seen: Stay?
        /// How often the change is likely though no line shows it; never added to what was seen.
        package var estimated: Int?
        /// Part of the transitions out of `from` (0...1).
        package var probability: Double?
        /// Where the change is documented.
        package var citations: [String]
        /// Log lines that show it (`app.log:12`).
        package var examples: [String]
        /// Findings on this edge, by rule.
        package var findings: [Mark]
        /// Whether the edge was too rare to be shown as observed.
        package internal(set) var isFolded = false
        /// Whether the edge is the silent twin of one that a callback marks: the documented side shows only that one.
        package internal(set) var isShadowed = false

        package init(
            from: String, to: String, callbacks: [String] = [], isDocumented: Bool, isSilent: Bool = false,
            seen: Stay? = nil, probability: Double? = nil, citations: [String] = [], examples: [String] = [],
            findings: [Mark] = []
        ) {
            self.from = from
            self.to = to
            self.callbacks = callbacks
            self.isDocumented = isDocumented
            self.isSilent = isSilent
            self.seen = seen
            self.probability = probability
            self.citations = citations
            self.examples = examples
            self.findings = findings
        }

        /// Whether the observed side has it.
        var isShown: Bool { (seen != nil || estimated != nil) && !isFolded }

        /// How the edge is drawn.
        package var kind: EdgeKind {
            if isSilent || (seen == nil && estimated != nil) { return .silent }
            if !isDocumented { return .undocumented }
            return seen == nil ? .neverOccurred : .documented
        }
    }

    /// The four ways in which an edge is drawn, told apart by colour and by dash.
    package enum EdgeKind: String, Sendable, CaseIterable, Codable {
        /// Documented, and it occurred.
        case documented
        /// It occurred, and the model does not have it.
        case undocumented
        /// Documented, but it never occurred.
        case neverOccurred = "never-occurred"
        /// No callback marks it, or it was inferred.
        case silent
    }

    /// Findings of one rule on an edge.
    package struct Mark: Sendable, Hashable, Codable {
        /// Rule id (`R-APP-15`).
        package var rule: String
        /// `info`, `warning` or `error`.
        package var severity: String
        package var count: Int
        /// What the rule says, or the message of the first finding.
        package var message: String

        package init(rule: String, severity: String, count: Int, message: String) {
            self.rule = rule
            self.severity = severity
            self.count = count
            self.message = message
        }
    }
}
