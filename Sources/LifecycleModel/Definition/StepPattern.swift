/// One element of a documented sequence of callbacks.
package indirect enum StepPattern: Sendable, Hashable {
    /// A callback, or one of several.
    case callback(CallbackPattern)
    /// Something that no callback marks: `~`.
    case silent
    /// Any time may pass here: `...`.
    case later
    /// The process that goes on has another pid: `new run`.
    case newRun
    /// All steps of another scenario, by its id.
    case scenario(String)
    /// Steps that may be missing, together: `[a, b]`.
    case optional([StepPattern])
    /// Steps that may occur again and again: `{a, b}*`, or `{a, b}+` with at least one round.
    case repeated([StepPattern], atLeast: Int)
    /// Steps in any order: `(a & b)`.
    case unordered([StepPattern])
}

/// A callback as an element of a sequence.
package struct CallbackPattern: Sendable, Hashable {
    /// Identifiers of the callbacks, any of which will do.
    package var names: [String]
    /// Which of several instances gets it (`VC1`, `scene2`); `nil` when there is only one.
    package var actor: String?
    /// State of the machine after it, where the sequence passes through several: `name -> state`.
    package var to: String?

    package init(names: [String], actor: String? = nil, to: String? = nil) {
        self.names = names
        self.actor = actor
        self.to = to
    }
}
