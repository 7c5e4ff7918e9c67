/// Random numbers that are the same on every platform: SplitMix64.
package struct RandomNumbers: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// The seed is mixed first: the sequences of neighbouring seeds would otherwise be parts of each other.
    package init(seed: UInt64) { state = Self.mixed(Self.mixed(seed ^ 0x6A09_E667_F3BC_C908)) }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return Self.mixed(state)
    }

    private static func mixed(_ value: UInt64) -> UInt64 {
        var mixed = value
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number from 0 up to, but not including, a limit below 2^32.
    package mutating func below(_ limit: Int) -> Int {
        Int(truncatingIfNeeded: ((next() >> 32) &* UInt64(truncatingIfNeeded: limit)) >> 32)
    }

    /// A number from 0 up to, but not including, 1.
    package mutating func fraction() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// Moves a random choice of elements to the front, in a random order.
    mutating func choose(_ count: Int, from elements: inout [Int]) {
        for place in 0..<count {
            elements.swapAt(place, place + below(elements.count - place))
        }
    }
}
