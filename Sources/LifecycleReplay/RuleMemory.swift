import TraceRecords

/// What the checks of an instance or a run remember.
struct RuleMemory: Codable {
    /// What one check remembers.
    struct Cell: Codable {
        var time = Time.none
        /// A callback.
        var number = CompiledModel.noCallback
        var count = 0
        var isSet = false
        var isDone = false
        var line: Int64 = 0
        var source: Int32 = 0
    }

    /// Callbacks that have come.
    var seen = CallbackSet()
    /// The last callback that was not supplementary.
    var previous = CompiledModel.noCallback
    /// Its time, and the state before it.
    var previousTime = Time.none
    var previousBefore = CompiledModel.unknown
    /// What was missing before the last callbacks, none of which changed the state.
    var missed: String?
    /// Whether its line said that its method returns, so that no later line can.
    var saidEnd = false
    var cells: [Cell] = []
    var exchange = ExchangeWindow()
    /// Measurements that are going on.
    var timers: [LimitTimer] = []
    /// Limits, by number, that the last callbacks of an instance were found to exceed.
    var exceeded: UInt64 = 0
    /// Callbacks whose methods the log of a run has shown to return.
    var returning = CallbackSet()
    /// Scenarios that are going on, and those found that a longer one may still contain.
    var threads: [ScenarioThread] = []
    var candidates: [ScenarioCandidate] = []
    /// The first step of the candidate that began first.
    var earliestCandidate = Int64.max
    /// From how many candidates on those are dropped that others contain, though none can be told yet.
    var candidatesToSift = RuleMemory.candidatesAtRest
    static let candidatesAtRest = 16
    /// The last event that scenarios were looked for in.
    var lastStep: Int64 = 0

    /// Empties the memory for another instance, keeping its storage.
    mutating func reset(cells count: Int) {
        seen = CallbackSet()
        previous = CompiledModel.noCallback
        previousTime = Time.none
        previousBefore = CompiledModel.unknown
        missed = nil
        saidEnd = false
        exchange = ExchangeWindow()
        timers.removeAll(keepingCapacity: true)
        exceeded = 0
        returning = CallbackSet()
        threads.removeAll(keepingCapacity: true)
        candidates.removeAll(keepingCapacity: true)
        earliestCandidate = Int64.max
        candidatesToSift = Self.candidatesAtRest
        lastStep = 0
        for place in cells.indices { cells[place] = Cell() }
        while cells.count < count { cells.append(Cell()) }
    }
}

/// A finding that is only one if nothing in the next moments says otherwise.
struct PendingFinding: Codable {
    var check: Int
    var finding: Finding
    /// Time until which it can be called off.
    var deadline: Int64
    /// State of the app that calls it off.
    var expected = CompiledModel.unknown
}
