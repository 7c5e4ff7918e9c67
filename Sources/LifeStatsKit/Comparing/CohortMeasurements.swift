import CohortComparison
import NamedQueries
import TraceRecords
import TraceStore

/// Collects what is compared, run by run, from one or two databases.
struct CohortMeasurements {
    private struct Key: Hashable, Comparable {
        var layer: String
        var name: String

        static func < (a: Key, b: Key) -> Bool { (a.layer, a.name) < (b.layer, b.name) }
    }

    private let units: Int
    private var stays: [Key: [Stay]] = [:]
    private var launchStays: [Key: [Stay]] = [:]
    private var moves: [Key: [Double]] = [:]
    private var left: [Key: [Double]] = [:]
    private var findings: [Key: [Double]] = [:]
    private var ends: [Key: [Double]] = [:]
    private var time: [Key: [Double]] = [:]
    private var layerTime: [String: [Double]] = [:]
    private var visits: [String: [Double]] = [:]
    private var runs: [Double]
    private var hours: [Double]

    init(units: Int) {
        self.units = units
        runs = Array(repeating: 0, count: units)
        hours = runs
    }

    mutating func add(_ runs: [CohortRun], units unitOfRun: [Int64: Int32], from reader: DatabaseReading) throws {
        for run in runs {
            guard let unit = unitOfRun[run.id].map({ Int($0) }) else { continue }
            self.runs[unit] += 1
            hours[unit] += run.hours
            count(1, of: Key(layer: "app", name: run.endReason), in: &ends, unit)
        }
        try addStays(unitOfRun, reader)
        try addMoves(unitOfRun, reader)
        try addLaunches(unitOfRun, reader)
        try addFindings(unitOfRun, reader)
    }

    private func count(_ value: Double, of key: Key, in table: inout [Key: [Double]], _ unit: Int) {
        table[key, default: Array(repeating: 0, count: units)][unit] += value
    }

    // MARK: - Reading

    /// What visits or transitions of one kind have in common, and their sums; looked up once a kind, because there may be
    /// millions of rows.
    private struct Slot {
        var layer: String
        var from: String
        var to: String?
        var isDatable: Bool
        var isObserved: Bool
        var stays: [Stay] = []
        var time: [Double]
        var counts: [Double]
    }

    private func slots(_ reader: DatabaseReading) throws -> [Int64: Slot] {
        var slots: [Int64: Slot] = [:]
        let zeros = [Double](repeating: 0, count: units)
        let sql = "SELECT k.kind_id, k.layer, k.from_state, k.to_state, k.censored, k.evidence FROM step_kinds AS k"
        try reader.query(sql) { row in
            slots[row.integer(0) ?? 0] = Slot(
                layer: row.text(1) ?? "", from: row.text(2) ?? "", to: row.text(3),
                isDatable: ["", "right"].contains(row.text(4) ?? ""), isObserved: row.text(5) == "observed",
                time: zeros, counts: zeros)
        }
        return slots
    }

    /// Visits: how long they last, and their part of the time. How long a visit had lasted before the log began is not
    /// known, so that one counts for the time only.
    private mutating func addStays(_ unitOfRun: [Int64: Int32], _ reader: DatabaseReading) throws {
        var slots = try slots(reader)
        var last: (run: Int64, unit: Int32?) = (.min, nil)
        let sql = """
            SELECT v.run_id, v.kind_id, coalesce(v.dwell_ns, v.at_least_ns), v.dwell_ns IS NULL FROM visits AS v
            """
        try reader.query(sql) { row in
            let run = row.integer(0) ?? 0
            if run != last.run { last = (run, unitOfRun[run]) }
            guard let unit = last.unit, let kind = row.integer(1) else { return }
            slots[kind]?.counts[Int(unit)] += 1
            guard let length = row.integer(2), length >= 0 else { return }
            let seconds = Double(length) / 1e9
            slots[kind]?.time[Int(unit)] += seconds
            if slots[kind]?.isDatable == true {
                slots[kind]?.stays.append(Stay(unit: unit, length: seconds, isEnded: row.integer(3) == 0))
            }
        }
        for (_, slot) in slots.sorted(by: { $0.key < $1.key }) where slot.counts.contains(where: { $0 > 0 }) {
            let key = Key(layer: slot.layer, name: slot.from)
            stays[key, default: []] += slot.stays
            Self.add(slot.time, to: &time[key])
            Self.add(slot.time, to: &layerTime[slot.layer])
            Self.add(slot.counts, to: &visits[slot.layer])
        }
    }

