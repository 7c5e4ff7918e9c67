/// A lifecycle method or notification that a model knows.
package struct ModelCallback: Sendable, Hashable {
    /// Canonical identifier.
    package var id: String
    /// How logs spell it. A spelling matches without regard to case, between characters that are no letters.
    package var spellings: [String]
    /// Whole messages that a spelling cannot describe: `*` is any text, `<instance>` the label of what the message is
    /// about.
    package var patterns: [String]
    /// How names begin that stand for it, whatever follows (`applicationDid`), unless another callback has the name or
    /// ``exceptions`` lists it.
    package var beginnings: [String]
    package var exceptions: [String]
    /// State of the machine after it, wherever the machine was before; `nil` when it proves none.
    package var proves: String?
    /// The only state in which it is documented to come; `nil` when there are several.
    package var before: String?
    /// States that the platform reports while it runs.
    package var during: [String]
    /// Whether it says something without ever changing the state.
    package var isSupplementary: Bool
    /// Whether the platform has no such callback: a name that people write by mistake. It is supplementary, too.
    package var isUnknown: Bool
    /// Whether it begins a process lifetime (a launch callback).
    package var beginsRun: Bool
    /// Whether it announces the end of the process.
    package var endsRun: Bool
    /// Whether a second one with the same label is another instance. Scenes keep their label for life: of them, only
    /// one without a label announces another scene.
    package var beginsInstance: Bool
    /// Whether it is the last of its instance.
    package var endsInstance: Bool
    /// Whether equal ones at nearly the same time are one execution. Layout callbacks are not.
    package var folds: Bool
    /// What it says, in a few words.
    package var summary: String
    /// Where it is documented.
    package var citation: String

    package init(
        id: String, spellings: [String] = [], patterns: [String] = [], beginnings: [String] = [],
        exceptions: [String] = [], proves: String? = nil, before: String? = nil,
        during: [String] = [], isSupplementary: Bool = false, isUnknown: Bool = false, beginsRun: Bool = false,
        endsRun: Bool = false,
        beginsInstance: Bool = false, endsInstance: Bool = false, folds: Bool = true, summary: String = "",
        citation: String
    ) {
        self.id = id
        self.spellings = spellings
        self.patterns = patterns
        self.beginnings = beginnings
        self.exceptions = exceptions
        self.proves = proves
        self.before = before
        self.during = during
        self.isSupplementary = isSupplementary || isUnknown
        self.isUnknown = isUnknown
        self.beginsRun = beginsRun
        self.endsRun = endsRun
        self.beginsInstance = beginsInstance
        self.endsInstance = endsInstance
        self.folds = folds
        self.summary = summary
        self.citation = citation
    }
}
