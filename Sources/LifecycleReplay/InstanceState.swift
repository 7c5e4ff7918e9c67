/// Where one instance stands in its model: a flat value without references, so that touching it costs no counting.
struct InstanceState: Codable {
    /// Row id.
    var id: Int64
    /// Slot of the run.
    var run: Int32
    /// Number of the model.
    var model: UInt8
    /// Present state; ``CompiledModel/unknown`` before the first callback that tells it.
    var state: UInt8
    /// Further states that the instance may be in instead (a launch that is not decided yet), one bit each.
    var alternatives: UInt64 = 0
    /// Time at which the open visit began, or since when a line shows it; ``Time/none`` when unknown.
    var entered = Time.none
    /// Step that began the open visit, or the first that shows it; 0 when no line does.
    var opener: Int64 = 0
    /// Whether the beginning of the open visit is inferred.
    var openedByInference = false
    /// Whether the open visit may have begun before the log.
    var cutLeft = false
    /// States in which it may be instead, because the log begins with lines of one time whose order nobody can tell; one
    /// bit each.
    var doubtful: UInt64 = 0
    /// Whether the clock went back inside the open visit, so that its length can't be told.
    var broken = false
    /// Whether it came into being after the log began.
    var isNew = false
    /// Whether any event has occurred; whether one that can change the state has.
    var begun = false
    var hasMoved = false
    /// Whether the callback has occurred that occurs once in the life of an object.
    var sawBeginning = false
    /// The last step.
    var lastStep: Int64 = 0

    /// The last evidence, by origin and proof.
    var lastEvidence: UInt32 = 0
    /// The last callback, by its number in the model; ``CompiledModel/noCallback`` after evidence.
    var lastCallback = CompiledModel.noCallback
    /// Number of the kind of the last callback, whatever evidence came after it; -1 before the first.
    var lastCallbackKind: Int32 = -1
    /// Time of the first line of the last callback's execution.
    var executionTime = Time.none
    /// Time of the last event.
    var lastTime = Time.none
    /// Source and line of the last event.
    var lastSource: Int32 = 0
    var lastLine: Int64 = 0

    /// Symbol of the label as printed, and of the label without regard to case.
    var label: UInt32
    var foldedLabel: UInt32
    /// How many instances of the run have borne the label before, plus 1.
    var ordinal: Int32 = 1
}

/// Times in nanoseconds since 1970 UTC, with one value for "not known": half the size of an optional.
enum Time {
    static let none = Int64.min

    @inline(__always)
    static func optional(_ time: Int64) -> Int64? { time == none ? nil : time }

    @inline(__always)
    static func plain(_ time: Int64?) -> Int64 { time ?? none }
}
