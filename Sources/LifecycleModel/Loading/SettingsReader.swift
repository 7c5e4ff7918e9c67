/// Reads the file of profiles, configuration keys, codes and decisions.
enum SettingsReader {
    static func read(_ text: String, file: String) throws(ModelError) -> ModelSettings {
        var keys = try YAMLKeys(YAMLField.document(text, file: file))
        var settings = ModelSettings()
        _ = try keys.require("settings").text()
        for (id, field) in try keys.take("profiles")?.pairs() ?? [] {
            settings.profiles.append(try profile(id, field))
        }
        for (id, field) in try keys.take("options")?.pairs() ?? [] { settings.options.append(try option(id, field)) }
        for (number, field) in try keys.take("decisions")?.pairs() ?? [] {
            settings.decisions.append(try decision(number, field))
        }
        for field in try keys.take("end codes")?.list() ?? [] { settings.endCodes.append(try endCode(field)) }
        for (id, field) in try keys.take("silent evidence")?.pairs() ?? [] {
            var keys = try YAMLKeys(field)
            settings.silentEvidence.append(
                SilentEvidence(
                    transition: id, inLog: try keys.require("in log").text(),
                    elsewhere: try keys.text("elsewhere") ?? ""))
            try keys.finish()
        }
        try keys.finish()
        return settings
    }

    private static func profile(_ id: String, _ field: YAMLField) throws(ModelError) -> ModelProfile {
        var keys = try YAMLKeys(field)
        var profile = ModelProfile(
            id: id, title: try keys.text("title") ?? id, systems: nil,
            followsSystem: try keys.flag("by system") ?? false, citation: try keys.text("citation") ?? "")
        if let systems = keys.take("systems") {
            let bounds = try systems.list()
            guard bounds.count == 2 else { throw systems.error("'systems' must be two versions, first and last") }
            let (first, last) = (try bounds[0].integer(), try bounds[1].integer())
            guard first <= last else { throw systems.error("'systems' must name the earlier version first") }
            profile.systems = first...last
        }
        try keys.finish()
        return profile
    }

    private static func option(_ id: String, _ field: YAMLField) throws(ModelError) -> ConfigurationKey {
        var keys = try YAMLKeys(field)
        let option = ConfigurationKey(
            id: id,
            values: try keys.texts("values"),
            standard: try keys.require("default").text(),
            isFixed: try keys.flag("fixed") ?? false,
            unit: try keys.take("unit")?.word(),
            flag: try keys.text("flag"),
            summary: try keys.text("summary") ?? "",
            citation: try keys.text("citation") ?? ""
        )
        try keys.finish()
        return option
    }

    private static func decision(_ number: String, _ field: YAMLField) throws(ModelError) -> ModelDecision {
        guard let number = Int(number) else { throw field.error("a decision goes by a number, not '\(number)'") }
        var keys = try YAMLKeys(field)
        let decision = ModelDecision(
            number: number,
            question: try keys.require("question").text(),
            standard: try keys.require("default").text(),
            reason: try keys.text("because") ?? "",
            option: try keys.require("option").text(),
            citation: try keys.text("citation") ?? ""
        )
        try keys.finish()
        return decision
    }

    private static func endCode(_ field: YAMLField) throws(ModelError) -> EndCode {
        var keys = try YAMLKeys(field)
        let endCode = EndCode(
            code: try keys.require("code").text(),
            decimal: try keys.integer("decimal").flatMap { UInt64(exactly: $0) },
            meaning: try keys.require("means").text(),
            endReason: try keys.require("ends as").text(),
            transitions: try keys.texts("transitions"),
            citation: try keys.text("citation") ?? ""
        )
        try keys.finish()
        return endCode
    }

    /// Reads the file of choices.
    static func readChoices(_ text: String, file: String) throws(ModelError) -> [ModelChoice] {
        var keys = try YAMLKeys(YAMLField.document(text, file: file))
        var choices: [ModelChoice] = []
        for (number, field) in try keys.require("choices").pairs() {
            guard let number = Int(number) else { throw field.error("a choice goes by a number, not '\(number)'") }
            var keys = try YAMLKeys(field)
            choices.append(
                ModelChoice(
                    number: number,
                    topic: try keys.require("topic").text(),
                    choice: try keys.require("choice").text(),
                    standsIn: try keys.texts("stands in"),
                    testedBy: try keys.require("tested by").text()))
            try keys.finish()
        }
        try keys.finish()
        return choices
    }

    /// Reads the file of documents.
    static func readDocuments(_ text: String, file: String) throws(ModelError) -> [CitedDocument] {
        var keys = try YAMLKeys(YAMLField.document(text, file: file))
        var documents: [CitedDocument] = []
        for (id, field) in try keys.require("documents").pairs() {
            var keys = try YAMLKeys(field)
            documents.append(
                CitedDocument(id: id, title: try keys.require("title").text(), address: try keys.text("at") ?? ""))
            try keys.finish()
        }
        try keys.finish()
        return documents
    }
}
