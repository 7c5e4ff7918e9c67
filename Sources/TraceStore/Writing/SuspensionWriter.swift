import GRDB
import TraceRecords

extension TraceWriter {
    /// Stores suspensions: the usual ones as two numbers, since the step that ended the visit has the rest.
    func write(suspensions: [Suspension], closedBy steps: [Step], in db: Database) throws {
        guard !suspensions.isEmpty else { return }
        let closing = ClosingSteps(steps, suspensions)
        var silences: [(step: Int64, kind: Int64)] = []
        var others: [(suspension: Suspension, kind: Int64)] = []
        for suspension in suspensions {
            var kind = SuspensionKind(
                evidence: suspension.evidence.rawValue, basis: suspension.basis, leadsTo: suspension.leadsTo)
            // A visit has a silence or other suspensions. All of them are in this batch when its begin is.
            if let (step, after) = closing.silence(suspension) {
                kind.after = after
                // Of unusual grace times there may be as many as suspensions.
                if known.suspensionKinds.ids.count < Self.mostKinds || known.suspensionKinds.ids[kind] != nil {
                    silences.append((step, try known.suspensionKinds.id(kind, in: db)))
                    continue
                }
                kind.after = nil
            }
            others.append((suspension, try known.suspensionKinds.id(kind, in: db)))
        }
        try write(silences: silences, in: db)
        try Tables.suspensions.insert(others, in: db) { other, row in
            row.integer(other.suspension.id)
            row.integer(other.suspension.opener ?? -other.suspension.instance)
            row.integer(other.suspension.instance)
            row.integer(other.suspension.from)
            row.integer(other.suspension.until)
            row.integer(other.kind)
        }
    }

    private static let mostKinds = 256

    private func write(silences: [(step: Int64, kind: Int64)], in db: Database) throws {
        if let load {
            for silence in silences { try load.silences.add(silence.step) { $0.integer(silence.kind) } }
        } else {
            try Tables.silences.insert(silences, in: db) { silence, row in
                row.integer(silence.step)
                row.integer(silence.kind)
            }
        }
    }
}

/// The steps of a batch by the step that began the visit which they end, where that is in the batch as well.
private struct ClosingSteps {
    private let steps: [Step]
    private let base: Int64
    /// Places among the steps, from 1, by the number of the opener in the first block of the batch.
    private var near: [Int32]
    /// How many suspensions the visits have that begin with those openers: one, or more.
    private var counts: [UInt8]

    init(_ steps: [Step], _ suspensions: [Suspension]) {
        self.steps = steps
        base = steps.first?.id ?? 0
        near = [Int32](repeating: 0, count: steps.count)
        counts = [UInt8](repeating: 0, count: steps.count)
        for (place, step) in steps.enumerated() {
            guard let opener = step.opener, step.dwell != nil else { continue }
            let number = opener - base
            if number >= 0, number < Int64(near.count) { near[Int(number)] = Int32(place + 1) }
        }
        for case let opener? in suspensions.lazy.map(\.opener) {
            let number = opener - base
            if number >= 0, number < Int64(counts.count) { counts[Int(number)] = min(2, counts[Int(number)] + 1) }
        }
    }

    /// Where a suspension is the only one of its visit, and lasts from some time after the begin of its visit until the visit's end: the step that ended the
    /// visit, and that time.
    func silence(_ suspension: Suspension) -> (step: Int64, after: Int64)? {
        guard let opener = suspension.opener, let until = suspension.until, suspension.evidence == .inferred else {
            return nil
        }
        let number = opener - base
        guard number >= 0, number < Int64(near.count), near[Int(number)] > 0, counts[Int(number)] == 1
        else { return nil }
        let step = steps[Int(near[Int(number)]) - 1]
        guard step.opener == opener, step.instance == suspension.instance, step.time == until, let dwell = step.dwell
        else { return nil }
        let after = suspension.from - (until - dwell)
        return after >= 0 ? (step.id, after) : nil
    }
}
