import Testing

@testable import LifeStatsKit

/// How a comparison says how large a change is.
@Suite("Words of a comparison")
struct ComparisonTextTests {
    @Test(
        "a change has as many digits as help, and a large one is told in times",
        arguments: [
            (0.125, "+12.5%"), (-0.5, "−50.0%"), (0, "0.0%"), (1, "+100%"), (1.204, "+120%"), (8.99, "+899%"),
            (9, "10 times"), (23.193, "24 times"), (12_344.6, "12,346 times"), (-1, "−100%"),
        ])
    func change(relative: Double, text: String) { #expect(ComparisonText.change(relative) == text) }
}
