import DataFiles

/// Data that belongs to no single model: profiles, configuration keys, end codes, decisions.
package struct ModelSettings: FieldRecord {
    package var profiles: [ModelProfile] = []
    package var options: [ConfigurationKey] = []
    package var decisions: [ModelDecision] = []
    package var endCodes: [EndCode] = []
    package var silentEvidence: [SilentEvidence] = []
    package var choices: [ModelChoice] = []
    package var documents: [CitedDocument] = []

    package init() {}

    package func option(_ id: String) -> ConfigurationKey? { options.first { $0.id == id } }

    /// The documents that a citation names, each once, in the order of ``ordered(_:)``.
    package func documents(of citation: String) -> [CitedDocument] {
        ranked(citation).compactMap(\.document).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    /// A citation with Apple's pages first, then what is in English, then the rest; of each, what a reader can open first.
    package func ordered(_ citation: String) -> String { ranked(citation).map(\.part).joined(separator: ", ") }

    private func ranked(_ citation: String) -> [(part: Substring, document: CitedDocument?)] {
        let parts = citation.split(separator: ",").map { part in
            let text = part.drop { $0 == " " }
            return (part: text, document: documents.first { $0.id == text.prefix { $0 != ":" && $0 != " " } })
        }
        return (0...5).flatMap { rank in parts.filter { $0.document?.rank ?? 5 == rank } }
    }

    mutating func bind(_ fields: inout Fields) throws(DataFileError) {
        try fields.bind("profiles", &profiles)
        try fields.bind("options", &options)
        try fields.bind("decisions", &decisions)
        try fields.bind("end codes", &endCodes)
        try fields.bind("silent evidence", &silentEvidence)
        try fields.bind("choices", &choices)
        try fields.bind("documents", &documents)
    }
}

/// A set of systems, or a view on the documents, which selects and tunes rules.
package struct ModelProfile: KeyedRecord {
    /// Identifier (`ios13+` …).
    package var id: String
    package var title = ""
    /// Major versions of the system that it covers; `nil` when it does not depend on the system.
    package var systems: ClosedRange<Int>?
    /// Whether a run of such a system follows it by default.
    package var followsSystem = false
    package var citation = ""

    package init(id: String) { self.id = id }

    mutating func bind(_ fields: inout Fields) throws(DataFileError) {
        try fields.bind("title", &title, usual: id)
        let place = fields.entry("systems")
        var bounds = systems.map { [$0.lowerBound, $0.upperBound] } ?? []
        try fields.bind("systems", &bounds)
        if let place {
            guard bounds.count == 2, bounds[0] <= bounds[1] else {
                throw place.error("\(place.role) must be two versions, the earlier one first")
            }
            systems = bounds[0]...bounds[1]
        }
        try fields.bind("by system", &followsSystem)
        try fields.bind("citation", &citation)
    }
}

/// A key that a user can set and that rules may depend on.
package struct ConfigurationKey: KeyedRecord {
    /// A kind of value.
    package enum Unit: String, FieldWord {
        case seconds, version
    }

    /// Identifier (`exits-on-suspend` …).
    package var id: String
    /// Allowed values; empty for any text.
    package var values: [String] = []
    package var standard = ""
    /// Whether the value is a decision that cannot be changed, listed for information.
    package var isFixed = false
    /// Kind of values allowed besides ``values``; `nil` for any text, or for those values only.
    package var unit: Unit?
    /// The command line option that sets it; `nil` when a user's file sets it.
    package var flag: String?
    package var summary = ""
    package var citation = ""

    package init(id: String) { self.id = id }

    package func allows(_ value: String) -> Bool {
        if values.contains(value) || value == standard { return true }
        switch unit {
        case .seconds: return Double(seconds: value) != nil
        case .version: return Int(value.prefix { $0 != "." }) != nil
        case nil: return values.isEmpty
        }
    }

    package var valuesInWords: String {
        switch unit {
        case .seconds: (["seconds"] + values).joined(separator: ", ")
        case .version: "a version such as \(values.first ?? "17.4")"
        case nil: values.isEmpty ? "any" : values.joined(separator: ", ")
        }
    }

    mutating func bind(_ fields: inout Fields) throws(DataFileError) {
        try fields.bind("values", &values)
        try fields.require("default", &standard)
        try fields.bind("fixed", &isFixed)
        try fields.bind("unit", &unit)
        try fields.bind("flag", &flag)
        try fields.bind("summary", &summary)
        try fields.bind("citation", &citation)
    }
}

/// A decision on something that the documents leave open.
package struct ModelDecision: KeyedRecord {
    /// Number in the specification's list of ambiguities.
    package var id: String
    package var question = ""
    /// What happens by default.
    package var standard = ""
    package var reason = ""
    /// The ``ConfigurationKey`` or limit that changes it; `none` when nothing does.
    package var option = ""
    package var citation = ""

    package init(id: String) { self.id = id }

    mutating func bind(_ fields: inout Fields) throws(DataFileError) {
        try fields.require("question", &question)
        try fields.require("default", &standard)
        try fields.bind("because", &reason)
        try fields.require("option", &option)
        try fields.bind("citation", &citation)
    }
}

/// A code or word in a report that indicates how a process ended.
package struct EndCode: FieldRecord {
    /// The code as reports print it (`0x8badf00d`, `vm-pageshortage` …).
    package var code = ""
    /// The same as a decimal number, for numeric codes.
    package var decimal: UInt64?
    /// Namespaces that use it, by name and by number, where it is not the same everywhere.
    package var namespaces: [String] = []
    /// The numbers in these namespaces that are meant; empty for all.
    package var codes: [String] = []
    package var meaning = ""
    /// The corresponding value of `runs.end_reason`; ``killed`` where it follows from the state.
    package var endReason = ""
    /// Ends that befall healthy apps: `killed_in_background` or `abnormal_in_foreground`.
    package static let killed = "killed"
    package var transitions: [String] = []
    package var citation = ""
    /// Whether the process ends of it during its launch.
    package var isOfLaunch = false
    /// Whether it says no more than that there was a signal.
    package var namesSignal: Bool { namespaces.contains("SIGNAL") }

    /// Whether a text about an end is of this code.
    package func begins(_ text: String) -> Bool {
        text.hasPrefix(decimal == nil ? "\(meaning): " : "\(code) ") && namespaces.isEmpty
    }

    mutating func bind(_ fields: inout Fields) throws(DataFileError) {
        try fields.require("code", &code)
        try fields.bind("decimal", &decimal)
        try fields.bind("namespaces", &namespaces)
        try fields.bind("codes", &codes)
        try fields.require("means", &meaning)
        try fields.require("ends as", &endReason)
        try fields.bind("transitions", &transitions)
        try fields.bind("at launch", &isOfLaunch)
        try fields.bind("citation", &citation)
    }
}

/// Evidence by which a transition without a callback may be recognised.
package struct SilentEvidence: KeyedRecord {
    package var id: String
    package var inLog = ""
    /// Evidence in other logs and reports.
    package var elsewhere = ""

    package init(id: String) { self.id = id }

    mutating func bind(_ fields: inout Fields) throws(DataFileError) {
        try fields.require("in log", &inLog)
        try fields.bind("elsewhere", &elsewhere)
    }
}

/// A point on which the documents contradict each other or observed logs, and what was chosen.
package struct ModelChoice: KeyedRecord {
    /// Number in the specification's list of disagreements.
    package var id: String
    package var topic = ""
    package var choice = ""
    /// Ids of the transitions, rules, limits, scenarios, callbacks and keys that implement it.
    package var implementedBy: [String] = []
    /// The test that enforces it, or why there is nothing to test.
    package var testedBy = ""

    package init(id: String) { self.id = id }

    mutating func bind(_ fields: inout Fields) throws(DataFileError) {
        try fields.require("topic", &topic)
        try fields.require("choice", &choice)
        try fields.bind("implemented by", &implementedBy)
        try fields.require("tested by", &testedBy)
    }
}

/// A document that citations refer to by a short name.
package struct CitedDocument: KeyedRecord {
    /// Its short name, such as `A-LIFE`.
    package var id: String
    package var title = ""
    /// Where to find it; empty if unknown.
    package var address = ""
    /// Its language; empty for English.
    package var language = ""
    fileprivate var rank: Int {
        title.hasPrefix("Apple: ") ? 0 : (language.isEmpty ? 1 : 3) + (address.isEmpty ? 1 : 0)
    }

    package init(id: String) { self.id = id }

    mutating func bind(_ fields: inout Fields) throws(DataFileError) {
        try fields.require("title", &title)
        try fields.bind("at", &address)
        try fields.bind("lang", &language)
    }
}
