/// The share of false discoveries after Benjamini and Hochberg (1995).
package enum FalseDiscovery {
    /// The smallest share of false discoveries at which each test would be among the discoveries.
    package static func adjusted(_ p: [Double]) -> [Double] {
        var q = [Double](repeating: 1, count: p.count)
        var least = 1.0
        for (place, index) in p.indices.sorted(by: { p[$0] < p[$1] }).enumerated().reversed() {
            least = min(least, p[index] * Double(p.count) / Double(place + 1))
            q[index] = least
        }
        return q
    }
}
