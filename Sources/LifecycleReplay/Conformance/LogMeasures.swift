package import LifecycleModel

/// Token-replay fitness: `1/2 (1 - missing/consumed) + 1/2 (1 - remaining/produced)`, summed over the log.
///
/// The model is a net with one token, which stands on the state. A callback that is not documented there consumes a
/// token that is missing and leaves the present one behind. Callbacks that the model does not know count alike. A trace
/// may end in any state, because logs do.
package struct TokenReplay: Sendable, Hashable {
    package private(set) var produced = 0
    package private(set) var consumed = 0
    package private(set) var missing = 0
    package private(set) var remaining = 0

    /// The fitness, from 0 to 1; `nil` for a log without traces.
    package var fitness: Double? {
        guard consumed > 0, produced > 0 else { return nil }
        return 0.5 * (1 - Double(missing) / Double(consumed)) + 0.5 * (1 - Double(remaining) / Double(produced))
    }

    /// Replays variants, each weighted by its count.
    package init(_ variants: some Sequence<TraceVariant>, on model: LifecycleModel) {
        let machine = ConformanceMachine(model)
        for variant in variants {
            let deviations = Self.deviations(of: variant, on: machine)
            // One token to begin with and one taken at the end, beside those of the callbacks.
            let length = variant.callbacks.count + 1
            produced += variant.count * length
            consumed += variant.count * length
            missing += variant.count * deviations
            remaining += variant.count * deviations
        }
    }

    /// How many callbacks of a trace come where the model does not document them.
    static func deviations(of variant: TraceVariant, on machine: ConformanceMachine) -> Int {
        var states = machine.beginning(variant)
        var deviations = 0
        for name in variant.callbacks {
            guard let callback = machine.numbers[name] else {
                deviations += 1
                continue
            }
            let next = machine.after(callback, from: states)
            if next == 0 {
                deviations += 1
                let proof = machine.proof(of: callback)
                if proof != 0 { states = proof }
            } else {
                states = next
            }
        }
        return deviations
    }
}

/// Beginnings of sequences of small numbers, each kept once. The first nodes are the roots, which are empty beginnings.
///
/// Few symbols follow one beginning, so that its children are a list: that is faster than a table to look one up in.
struct PrefixTree: Sendable {
    /// The node that a node goes on from; -1 for a root.
    private(set) var parents: [Int32]
    /// The last symbol of each beginning; -1 for a root.
    private(set) var symbols: [Int32]
    private var firstChild: [Int32]
    private var nextSibling: [Int32]

    init(roots: Int) {
        parents = Array(repeating: -1, count: roots)
        symbols = parents
        firstChild = parents
        nextSibling = parents
    }

    var count: Int { parents.count }

    /// The node of a beginning that is one symbol longer, made if there is none.
    mutating func child(of node: Int32, _ symbol: Int32) -> Int32 {
        if let known = existingChild(of: node, symbol) { return known }
        let new = Int32(parents.count)
        parents.append(node)
        symbols.append(symbol)
        firstChild.append(-1)
        nextSibling.append(firstChild[Int(node)])
        firstChild[Int(node)] = new
        return new
    }

    /// The node of a beginning that is one symbol longer, if there is one.
    func existingChild(of node: Int32, _ symbol: Int32) -> Int32? {
        var child = firstChild[Int(node)]
        while child >= 0, symbols[Int(child)] != symbol { child = nextSibling[Int(child)] }
        return child >= 0 ? child : nil
    }
}

/// ETC precision: `1 - sum(escaping * n) / sum(enabled * n)` over the prefixes of traces that the model can replay.
///
/// Enabled are the callbacks that the model documents after a prefix, supplementary ones left out; escaping are those
/// that the log never shows there; `n` is how often the prefix occurs and goes on.
package struct EscapingEdges: Sendable, Hashable {
    package private(set) var enabled = 0
    package private(set) var escaping = 0

    /// The precision, from 0 to 1; `nil` when nothing was enabled.
    package var precision: Double? { enabled > 0 ? 1 - Double(escaping) / Double(enabled) : nil }

    /// What is known of a beginning that some trace shows.
    private struct Beginning {
        var states: UInt64
        /// How often it occurs and goes on.
        var count = 0
    }

    /// Measures variants, each weighted by its count.
    package init(_ variants: some Sequence<TraceVariant>, on model: LifecycleModel) {
        let machine = ConformanceMachine(model)
        for beginsInLog in [true, false] {
            let start = TraceVariant(callbacks: [], beginsInLog: beginsInLog)
            var tree = PrefixTree(roots: 1)
            var beginnings = [Beginning(states: machine.beginning(start))]
            for variant in variants where variant.beginsInLog == beginsInLog {
                var node: Int32 = 0
                for name in variant.callbacks {
                    guard let callback = machine.numbers[name] else { break }
                    if machine.supplementary[callback] { continue }
                    let states = machine.after(callback, from: beginnings[Int(node)].states)
                    if states == 0 { break }
                    beginnings[Int(node)].count += variant.count
                    node = tree.child(of: node, Int32(callback))
                    if tree.count > beginnings.count { beginnings.append(Beginning(states: states)) }
                }
            }
            for (node, beginning) in beginnings.enumerated() where beginning.count > 0 {
                let possible = machine.moving.filter { machine.after($0, from: beginning.states) != 0 }
                enabled += possible.count * beginning.count
                escaping +=
                    possible.count { tree.existingChild(of: Int32(node), Int32($0)) == nil } * beginning.count
            }
        }
    }
}

