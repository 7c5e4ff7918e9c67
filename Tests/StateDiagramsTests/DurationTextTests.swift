import Testing

@testable import StateDiagrams

/// Durations are read by people: two units at most, no false precision.
struct DurationTextTests {
    @Test(
        arguments: [
            (0, "0 s"), (812, "812 ns"), (4_250, "4.3 µs"), (350_000_000, "350 ms"), (4_200_000_000, "4.2 s"),
            (4_000_000_000, "4 s"), (59_940_000_000, "59.9 s"), (65_000_000_000, "1 min 5 s"),
            (120_000_000_000, "2 min"), (4_980_000_000_000, "1 h 23 min"), (86_400_000_000_000, "1 d"),
            (273_600_000_000_000, "3 d 4 h"),
        ] as [(Int64, String)])
    func twoUnitsAtMost(nanoseconds: Int64, expected: String) {
        #expect(DurationText.of(nanoseconds).replacing("\u{A0}", with: " ") == expected)
    }

    @Test(
        arguments: [
            (999_960_000, "1 s"), (59_960_000_000, "1 min"), (3_599_600_000_000, "1 h"), (86_399_000_000_000, "1 d"),
        ] as [(Int64, String)])
    func roundingCarriesIntoTheNextUnit(nanoseconds: Int64, expected: String) {
        #expect(DurationText.of(nanoseconds).replacing("\u{A0}", with: " ") == expected)
    }

    @Test func aNegativeDurationKeepsItsSign() {
        #expect(DurationText.of(-1_500_000_000) == "−1.5\u{A0}s")
        #expect(DurationText.of(.min).hasPrefix("−106,752\u{A0}d"))
    }
}
