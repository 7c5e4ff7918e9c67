/// Which picture to draw.
public struct DiagramRequest: Sendable {
    public var database: String
    /// Layer or id of a model: `app`, `scene`, `view`, or one of the user's.
    public var layer = "app"
    public var view = DiagramView.sideBySide
    public var format = DiagramFormat.svg
    /// Language of the states' names: `en`, `zh-Hans`, `zh-Hant`, `es`.
    public var language = "en"
    public var filter: Filter?
    /// Files of models beside the built-in ones.
    public var models: [String] = []
    /// Figures on states and on edges.
    public var stateMetrics: [DiagramMetric] = [.count, .median]
    public var edgeMetrics: [DiagramMetric] = [.count, .probability]
    /// What the colour of a state tells.
    public var colouring = DiagramColouring.plain
    /// Edges seen less often than this part of the moves out of their state (0 to 1) are folded away; the picture
    /// states what is hidden.
    public var foldBelow = 0.0

    public init(database: String) { self.database = database }
}
