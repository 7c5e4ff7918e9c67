/// Something that reading could not make sense of, as often as it happened, with one place to look at.
package struct NotUnderstood: Sendable, Hashable {
    /// Why, in plain words: `no time at the beginning`.
    package var reason: String
    package var count: Int64
    /// What is counted, in the singular: `line`, `file`.
    package var unit: String
    /// The first place: `logs/app.log:120`.
    package var example: String?

    package init(reason: String, count: Int64, unit: String = "line", example: String? = nil) {
        self.reason = reason
        self.count = count
        self.unit = unit
        self.example = example
    }
}
