/// How to derive everything again.
public struct ReplayRequest: Sendable {
    public var database: String
    /// Files of models beside the built-in ones.
    public var models: [String] = []
    /// Silence in background after which a process counts as suspended; `nil` leaves it as it is.
    public var suspendGrace: SuspendGrace?
    /// Profile of rules to follow, or `auto`, which lets the callbacks decide; `nil` leaves it as it is.
    public var profile: String?

    public init(database: String) { self.database = database }
}
