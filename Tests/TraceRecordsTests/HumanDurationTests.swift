import Testing
import TraceRecords

@Suite("Durations as people say them")
struct HumanDurationTests {
    @Test(
        "Nanoseconds become at most two parts",
        arguments: [
            (0, "0 s"), (7, "7 ns"), (999, "999 ns"), (1_000, "1 µs"), (1_549, "1.5 µs"), (12_400, "12 µs"),
            (999_499, "999 µs"), (999_500, "1 ms"), (1_500_000, "1.5 ms"), (9_949_999, "9.9 ms"),
            (9_950_000, "10 ms"), (350_000_000, "350 ms"), (999_499_999, "999 ms"), (999_500_000, "1 s"),
            (4_200_000_000, "4.2 s"), (4_000_000_000, "4 s"), (42_749_000_000, "42.7 s"),
            (59_949_999_999, "59.9 s"), (59_950_000_000, "1 min"), (61_499_999_999, "1 min 1 s"),
            (200_000_000_000, "3 min 20 s"), (3_599_499_999_999, "59 min 59 s"), (3_599_500_000_000, "1 h"),
            (4_980_000_000_000, "1 h 23 min"), (86_369_999_999_999, "23 h 59 min"), (86_370_000_000_000, "1 d"),
            (183_600_000_000_000, "2 d 3 h"), (-4_200_000_000, "−4.2 s"),
            // 2^63 ns = 106 751 d 23 h 47 min 16.9 s, which rounds up to the full day.
            (Int64.max, "106,752 d"),
        ] as [(Int64, String)])
    func nanoseconds(_ value: Int64, _ text: String) {
        #expect(HumanDuration.text(nanoseconds: value) == text)
    }

    @Test(
        "A lower bound is rounded down",
        arguments: [
            (1_788_600_000_000, "29 min 48 s"), (59_990_000_000, "59.9 s"), (42_790_000_000, "42.7 s"),
            (999_999_999, "999 ms"), (9_990_000, "9.9 ms"), (999_999, "999 µs"), (1_999, "1.9 µs"), (999, "999 ns"),
            (7_199_999_999_999, "1 h 59 min"), (172_799_999_999_999, "1 d 23 h"), (4_000_000_000, "4 s"), (0, "0 s"),
        ] as [(Int64, String)])
    func lowerBounds(_ value: Int64, _ text: String) {
        #expect(HumanDuration.text(nanoseconds: HumanDuration.lowerBound(value)) == text)
    }

    @Test(
        "Seconds read alike, and what is no number is said so",
        arguments: [
            (0.35, "350 ms"), (4.2, "4.2 s"), (4_980, "1 h 23 min"), (.nan, "–"), (.infinity, "∞"), (-1e30, "−∞"),
            (9_300_000_000, "107,639 d"), (-9_300_000_000, "−107,639 d"),
        ])
    func seconds(_ value: Double, _ text: String) {
        #expect(HumanDuration.text(seconds: value) == text)
    }
}
