import LifecycleModel

/// What a rule means and where it comes from.
public enum RuleExplanation {
    /// The rule or limit in words.
    ///
    /// - Parameter models: files of the user's models and overlays beside the built-in ones.
    /// - Throws: ``LifeStatsError`` when there is no such rule.
    public static func text(of id: String, models: [String] = []) throws -> String {
        try LifeStatsError.translated {
            let catalog = try ModelLoading.catalog(with: models)
            for model in catalog.models {
                if let rule = model.rules.first(where: { $0.id.lowercased() == id.lowercased() }) {
                    return describe(
                        id: rule.id, says: rule.says, severity: rule.severity.rawValue, model: model.id,
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
                "there is no rule and no class of deviations \(id)",
                remedy: Suggestion.remedy(
                    id,
                    among: catalog.models.flatMap { $0.rules.map(\.id) + $0.limits.map(\.id) } + ReplayFindings.ids,
                    or: "`lifestats model show app` lists the rules of the app layer; for one of your own say "
                        + "--model FILE"))
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

/// The findings that no rule of a model states, because the replay itself notices them, and the classes of deviations.
enum ReplayFindings {
    private static let texts = [
        "illegal-transition": """
        A callback came in a state in which the model does not document it, and proves another state. The change \
        is stored as undocumented, with the shortest documented way as its repair.
        """,
        "illegal-callback": """
        A callback came in a state in which the model does not document it, and proves the state that the \
        instance is in. It changes nothing.
        """,
        "undocumented-transition": """
        A callback or a line of the system shows a state to which no documented way leads from the state before. \
        The change is stored as undocumented.
        """,
        "unknown-callback": """
        A line names a callback that the platform does not have: a slip of the pen such as \
        applicationDidEnterForeground, or another name that begins like those of an application or scene delegate \
        (applicationDid…, sceneWill…, scene(_:did…) and is none of UIKit's. It changes nothing, and counts as a \
        deviation. The names are data: `lifestats model show app`, callbacks with `unknown` and `beginnings`.
        """,
        "missing-callback": """
        A callback came that is documented only after another one, which is not logged. The state is the one that it \
        proves; the repair names the callback that is missing before the line.
        """,
        "duplicate": """
        A callback came again while the instance was already in the state that it leads to. It changes nothing; the \
        log conforms without the line.
        """,
        "reordered-tie": """
        Two lines of one time stand the other way round than documented. Nothing is moved, and no fitness is lost: a \
        clock that is too coarse, or two threads, explain it. The state of the later callback stays.
        """,
        "truncation": """
        The log of a process begins after its launch: its first lines are missing, or logging began late (R-APP-01). \
        What the first callback seems to begin may have begun before, so that it completes no stay.
        """,
        "limit-overrun": """
        Something took longer than a documented limit, or something that had to come never came: the rules TL-01 to \
        TL-11. The thresholds are data, and an overlay (--model FILE) changes them.
        """,
        "rule-violation": """
        Every step is documented, but their order, their number, or how the process ended breaks a rule of the model.
        """,
        "clock-regression": """
        A line carries an earlier time than the line before it. Nothing is reordered; the stay across the step \
        has no dwell. Info up to one second, a warning above.
        """,
    ]

    /// Their names.
    static var ids: [String] { texts.keys.sorted() }

    /// What such a finding means; `nil` when there is none of that name.
    static func explanation(of id: String) -> String? { texts[id.lowercased()].map { "\(id)\n  \($0)\n" } }
}
