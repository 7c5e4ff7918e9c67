/// The random numbers of a simulation: SplitMix64, the same on every platform.
struct RandomSource: Sendable {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// A source of its own for a part of the simulation.
    init(seed: UInt64, part: Int) {
        var mixer = RandomSource(seed: seed)
        state = mixer.next() ^ (UInt64(truncatingIfNeeded: part) &* 0x9E37_79B9_7F4A_7C15)
        _ = next()
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number from 0 up to, but not including, the limit, which must be over 0 and under 2^32.
    mutating func below(_ limit: Int) -> Int {
        Int(truncatingIfNeeded: ((next() >> 32) &* UInt64(truncatingIfNeeded: limit)) >> 32)
    }

    /// A number that is nearly normal: the sum of twelve uniform ones, which needs no functions that platforms round
    /// differently.
    mutating func normal() -> Double {
        (0..<12).reduce(-6) { sum, _ in sum + Double(next() >> 11) * 0x1p-53 }
    }
}

/// How long something lasts: a distribution given by its quantiles, because real durations are heavy-tailed and no
/// two-parameter curve fits them.
///
/// It uses whole numbers only, so that every platform draws the same durations.
struct DurationDistribution: Sendable {
    /// One quantile: `rank` of ten thousand durations are at most this long.
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

    /// In microseconds.
    var shortest: Int { knots[0].microseconds }

    /// Draws one duration, in microseconds.
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
