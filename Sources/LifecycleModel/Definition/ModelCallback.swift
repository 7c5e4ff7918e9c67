/// A lifecycle method or notification that a model knows.
package struct ModelCallback: KeyedRecord {
    /// Canonical identifier.
    package var id: String
    /// How logs spell it. A spelling matches regardless of case, between characters that are not letters.
    package var spellings: [String] = []
    /// Whole messages that a spelling cannot describe: `*` is any text, `<instance>` the label of the instance that the
    /// message is about.
    package var patterns: [String] = []
    /// Prefixes of names that mean this callback (`applicationDid`), unless another callback has the name or
    /// ``exceptions`` lists it.
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
    /// Whether it is the last callback of its instance.
    package var endsInstance = false
    /// Whether it counts only for an instance that another callback has shown.
    package var needsInstance = false
    /// Whether equal callbacks at nearly the same time are one execution. Layout callbacks are not.
    package var folds = true
    /// Why the system launched the process, where the callback says so: a word of `runs.launch_cause`.
    package var launchCause: String?
    /// What an app with scenes gets in its place, since UIKit no longer calls it there: ids of callbacks, and evidence as
    /// `kind:proof`. Empty where it is still called.
    package var replacedBy: [String] = []
    /// Versions of the system that call it.
    package var systems = SystemRange()
    /// What it means, in a few words.
    package var summary = ""
    /// Where it is documented.
    package var citation = ""

    package init(id: String) { self.id = id }

    package init(id: String, spellings: [String] = [], patterns: [String] = [], citation: String) {
        self.id = id
        self.spellings = spellings
        self.patterns = patterns
        self.citation = citation
    }

    mutating func bind(_ fields: inout Fields) throws(ModelError) {
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
        try fields.bind("folds", &folds, usual: true)
        try fields.bind("launch cause", &launchCause)
        try fields.bind("replaced by", &replacedBy)
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
    /// Rules that state this.
    package var rules: [String] = []

    mutating func bind(_ fields: inout Fields) throws(ModelError) {
        var name = after ?? "start"
        try fields.require("after", &name)
        after = name == "start" ? nil : name
        try fields.bind("next", &legal)
        try fields.bind("doubtful", &doubtful)
        try fields.bind("end", &end)
        try fields.bind("rules", &rules)
    }
}
