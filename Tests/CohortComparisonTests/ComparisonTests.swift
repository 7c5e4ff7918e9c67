import Testing

@testable import CohortComparison

/// Expectations are computed by hand.
@Suite("Comparing cohorts")
struct ComparisonTests {
    @Test("Kaplan and Meier: cut visits count as going on")
    func survival() throws {
        let stays = [(1.0, true), (2, false), (3, true), (4, true), (5, false)].map {
            Stay(unit: 0, length: $0.0, isEnded: $0.1)
        }
        let estimate = SurvivalEstimate(stays)
        // 4/5, then 4/5 · 2/3, then 4/5 · 2/3 · 1/2.
        #expect(estimate.time(whereAtMost: 0.8) == 1)
        #expect(estimate.time(whereAtMost: 0.5) == 4)
        #expect(estimate.time(whereAtMost: 0.2) == nil)
        // 1 · 1 + 2 · 0.8 + 1 · 0.5333… + 1 · 0.2666…
        #expect(abs(estimate.restrictedMean(horizon: 5) - 3.4) < 1e-12)
    }

    @Test("the band of a curve of independent visits is that of a share")
    func band() throws {
        let stays = (0..<12).map { Stay(unit: Int32($0), length: Double($0 + 1), isEnded: true) }
        let half = try #require(SurvivalEstimate(stays).curve(units: 12).first { $0.seconds == 6 })
        // 0.5 ± t(0.975; 11) · √(0.5 · 0.5 / 11)
        #expect(abs(half.share - 0.5) < 1e-12)
        #expect(abs(half.band.lowerBound - (0.5 - 2.20099 * 0.150756)) < 0.002)
        #expect(abs(half.band.upperBound - (0.5 + 2.20099 * 0.150756)) < 0.002)
    }

    @Test("Benjamini and Hochberg")
    func falseDiscovery() {
        let q = FalseDiscovery.adjusted([0.01, 0.04, 0.03, 0.005])
        #expect(zip(q, [0.02, 0.04, 0.04, 0.02]).allSatisfy { abs($0 - $1) < 1e-12 })
    }

    @Test("all looks together spend alpha, and the first of them almost nothing")
    func looks() {
        let levels = (1...5).map { AlphaSpending.level(alpha: 0.05, look: $0, of: 5) }
        #expect(abs(levels.reduce(0, +) - 0.05) < 1e-12)
        #expect(levels[0] < 0.0001 && levels == levels.sorted())
        #expect(AlphaSpending.level(alpha: 0.05, look: 1, of: 1) == 0.05)
    }

    /// Twelve units on each side with visits of about a second; those of B last longer by a factor.
    private func cohorts(factor: Double) -> Cohorts {
        let isInB = (0..<24).map { $0 >= 12 }
        var random = RandomNumbers(seed: 7)
        let stays = isInB.indices.flatMap { unit in
            (0..<20).map { _ in
                let length = Double.random(in: 0.8...1.2, using: &random) * (isInB[unit] ? factor : 1)
                return Stay(unit: Int32(unit), length: length, isEnded: true)
            }
        }
        let row = MeasuredRow(.dwell, layer: "app", name: "inactive", measure: .seconds, content: .stays(stays))
        return Cohorts(isInB: isInB, measurements: [row])
    }

    @Test("a large difference fires, none does not, and a seed gives the same result again")
    func gate() throws {
        let options = ComparisonOptions()
        let different = Comparison(cohorts(factor: 2), options: options)
        let row = try #require(different.rows.first)
        #expect(different.isFired && row.isSignificant)
        #expect(abs(row.difference - 1) < 0.1)
        #expect(row.interval?.contains(row.difference) == true)
        let same = Comparison(cohorts(factor: 1), options: options)
        #expect(!same.isFired && same.p > 0.05)
        #expect(Comparison(cohorts(factor: 1), options: options).p == same.p)
    }

    @Test("a difference that is too small to matter does not fire")
    func leastEffect() {
        var options = ComparisonOptions()
        options.leastEffect = 2
        #expect(!Comparison(cohorts(factor: 2), options: options).isFired)
    }
}
