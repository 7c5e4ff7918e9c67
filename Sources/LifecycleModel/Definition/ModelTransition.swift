/// A documented change of state.
package struct ModelTransition: Sendable, Hashable {
    /// Identifier (`APP-T01` …).
    package var id: String
    /// States in which it may begin.
    package var from: [String]
    /// States in which it may end; several when its steps say which.
    package var to: [String]
    /// Callbacks that mark it, in order. Where no step names its own state, the first that occurs changes the state.
    /// Empty when nothing marks it.
    package var steps: [StepPattern]
    /// Label shared by transitions that begin alike and end differently: what follows decides between them.
    package var choice: String?
    /// Callbacks one of which led into ``from``, where that tells it apart from others alike; empty where nothing does.
    package var after: [String]
    /// Whether it is no part of a healthy life (crash, watchdog): drawn only on request.
    package var isAbnormal: Bool
    /// Whether the documented picture shows it.
    package var isDrawn: Bool
    /// Profiles in which it exists; empty for all.
    package var profiles: [String]
    /// What makes it happen, in a few words.
    package var cause: String
    /// Where it is documented.
    package var citation: String

    package init(
        id: String, from: [String], to: [String], steps: [StepPattern] = [], choice: String? = nil,
        after: [String] = [], isAbnormal: Bool = false, isDrawn: Bool = true, profiles: [String] = [],
        cause: String = "", citation: String
    ) {
        self.id = id
        self.from = from
        self.to = to
        self.steps = steps
        self.choice = choice
        self.after = after
        self.isAbnormal = isAbnormal
        self.isDrawn = isDrawn
        self.profiles = profiles
        self.cause = cause
        self.citation = citation
    }

    /// Identifiers of all callbacks that mark it, in order.
    package var callbacks: [String] { steps.flatMap(\.callbacks) }

    /// Whether it can happen without any callback.
    package var isSilent: Bool { steps.allSatisfy(\.canBeMissing) }

    /// Whether some callback can mark it.
    package var isMarked: Bool { !callbacks.isEmpty }
}

extension StepPattern {
    /// Identifiers of the callbacks in it, in order.
    package var callbacks: [String] {
        switch self {
        case .callback(let callback): callback.names
        case .silent, .later, .newRun, .scenario: []
        case .optional(let steps), .repeated(let steps, _), .unordered(let steps): steps.flatMap(\.callbacks)
        }
    }

    /// Whether a log may show nothing of it.
    package var canBeMissing: Bool {
        switch self {
        case .callback, .scenario: false
        case .silent, .later, .newRun, .optional: true
        case .repeated(let steps, let atLeast): atLeast == 0 || steps.allSatisfy(\.canBeMissing)
        case .unordered(let steps): steps.allSatisfy(\.canBeMissing)
        }
    }
}
