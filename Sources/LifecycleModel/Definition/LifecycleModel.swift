/// A documented state machine, as its file says it.
package struct LifecycleModel: Sendable, Hashable {
    /// Identifier of the model (`app`, `scene`, `process`, `view`, or a user's own).
    package var id: String
    /// Layer that its instances draw (`app`, `scene`, `view`, or the id of a user's model).
    package var layer: String
    /// What people call it.
    package var title: LocalizedText
    /// What it has one machine for.
    package var scope: InstanceScope
    /// State in which a machine begins.
    package var initial: String
    /// States in which a machine may end.
    package var final: [String]
    /// Models whose callbacks its transitions, rules and scenarios may name as well.
    package var uses: [String]
    package var states: [ModelState]
    package var callbacks: [ModelCallback]
    package var transitions: [ModelTransition]
    package var rules: [ModelRule] = []
    package var limits: [TimeLimit] = []
    package var scenarios: [ModelScenario] = []
    /// Scenarios that callbacks alone cannot tell apart.
    package var classes: [EquivalenceClass] = []
    /// The table of legal next callbacks; it repeats in one place what the rules say.
    package var nextCallbacks: [NextCallbacks] = []
    /// A machine whose state follows from the instances of this model.
    package var derives: DerivedState?
    /// Where its parts stand in its files.
    package var origin = ModelOrigin()

    package init(
        id: String, layer: String, title: LocalizedText, scope: InstanceScope, initial: String, final: [String] = [],
        uses: [String] = [], states: [ModelState] = [], callbacks: [ModelCallback] = [],
        transitions: [ModelTransition] = []
    ) {
        self.id = id
        self.layer = layer
        self.title = title
        self.scope = scope
        self.initial = initial
        self.final = final
        self.uses = uses
        self.states = states
        self.callbacks = callbacks
        self.transitions = transitions
    }

    /// The state with an id.
    package func state(_ id: String) -> ModelState? { states.first { $0.id == id } }
    /// The callback with an id.
    package func callback(_ id: String) -> ModelCallback? { callbacks.first { $0.id == id } }
    /// The transition with an id.
    package func transition(_ id: String) -> ModelTransition? { transitions.first { $0.id == id } }
    /// The rule with an id.
    package func rule(_ id: String) -> ModelRule? { rules.first { $0.id == id } }
    /// The limit with an id.
    package func limit(_ id: String) -> TimeLimit? { limits.first { $0.id == id } }
    /// The scenario with an id.
    package func scenario(_ id: String) -> ModelScenario? { scenarios.first { $0.id == id } }
}
