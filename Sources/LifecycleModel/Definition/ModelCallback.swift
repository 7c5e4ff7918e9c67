import DataFiles

/// A lifecycle method or notification that a model knows.
package struct ModelCallback: KeyedRecord {
    /// Canonical identifier.
    package var id: String
    /// How logs spell it. A spelling matches regardless of case, between characters that are not letters.
    package var spellings: [String] = []
    /// Whole messages: `*` is any text, `<instance>` the label of the instance that the message is about.
    package var patterns: [String] = []
    /// Prefixes of names that mean this callback (`applicationDid`), unless another has the name or ``exceptions``
    /// does.
    package var beginnings: [String] = []
    package var exceptions: [String] = []
    /// State of the machine after the callback, regardless of the state before; `nil` when it proves none.
    package var proves: String?
    /// The only state in which it is documented to come; `nil` when there are several.
    package var before: String?
    /// States that the platform reports while the callback runs.
    package var during: [String] = []
    /// Whether the callback never changes the state.
    package var isSupplementary = false
    /// Whether the platform has no such callback: a name that developers use by mistake. It is supplementary, too.
    package var isUnknown = false
    /// Whether it begins a process lifetime (a launch callback).
    package var beginsRun = false
    /// Whether it announces the end of the process.
    package var endsRun = false
    /// Whether a second one with the same label means another instance. Scenes keep their label for life, so only a
    /// callback without a label announces another scene.
    package var beginsInstance = false
    package var endsInstance = false
    /// Whether it counts only for an instance that another callback has shown.
    package var needsInstance = false
    /// Whether the state that it shows began before it.
    package var comesLate = false
    /// Whether equal callbacks at nearly the same time are one execution. Layout callbacks are not.
    package var folds = true
    /// Why the system launched the process, where the callback says so: a word of `runs.launch_cause`.
    package var launchCause: String?
    /// What an app with scenes gets in its place, since UIKit no longer calls it there: ids of callbacks, and evidence as
    /// `kind:proof`. Empty where it is still called.
    package var replacedBy: [String] = []
    /// What shows that its situation has occurred, beside changes of the app's state: an event by its id, by its
    /// `kind:proof` or by its `:proof`, or two of one instance in their order, with a comma between them.
    package var shownBy: [String] = []
    /// Versions of the system that call it.
    package var systems = SystemRange()
    /// What it means, in a few words.
    package var summary = ""
    package var citation = ""

    package init(id: String) { self.id = id }

    package init(id: String, spellings: [String] = [], patterns: [String] = [], citation: String) {
        self.id = id
        self.spellings = spellings
        self.patterns = patterns
        self.citation = citation
    }

    mutating func bind(_ fields: inout Fields) throws(DataFileError) {
        try fields.bind("spellings", &spellings)
        try fields.bind("patterns", &patterns)
        try fields.bind("beginnings", &beginnings)
        try fields.bind("exceptions", &exceptions)
        try fields.bind("proves", &proves)
        try fields.bind("before", &before)
        try fields.bind("during", &during)
        try fields.bind("unknown", &isUnknown)
        try fields.bind("supplementary", &isSupplementary, usual: isUnknown)
        isSupplementary = isSupplementary || isUnknown
        try fields.bind("begins run", &beginsRun)
        try fields.bind("ends run", &endsRun)
        try fields.bind("begins instance", &beginsInstance)
        try fields.bind("ends instance", &endsInstance)
        try fields.bind("needs instance", &needsInstance)
        try fields.bind("comes late", &comesLate)
        try fields.bind("folds", &folds, usual: true)
        try fields.bind("launch cause", &launchCause)
        try fields.bind("replaced by", &replacedBy)
        try fields.bind("shown by", &shownBy)
        try systems.bind(&fields)
        try fields.bind("summary", &summary)
        try fields.bind("citation", &citation)
    }
}