    private static func add(_ values: [Double], to sums: inout [Double]?) {
        sums = sums.map { zip($0, values).map { $0 + $1 } } ?? values
    }

    /// Observed transitions; ends that are only inferred are rows of their own kind.
    private mutating func addMoves(_ unitOfRun: [Int64: Int32], _ reader: DatabaseReading) throws {
        var slots = try slots(reader)
        try reader.query("SELECT t.run_id, t.kind_id FROM transitions AS t") { row in
            guard let unit = row.integer(0).flatMap({ unitOfRun[$0] }), let kind = row.integer(1) else { return }
            slots[kind]?.counts[Int(unit)] += 1
        }
        for (_, slot) in slots.sorted(by: { $0.key < $1.key }) where slot.isObserved {
            guard let to = slot.to, slot.counts.contains(where: { $0 > 0 }) else { continue }
            Self.add(slot.counts, to: &moves[Key(layer: slot.layer, name: "\(slot.from)>\(to)")])
            Self.add(slot.counts, to: &left[Key(layer: slot.layer, name: slot.from)])
        }
    }

    static let launches = ["background", "cold", "resume"]

    /// Launches, as the named query `launch_times` finds them, before it takes their percentiles.
    private mutating func addLaunches(_ unitOfRun: [Int64: Int32], _ reader: DatabaseReading) throws {
        let query = try QueryCatalog.query("launch_times").sql
        guard let end = query.range(of: ",\ncounted AS (") else { return }
        let sql = query[..<end.lowerBound] + "\nSELECT l.run_id, l.slot, l.dwell_ns FROM launches AS l"
        try reader.query(String(sql)) { row in
            guard let unit = row.integer(0).flatMap({ unitOfRun[$0] }), let slot = row.integer(1),
                let length = row.integer(2), length >= 0
            else { return }
            let key = Key(layer: slot < 3 ? "app" : "scene", name: Self.launches[Int(slot % 3)])
            launchStays[key, default: []].append(Stay(unit: unit, length: Double(length) / 1e9, isEnded: true))
        }
    }

    private mutating func addFindings(_ unitOfRun: [Int64: Int32], _ reader: DatabaseReading) throws {
        let sql = """
            SELECT f.run_id, f.layer, f.rule, f.severity, count(*) FROM findings AS f
            GROUP BY f.run_id, f.layer, f.rule, f.severity
            """
        try reader.query(sql) { row in
            guard let unit = row.integer(0).flatMap({ unitOfRun[$0] }).map({ Int($0) }) else { return }
            let (layer, number) = (row.text(1) ?? "", Double(row.integer(4) ?? 0))
            let severity = row.text(3) ?? ""
            count(number, of: Key(layer: layer, name: severity), in: &findings, unit)
            if severity != "info" { count(number, of: Key(layer: layer, name: row.text(2) ?? ""), in: &findings, unit) }
        }
    }

    // MARK: - The rows

    /// How a run ends when something is wrong with the app.
    private static let abnormalEnds: Set = ["abnormal_in_foreground", "launch_failure", "watchdog", "jetsam", "crash"]
    private static let severities: Set = ["error", "warning", "info"]

