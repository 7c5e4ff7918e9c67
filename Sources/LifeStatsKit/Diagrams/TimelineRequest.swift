/// Which runs to draw as swim lanes.
public struct TimelineRequest: Sendable {
    public var database: String
    public var filter: Filter?
    /// Most runs to draw; the others are counted.
    public var mostRuns = 12
    /// Whether the runs in which most goes wrong come first, instead of those that come first in the log.
    public var mostInterestingFirst = false
    /// Language of the states' names.
    public var language = "en"
    /// Files of models beside the built-in ones.
    public var models: [String] = []

    public init(database: String) { self.database = database }
}
