import LifecycleModel

/// A model as conformance looks at it: states and callbacks by number, every documented move.
struct ConformanceMachine {
    let model: LifecycleModel
    let states: [String]
    let callbacks: [String]
    /// Number of each callback.
    let numbers: [String: Int]
    /// `moves[state][callback]`: every state that the callback leads to.
    let moves: [[[Int]]]
    /// States that a silent move leads to, by state.
    let silent: [[Int]]
    let initial: Int
    /// States in which an instance that the log does not see beginning may be.
    let anyState: [Int]
    /// Callbacks that never change a state and may come anywhere.
    let supplementary: [Bool]

    init(_ model: LifecycleModel) {
        self.model = model
        let states = model.states.map(\.id)
        let callbacks = model.callbacks.map(\.id)
        let places = Dictionary(states.enumerated().map { ($1, $0) }) { first, _ in first }
        let numbers = Dictionary(callbacks.enumerated().map { ($1, $0) }) { first, _ in first }
        var moves = Array(repeating: Array(repeating: [Int](), count: callbacks.count), count: states.count)
        for edge in model.edges {
            guard let from = places[edge.from], let to = places[edge.to], let callback = numbers[edge.callback] else {
                continue
            }
            if !moves[from][callback].contains(to) { moves[from][callback].append(to) }
        }
        for (number, callback) in model.callbacks.enumerated() where callback.isSupplementary {
            for state in states.indices where moves[state][number].isEmpty { moves[state][number] = [state] }
        }
        var silent = Array(repeating: [Int](), count: states.count)
        let final = Set(model.final)
        // A silent end is none of the moves that an alignment may take for free: it would let a run begin anew.
        for move in model.silentMoves where !final.contains(move.to) {
            guard let from = places[move.from], let to = places[move.to] else { continue }
            silent[from].append(to)
        }
        self.states = states
        self.callbacks = callbacks
        self.numbers = numbers
        self.moves = moves
        self.silent = silent
        initial = places[model.initial] ?? 0
        anyState = states.indices.filter { model.states[$0].isDrawn }
        supplementary = model.callbacks.map(\.isSupplementary)
    }

    /// The states reachable from some states by silent moves, those states included.
    func closure(_ from: Set<Int>) -> Set<Int> {
        var reached = from
        var queue = Array(from)
        while let state = queue.popLast() {
            for next in silent[state] where reached.insert(next).inserted { queue.append(next) }
        }
        return reached
    }

    /// The states in which a trace may begin.
    func beginning(_ trace: TraceVariant) -> Set<Int> {
        closure(trace.beginsInLog ? [initial] : Set(anyState))
    }

    /// The states after a callback; empty when it is documented in none of the states before.
    func after(_ callback: Int, from: Set<Int>) -> Set<Int> {
        closure(Set(from.flatMap { moves[$0][callback] }))
    }
}
