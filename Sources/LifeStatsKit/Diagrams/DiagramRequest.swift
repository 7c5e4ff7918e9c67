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

    public init(database: String) { self.database = database }
}
