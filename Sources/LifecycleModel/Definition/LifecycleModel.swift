import DataFiles

/// A documented state machine with its rules, time limits and scenarios.
package struct LifecycleModel: Sendable, Hashable {
    /// What a model has one machine for.
    package enum Scope: String, FieldWord {
        /// One machine per process lifetime.
        case run
        /// One machine per scene session.
        case scene
        /// One machine per labelled object (a view controller, a player).
        case object
    }

    /// Identifier (`app`, `scene`, `process`, `view`, or that of a user's model).
    package var id: String
    /// Layer in which its instances are drawn (`app`, `scene`, `view`, or the id of a user's model).
    package var layer: String
    package var title: LocalizedText
    package var scope: Scope
    /// State in which a machine begins.
    package var initial: String
    /// States in which a machine may end.
    package var final: [String] = []
    /// Models whose callbacks its transitions, rules and scenarios may name as well.
    package var uses: [String] = []
    /// Whether dialects of the recognition read its callbacks, so that these need no spellings.
    package var isReadByDialects = false
    package var states: [ModelState] = []
    package var callbacks: [ModelCallback] = []
    package var transitions: [ModelTransition] = []
    package var rules: [ModelRule] = []
    package var limits: [TimeLimit] = []
    package var scenarios: [ModelScenario] = []
    /// Groups of scenarios that callbacks alone cannot distinguish.
    package var classes: [EquivalenceClass] = []
    /// The table of legal next callbacks. It summarises what the rules state.
    package var nextCallbacks: [NextCallbacks] = []
    /// A machine whose state follows from the instances of this model.
    package var derives: DerivedState?
    /// Files and lines of its parts.
    package var origin = ModelOrigin()

    package init(
        id: String, layer: String, title: LocalizedText, scope: Scope, initial: String, final: [String] = [],
        states: [ModelState] = [], callbacks: [ModelCallback] = [], transitions: [ModelTransition] = []
    ) {
        self.id = id
        self.layer = layer
        self.title = title
        self.scope = scope
        self.initial = initial
        self.final = final
        self.states = states
        self.callbacks = callbacks
        self.transitions = transitions
    }

    package func state(_ id: String) -> ModelState? { states.first { $0.id == id } }
    package func callback(_ id: String) -> ModelCallback? { callbacks.first { $0.id == id } }
    package func rule(_ id: String) -> ModelRule? { rules.first { $0.id == id } }
    package func limit(_ id: String) -> TimeLimit? { limits.first { $0.id == id } }
    package func scenario(_ id: String) -> ModelScenario? { scenarios.first { $0.id == id } }
}

/// A state of a documented model.
package struct ModelState: KeyedRecord {
    /// Identifier used in the database and in transitions (`not_running`, `fg_active` …).
    package var id: String
    package var title = LocalizedText()
    /// Other names in any language: for tool tips, and as spellings of the state in logs.
    package var synonyms: [String] = []
    /// Name or raw value of the platform's own constant, if it has one.
    package var platformValue: String?
    /// Whether the process runs code in this state; `nil` when the question does not apply.
    package var runsCode: Bool?
    /// What the state means, in a few words.
    package var summary = ""
    /// Whether the documented picture shows it. States that exist only for analysis are not drawn.
    package var isDrawn = true
    /// Callbacks that may come in this state without being a step of any transition.
    package var accepts: [String] = []
    /// Versions of the system that have it.
    package var systems = SystemRange()
    package var citation = ""

    package init(id: String) { self.id = id }

    package init(id: String, title: LocalizedText, citation: String) {
        self.id = id
        self.title = title
        self.citation = citation
    }

    mutating func bind(_ fields: inout Fields) throws(DataFileError) {
        try fields.bindTitle(&title, of: id)
        try fields.bind("synonyms", &synonyms)
        try fields.bind("platform value", &platformValue)
        try fields.bind("runs code", &runsCode)
        try fields.bind("summary", &summary)
        try fields.bind("drawn", &isDrawn, usual: true)
        try fields.bind("accepts", &accepts)
        try systems.bind(&fields)
        try fields.bind("citation", &citation)
    }
}

/// How the state of one machine follows from the states of several others: the app's from those of its scenes.
package struct DerivedState: FieldRecord {
    /// What one instance contributes.
    package struct Rank: KeyedValue {
        package var of: String
        /// State that follows if no earlier rank applies.
        package var gives: String

        var key: String { of }
        var tree: DataTree { gives.tree }
        init(_ field: Field) throws(DataFileError) {
            of = field.key
            gives = try String(field)
        }
    }

    package var model = ""
    /// The first rank whose state any instance is in decides.
    package var ranking: [Rank] = []
    /// Derived state when no rank applies.
    package var otherwise = ""
    /// Callbacks of the derived machine that another model judges in its place, each with the id of that model: whether
    /// they are documented does not depend on the derived state.
    package var judgedBy: [String: String] = [:]
    package var citation = ""

    mutating func bind(_ fields: inout Fields) throws(DataFileError) {
        try fields.require("model", &model)
        try fields.require("ranking", &ranking)
        try fields.require("otherwise", &otherwise)
        try fields.bind("judged by", &judgedBy)
        try fields.bind("citation", &citation)
    }
}

/// A text in several languages, by BCP 47 tag (`en`, `zh-Hans`, `zh-Hant`, `es`).
package struct LocalizedText: Sendable, Hashable, ExpressibleByStringLiteral {
    package var byLanguage: [String: String]

    package init(_ byLanguage: [String: String] = [:]) { self.byLanguage = byLanguage }

    package init(stringLiteral text: String) { byLanguage = ["en": text] }

    /// The text in a language, or in English where there is none.
    package subscript(language: String) -> String {
        byLanguage[language] ?? byLanguage["en"] ?? ""
    }

    package var english: String { self["en"] }
}
