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

    private struct Node {
        var next: [Int: Int] = [:]
        var states: UInt64
        var count = 0
    }

    /// Measures variants, each weighted by its count.
    package init(_ variants: some Sequence<TraceVariant>, on model: LifecycleModel) {
        let machine = ConformanceMachine(model)
        for beginsInLog in [true, false] {
            let start = TraceVariant(callbacks: [], beginsInLog: beginsInLog)
            var nodes = [Node(states: machine.beginning(start))]
            for variant in variants where variant.beginsInLog == beginsInLog {
                var place = 0
                for name in variant.callbacks {
                    guard let callback = machine.numbers[name] else { break }
                    if machine.supplementary[callback] { continue }
                    let states = machine.after(callback, from: nodes[place].states)
                    if states == 0 { break }
                    nodes[place].count += variant.count
                    if let next = nodes[place].next[callback] {
                        place = next
                    } else {
                        nodes.append(Node(states: states))
                        nodes[place].next[callback] = nodes.count - 1
                        place = nodes.count - 1
                    }
                }
            }
            for node in nodes where node.count > 0 {
                let possible = machine.moving.filter { machine.after($0, from: node.states) != 0 }
                enabled += possible.count * node.count
                escaping += possible.count { node.next[$0] == nil } * node.count
            }
        }
    }
}
