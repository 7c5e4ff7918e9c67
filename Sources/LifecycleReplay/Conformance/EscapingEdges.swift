package import LifecycleModel

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
