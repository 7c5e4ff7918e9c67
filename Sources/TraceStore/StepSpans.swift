import TraceRecords

/// The first and last step of every instance in a batch.
struct StepSpans {
    /// Ids of the first and last step; a first of 0 means that there is none.
    struct Span {
        var first: Int64
        var last: Int64
    }

    /// Instances whose ids lie close below the highest are counted in an array; that is nearly all of them.
    private var near: [Span]
    /// The instance that the first element of ``near`` stands for.
    private let offset: Int64
    private var far: [Int64: Span] = [:]

    private static let reach: Int64 = 1 << 20

    init(_ steps: [Step]) {
        var highest: Int64 = 0
        for step in steps where step.instance > highest { highest = step.instance }
        var lowest = highest
        let floor = highest - Self.reach
        for step in steps where step.instance < lowest && step.instance > floor { lowest = step.instance }
        offset = lowest
        near = Array(repeating: Span(first: 0, last: 0), count: steps.isEmpty ? 0 : Int(highest - lowest) + 1)
    }

    @inline(__always)
    mutating func add(_ step: Step) {
        let place = step.instance - offset
        if place >= 0 {
            near[Int(place)].extend(step.id)
        } else {
            far[step.instance, default: Span(first: 0, last: 0)].extend(step.id)
        }
    }

    /// The span of an instance, which is then done with; `nil` when the batch has no step of it.
    mutating func take(_ instance: Int64) -> Span? {
        let place = instance - offset
        guard place >= 0 else { return far.removeValue(forKey: instance) }
        guard place < near.count, near[Int(place)].first != 0 else { return nil }
        defer { near[Int(place)].first = 0 }
        return near[Int(place)]
    }

    /// Calls back for the instances that were not taken.
    func forEachRest(_ body: (Int64, Span) throws -> Void) rethrows {
        for (place, span) in near.enumerated() where span.first != 0 { try body(offset + Int64(place), span) }
        for (instance, span) in far.sorted(by: { $0.key < $1.key }) { try body(instance, span) }
    }
}

extension StepSpans.Span {
    @inline(__always)
    fileprivate mutating func extend(_ step: Int64) {
        if first == 0 || step < first { first = step }
        if step > last { last = step }
    }
}
