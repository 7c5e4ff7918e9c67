import LifecycleModel

/// What a rule means, and its source.
public enum RuleExplanation {
    /// The explanation of a rule or limit.
    ///
    /// - Parameter models: files of the user's models and overlays besides the built-in ones.
    /// - Throws: ``LifeStatsError`` when there is no such rule.
    public static func text(of id: String, models: [String] = []) throws -> String {
        try LifeStatsError.translated {
            let catalog = try ModelLoading.catalog(with: models)
            for model in catalog.models {
                if let rule = model.rules.first(where: { $0.id.lowercased() == id.lowercased() }) {
                    return describe(
                        id: rule.id, says: rule.says,
                        severity: ([rule.severity.rawValue] + rule.laterSeverities).joined(separator: ", "),
                        model: model.id,
                        exception: rule.exception, citation: rule.citation,
                        documents: catalog.settings.documents(of: rule.citation))
                }
                if let limit = model.limits.first(where: { $0.id.lowercased() == id.lowercased() }) {
                    let severities = limit.thresholds
                        .map { "\($0.severity.rawValue) above \($0.seconds) s" }.joined(separator: ", ")
                    return describe(
                        id: limit.id, says: limit.says, severity: severities, model: model.id,
                        exception: limit.exception, citation: limit.citation,
                        documents: catalog.settings.documents(of: limit.citation))
                }
            }
            if let text = ReplayFindings.explanation(of: id) { return text }
            throw LifeStatsError(
                "there is no rule or class of deviations named \(id)",
                remedy: Suggestion.remedy(
                    id,
                    among: catalog.models.flatMap { $0.rules.map(\.id) + $0.limits.map(\.id) } + ReplayFindings.ids,
                    or:
                        "`lifestats model show app` lists the rules of the app layer; for a rule of your own, add --model FILE"
                ))
        }
    }

    private static func describe(
        id: String, says: String, severity: String, model: String, exception: String, citation: String,
        documents: [CitedDocument]
    ) -> String {
        var lines = ["\(id) (\(model))", "  \(says)"]
        if !severity.isEmpty { lines.append("  severity   \(severity)") }
        if !exception.isEmpty { lines.append("  exception  \(exception)") }
        if !citation.isEmpty { lines.append("  source     \(citation)") }
        for document in documents {
            let name = document.id + String(repeating: " ", count: max(0, 8 - document.id.count))
            lines.append("    \(name) \(document.title)\(document.address.isEmpty ? "" : ", \(document.address)")")
        }
        return lines.map { $0 + "\n" }.joined()
    }
}

/// Explanations of classes of deviations, and of findings that the replay makes without a rule of a model.
enum ReplayFindings {
    private static let texts = [
        "illegal-transition": """
        A callback occurred in a state in which the model does not document it, and proves another state. The \
        transition is stored as undocumented, with the shortest documented path as its repair.
        """,
        "illegal-callback": """
        A callback occurred in a state in which the model does not document it, but proves the state that the \
        instance is already in. Nothing changes.
        """,
        "undocumented-transition": """
        A callback or a system log line shows a state that no documented path reaches from the previous state. The \
        transition is stored as undocumented.
        """,
        "unknown-callback": """
        A line names a callback that the platform does not have: a mistake such as applicationDidEnterForeground, or \
        another name that starts like a method of an application or scene delegate (applicationDid…, sceneWill…, \
        scene(_:did…) but is not part of UIKit. It changes no state, and counts as a deviation. The names are data: \
        see `lifestats model show app`, callbacks with `unknown` and `beginnings`.
        """,
        "missing-callback": """
        A callback occurred that is documented only after another one, which was not logged. The state is the one \
        that it proves; the repair names the missing callback.
        """,
        "duplicate": """
        A callback occurred again while the instance was already in the state that it leads to. Nothing changes; \
        without the line, the log would conform.
        """,
        "reordered-tie": """
        Two lines with the same time are in the reverse of the documented order. Nothing is reordered, and fitness is \
        not reduced: a coarse clock or two threads explain it. The state of the later line holds.
        """,
        "truncation": """
        The log of a process starts after its launch: its first lines are missing, or logging started late \
        (R-APP-01). The first state may have been entered earlier, so that its visit is not complete.
        """,
        "limit-overrun": """
        Something took longer than a documented limit, or a required event never occurred: the rules TL-01 to TL-11. \
        The thresholds are data; an overlay (--model FILE) can change them.
        """,
        "rule-violation": """
        Every step is documented, but their order, their number, or the end of the process breaks a rule of the model.
        """,
        "clock-regression": """
        A line has an earlier time than the line before it. Nothing is reordered; the visit across the step has no \
        dwell time. Info up to one second, warning above.
        """,
    ]

    static var ids: [String] { texts.keys.sorted() }

    /// The explanation; `nil` when there is none of that name.
    static func explanation(of id: String) -> String? { texts[id.lowercased()].map { "\(id)\n  \($0)\n" } }
}
