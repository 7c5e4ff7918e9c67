/// Which page to write.
public struct ReportRequest: Sendable {
    public var database: String
    public var filter: Filter?
    /// Language of the states' names in pictures.
    public var language = "en"
    /// Files of models beside the built-in ones.
    public var models: [String] = []
    /// The command-line words of the filter, shown on the page.
    public var restrictions: [String] = []

    public init(database: String) { self.database = database }
}
