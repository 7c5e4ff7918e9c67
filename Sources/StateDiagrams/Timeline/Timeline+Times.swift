extension Timeline {
    /// The same timeline with a begin and an end for every stay, and whether its times are those of a clock.
    ///
    /// A log without times still has an order: there, each stay takes one second.
    func timed() -> (timeline: Timeline, hasClock: Bool) {
        var timeline = self
        timeline.lanes = Array(lanes.prefix(Self.mostLanes))
        let hasClock = lanes.contains { $0.stays.contains { $0.from != nil || $0.until != nil } }
        for place in timeline.lanes.indices {
            let stays = lanes[place].stays
            timeline.lanes[place].stays = hasClock ? Self.completed(stays) : Self.ordered(stays)
            for mark in timeline.lanes[place].marks.indices {
                timeline.lanes[place].marks[mark].time = timeline.lanes[place].marks[mark].time.map(Self.clamped)
            }
        }
        return (timeline, hasClock)
    }

    /// Times so far out that their distance is no number any more are brought nearer.
    private static func clamped(_ time: Int64) -> Int64 { max(-(1 << 61), min(1 << 61, time)) }

    private static func ordered(_ stays: [Stay]) -> [Stay] {
        stays.enumerated().map { place, stay in
            var stay = stay
            stay.from = Int64(place) * 1_000_000_000
            stay.until = Int64(place + 1) * 1_000_000_000
            return stay
        }
    }

    /// Unknown ends reach to the neighbour, or to the edge of what the lane knows.
    private static func completed(_ stays: [Stay]) -> [Stay] {
        let known = stays.flatMap { [$0.from, $0.until].compactMap { $0 } }
        guard let first = known.min().map(clamped), let last = known.max().map(clamped) else { return [] }
        var result = stays.map { stay in
            var stay = stay
            stay.from = stay.from.map(clamped)
            stay.until = stay.until.map(clamped)
            return stay
        }
        for place in result.indices where result[place].from == nil {
            result[place].from = place > 0 ? result[place - 1].until : first
        }
        var next = last
        for place in result.indices.reversed() {
            if result[place].until == nil { result[place].until = next }
            next = result[place].from ?? next
        }
        return result.filter { ($0.from ?? 0) <= ($0.until ?? 0) }
    }

    /// Begin and end of the stays that an axis shows to scale: all but suspended ones, in which nothing runs.
    var awakeSpans: [(from: Int64, until: Int64)] {
        let suspended = Set(states.filter { $0.tone == .suspended }.map(\.id))
        let awake = spans(where: { !suspended.contains($0.state) })
        return awake.isEmpty ? spans(where: { _ in true }) : awake
    }

    /// Every time at which a stay begins or ends.
    var borders: [Int64] { spans(where: { _ in true }).flatMap { [$0.from, $0.until] } }

    private func spans(where isTaken: (Stay) -> Bool) -> [(from: Int64, until: Int64)] {
        lanes.flatMap { lane in
            lane.stays.filter(isTaken).compactMap { stay in
                guard let from = stay.from, let until = stay.until else { return nil }
                return (from, until)
            }
        }
    }
}
