import Foundation
import TraceRecords

/// Two cohorts of devices with one app each, of which B may differ in one respect.
package struct SimulatedCohorts: Sendable, Hashable, Codable {
    /// What is different in B.
    package struct Change: Sendable, Hashable, Codable {
        /// The state that lasts longer or shorter, or that a transition leads out of.
        package var state: String
        /// Where the transition leads that is more or less frequent; `nil` for how long the state lasts.
        package var next: String?
        /// On every stay in the state, or on the odds of the transition against the others out of the state.
        package var factor: Double

        package init(state: String, next: String? = nil, factor: Double) {
            self.state = state
            self.next = next
            self.factor = factor
        }
    }

    package var devices: Int
    /// Standard deviation, between devices, of the logarithm of how long they stay in a state.
    package var spread: Double
    package var change: Change?

    package init(devices: Int, spread: Double = 0, change: Change? = nil) {
        self.devices = devices
        self.spread = spread
        self.change = change
    }

    static let names = ["a", "b"]
}

/// The truth about two cohorts.
package struct CohortTruth: Sendable, Hashable, Codable {
    /// How a device differs from the others: factors on its stays, by state.
    package struct Device: Sendable, Hashable, Codable {
        package var device: String
        package var paces: [String: Double]
    }

    package var plan: SimulatedCohorts
    package var a: Truth
    package var b: Truth
    package var devices: [Device] = []
}

/// A device of a cohort.
struct SimulatedDevice: Sendable {
    let name: String
    /// Factors on the stays in each state, in 1/1024: whole numbers are the same on every platform.
    let paces: [Int]

    static let unit = 1_024

    /// - Parameter number: over both cohorts.
    init(number: Int, cohort: Int, cohorts: SimulatedCohorts, script: Script, seed: UInt64) {
        name = "phone-\(SimulatedCohorts.names[cohort])\(number % cohorts.devices + 1)"
        var random = RandomSource(seed: seed, part: -1 - number)
        let change = cohort == 1 && cohorts.change?.next == nil ? cohorts.change : nil
        paces = script.states.map { state in
            let pace = exp(cohorts.spread * random.normal()) * (state == change?.state ? change?.factor ?? 1 : 1)
            return max(1, Int((pace * Double(Self.unit)).rounded()))
        }
    }
}

extension [Habit] {
    /// The habits with other odds of one transition.
    func changed(_ change: SimulatedCohorts.Change?) -> [Habit] {
        guard let change, let next = change.next else { return self }
        let states = Dictionary(map { ($0.situation, $0.state) }) { first, _ in first }
        let unit = 1_000.0
        return map { habit in
            var habit = habit
            for index in habit.moves.indices {
                let isMeant = habit.state == change.state && states[habit.moves[index].next] == next
                habit.moves[index].weight = Int(
                    Double(habit.moves[index].weight) * unit * (isMeant ? change.factor : 1))
            }
            return habit
        }
    }
}

extension Simulation {
    /// Writes the logs of two cohorts, each into a folder of its own, and returns their truth.
    ///
    /// - Throws: ``SimulationError``.
    package func write(_ cohorts: SimulatedCohorts, to folder: String) throws -> CohortTruth {
        guard cohorts.devices > 0, cohorts.devices <= 100_000 else {
            throw SimulationError.badOption(name: "devices", reason: "must be 1 to 100000")
        }
        guard (0...5).contains(cohorts.spread) else {
            throw SimulationError.badOption(name: "spread", reason: "must be 0 to 5")
        }
        if let change = cohorts.change, !script.has(change) || !(0.001...1_000).contains(change.factor) {
            let known = script.playedStates
            let unknown = [change.state, change.next].compactMap(\.self).first { !known.contains($0) }
            let question = unknown.flatMap { Suggestion.question($0, among: known) }.map { "; \($0)" } ?? ""
            throw SimulationError.badOption(
                name: "change",
                reason: "must be a factor from 0.001 to 1000 on a state or transition of the simulated app, such as "
                    + "background=4 or inactive>background=0.5; states are \(known.joined(separator: ", "))\(question)"
            )
        }
        var devices: [CohortTruth.Device] = []
        let truths = try SimulatedCohorts.names.indices.map { cohort in
            let script = cohort == 0 ? script : try Script(habits: Habit.app.changed(cohorts.change), like: script)
            let apps = (0..<cohorts.devices).map { place in
                let number = cohort * cohorts.devices + place
                let device = SimulatedDevice(
                    number: number, cohort: cohort, cohorts: cohorts, script: script, seed: options.seed)
                let paces = zip(script.states, device.paces).filter { script.playedStates.contains($0.0) }
                    .map { ($0, Double($1) / Double(SimulatedDevice.unit)) }
                devices.append(.init(device: device.name, paces: Dictionary(uniqueKeysWithValues: paces)))
                return (name: device.name + ".log", app: SimulatedApp(number: number, options: options, device: device))
            }
            return try play(
                apps, callbacks: options.callbacks / 2, script: script,
                in: folder + "/" + SimulatedCohorts.names[cohort])
        }
        return CohortTruth(plan: cohorts, a: truths[0], b: truths[1], devices: devices)
    }
}
