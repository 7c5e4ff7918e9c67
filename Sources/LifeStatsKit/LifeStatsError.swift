/// What went wrong, where, why, and how to mend it: an error for people.
public struct LifeStatsError: Error, Sendable, CustomStringConvertible {
    /// What went wrong and where: `cannot open lifestats.db`.
    public var what: String
    /// Why; `nil` when the first part says it all.
    public var why: String?
    /// How to mend it; `nil` when there is nothing to advise.
    public var remedy: String?

    public init(_ what: String, why: String? = nil, remedy: String? = nil) {
        self.what = what
        self.why = why
        self.remedy = remedy
    }

    public var description: String {
        var text = what
        if let why { text += ": \(why)" }
        if let remedy { text += "\n  → \(remedy)" }
        return text
    }
}
