import LifecycleModel
import Reports
import TraceRecords

/// What a rule means, and its source.
public enum RuleExplanation {
    /// The explanation of a rule or limit.
    ///
    /// - Parameters:
    ///   - models: files of the user's models and overlays besides the built-in ones.
    ///   - width: columns of the terminal; `nil` where there is none.
    /// - Throws: ``LifeStatsError`` when there is no such rule.
    public static func text(of id: String, models: [String] = [], width: Int? = nil) throws -> String {
        try LifeStatsError.translated {
            let catalog = try ModelLoading.catalog(with: models)
            for model in catalog.models {
                if let rule = model.rules.first(where: { $0.id.lowercased() == id.lowercased() }) {
                    return describe(
                        id: rule.id, says: rule.says,
                        severity: ([rule.severity.rawValue] + rule.laterSeverities).joined(separator: ", "),
                        model: model.id,
                        exception: rule.exception, citation: rule.citation, catalog.settings, width: width)
                }
                if let limit = model.limits.first(where: { $0.id.lowercased() == id.lowercased() }) {
                    let severities = limit.thresholds
                        .map { "\($0.severity.rawValue) above \($0.seconds) s" }.joined(separator: ", ")
                    return describe(
                        id: limit.id, says: limit.says, severity: severities, model: model.id,
                        exception: limit.exception, citation: limit.citation, catalog.settings, width: width)
                }
            }
            if let text = DeviationText.all[id.lowercased()] {
                return describe(
                    id: id, says: text.explanation, citation: text.citation, fix: text.fix, catalog.settings,
                    width: width)
            }
            throw LifeStatsError(
                "there is no rule or class of deviations named \(id)",
                remedy: Suggestion.remedy(
                    id,
                    among: ids(of: catalog.models),
                    or:
                        "`lifestats model show app` lists the rules of the app layer; for a rule of your own, add --model FILE"
                ))
        }
    }

    /// All that a finding may be about: the rules and limits of models, and the classes of deviations, each once.
    static func ids(of models: [LifecycleModel]) -> [String] {
        Set(models.flatMap { $0.rules.map(\.id) + $0.limits.map(\.id) }).union(DeviationText.all.keys).sorted()
    }

    private static func describe(
        id: String, says: String, severity: String = "", model: String = "", exception: String = "", citation: String,
        fix: String? = nil, _ settings: ModelSettings, width: Int?
    ) -> String {
        let facts =
            [
                ("  severity ", severity), ("  exception", exception),
                ("  fix      ", fix ?? DeviationText.all[id]?.fix ?? ""), ("  source   ", settings.ordered(citation)),
            ]
            .filter { !$0.1.isEmpty }
            + settings.documents(of: citation).map {
                ("    \($0.id)", [$0.title, $0.address].filter { !$0.isEmpty }.joined(separator: ", "))
            }
        return id + (model.isEmpty ? "" : " (\(model))") + "\n" + paragraph(says, width)
            + WrappedList.text(facts.map { (name: $0.0, text: $0.1) }, width: width ?? .max)
    }

    private static func paragraph(_ text: String, _ width: Int?) -> String {
        WrappedList.lines(of: text, room: (width ?? .max) - 2).map { "  \($0)\n" }.joined()
    }
}
