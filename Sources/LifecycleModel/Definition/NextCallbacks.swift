/// One row of the table of legal next callbacks: what may follow a callback in the same machine.
package struct NextCallbacks: Sendable, Hashable {
    /// The callback; `nil` for the beginning of the machine.
    package var after: String?
    /// What may follow.
    package var legal: [String]
    /// What may follow, but only just: a warning.
    package var doubtful: [String]
    /// What it means when nothing follows.
    package var end: String
    /// Rules that say so.
    package var rules: [String]

    package init(after: String?, legal: [String], doubtful: [String] = [], end: String = "", rules: [String]) {
        self.after = after
        self.legal = legal
        self.doubtful = doubtful
        self.end = end
        self.rules = rules
    }
}