/// Which callbacks follow each other directly, in the log and in the model, and how well the two agree.
///
/// Fitness: the share of direct successions in the log that the model documents, weighted by how often they occur.
/// Precision: the share of direct successions of the model that the log shows.
package struct Footprints: Sendable, Hashable {
    /// Two callbacks, the second directly after the first.
    package struct Pair: Sendable, Hashable {
        package var first: String
        package var second: String
    }

    /// Direct successions of the log, with their numbers; supplementary callbacks are left out.
    package private(set) var observed: [Pair: Int] = [:]
    /// Direct successions of the model.
    package let documented: Set<Pair>

    /// Direct successions in the log, and those of them that the model documents.
    package var successions: Int { observed.values.reduce(0, +) }
    package var documentedSuccessions: Int { observed.reduce(0) { documented.contains($1.key) ? $0 + $1.value : $0 } }

    /// How many pairs of the model the log shows.
    package var shownPairs: Int { documented.count { observed[$0] != nil } }

    package var fitness: Double? { successions > 0 ? Double(documentedSuccessions) / Double(successions) : nil }

    package var precision: Double? {
        documented.isEmpty ? nil : Double(shownPairs) / Double(documented.count)
    }

    /// Compares variants, each weighted by its count, with a model.
    package init(_ variants: some Sequence<TraceVariant>, on model: LifecycleModel) {
        let machine = ConformanceMachine(model)
        var documented: Set<Pair> = []
        for state in machine.states.indices {
            for first in machine.moving {
                let targets = machine.after(first, in: state)
                for second in machine.moving where machine.after(second, from: targets) != 0 {
                    documented.insert(Pair(first: machine.callbacks[first], second: machine.callbacks[second]))
                }
            }
        }
        self.documented = documented
        // Numbers are counted faster than names. Those of callbacks that the model does not know follow.
        var (names, numbers) = (machine.callbacks, machine.numbers)
        var counts: [Int: Int] = [:]
        for variant in variants {
            var previous: Int?
            for name in variant.callbacks {
                let number = numbers[name] ?? names.count
                if number == names.count {
                    numbers[name] = number
                    names.append(name)
                }
                if number < machine.supplementary.count, machine.supplementary[number] { continue }
                if let previous { counts[previous << 32 | number, default: 0] += variant.count }
                previous = number
            }
        }
        for (pair, count) in counts {
            observed[Pair(first: names[pair >> 32], second: names[pair & 0xffff_ffff])] = count
        }
    }
}

/// How long it usually takes from one callback to the next, and which times are out of the usual.
///
/// A time is an outlier when it differs from the median by more than six times the scaled median absolute deviation
/// (1.4826 MAD, the standard deviation of a normal distribution), and from the mean by more than six standard
/// deviations where the robust measure is zero.
package struct TemporalProfile: Sendable {
    /// The usual time of a pair, in nanoseconds.
    package struct Usual: Sendable, Hashable {
        package var count: Int
        package var mean: Double
        package var deviation: Double
        package var median: Double
        /// 1.4826 times the median absolute deviation.
        package var robustDeviation: Double
    }

    private var times: [Footprints.Pair: [Int64]] = [:]
    private var usual: [Footprints.Pair: Usual] = [:]
    /// How many deviations a time may be off.
    private static let zeta = 6.0

    /// Adds observed times between two callbacks that follow each other directly. Negative times are left out: the clock is
    /// a finding of its own.
    mutating func add(_ nanoseconds: [Int64], _ pair: Footprints.Pair) {
        times[pair, default: []] += nanoseconds.filter { $0 >= 0 }
        usual[pair] = nil
    }

    /// The pairs that occurred, in alphabetical order.
    package var pairs: [Footprints.Pair] { times.keys.sorted { ($0.first, $0.second) < ($1.first, $1.second) } }

    /// How many of a pair's times are out of the usual.
    package mutating func outliers(_ pair: Footprints.Pair) -> Int {
        guard let usual = usual(pair) else { return 0 }
        return (times[pair] ?? []).count { isOutlier($0, usual) }
    }

    /// The usual time of a pair; `nil` when it never occurred.
    package mutating func usual(_ pair: Footprints.Pair) -> Usual? {
        if let known = usual[pair] { return known }
        guard let observed = times[pair], !observed.isEmpty else { return nil }
        let sorted = observed.sorted().map(Double.init)
        let mean = sorted.reduce(0, +) / Double(sorted.count)
        let variance = sorted.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(max(sorted.count - 1, 1))
        let median = Self.median(sorted, of: sorted.count)
        // From the middle outwards they grow on both sides.
        var (low, high) = (sorted.count / 2 - 1, sorted.count / 2)
        let deviations = (0...sorted.count / 2).map { _ in
            let below = low >= 0 ? median - sorted[low] : .infinity
            let above = high < sorted.count ? sorted[high] - median : .infinity
            if below < above { low -= 1 } else { high += 1 }
            return min(below, above)
        }
        let found = Usual(
            count: sorted.count, mean: mean, deviation: variance.squareRoot(), median: median,
            robustDeviation: 1.4826 * Self.median(deviations, of: sorted.count))
        usual[pair] = found
        return found
    }

    private func isOutlier(_ nanoseconds: Int64, _ usual: Usual) -> Bool {
        let time = Double(nanoseconds)
        if usual.robustDeviation > 0 { return abs(time - usual.median) > Self.zeta * usual.robustDeviation }
        return usual.deviation > 0 && abs(time - usual.mean) > Self.zeta * usual.deviation
    }

    /// - Parameter sorted: at least half of the values and one more.
    private static func median(_ sorted: [Double], of count: Int) -> Double {
        let middle = count / 2
        return count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
}
