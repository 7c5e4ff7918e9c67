import TraceRecords

/// What follows from a kind of step, and is stored beside it, because questions and ledgers ask for it.
struct KindTraits: Equatable {
    var isEvent = false
    /// Whether such a step ends a visit.
    var isVisit = false
    /// Whether it changes the state.
    var isTransition = false
    /// Whether the log shows both ends of the visit, and whether both are observed.
    var isTimed = false
    var isComplete = false
    /// Row id of the first kind with this layer and state before.
    var group: Int64 = 0
    /// Row id of the first kind with this layer and callback; `nil` for kinds that are no callbacks.
    var callback: Int64?
}

extension KindTraits {
    /// All but what depends on other kinds.
    init(_ key: KindTable.Key) {
        let kind = key.kind
        isEvent = !key.isTail && kind.role == .event
        isVisit = key.isTail || (kind.role != .folded && kind.endsVisit)
        isTransition = key.isTail ? kind.stateAfter != nil : kind.role != .folded && kind.isTransition
        isTimed = kind.closedCensoring == .neither
        isComplete = isTimed && kind.closedEvidence == .observed
    }
}
