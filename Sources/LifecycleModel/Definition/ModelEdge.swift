/// One move of a machine on one callback: what the steps of transitions come down to.
///
/// An edge from a state to itself says that the callback may come there and changes nothing.
package struct ModelEdge: Sendable, Hashable {
    package var from: String
    package var callback: String
    package var to: String
    /// Transitions that it belongs to; none when the state merely accepts the callback.
    package var transitions: [String]
    /// Labels of the choices that it belongs to (``ModelTransition/choice``).
    package var choices: [String]
    /// Whether the machine moves from one state to another.
    package var changesState: Bool { from != to }
}
