/// Where fields of text inside others were found not to end, in one line.
///
/// Whether the steps behind a field match depends on where it ends and on nothing before that. Without this memory,
/// every further field of text multiplies the ways to try.
struct FailedTexts {
    /// By step, the ends that were tried in vain. Empty until the first: few lines need it.
    private var ends: [ClosedRange<Int>?] = []

    /// The last of the ends that need not be tried again, when the end is one of them.
    @inline(__always)
    func lastFailed(_ step: Int, from end: Int) -> Int? {
        guard !ends.isEmpty, let failed = ends[step], failed.contains(end) else { return nil }
        return failed.upperBound
    }

    /// Remembers ends that were tried in vain.
    mutating func note(_ step: Int, of steps: Int, from first: Int, to last: Int) {
        guard first <= last else { return }
        if ends.isEmpty { ends = Array(repeating: nil, count: steps) }
        if let known = ends[step], first <= known.upperBound + 1, last >= known.lowerBound - 1 {
            ends[step] = min(first, known.lowerBound)...max(last, known.upperBound)
        } else {
            ends[step] = first...last
        }
    }
}
