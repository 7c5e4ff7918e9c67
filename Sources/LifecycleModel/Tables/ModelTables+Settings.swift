extension ModelTables {
    /// The tables of what belongs to no single model: profiles, configuration keys, decisions, codes of ends, marks of
    /// silent transitions, where the documents disagree, and which documents they are.
    package static func tables(of settings: ModelSettings) -> [ModelTable] {
        [
            ModelTable(
                name: "profiles", columns: ["profile", "title", "systems", "citation"],
                rows: settings.profiles.map { profile in
                    [
                        profile.id, profile.title,
                        profile.systems.map { "\($0.lowerBound) to \($0.upperBound)" } ?? "", profile.citation,
                    ]
                }),
            ModelTable(
                name: "options", columns: ["key", "values", "default", "fixed, or set by", "meaning", "citation"],
                rows: settings.options.map { option in
                    [
                        option.id, option.valuesInWords, option.standard, option.isFixed ? "yes" : option.flag ?? "",
                        option.summary, option.citation,
                    ]
                }),
            ModelTable(
                name: "decisions", columns: ["number", "question", "default", "because", "option", "citation"],
                rows: settings.decisions.map {
                    [String($0.number), $0.question, $0.standard, $0.reason, $0.option, $0.citation]
                }),
            ModelTable(
                name: "end codes", columns: ["code", "decimal", "meaning", "end reason", "transitions", "citation"],
                rows: settings.endCodes.map { code in
                    [
                        code.code, code.decimal.map(String.init) ?? "", code.meaning, code.endReason,
                        list(code.transitions), code.citation,
                    ]
                }),
            ModelTable(
                name: "silent evidence", columns: ["transition", "in the log", "elsewhere"],
                rows: settings.silentEvidence.map { [$0.transition, $0.inLog, $0.elsewhere] }),
            ModelTable(
                name: "disagreements", columns: ["number", "topic", "choice", "stands in", "tested by"],
                rows: settings.choices.map { choice in
                    [String(choice.number), choice.topic, choice.choice, list(choice.standsIn), choice.testedBy]
                }),
            ModelTable(
                name: "documents", columns: ["name", "title", "address"],
                rows: settings.documents.map { [$0.id, $0.title, $0.address] }),
        ].filter { !$0.rows.isEmpty }
    }
}
