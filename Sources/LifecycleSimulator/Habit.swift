/// What people and the system do with an app in one situation: the next moves, and how often each comes.
struct Habit: Sendable {
    /// One thing that may happen next.
    struct Move: Sendable {
        /// The callback, or `nil` for a silent end of the process.
        var callback: String?
        /// Situation after it.
        var next: String
        /// How often, relative to the other moves.
        var weight: Int
        /// How long the situation lasts before it.
        var after: Stay
    }

    /// Name of the situation: a state, told apart by how the app came into it.
    var situation: String
    /// State of the model that the app is in.
    var state: String
    var moves: [Move]
}
