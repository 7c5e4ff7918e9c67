/// What a state diagram shows, and how.
package struct DiagramOptions: Sendable, Hashable {
    /// Which sides are drawn.
    package enum View: String, Sendable, CaseIterable {
        /// Two panels: documented left, observed right.
        case sideBySide = "side-by-side"
        /// One panel with everything.
        case overlay
        /// One panel with what was seen.
        case observed
        /// One panel with what the model says.
        case documented
    }

    /// What the colour of a state tells.
    package enum Colouring: String, Sendable, CaseIterable {
        /// Nothing: all states alike.
        case plain
        /// How often it was visited.
        case frequency
        /// How long a stay lasts, by the median.
        case performance
    }

    package var view: View = .sideBySide
    package var stateMetrics: [Metric] = [.count, .median]
    package var edgeMetrics: [Metric] = [.count, .probability]
    package var colouring: Colouring = .plain
    /// Edges seen less often than this part of the transitions out of their state are folded away (0...1); 0 keeps
    /// all. What is hidden is stated in the picture.
    package var foldBelow: Double = 0
    package var language: PictureLanguage = .english
    /// Put before every id in an SVG, so that several pictures can stand in one page.
    package var idPrefix = "d"

    package init() {}
}
