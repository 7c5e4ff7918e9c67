extension StateGraph {
    /// A state, as the model names it and as it was visited.
    package struct State: Sendable, Hashable, Codable {
        /// Id, as it stands in the database (`fg_active`).
        package var id: String
        /// Name for people, in the language of the picture.
        package var title: String
        /// Whether the model has the state.
        package var isDocumented: Bool
        package var isInitial: Bool
        package var isFinal: Bool
        /// What was seen of the state; `nil` when it was never visited.
        package var stay: Stay?
        /// Stays that no line shows and that silence makes likely; never added to the observed ones.
        package var estimate: Stay?
        /// Runs that ended in this state, by reason, most frequent first.
        package var endings: [Ending]
        /// Where the state is documented; shown as a tooltip.
        package var citation: String

        package init(
            id: String, title: String, isDocumented: Bool = true, isInitial: Bool = false, isFinal: Bool = false,
            stay: Stay? = nil, endings: [Ending] = [], citation: String = ""
        ) {
            self.id = id
            self.title = title
            self.isDocumented = isDocumented
            self.isInitial = isInitial
            self.isFinal = isFinal
            self.stay = stay
            self.endings = endings
            self.citation = citation
        }
    }

    /// How often and how long a state was visited, or an edge waited for. Durations in nanoseconds; `nil` is unknown.
    package struct Stay: Sendable, Hashable, Codable {
        /// Number of visits or of transitions.
        package var count: Int
        /// Median and ninetieth percentile of the completed stays.
        package var median: Int64?
        package var p90: Int64?
        /// Sum of the completed stays.
        package var total: Int64?
        /// Part of the time of all states (0...1); for edges, of all transitions.
        package var share: Double?

        package init(count: Int, median: Int64? = nil, p90: Int64? = nil, total: Int64? = nil, share: Double? = nil) {
            self.count = count
            self.median = median
            self.p90 = p90
            self.total = total
            self.share = share
        }
    }

    /// How many runs ended for one reason.
    package struct Ending: Sendable, Hashable, Codable {
        /// The word of the column `runs.end_reason`.
        package var reason: String
        package var count: Int

        package init(reason: String, count: Int) {
            self.reason = reason
            self.count = count
        }
    }
}
