/// A scenario that has begun in a run.
struct ScenarioThread: BitwiseCopyable {
    var pattern: Int
    /// Nodes at which it may stand: the next callback must come soon, or may come at any time.
    var soon: UInt64
    var anytime: UInt64
    /// Row ids of the instances that play the actors; 0 while unknown.
    var cast: (Int64, Int64, Int64, Int64) = (0, 0, 0, 0)
    var firstStep: Int64
    var firstTime: Int64
    var lastTime: Int64
    /// Where it was complete last; 0 when it never was.
    var completeStep: Int64 = 0
    var completeTime = Time.none
    /// How many of its callbacks have come, and how many when it was complete last.
    var heard = 0
    var completeHeard = 0
    /// Whether the others were as documented when it was complete last.
    var othersFit = true
    var secondTime = Time.none
    /// Whether the silent end of the run belongs to it.
    var reachesEnd = false
}

/// A scenario found, unless a longer one turns out to contain it.
struct ScenarioCandidate: BitwiseCopyable {
    var pattern: Int
    var firstStep: Int64
    var lastStep: Int64
    var started: Int64
    var ended: Int64
    var secondTime: Int64
    var reachesEnd: Bool
    /// How many callbacks belong to it.
    var heard: Int
    /// Row ids of the instances that play in it.
    var cast: (Int64, Int64, Int64, Int64)
    /// Whether it turned out to be a part of another one.
    var isContained = false

    /// Whether it begins and ends where another does.
    @inline(__always)
    func spansLike(_ other: ScenarioCandidate) -> Bool {
        firstStep == other.firstStep && lastStep == other.lastStep
    }

    /// Whether everybody who plays in it, but for one instance, plays in another too.
    func mayBePlayed(by other: ScenarioCandidate, besides known: Int64) -> Bool {
        func plays(_ part: Int64) -> Bool {
            part == 0 || part == known || part == other.cast.0 || part == other.cast.1 || part == other.cast.2
                || part == other.cast.3
        }
        return plays(cast.0) && plays(cast.1) && plays(cast.2) && plays(cast.3)
    }

    /// Whether one begins before another, or with it and is longer.
    @inline(__always)
    static func longestFirst(_ one: ScenarioCandidate, _ other: ScenarioCandidate) -> Bool {
        one.firstStep != other.firstStep ? one.firstStep < other.firstStep : one.lastStep > other.lastStep
    }
}

extension ScenarioThread {
    /// Row id of the instance that plays an actor; 0 while unknown.
    func actor(_ number: Int) -> Int64 {
        switch number {
        case 0: cast.0
        case 1: cast.1
        case 2: cast.2
        default: cast.3
        }
    }

    mutating func assign(_ number: Int, _ instance: Int64) {
        switch number {
        case 0: cast.0 = instance
        case 1: cast.1 = instance
        case 2: cast.2 = instance
        default: cast.3 = instance
        }
    }

    /// Whether an instance plays an actor, or can.
    func mayPlay(_ number: Int, _ instance: Int64) -> Bool {
        let present = actor(number)
        return present == instance || present == 0 && !has(instance)
    }

    /// Whether an instance plays any actor.
    func has(_ instance: Int64) -> Bool {
        cast.0 == instance || cast.1 == instance || cast.2 == instance || cast.3 == instance
    }
}

/// What the sequences looked at so far contain of later and shorter ones.
///
/// Sequences come in the order of ``ScenarioCandidate/longestFirst(_:_:)``, so that one number stands for all of them:
/// the furthest end.
struct ScenarioShadow {
    /// Furthest end of all, and of those that the silent end of the run belongs to.
    private var furthest = Int64.min
    private var furthestToEnd = Int64.min
    /// Steps of the sequence added last, and the shadow before any of just these steps.
    private var first = Int64.min
    private var last = Int64.min
    private var before = (furthest: Int64.min, toEnd: Int64.min)

    /// Whether a longer sequence contains one.
    mutating func contains(_ one: ScenarioCandidate) -> Bool {
        if one.firstStep != first || one.lastStep != last {
            (first, last) = (one.firstStep, one.lastStep)
            before = (furthest, furthestToEnd)
        }
        return (one.reachesEnd ? before.toEnd : before.furthest) >= one.lastStep
    }

    /// Adds the sequence that was asked about last.
    mutating func add(_ one: ScenarioCandidate) {
        furthest = max(furthest, one.lastStep)
        if one.reachesEnd { furthestToEnd = max(furthestToEnd, one.lastStep) }
    }
}
