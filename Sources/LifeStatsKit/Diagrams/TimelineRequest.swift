/// Which runs to draw as swim lanes.
public struct TimelineRequest: Sendable {
    public var database: String
    public var filter: Filter?
    /// Most runs to draw; the others are counted.
    public var mostRuns = 12
    /// Language of the states' names.
    public var language = "en"

    public init(database: String) { self.database = database }
}
