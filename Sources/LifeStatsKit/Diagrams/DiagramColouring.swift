/// What the colour of a state tells: the words of `--colour`.
public enum DiagramColouring: String, Sendable, CaseIterable {
    /// Nothing: all states alike.
    case plain
    /// How often it was visited.
    case frequency
    /// How long a stay lasts, by the median.
    case performance
}
