/// A documented change of state.
package struct ModelTransition: KeyedRecord {
    /// Identifier (`APP-T01` …).
    package var id: String
    /// States in which it may begin.
    package var from: [String] = []
    /// States in which it may end; several when its steps determine which.
    package var to: [String] = []
    /// Callbacks that mark it, in order. Where no step names its own state, the first one that occurs changes the state.
    /// Empty when nothing marks it.
    package var steps: [StepPattern] = []
    /// Label shared by transitions that begin alike and end differently: what follows decides between them.
    package var choice: String?
    /// Callbacks of which one led into ``from``, where that distinguishes it from similar transitions.
    package var after: [String] = []
    /// Whether it is abnormal (a crash, the watchdog). Abnormal transitions are drawn only on request.
    package var isAbnormal = false
    /// Whether the documented picture shows it.
    package var isDrawn = true
    /// Profiles in which it exists; empty for all.
    package var profiles: [String] = []
    /// Versions of the system that have it.
    package var systems = SystemRange()
    /// What causes it, in a few words.
    package var cause = ""
    /// Where it is documented.
    package var citation = ""

    package init(id: String) { self.id = id }

    package init(id: String, from: [String], to: [String], steps: [StepPattern] = [], citation: String) {
        self.id = id
        self.from = from
        self.to = to
        self.steps = steps
        self.citation = citation
    }

    /// Identifiers of all callbacks that mark it, in order.
    package var callbacks: [String] { steps.flatMap(\.callbacks) }

    /// Whether it can happen without any callback.
    package var isSilent: Bool { steps.allSatisfy(\.canBeMissing) }

    /// Whether some callback can mark it.
    package var isMarked: Bool { !callbacks.isEmpty }

    mutating func bind(_ fields: inout Fields) throws(ModelError) {
        try fields.require("from", &from)
        try fields.require("to", &to)
        try fields.bind("callbacks", &steps)
        try fields.bind("choice", &choice)
        try fields.bind("after", &after)
        try fields.bind("abnormal", &isAbnormal)
        try fields.bind("drawn", &isDrawn, usual: true)
        try fields.bind("profiles", &profiles)
        try systems.bind(&fields)
        try fields.bind("cause", &cause)
        try fields.bind("citation", &citation)
    }
}
