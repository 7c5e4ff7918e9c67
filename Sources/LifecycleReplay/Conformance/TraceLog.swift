/// The traces of many instances, gathered event by event: equal beginnings are kept once.
package struct TraceLog: Sendable {
    private struct Instance {
        var node: Int32
        /// Symbol and time of the last callback.
        var last: Int32
        var time: Int64?
    }

    /// The beginnings that some trace shows; the first two are the empty ones.
    private var tree = PrefixTree(roots: 2)
    private var names: [String] = []
    private var numbers: [String: Int32] = [:]
    private var instances = InstanceTable<Instance>()
    /// Times from one callback to the next, by the numbers of the two.
    private var times: [[[Int64]]] = []

    /// Number of callbacks.
    package private(set) var callbacks = 0

    package init() {}

    /// Number of traces.
    package private(set) var traces = 0

    /// A short number for the name of a callback.
    package mutating func number(of callback: String) -> Int32 {
        if let known = numbers[callback] { return known }
        let number = Int32(names.count)
        names.append(callback)
        numbers[callback] = number
        for first in times.indices { times[first].append([]) }
        times.append(Array(repeating: [], count: names.count))
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
        instances.update(instance) { known in
            guard var trace = known else {
                traces += 1
                known = Instance(node: tree.child(of: beginsInLog ? 0 : 1, callback), last: callback, time: time)
                return
            }
            let before = tree.parents[Int(trace.node)]
            if comesBefore, before >= 0 {
                trace.node = tree.child(of: tree.child(of: before, callback), trace.last)
            } else {
                if let time, let earlier = trace.time, time >= earlier {
                    // No log has times that far apart, but a damaged database may.
                    let (elapsed, isTooLong) = time.subtractingReportingOverflow(earlier)
                    if !isTooLong { times[Int(trace.last)][Int(callback)].append(elapsed) }
                }
                trace.node = tree.child(of: trace.node, callback)
                trace.last = callback
                trace.time = time
            }
            known = trace
        }
    }

    /// The different traces with how often each occurs, the most frequent first.
    package var variants: [TraceVariant] {
        var ends: [Int32: Int] = [:]
        for instance in instances.values { ends[instance.node, default: 0] += 1 }
        return ends.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { node, count in
            var callbacks: [String] = []
            var place = node
            while tree.symbols[Int(place)] >= 0 {
                callbacks.append(names[Int(tree.symbols[Int(place)])])
                place = tree.parents[Int(place)]
            }
            return TraceVariant(callbacks: callbacks.reversed(), count: count, beginsInLog: place == 0)
        }
    }

    /// How long it took from one callback to the next.
    package func profile() -> TemporalProfile {
        var profile = TemporalProfile()
        for first in names.indices {
            for second in names.indices where !times[first][second].isEmpty {
                profile.add(times[first][second], Footprints.Pair(first: names[first], second: names[second]))
            }
        }
        return profile
    }
}

/// The callbacks of one instance in order, and how many instances show just these.
package struct TraceVariant: Sendable, Hashable {
    /// Canonical ids of the callbacks, folded lines left out.
    package var callbacks: [String]
    /// Number of instances.
    package var count = 1
    /// Whether the log shows the beginning of the instance; otherwise it may begin in any state.
    package var beginsInLog = true
}

/// The kind of the step that began the open visit of each instance, by row ids.
package struct OpenVisits: Sendable {
    private var openers = InstanceTable<Int64>()

    package init() {}

    /// Begins another visit of an instance, and returns the kind of the step that began the last one.
    package mutating func begin(_ instance: Int64, with kind: Int64) -> Int64? {
        openers.update(instance) { opener in
            defer { opener = kind }
            return opener
        }
    }
}

/// Values by the row ids of instances, which lie close together: one look-up finds a page of them, mostly the last one.
struct InstanceTable<Value: Sendable>: Sendable {
    private static var pageSize: Int64 { 256 }

    /// Places of the pages in ``pages``, by the ids' upper part.
    private var places: [Int64: Int] = [:]
    private var pages: [[Value?]] = []
    private var recent = (page: Int64.min, place: 0)

    /// Reads or changes the value of an instance.
    mutating func update<Result>(_ instance: Int64, _ body: (inout Value?) -> Result) -> Result {
        let page = instance >> 8
        if page != recent.page { recent = (page, place(of: page)) }
        return body(&pages[recent.place][Int(instance & (Self.pageSize - 1))])
    }

    /// All values, in no order that means anything.
    var values: some Sequence<Value> { pages.lazy.joined().compactMap(\.self) }

    private mutating func place(of page: Int64) -> Int {
        if let known = places[page] { return known }
        places[page] = pages.count
        pages.append(Array(repeating: nil, count: Int(Self.pageSize)))
        return pages.count - 1
    }
}
