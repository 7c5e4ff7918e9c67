package import LifecycleModel

/// Habits made ready for playing: names replaced by numbers, weights by thresholds, moves checked against the model.
package struct Script: Sendable {
    struct Move: Sendable {
        /// Number of the move in the script, by which it is counted.
        var number: Int
        /// Index into ``Script/callbacks``; `nil` for a silent end of the process.
        var callback: Int?
        /// Index into ``Script/situations``.
        var next: Int
        /// Sum of the weights up to and with this move.
        var threshold: Int
        var after: Stay
        var endsRun: Bool
        var changesState: Bool
    }

    struct Situation: Sendable {
        var name: String
        /// Index into ``Script/states``.
        var state: Int
        var moves: [Move]
        var totalWeight: Int
    }

    let layer: String
    let states: [String]
    let callbacks: [String]
    let situations: [Situation]
    /// Where a whole run begins.
    let notRunning: Int
    /// Where a log may begin in the middle of a run, always with the first move of the situation.
    let midLife: [Int]
    /// State in which a silent process may be suspended, as an index; `nil` when the model has none.
    let background: Int?
    let moveCount: Int

    /// The habits of app users, played on a model of the app layer.
    ///
    /// - Throws: ``SimulationError/undocumentedMove(from:callback:to:model:)`` when the model lacks one of the moves.
    package init(app model: LifecycleModel) throws(SimulationError) {
        try self.init(habits: Habit.app, midLife: Habit.midLife, model: model)
    }

    init(habits: [Habit], midLife: [String], model: LifecycleModel) throws(SimulationError) {
        var documented: Set<[String]> = []
        for edge in model.edges { documented.insert([edge.from, edge.callback, edge.to]) }
        let states = model.states.map(\.id)
        var callbacks: [String] = []
        var situations: [Situation] = []
        var number = 0
        for habit in habits {
            var moves: [Move] = []
            var total = 0
            for move in habit.moves {
                guard let next = habits.firstIndex(where: { $0.situation == move.next }) else { continue }
                let to = habits[next].state
                if let callback = move.callback {
                    if habit.state != to, !documented.contains([habit.state, callback, to]) {
                        throw .undocumentedMove(from: habit.state, callback: callback, to: to, model: model.id)
                    }
                    if !callbacks.contains(callback) { callbacks.append(callback) }
                }
                total += move.weight
                moves.append(
                    Move(
                        number: number, callback: move.callback.flatMap { callbacks.firstIndex(of: $0) }, next: next,
                        threshold: total, after: move.after, endsRun: move.next == Habit.notRunning,
                        changesState: habit.state != to))
                number += 1
            }
            situations.append(
                Situation(
                    name: habit.situation, state: states.firstIndex(of: habit.state) ?? 0, moves: moves,
                    totalWeight: total))
        }
        layer = model.layer
        self.states = states
        self.callbacks = callbacks
        self.situations = situations
        notRunning = situations.firstIndex { $0.name == Habit.notRunning } ?? 0
        self.midLife = situations.indices.filter { midLife.contains(situations[$0].name) }
        background = states.firstIndex(of: "background")
        moveCount = number
    }
}
