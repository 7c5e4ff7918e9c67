/// How to derive everything again.
public struct ReplayRequest: Sendable {
    public var database: String
    /// Files of models beside the built-in ones.
    public var models: [String] = []
    /// Silence in background after which a process counts as suspended, in nanoseconds; `nil` estimates nothing.
    public var suspendGrace: Int64? = 5_000_000_000
    /// Profile of rules to follow; `nil` lets the callbacks decide.
    public var profile: String?

    public init(database: String) { self.database = database }
}
