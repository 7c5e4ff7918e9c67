/// What the verifier needs to know of a kind of step.
struct KindFacts {
    var hash: RowHash
    var layer: String?
    var stateBefore: String?
    var stateAfter: String?
    /// What transitions are counted by, as in the summary of them.
    var transition: [String?]
    var isVisit: Bool
    var isTransition: Bool
    var isInferred: Bool
    var closesInferred: Bool
    var censoring: String
    var isFolded: Bool
    /// Of a callback the first kind with this layer and callback.
    var callback: Int64?
}
