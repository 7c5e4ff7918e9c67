/// How long something lasts: a distribution given by its quantiles, because real stays are heavy-tailed and no
/// two-parameter curve fits them.
///
/// Whole numbers throughout, so that every platform draws the same stays.
struct Stay: Sendable {
    /// One quantile: so many in ten thousand stays are no longer than this.
    private struct Knot: Sendable {
        var rank: Int
        var microseconds: Int
    }

    private static let ranks = [0, 2_500, 5_000, 7_500, 9_000, 9_900, 10_000]
    private let knots: [Knot]

    /// The quantiles in milliseconds: the shortest, 25 %, 50 %, 75 %, 90 %, 99 %, and the longest.
    init(_ quantiles: Int...) {
        knots = zip(Self.ranks, quantiles).map { Knot(rank: $0, microseconds: $1 * 1_000) }
    }

    /// Draws one stay, in microseconds.
    func draw(from random: inout RandomSource) -> Int {
        let rank = random.below(10_000)
        var upper = 1
        while knots[upper].rank <= rank { upper += 1 }
        let low = knots[upper - 1].microseconds
        let width = knots[upper].microseconds - low
        // Uniform between two quantiles, to the microsecond; `below` takes 32 bits, which is over an hour.
        return low + (width < 1 << 31 ? random.below(width + 1) : random.below(width >> 10) << 10)
    }
}
