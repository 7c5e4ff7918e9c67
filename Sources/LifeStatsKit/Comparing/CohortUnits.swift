import CohortComparison

/// The units of two cohorts: the devices of their runs, or the runs themselves where no device is known.
struct CohortUnits {
    /// What a unit is.
    enum Kind: String {
        case device, run
        /// Some runs have no device, and are units of their own.
        case mixed = "device or run"
    }

    let kind: Kind
    /// Runs of A and B.
    let runs: (a: [CohortRun], b: [CohortRun])
    /// The cohort of each unit.
    private(set) var isInB: [Bool] = []
    /// The unit of each run, of A and of B.
    private(set) var unitOfRun: (a: [Int64: Int32], b: [Int64: Int32]) = ([:], [:])

    /// - Throws: ``LifeStatsError`` when the cohorts overlap, or one of them has too few units.
    init(a: [CohortRun], b: [CohortRun], names: (a: String, b: String)) throws {
        let keys = Set(a.map(\.key))
        let both = b.count { keys.contains($0.key) }
        guard both == 0 else {
            throw LifeStatsError(
                "the cohorts overlap: A (\(names.a)) has \(a.count) runs, B (\(names.b)) has \(b.count), and \(both) "
                    + "are in both",
                remedy: "choose cohorts that share no run")
        }
        let named = (a + b).count { $0.device != nil }
        kind = named == a.count + b.count ? .device : named == 0 ? .run : .mixed
        runs = (a, b)
        unitOfRun.a = number(a, inB: false)
        unitOfRun.b = number(b, inB: true)
        for (cohort, isB) in [("A (\(names.a))", false), ("B (\(names.b))", true)] {
            let count = isInB.count { $0 == isB }
            guard count < Cohorts.fewestUnits else { continue }
            throw LifeStatsError(
                "cohort \(cohort) has \(count) \(kind == .run ? "runs" : "devices"), which is too few to compare",
                why: "with fewer than \(Cohorts.fewestUnits) on each side hardly any difference could be told from "
                    + "chance; visits of one device are not independent, however many there are",
                remedy: kind == .run
                    ? "widen the cohort" : "widen the cohort, or collect logs of more devices")
        }
    }

    /// Gives units their numbers. A device that has runs in both cohorts is a unit in each.
    private mutating func number(_ runs: [CohortRun], inB isB: Bool) -> [Int64: Int32] {
        var devices: [String: Int32] = [:]
        var units: [Int64: Int32] = [:]
        for run in runs {
            let known = run.device.flatMap { devices[$0] }
            let unit = known ?? Int32(isInB.count)
            if known == nil { isInB.append(isB) }
            if let device = run.device { devices[device] = unit }
            units[run.id] = unit
        }
        return units
    }

    /// Identifies what the cohorts contain, whatever the order of the runs: another look at the same is no new look.
    var fingerprint: String {
        var sum: UInt64 = 0
        for (run, isB) in runs.a.map({ ($0, false) }) + runs.b.map({ ($0, true) }) {
            var hash: UInt64 = isB ? 0xCBF2_9CE4_8422_2325 : 0x8422_2325_CBF2_9CE4
            for byte in "\(run.key) \(run.hours)".utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
            sum &+= hash
        }
        return String(sum, radix: 16)
    }
}
