import Testing

@testable import TraceRecords

@Suite("Points in time")
struct CivilTimeTests {
    // Expected by `date -u -d @N`.
    @Test(
        "ISO 8601 in UTC with the digits that are needed",
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (1_700_000_000_123_000_000, "2023-11-14T22:13:20.123Z"),
            (951_782_400_000_000_000, "2000-02-29T00:00:00Z"), (-1, "1969-12-31T23:59:59.999999999Z"),
            (1_709_251_199_000_001_000, "2024-02-29T23:59:59.000001Z"),
            (4_107_542_399_000_000_000, "2100-02-28T23:59:59Z"), (4_107_542_400_000_000_000, "2100-03-01T00:00:00Z"),
        ] as [(Int64, String)])
    func iso(_ nanoseconds: Int64, _ text: String) {
        #expect(CivilTime.iso(nanoseconds: nanoseconds) == text)
    }
}