    /// Everything that was collected, by kind, layer and name.
    var rows: [MeasuredRow] {
        var rows: [MeasuredRow] = []
        func add(
            _ kind: MeasuredRow.Kind, _ key: Key, _ measure: MeasuredRow.Measure, _ worse: MeasuredRow.Sense? = nil,
            _ content: MeasuredRow.Content
        ) {
            rows.append(
                MeasuredRow(kind, layer: key.layer, name: key.name, measure: measure, worse: worse, content: content))
        }
        for (key, stays) in Self.sorted(stays) { add(.dwell, key, .seconds, nil, .stays(stays)) }
        for (key, time) in Self.sorted(time) {
            add(.share, key, .share, nil, .sums(numerators: time, denominators: layerTime[key.layer] ?? []))
        }
        for (key, counts) in Self.sorted(moves) {
            let from = Key(layer: key.layer, name: String(key.name.prefix { $0 != ">" }))
            add(.transition, key, .share, nil, .sums(numerators: counts, denominators: left[from] ?? []))
        }
        for (key, stays) in Self.sorted(launchStays) { add(.launch, key, .seconds, .more, .stays(stays)) }
        for (layer, counts) in visits.sorted(by: { $0.key < $1.key }) {
            add(
                .visit, Key(layer: layer, name: "per hour"), .perHour, nil,
                .sums(numerators: counts, denominators: hours))
            add(.visit, Key(layer: layer, name: "per run"), .perRun, nil, .sums(numerators: counts, denominators: runs))
        }
        for (key, counts) in Self.sorted(findings) {
            let perRun = Key(layer: key.layer, name: "\(key.name) per run")
            // Remarks are no faults. A rate per hour falls when the app only stays in the background for longer.
            add(
                .finding, perRun, .perRun, key.name == "info" ? nil : .more,
                .sums(numerators: counts, denominators: runs))
            guard Self.severities.contains(key.name) else { continue }
            let perHour = Key(layer: key.layer, name: "\(key.name) per hour")
            add(.finding, perHour, .perHour, nil, .sums(numerators: counts, denominators: hours))
        }
        for (key, counts) in Self.sorted(ends) {
            let worse: MeasuredRow.Sense? = Self.abnormalEnds.contains(key.name) ? .more : nil
            add(.end, key, .share, worse, .sums(numerators: counts, denominators: runs))
        }
        return rows
    }

    private static func sorted<Value>(_ table: [Key: Value]) -> [(key: Key, value: Value)] {
        table.sorted { $0.key < $1.key }
    }
}

/// The units of two cohorts: the devices of their runs, or the runs themselves where no device is known.
struct CohortUnits {
    /// What a unit is.
    enum Kind: String {
        case device, run
        /// Some runs have no device, and are units of their own.
        case mixed = "device or run"

        /// A number of units in words.
        func counted(_ count: Int) -> String {
            self == .mixed
                ? Plural.text(count, "device or single run", "devices or single runs") : Plural.text(count, rawValue)
        }
    }

    let kind: Kind
    let runs: (a: [CohortRun], b: [CohortRun])
    private(set) var isInB: [Bool] = []
    private(set) var unitOfRun: (a: [Int64: Int32], b: [Int64: Int32]) = ([:], [:])
    /// Devices with runs in both cohorts, each of which is a unit of either.
    let shared: Int
    /// Columns by which the cohorts are chosen, each with the number of runs that have no value in it and so are in neither.
    var unassigned: [String: Int64] = [:]

    /// - Throws: ``LifeStatsError`` when the cohorts overlap, or one of them has too few units.
    init(a: [CohortRun], b: [CohortRun], names: (a: String, b: String)) throws {
        let keys = Set(a.map(\.key))
        let both = b.count { keys.contains($0.key) }
        guard both == 0 else {
            throw LifeStatsError(
                "the cohorts overlap: A (\(names.a)) has \(a.count) runs, B (\(names.b)) has \(b.count), and \(both) "
                    + "\(both == 1 ? "is" : "are") in both",
                remedy: "choose cohorts that share no run")
        }
        shared = Set(a.compactMap(\.device)).intersection(b.compactMap(\.device)).count
        let named = (a + b).count { $0.device != nil }
        kind = named == a.count + b.count ? .device : named == 0 ? .run : .mixed
        runs = (a, b)
        unitOfRun.a = number(a, inB: false)
        unitOfRun.b = number(b, inB: true)
        for (cohort, isB) in [("A (\(names.a))", false), ("B (\(names.b))", true)] {
            let count = isInB.count { $0 == isB }
            guard count < Cohorts.fewestUnits else { continue }
            throw LifeStatsError(
                "cohort \(cohort) has \(kind.counted(count)), which is too few to "
                    + "compare",
                why: "with fewer than \(Cohorts.fewestUnits) on each side hardly any difference could be "
                    + "distinguished from chance; visits of one device are not independent, however many there are",
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
