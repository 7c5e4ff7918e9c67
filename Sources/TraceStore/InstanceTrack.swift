/// What the verifier knows of an instance while it walks through the steps.
struct InstanceTrack {
    var id: Int64
    /// Hash of what the instance is called, independent of ids.
    var hash: RowHash
    /// Model, as the place of its name among all names.
    var model: String
    /// Number of steps so far.
    var ordinal: Int64 = 0
    /// Step that last changed the state, its time and kind.
    var opener: Int64?
    var time: Int64?
    var kind: Int64?
    /// Whether that step told a state that was not known before: the visit to it began then, or earlier.
    var mayBeCut = false
    /// First step, and its time: it may begin a visit without changing a state.
    var first: Int64?
    var firstTime: Int64?
    /// Time of the last step, and whether the clock went back since the state last changed.
    var lastTime: Int64?
    var isBroken = false
    /// The last callback, by the first kind of it; 0 before the first.
    var callback: Int64 = 0
    /// Whether the visit that is open at the end has been seen.
    var hasTail = false
}
