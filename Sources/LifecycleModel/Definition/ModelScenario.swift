import DataFiles

/// A documented sequence of callbacks: a launch, a press of the home button, a push.
package struct ModelScenario: KeyedRecord {
    /// The states that one machine passes through.
    package struct Path: KeyedValue {
        package var model: String
        /// Which of several instances (`VC2`); `nil` when there is only one.
        package var actor: String?
        package var stops: [Stop]

        /// The states that are always passed through.
        package var states: [String] { stops.filter { !$0.isOptional }.map(\.state) }

        var key: String { model + (actor.map { " " + $0 } ?? "") }
        /// A question mark at the end of a state marks it as optional.
        var tree: DataTree { stops.map { $0.state + ($0.isOptional ? "?" : "") }.tree }

        init(_ field: Field) throws(DataFileError) {
            let words = field.key.split(separator: " ").map(String.init)
            guard let model = words.first, words.count <= 2 else {
                throw field.error("'\(field.key)' must be a model, or a model and an instance")
            }
            self.init(model: model, actor: words.count == 2 ? words[1] : nil, states: try [String](field))
        }

        init(model: String, actor: String? = nil, states: [String]) {
            self.model = model
            self.actor = actor
            stops = states.map { text in
                let isOptional = text.hasSuffix("?")
                return Stop(state: isOptional ? String(text.dropLast()) : text, isOptional: isOptional)
            }
        }
    }

    /// A state on a path.
    package struct Stop: Sendable, Hashable {
        package var state: String
        /// Whether it is passed only in some cases.
        package var isOptional: Bool
    }

    /// Systems for which it is documented.
    package enum Platform: String, FieldWord {
        /// iOS 12 and earlier, and later systems without scenes.
        case ios12 = "12-"
        /// iOS 13 and later with scenes.
        case ios13 = "13+"
        case any
    }

    /// Identifier (`SC-A01` …).
    package var id: String
    package var title = LocalizedText()
    package var platform = Platform.any
    /// The callbacks in order; see ``StepNotation``.
    package var steps: [StepPattern] = []
    /// The states passed through, per machine.
    package var paths: [Path] = []
    /// Callbacks that must not come in it. `VC1 viewWillAppear` applies to `VC1` and to instances without a part in it.
    package var absent: [String] = []
    /// Whether other instances of the same model must exist when it ends, or must not; `nil` where it does not matter.
    package var others: Bool?
    /// Rules and limits that it breaks by nature.
    package var breaks: [String] = []
    /// Whether logs are searched for it. Scenarios that are recognised by their parts are not searched for.
    package var isSearched = true
    package var citation = ""

    package init(id: String) { self.id = id }

    mutating func bind(_ fields: inout Fields) throws(DataFileError) {
        try fields.bindTitle(&title, of: id)
        try fields.bind("platform", &platform, usual: .any)
        try fields.bind("callbacks", &steps)
        try fields.bind("absent", &absent)
        try fields.bind("others", &others)
        if let states = fields.entry("states"), states.tree.pairs == nil {
            // A plain list is the path of the model itself, whose id ``LifecycleModel`` fills in.
            var list: [String] = []
            try fields.bind("states", &list)
            paths = [Path(model: "", states: list)]
        } else {
            try fields.bind("states", &paths)
        }
        try fields.bind("breaks", &breaks)
        try fields.bind("searched", &isSearched, usual: true)
        try fields.bind("citation", &citation)
    }
}

/// Scenarios that callbacks alone cannot distinguish.
package struct EquivalenceClass: KeyedRecord {
    /// Evidence beyond the callbacks that favours some members.
    package struct Hint: FieldRecord {
        package var members: [String] = []
        /// Callbacks of which one must come in the sequence or right next to it.
        package var callbacks: [String] = []
        /// The two callbacks between which the time is measured.
        package var gap: [String] = []
        /// The time is below or above this many seconds.
        package var below: Double?
        package var above: Double?
        /// Values that configuration keys must have.
        package var options: [String: String] = [:]

        mutating func bind(_ fields: inout Fields) throws(DataFileError) {
            try fields.bind("members", &members)
            try fields.bind("callbacks", &callbacks)
            try fields.bind("gap", &gap)
            try fields.bind("below", &below)
            try fields.bind("above", &above)
            try fields.bind("options", &options)
        }
    }

    /// Identifier (`EQ-1` …).
    package var id: String
    package var title = LocalizedText()
    /// The callbacks that all members share.
    package var signature: [StepPattern] = []
    /// Ids of the scenarios, the one to name by default first.
    package var members: [String] = []
    /// States of which one must come before the first callback; empty where that callback is sufficient.
    package var beginsIn: [String] = []
    package var hints: [Hint] = []
    package var citation = ""

    package init(id: String) { self.id = id }

    mutating func bind(_ fields: inout Fields) throws(DataFileError) {
        try fields.bindTitle(&title, of: id)
        try fields.bind("signature", &signature)
        try fields.bind("members", &members)
        try fields.bind("begins in", &beginsIn)
        try fields.bind("hints", &hints)
        try fields.bind("citation", &citation)
    }
}
