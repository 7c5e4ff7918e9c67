/// Where one instance is in its model: a flat value without references, so that touching it counts none.
struct InstanceState: BitwiseCopyable {
    /// Row id.
    var id: Int64
    /// Slot of the run.
    var run: Int32
    /// Number of the model.
    var model: UInt8
    /// Present state; ``CompiledModel/unknown`` before the first callback that shows it.
    var state: UInt8
    /// The state in which the end of the process found it.
    var stateBeforeExit = CompiledModel.unknown
    /// Further states that the instance may be in instead (a visit that is not decided yet), one bit each.
    var alternatives: UInt64 = 0
    /// Time at which the open visit began, or since when a line shows it; ``Time/none`` when unknown.
    var entered = Time.none
    /// Step that began the open visit, or the first that shows it; 0 when no line does.
    var opener: Int64 = 0
    /// Whether the beginning of the open visit is inferred.
    var openedByInference = false
    /// Whether the open visit may have begun before the log.
    var cutLeft = false
    /// States in which it may be instead, because the log begins with lines of one time whose order is unknown; one bit
    /// each.
    var doubtful: UInt64 = 0
    /// Whether the clock went back inside the open visit, so that its length is unknown.
    var broken = false
    /// Whether it came into being after the log began.
    var isNew = false
    /// Whether any event has occurred; whether one that can change the state has.
    var begun = false
    var hasMoved = false
    /// Whether words show the present state, and no callback yet; and the states of a scene that its phases have shown.
    var isToldByWords = false
    var told: UInt64 = 0
    /// Whether the callback has occurred that occurs once in the life of an object.
    var sawBeginning = false
    /// Whether the line of the last callback says that its method returns, so that no later line can.
    var hasReturned = false
    /// The last step.
    var lastStep: Int64 = 0

    /// The last evidence, by origin and proof; and the hash of the text of the last evidence or callback.
    var lastEvidence: UInt32 = 0
    var lastText: UInt16 = 0
    /// The last callback, by its number in the model; ``CompiledModel/noCallback`` after evidence.
    var lastCallback = CompiledModel.noCallback
    /// Number of the kind of the last callback, whatever evidence came after it; -1 before the first.
    var lastCallbackKind: Int32 = -1
    /// Time of the first line of the last callback's execution.
    var executionTime = Time.none
    /// Time, source and line of the last event.
    var lastTime = Time.none
    var lastSource: Int32 = 0
    var lastLine: Int64 = 0

    /// The last callback that was not supplementary, by its number in the vocabulary; its time, and the state before it.
    var previous = CompiledModel.noCallback
    var previousTime = Time.none
    var previousBefore = CompiledModel.unknown

    /// Whether another object with its label was on the screen when it came: its lines may be of either.
    var sharesName = false
    /// Hash of the label without regard to case; 0 for none.
    var label: UInt64
    /// How many instances of the run have borne the label before, plus 1.
    var ordinal: Int32 = 1

    /// Lines of one callback of an instance at most this far apart are one execution, in nanoseconds.
    static let foldingWindow: Int64 = 100_000_000

    /// Whether a callback is one more line of the execution that the instance saw last.
    @inline(__always)
    func isRepeated(_ callback: UInt16, at time: Int64) -> Bool {
        lastCallback == callback && isSameExecution(at: time)
    }

    @inline(__always)
    func isSameExecution(at time: Int64) -> Bool {
        time != Time.none && executionTime != Time.none && abs(time - executionTime) <= Self.foldingWindow
    }

    /// Whether a callback is the last one in other words, so soon after it as a method may take after which its notification
    /// is posted.
    func isInOtherWords(_ event: CallbackEvent) -> Bool {
        previous == event.callback && lastText != event.textHash && event.time != Time.none
            && executionTime != Time.none && abs(event.time - executionTime) <= Time.second
    }

    /// The step at a line of a source, if that is the last one; 0 when it is not.
    @inline(__always)
    func step(at line: Int64, of source: Int32) -> Int64 {
        lastLine == line && lastSource == source ? lastStep : 0
    }