/// One row of the table of legal next callbacks: what may follow a callback in the same machine.
package struct NextCallbacks: FieldRecord {
    /// The callback; `nil` for the beginning of the machine.
    package var after: String?
    /// Callbacks that may follow.
    package var legal: [String] = []
    /// Callbacks that may follow, but deserve a warning.
    package var doubtful: [String] = []
    /// What it means when nothing follows.
    package var end = ""
    package var rules: [String] = []

    mutating func bind(_ fields: inout Fields) throws(DataFileError) {
        var name = after ?? "start"
        try fields.require("after", &name)
        after = name == "start" ? nil : name
        try fields.bind("next", &legal)
        try fields.bind("doubtful", &doubtful)
        try fields.bind("end", &end)
        try fields.bind("rules", &rules)
    }
}

/// All callbacks of the models in use, numbered, so that an event can refer to its callback by a small number.
///
/// Numbers follow the order of the models and of their callbacks, so the same models give the same numbers.
package struct Vocabulary: Sendable, Hashable {
    /// One callback of one model.
    package struct Entry: Sendable, Hashable {
        /// Number of the callback: its index in ``Vocabulary/entries``.
        package var index: UInt16
        /// Id of the model that declares it.
        package var model: String
        package var layer: String
        package var callback: ModelCallback
    }

    /// All callbacks by number.
    package let entries: [Entry]
    private let byName: [String: [UInt16]]

    /// Numbers the callbacks of the models. Callbacks beyond 65,535 are ignored.
    package init(models: [LifecycleModel]) {
        var entries: [Entry] = []
        var byName: [String: [UInt16]] = [:]
        for model in models {
            for callback in model.callbacks {
                guard let index = UInt16(exactly: entries.count), index < .max else { break }
                entries.append(Entry(index: index, model: model.id, layer: model.layer, callback: callback))
                byName[callback.id, default: []].append(index)
            }
        }
        self.entries = entries
        self.byName = byName
    }

    /// The callback with a number of this vocabulary.
    package subscript(index: UInt16) -> Entry { entries[Int(index)] }

    /// The number of a callback of the given model, or of the first model that declares it.
    package func index(of callback: String, model: String? = nil) -> UInt16? {
        byName[callback]?.first { model == nil || entries[Int($0)].model == model }
    }

    /// Number of callbacks.
    package var count: Int { entries.count }
}

/// The major versions of the system in which something is as a model says.
package struct SystemRange: Sendable, Hashable {
    /// The first and the last one; `nil` where there is none.
    package var since: Int?
    package var until: Int?

    /// Whether a version is among them. Of an unknown one is taken what holds for the latest.
    package func contains(_ system: Int?) -> Bool {
        guard let system else { return until == nil }
        return since ?? system <= system && system <= until ?? system
    }

    /// The versions in words; empty for all.
    package var text: String {
        switch (since, until) {
        case (nil, nil): ""
        case (let since?, nil): "iOS \(since) and later"
        case (nil, let until?): "up to iOS \(until)"
        case (let since?, let until?): "iOS \(since) to \(until)"
        }
    }

    /// The major version in a text such as `17.4`, `iPhone OS 17.4 (21E219)` or `iOS 17`.
    package static func major(of text: String) -> Int? {
        Int(text.drop { !$0.isASCII || !$0.isNumber }.prefix { $0.isASCII && $0.isNumber })
    }

    mutating func bind(_ fields: inout Fields) throws(DataFileError) {
        try fields.bind("since", &since)
        try fields.bind("until", &until)
    }
}

extension LifecycleModel {
    /// The part of the model that holds in a version of the system.
    package func inSystem(_ system: Int) -> LifecycleModel {
        var model = self
        model.states.removeAll { !$0.systems.contains(system) }
        model.callbacks.removeAll { !$0.systems.contains(system) }
        let states = Set(model.states.map(\.id))
        for index in model.transitions.indices {
            model.transitions[index].from.removeAll { !states.contains($0) }
            model.transitions[index].to.removeAll { !states.contains($0) }
        }
        model.transitions.removeAll { !$0.systems.contains(system) || $0.from.isEmpty || $0.to.isEmpty }
        model.rules.removeAll { !$0.condition.holds(in: system) }
        model.limits.removeAll { !$0.condition.holds(in: system) }
        for index in model.rules.indices {
            model.rules[index].severity = model.rules[index].severity(in: system)
            model.rules[index].severitySince = [:]
        }
        model.scenarios.removeAll { scenario in
            scenario.paths.contains { $0.model == id && !states.isSuperset(of: $0.states) }
        }
        return model
    }
}
