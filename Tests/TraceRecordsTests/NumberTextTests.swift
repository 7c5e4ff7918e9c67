import Testing

@testable import TraceRecords

@Suite("Numbers as text")
struct NumberTextTests {
    @Test(
        "Shares never read none or all unless they are",
        arguments: [
            (0, "0.0%"), (0.0004, "<0.1%"), (0.0005, "0.1%"), (0.625, "62.5%"), (0.9994, "99.9%"), (0.9996, ">99.9%"),
            (1, "100.0%"), (1.204, "120%"), (27.279, "2,728%"), (.nan, "–"), (-0.25, "−25.0%"),
        ])
    func percent(_ share: Double, _ text: String) { #expect(NumberText.percent(share) == text) }

    @Test(
        "Thousands are grouped",
        arguments: [(0, "0"), (999, "999"), (1_000, "1,000"), (1_234_567, "1,234,567"), (-1_000, "−1,000")])
    func grouped(_ value: Int, _ text: String) { #expect(NumberText.grouped(value) == text) }

    @Test(
        "Bytes have three digits",
        arguments: [
            (1, "1 byte"), (999, "999 bytes"), (1_000, "1.00 kB"), (1_234_567, "1.23 MB"), (12_345_678, "12.3 MB"),
            (420_000_000, "420 MB"), (999_600_000, "1.00 GB"),
        ] as [(Int64, String)])
    func bytes(_ value: Int64, _ text: String) { #expect(NumberText.bytes(value) == text) }

    @Test(
        "Numbers without a unit keep six digits",
        arguments: [
            (0.1 + 0.2, "0.3"), (1.0 / 3, "0.333333"), (1_234.5678, "1234.57"), (2, "2"), (0, "0"), (-1.5, "-1.5"),
        ] as [(Double, String)])
    func readable(_ value: Double, _ text: String) { #expect(NumberText.readable(value) == text) }
}
