/// What a diagram shows: the words of `--view`.
public enum DiagramView: String, Sendable, CaseIterable {
    /// Documented left, observed right, every state at the same place.
    case sideBySide = "side-by-side"
    /// Both in one.
    case overlay
    case observed
    case documented
}
