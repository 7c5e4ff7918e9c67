/// The traces of many instances, gathered event by event: equal beginnings are kept once.
package struct TraceLog: Sendable {
    private struct Instance {
        var node: Int32
        /// Symbol and time of the last callback.
        var last: Int32
        var time: Int64?
    }

    /// A node is a beginning that some trace shows; the first two are the empty ones.
    private var parents: [Int32] = [-1, -1]
    private var symbols: [Int32] = [-1, -1]
    private var children: [UInt64: Int32] = [:]
    private var names: [String] = []
    private var numbers: [String: Int32] = [:]
    private var instances: [Int64: Instance] = [:]
    private var times: [UInt64: [Int64]] = [:]

    /// Number of callbacks.
    package private(set) var callbacks = 0

    package init() {}

    /// Number of traces.
    package var traces: Int { instances.count }

    /// A short number for the name of a callback.
    package mutating func number(of callback: String) -> Int32 {
        if let known = numbers[callback] { return known }
        let number = Int32(names.count)
        names.append(callback)
        numbers[callback] = number
        return number
    }

    /// Adds the next callback of an instance.
    ///
    /// - Parameters:
    ///   - beginsInLog: whether the instance is known to begin with it, if it is the first.
    ///   - comesBefore: whether it stands one place too late, after a line of the same time that follows from it.
    package mutating func add(
        _ callback: Int32, of instance: Int64, at time: Int64?, beginsInLog: Bool, comesBefore: Bool = false
    ) {
        callbacks += 1
        guard var known = instances[instance] else {
            let node = child(of: beginsInLog ? 0 : 1, callback)
            instances[instance] = Instance(node: node, last: callback, time: time)
            return
        }
        if comesBefore, parents[Int(known.node)] >= 0 {
            known.node = child(of: child(of: parents[Int(known.node)], callback), known.last)
            instances[instance] = known
            return
        }
        if let time, let before = known.time, time >= before {
            times[UInt64(known.last) << 32 | UInt64(callback), default: []].append(time - before)
        }
        known.node = child(of: known.node, callback)
        known.last = callback
        known.time = time
        instances[instance] = known
    }

    private mutating func child(of node: Int32, _ callback: Int32) -> Int32 {
        let key = UInt64(node) << 32 | UInt64(callback)
        if let known = children[key] { return known }
        let new = Int32(parents.count)
        parents.append(node)
        symbols.append(callback)
        children[key] = new
        return new
    }

    /// The different traces with how often each occurs, the most frequent first.
    package var variants: [TraceVariant] {
        var ends: [Int32: Int] = [:]
        for instance in instances.values { ends[instance.node, default: 0] += 1 }
        return ends.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { node, count in
            var callbacks: [String] = []
            var place = node
            while symbols[Int(place)] >= 0 {
                callbacks.append(names[Int(symbols[Int(place)])])
                place = parents[Int(place)]
            }
            return TraceVariant(callbacks: callbacks.reversed(), count: count, beginsInLog: place == 0)
        }
    }

    /// How long it took from one callback to the next.
    package func profile(zeta: Double = 6) -> TemporalProfile {
        var profile = TemporalProfile(zeta: zeta)
        for (key, nanoseconds) in times {
            let pair = Footprints.Pair(
                first: names[Int(key >> 32)], second: names[Int(key & 0xffff_ffff)])
            profile.add(nanoseconds, pair)
        }
        return profile
    }
}
