/// What the ledgers of a batch need to know of a kind of step.
struct KindTraits {
    var isEvent = false
    /// Whether such a step ends a visit.
    var isVisit = false
    /// Row id of the first kind with this layer and callback; `nil` for kinds that are no callbacks.
    var callback: Int64?
}
