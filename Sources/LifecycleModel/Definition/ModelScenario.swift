/// A documented sequence of callbacks: a launch, a press of the home button, a push.
package struct ModelScenario: Sendable, Hashable {
    /// The states that one machine passes through.
    package struct Path: Sendable, Hashable {
        /// Model of the machine.
        package var model: String
        /// Which of several instances (`VC2`); `nil` when there is only one.
        package var actor: String?
        package var stops: [Stop]
        package init(model: String, actor: String? = nil, stops: [Stop]) {
            self.model = model
            self.actor = actor
            self.stops = stops
        }
        /// The states that are passed through in every case.
        package var states: [String] { stops.filter { !$0.isOptional }.map(\.state) }
    }

    /// A state on the way.
    package struct Stop: Sendable, Hashable {
        package var state: String
        /// Whether it is passed only in some cases.
        package var isOptional: Bool
        package init(state: String, isOptional: Bool = false) {
            self.state = state
            self.isOptional = isOptional
        }
    }

    /// Systems that it is documented for.
    package enum Platform: String, Sendable, CaseIterable {
        /// iOS 12 and earlier, and later systems without scenes.
        case ios12 = "12-"
        /// iOS 13 and later with scenes.
        case ios13 = "13+"
        case any
    }

    /// Identifier (`SC-A01` …).
    package var id: String
    package var title: LocalizedText
    package var platform: Platform
    /// The callbacks in order; see ``StepNotation``.
    package var steps: [StepPattern]
    /// The states passed through, per machine.
    package var paths: [Path]
    /// Callbacks that must not come in it. `VC1 viewWillAppear` is meant of `VC1` and of all that play no part.
    package var absent: [String]
    /// Whether other instances of its kind must be there when it ends, or must not; `nil` where that says nothing.
    package var others: Bool?
    /// Rules and limits that it breaks by its nature.
    package var breaks: [String]
    /// Whether a log is searched for it. Those told only by their parts are not.
    package var isSearched: Bool
    /// Where it is documented.
    package var citation: String

    package init(
        id: String, title: LocalizedText, platform: Platform, steps: [StepPattern], paths: [Path],
        absent: [String] = [], others: Bool? = nil, breaks: [String] = [], isSearched: Bool = true, citation: String
    ) {
        self.id = id
        self.title = title
        self.platform = platform
        self.steps = steps
        self.paths = paths
        self.absent = absent
        self.others = others
        self.breaks = breaks
        self.isSearched = isSearched
        self.citation = citation
    }
}
