/// One event with what it did: the transition it caused and the visit it ended, in one narrow row.
///
/// A visit is told by the step that ends it, because only then is everything about it known; the visit that is still
/// open at the end of an instance is told by its ``InstanceRecord``.
public struct Step: Sendable, Hashable {
    /// Row id; grows in the order of the log.
    public var id: Int64
    /// ``InstanceRecord/id``.
    public var instance: Int64
    /// Number of the source that the line is in.
    public var source: Int32
    /// Of a callback the index of the kind of the one before it in the life of the instance; -1 for the first one and for
    /// all other steps.
    public var previousCallback: Int32
    /// Line of the source, counted from 1.
    public var line: Int64
    /// Nanoseconds since 1970 UTC; `nil` when the line carries no time.
    public var time: Int64?
    /// Index of the ``StepKind`` in ``ReplayBatch/kinds``.
    public var kind: Int32
    /// How long the ended visit lasted, in nanoseconds: its dwell when both ends are known, a lower bound when the
    /// kind says that it is censored; `nil` without times or across a step back of the clock.
    public var stay: Int64?
    /// Id of the step that began the ended visit; `nil` when the log begins inside it or the step ends none.
    public var opener: Int64?

    public init(
        id: Int64, instance: Int64, source: Int32, line: Int64, time: Int64?, kind: Int32, stay: Int64? = nil,
        opener: Int64? = nil, previousCallback: Int32 = -1
    ) {
        self.id = id
        self.instance = instance
        self.source = source
        self.previousCallback = previousCallback
        self.line = line
        self.time = time
        self.kind = kind
        self.stay = stay
        self.opener = opener
    }
}
