import LifecycleModel

/// A model as conformance looks at it: states as bits, callbacks by number, every documented move with the silent
/// moves that may follow it.
struct ConformanceMachine {
    let states: [String]
    let callbacks: [String]
    /// Number of each callback.
    let numbers: [String: Int]
    /// Callbacks that never change a state and may come anywhere.
    let supplementary: [Bool]
    /// Callbacks by which the model can move, beside which supplementary ones do not count.
    let moving: [Int]
    /// States in which an instance begins, and states in which one may be that the log does not see beginning.
    let begin: UInt64
    let anyState: UInt64
    /// `targets[state * callbacks + callback]`: the states after it, one bit each; 0 where it is not documented.
    private let targets: [UInt64]
    /// States that a callback that is documented elsewhere shows the instance to be in; 0 when it shows none.
    private let proven: [UInt64]
    /// `distances[from * states + to]`: how many callbacks the model needs to get there.
    private let distances: [Int]
    /// The last step on the shortest way there.
    private let lastSteps: [(state: Int, callback: Int)]

    /// What ``distances`` says where no way leads.
    static let unreachable = Int.max >> 8

    init(_ model: LifecycleModel) {
        // A replay holds no model of more states than a word has bits.
        let known = Array(model.states.prefix(64))
        let states = known.map(\.id)
        // A name that is no callback has no place anywhere.
        let documented = model.callbacks.filter { !$0.isUnknown }
        let callbacks = documented.map(\.id)
        let places = Dictionary(states.enumerated().map { ($1, $0) }) { first, _ in first }
        let numbers = Dictionary(callbacks.enumerated().map { ($1, $0) }) { first, _ in first }
        let width = callbacks.count
        var direct = Array(repeating: UInt64(0), count: states.count * width)
        for edge in model.edges {
            guard let from = places[edge.from], let to = places[edge.to], let callback = numbers[edge.callback] else {
                continue
            }
            direct[from * width + callback] |= 1 << UInt64(to)
        }
        for (number, callback) in documented.enumerated() where callback.isSupplementary {
            for state in states.indices where direct[state * width + number] == 0 {
                direct[state * width + number] = 1 << UInt64(state)
            }
        }
        let silent = Self.silentClosures(model, places)
        let closed: (UInt64) -> UInt64 = { mask in Self.members(mask).reduce(0) { $0 | silent[$1] } }
        let targets = direct.map(closed)
        self.states = states
        self.callbacks = callbacks
        self.numbers = numbers
        self.targets = targets
        supplementary = documented.map(\.isSupplementary)
        moving = documented.indices.filter { !documented[$0].isSupplementary }
        begin = closed(1 << UInt64(places[model.initial] ?? 0))
        anyState = closed(states.indices.reduce(0) { known[$1].isDrawn ? $0 | 1 << UInt64($1) : $0 })
        proven = documented.indices.map { number in
            if let state = documented[number].proves.flatMap({ places[$0] }) { return silent[state] }
            return states.indices.reduce(0) { $0 | targets[$1 * width + number] }
        }
        (distances, lastSteps) = Self.shortestWays(targets, states: states.count, moving: moving, width: width)
    }

    /// The states in which a trace may begin.
    func beginning(_ trace: TraceVariant) -> UInt64 { trace.beginsInLog ? begin : anyState }

    /// The states after a callback in one state; none when it is not documented there.
    func after(_ callback: Int, in state: Int) -> UInt64 { targets[state * callbacks.count + callback] }

    /// The states after a callback; none when it is documented in none of the states before.
    func after(_ callback: Int, from: UInt64) -> UInt64 {
        Self.members(from).reduce(0) { $0 | targets[$1 * callbacks.count + callback] }
    }

    /// The states that a callback leads to that came where it is not documented.
    func proof(of callback: Int) -> UInt64 { proven[callback] }

    func distance(_ from: Int, _ to: Int) -> Int { distances[from * states.count + to] }

    /// The callbacks on the shortest way between two states.
    func way(_ from: Int, _ to: Int) -> [Int] {
        var way: [Int] = []
        var state = to
        while state != from, distance(from, state) < Self.unreachable {
            let step = lastSteps[from * states.count + state]
            way.append(step.callback)
            state = step.state
        }
        return way.reversed()
    }

    /// The places of the bits of a set.
    static func members(_ mask: UInt64) -> BitPlaces { BitPlaces(rest: mask) }

    private static func silentClosures(_ model: LifecycleModel, _ places: [String: Int]) -> [UInt64] {
        var closures = (0..<min(64, model.states.count)).map { 1 << UInt64($0) as UInt64 }
        let final = Set(model.final)
        // A silent end is none of the moves that an alignment may take for free: it would let a run begin anew.
        let moves = model.silentMoves.filter { !final.contains($0.to) }
        for _ in closures {
            for move in moves {
                guard let from = places[move.from], let to = places[move.to] else { continue }
                for state in closures.indices where closures[state] & 1 << UInt64(from) != 0 {
                    closures[state] |= 1 << UInt64(to)
                }
            }
        }
        return closures
    }

    private static func shortestWays(
        _ targets: [UInt64], states: Int, moving: [Int], width: Int
    ) -> ([Int], [(state: Int, callback: Int)]) {
        var distances = Array(repeating: unreachable, count: states * states)
        var steps = Array(repeating: (state: 0, callback: 0), count: states * states)
        for from in 0..<states {
            distances[from * states + from] = 0
            var queue = [from]
            var head = 0
            while head < queue.count {
                let here = queue[head]
                head += 1
                for callback in moving {
                    for next in members(targets[here * width + callback])
                    where distances[from * states + next] == unreachable {
                        distances[from * states + next] = distances[from * states + here] + 1
                        steps[from * states + next] = (here, callback)
                        queue.append(next)
                    }
                }
            }
        }
        return (distances, steps)
    }
}

/// The places of the bits of a word, lowest first.
struct BitPlaces: Sequence, IteratorProtocol {
    var rest: UInt64

    mutating func next() -> Int? {
        guard rest != 0 else { return nil }
        defer { rest &= rest &- 1 }
        return rest.trailingZeroBitCount
    }
}