    /// Notes the state in which the process ends, of which the first line counts.
    mutating func noteExit(in state: UInt8) {
        if stateBeforeExit == CompiledModel.unknown { stateBeforeExit = state }
    }

    /// Moves the instance as a step says; returns whether a visit began.
    @inline(__always)
    mutating func move(_ change: Change, step: Int64, of source: Int32, mayBeCut: Bool) -> Bool {
        let begins =
            change.before != change.after || !begun && change.after == state && change.after != CompiledModel.unknown
        if begins {
            cutLeft = mayBeCut
            entered = change.time
            opener = step
            openedByInference = change.inferred
            broken = false
            isToldByWords = false
        } else if state == CompiledModel.unknown, change.after != CompiledModel.unknown {
            cut()
        }
        state = change.after
        begun = true
        if change.time != Time.none { lastTime = change.time }
        lastLine = change.line
        lastSource = source
        lastCallback = CompiledModel.noCallback
        lastStep = step
        return begins
    }

    /// The open visit began before anything was logged of it.
    mutating func cut() {
        entered = Time.none
        opener = 0
        cutLeft = true
        openedByInference = false
        broken = false
    }

    /// Takes what is known of the beginning of the open visit for no more than a bound: the lines so far may have been of
    /// another process, or may not count.
    mutating func doubt() {
        if begun, state != CompiledModel.unknown { cutLeft = true }
    }
}

/// The last few thousand timed events, to recognise a block of lines that was written or pasted twice.
///
/// A copy carries the time of its original. Within one tick of the clock order decides, and a line alone proves nothing: a
/// block steps back in time to an equal line, and its second line is what followed there. Of equal lines there, each may
/// be where the block began.
struct RepeatedLines {
    /// How far back a copy is recognised, in events of the log.
    static let reach = 4096

    enum Verdict {
        case new, copy
        /// It is equal to an earlier line; the next event shows whether it begins a repeated block.
        case undecided
    }

    /// Half of the hashes of the events, the oldest at `next` once there are ``reach`` of them: two in a row are compared.
    var keys: [UInt32] = []
    var next = 0
    /// Time of the event before, copy or not; and the latest of all.
    var last = Time.none
    var latest = Time.none
    /// How many events ago the original of the event before came, for each place that the present block may repeat; empty
    /// while no block is repeated.
    var originals: [Int] = []
    /// Hash of the event before while it is undecided; 0 else.
    var undecided: UInt32 = 0

    /// Looks at an event, and keeps it in mind unless it is a copy. An undecided event before it is a copy if this one is,
    /// else it is new.
    @inline(__always)
    mutating func look(at hash: UInt64, _ time: Int64) -> Verdict {
        let key = UInt32(truncatingIfNeeded: hash) | 1
        guard time != Time.none else {
            settle()
            return .new
        }
        defer { last = time }
        if !originals.isEmpty || time < last {
            let verdict = compare(key, time)
            if verdict != .new { return verdict }
        }
        keep(key, time)
        return .new
    }

    private mutating func compare(_ key: UInt32, _ time: Int64) -> Verdict {
        // Copies are not kept, so the original of the next line is one event nearer.
        originals = originals.compactMap { $0 > 1 && keys[place($0 - 1)] == key ? $0 - 1 : nil }
        if !originals.isEmpty {
            undecided = 0
            return .copy
        }
        settle()
        guard time < last, time < latest else { return .new }
        originals = (1..<keys.count + 1).filter { keys[place($0)] == key }
        guard !originals.isEmpty else { return .new }
        undecided = key
        return .undecided
    }

    /// No block follows an undecided event: it is new.
    mutating func settle() {
        guard undecided != 0 else { return }
        keep(undecided, last)
        undecided = 0
        originals = []
    }

    @inline(__always)
    private mutating func keep(_ key: UInt32, _ time: Int64) {
        if time > latest { latest = time }
        if keys.count < Self.reach {
            keys.append(key)
        } else {
            keys[next] = key
            next = (next + 1) & (Self.reach - 1)
        }
    }

    /// Place of the event that came so many events ago.
    @inline(__always)
    private func place(_ back: Int) -> Int {
        (next + keys.count - back) % keys.count
    }
}
