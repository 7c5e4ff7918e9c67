import CohortComparison
import Foundation

/// A fleet of devices that is played out in memory: what `lifestats compare` would read from a database, without one.
///
/// Each device has its own pace in every state, with a chosen spread between devices, its own number of runs, and its own
/// habits. Within a device times have long tails, and some visits are cut.
struct PlayedFleet {
    /// What is different in B.
    struct Change {
        var state: Int
        var factor: Double
    }

    static let states = ["launching", "active", "inactive", "background"]
    /// Median in seconds, and standard deviation of the logarithm.
    private static let times: [(median: Double, spread: Double)] = [(0.12, 0.8), (25, 1.4), (0.9, 1.2), (60, 1.6)]
    private static let rules = [("R-APP-15", 0.15), ("TL-01", 0.03)]
    private static let ends = ["killed_in_background", "terminated", "jetsam"]
    /// Most looks at growing data: a device has about one run more at each.
    static let looks = 10
    private static let cyclesOfRun = 3

    /// The sums of one look, or of several.
    private struct Tally {
        var stays = [[Stay]](repeating: [], count: PlayedFleet.states.count)
        var launches: [Stay] = []
        var time: [[Double]]
        var moves: [[Double]]
        var ends: [[Double]]
        var findings: [[Double]]
        var runs: [Double]
        var visits: [Double]

        init(units: Int) {
            let zeros = [Double](repeating: 0, count: units)
            time = Array(repeating: zeros, count: PlayedFleet.states.count)
            moves = Array(repeating: zeros, count: 4)
            ends = Array(repeating: zeros, count: PlayedFleet.ends.count)
            findings = Array(repeating: zeros, count: PlayedFleet.rules.count)
            (runs, visits) = (zeros, zeros)
        }
    }

    private var random: RandomNumbers
    private let isInB: [Bool]
    private var tally: Tally
    private var paces: [[Double]]
    private var habits: [(activity: Double, interrupted: Double, faulty: Double)] = []
    private let change: Change?

    /// - Parameter areShared: whether the same devices are in both cohorts, as after an update.
    init(devices: Int, spread: Double, change: Change? = nil, areShared: Bool = false, seed: UInt64) {
        random = RandomNumbers(seed: seed << 32)
        isInB = (0..<2 * devices).map { $0 >= devices }
        tally = Tally(units: 2 * devices)
        self.change = change
        paces = []
        for isB in isInB {
            if isB, areShared {
                paces.append(paces[paces.count - devices])
                habits.append(habits[habits.count - devices])
                continue
            }
            paces.append(Self.states.map { _ in exp(spread * normal()) })
            habits.append((exp(spread * normal() / 2), 0.36 * exp(spread * normal() / 3), exp(spread * normal())))
        }
    }

    /// The cohorts after another look's worth of runs.
    mutating func grow() {
        for unit in isInB.indices {
            let wanted = habits[unit].activity
            var runs = Int(wanted)
            if random.fraction() < wanted - Double(runs) { runs += 1 }
            for _ in 0..<max(runs, tally.runs[unit] == 0 ? 1 : 0) { play(unit) }
        }
    }

    /// Everything that was measured so far.
    var cohorts: Cohorts {
        var rows: [MeasuredRow] = []
        for (state, name) in Self.states.enumerated() {
            rows.append(.init(.dwell, layer: "app", name: name, measure: .seconds, content: .stays(tally.stays[state])))
        }
        rows.append(.init(.launch, layer: "app", name: "cold", measure: .seconds, content: .stays(tally.launches)))
        let all = tally.runs.indices.map { unit in tally.time.reduce(0) { $0 + $1[unit] } }
        for (state, name) in Self.states.enumerated() { rows.append(sums(.share, name, tally.time[state], all)) }
        let (toActive, toBackground) = (tally.moves[0], tally.moves[1])
        let left = zip(toActive, toBackground).map { $0 + $1 }
        rows.append(sums(.transition, "inactive>active", toActive, left))
        rows.append(sums(.transition, "inactive>background", toBackground, left))
        let ended = zip(tally.moves[2], tally.moves[3]).map { $0 + $1 }
        rows.append(sums(.transition, "background>inactive", tally.moves[2], ended))
        let hours = all.map { $0 / 3_600 }
        rows.append(sums(.visit, "app per hour", tally.visits, hours))
        rows.append(sums(.visit, "app per run", tally.visits, tally.runs))
        for (rule, counts) in zip(Self.rules, tally.findings) {
            rows.append(sums(.finding, "\(rule.0) per run", counts, tally.runs))
            rows.append(sums(.finding, "\(rule.0) per hour", counts, hours))
        }
        for (end, counts) in zip(Self.ends, tally.ends) { rows.append(sums(.end, end, counts, tally.runs)) }
        return Cohorts(isInB: isInB, measurements: rows)
    }

    private func sums(_ kind: MeasuredRow.Kind, _ name: String, _ y: [Double], _ x: [Double]) -> MeasuredRow {
        .init(kind, layer: "app", name: name, measure: .share, content: .sums(numerators: y, denominators: x))
    }

    private mutating func play(_ unit: Int) {
        tally.runs[unit] += 1
        let start = stay(0, unit)
        tally.launches.append(Stay(unit: Int32(unit), length: start + stay(2, unit), isEnded: true))
        for cycle in 1...Self.cyclesOfRun {
            _ = stay(1, unit)
            while random.fraction() < min(0.9, habits[unit].interrupted) {
                _ = stay(2, unit)
                tally.moves[0][unit] += 1
                _ = stay(1, unit)
            }
            _ = stay(2, unit)
            tally.moves[1][unit] += 1
            let isLast = cycle == Self.cyclesOfRun
            _ = stay(3, unit, isCut: isLast)
            tally.moves[isLast ? 3 : 2][unit] += 1
            if !isLast { _ = stay(2, unit) }
        }
        for (index, rule) in Self.rules.enumerated() {
            while random.fraction() < min(0.8, rule.1 * habits[unit].faulty) { tally.findings[index][unit] += 1 }
        }
        let end = random.fraction()
        tally.ends[end < 0.8 ? 0 : end < 0.97 ? 1 : 2][unit] += 1
    }

    /// Plays one visit.
    private mutating func stay(_ state: Int, _ unit: Int, isCut: Bool = false) -> Double {
        let time = Self.times[state]
        var length = time.median * exp(time.spread * normal()) * paces[unit][state]
        if let change, change.state == state, isInB[unit] { length *= change.factor }
        if isCut { length *= random.fraction() }
        tally.stays[state].append(Stay(unit: Int32(unit), length: length, isEnded: !isCut))
        tally.time[state][unit] += length
        tally.visits[unit] += 1
        return length
    }

    /// A normal number, after Box and Muller.
    private mutating func normal() -> Double {
        (-2 * log(1 - random.fraction())).squareRoot() * cos(2 * .pi * random.fraction())
    }
}
