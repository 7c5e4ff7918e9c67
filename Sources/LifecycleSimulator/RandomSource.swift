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
}
