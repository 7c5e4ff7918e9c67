/// What a name that does not exist was probably meant to be.
package enum Suggestion {
    /// The nearest known names: those that differ by a few letters, else those that share a word.
    ///
    /// - Parameter byWords: whether a shared word is enough.
    package static func nearest(
        to name: String, among known: some Sequence<String>, byWords: Bool = true
    ) -> [String] {
        let wanted = Array(name.lowercased())
        let most = max(1, min(2, (wanted.count + 1) / 3), wanted.count / 4)
        let distances = known.map { (name: $0, distance: distance(wanted, Array($0.lowercased()), most: most)) }
        let least = distances.map(\.distance).min() ?? .max
        if least <= most { return distances.filter { $0.distance == least }.map(\.name) }
        guard byWords else { return [] }
        // Short words occur in too many names.
        let words = name.lowercased().split { $0 == "_" || $0 == "-" || $0 == "." }.filter { $0.count > 3 }
        return distances.map(\.name).filter { known in words.contains { known.lowercased().contains($0) } }
    }

    /// A question to the user; `nil` when nothing is near.
    package static func question(_ name: String, among known: some Sequence<String>) -> String? {
        let near = nearest(to: name, among: known).prefix(5)
        return near.isEmpty ? nil : "did you mean \(near.joined(separator: ", "))?"
    }

    /// The question, if there is one, before other advice.
    package static func remedy(_ name: String, among known: some Sequence<String>, or advice: String) -> String {
        guard let question = question(name, among: known) else { return advice }
        return "\(question) \(advice.prefix(1).uppercased())\(advice.dropFirst())"
    }

    /// The number of letters to insert, delete, replace or swap with a neighbour; `.max` where it is clearly more than
    /// `most`.
    private static func distance(_ a: [Character], _ b: [Character], most: Int) -> Int {
        guard abs(a.count - b.count) <= most else { return .max }
        var before: [Int] = []
        var row = Array(0...b.count)
        for i in a.indices {
            var next = [i + 1]
            for j in b.indices {
                var cost = min(row[j] + (a[i] == b[j] ? 0 : 1), row[j + 1] + 1, next[j] + 1)
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, before[j - 1] + 1) }
                next.append(cost)
            }
            (before, row) = (row, next)
        }
        return row[b.count]
    }
}
