/// What to ask of two cohorts.
package struct ComparisonOptions: Sendable, Hashable {
    /// Probability of a false alarm, over all looks.
    package var alpha = 0.05
    /// Planned number of looks at growing data, and which one this is.
    package var looks = 1
    package var look = 1
    /// Differences up to this part of A are too small to matter.
    package var leastEffect = 0.0
    package var seed: UInt64 = 1
    /// Random divisions of the units; more are made when the level of the look asks for them.
    package var permutations = 1_999

    package init() {}

    /// The level of this look's test.
    package var level: Double { AlphaSpending.level(alpha: alpha, look: look, of: looks) }

    private static let mostPermutations = 19_999

    /// With ten permutations below the level, chance decides little about the result.
    var neededPermutations: Int {
        let needed = 10 / max(level, 1e-9)
        return max(permutations, needed < Double(Self.mostPermutations) ? Int(needed) : Self.mostPermutations)
    }
}

/// One measurement of one cohort.
package struct CohortFigure: Sendable, Hashable {
    /// Units with data, and what was counted: stays, transitions, runs, hours.
    package var units: Int
    package var count: Double
    /// In the measure of the row; `nil` without data.
    package var value: Double?
    /// Median by Kaplan and Meier, of rows about times.
    package var median: SurvivalEstimate.Quantile?
}

/// One measurement, compared.
package struct ComparedRow: Sendable {
    /// What a difference means.
    package enum Direction: String, Sendable { case worse, better, more, less, none }

    package var kind: MeasuredRow.Kind
    package var layer: String
    package var name: String
    package var measure: MeasuredRow.Measure
    package var a: CohortFigure
    package var b: CohortFigure
    /// Seconds up to which times count in means; `nil` for rows that are not about times.
    package var horizon: Double?
    /// B minus A, with its 95% interval.
    package var difference: Double
    package var interval: ClosedRange<Double>?
    /// The smallest difference that would probably (80%) have been found; `nil` when this look could find none.
    package var detectable: Double?
    package var p: Double
    package var adjusted: Double
    package var q: Double
    package var isSignificant: Bool
    package var direction: Direction
    /// The test that takes stays as independent, for comparison with other programs.
    package var logRank: SurvivalEstimate.LogRank?

    /// The difference as a part of A; `nil` when A is 0.
    package var relative: Double? { part(difference) }
    package var detectablePart: Double? { detectable.flatMap { part($0) } }

    private func part(_ value: Double) -> Double? {
        guard let base = a.value, base > 0 else { return nil }
        return value / base
    }
}

/// Two cohorts compared.
package struct Comparison: Sendable {
    package var options: ComparisonOptions
    package var units: (a: Int, b: Int)
    /// Probability that chance alone gives a difference as large as the largest one.
    package var p: Double
    package var permutations: Int
    /// By kind, layer and name.
    package var rows: [ComparedRow]
    /// Measurements that too few units have data for, or that are the same everywhere; without their observations.
    package var leftOut: [(kind: MeasuredRow.Kind, layer: String, name: String)]

    /// Whether anything differs.
    package var isFired: Bool { rows.contains(where: \.isSignificant) }
    /// Whether anything is worse in B.
    package var isWorse: Bool { rows.contains { $0.isSignificant && $0.direction == .worse } }

    package init(_ cohorts: Cohorts, options: ComparisonOptions) {
        let all = cohorts.measurements.map { PreparedRow($0, cohorts.isInB) }
        let prepared = all.compactMap(\.self)
        let (isInB, units) = (cohorts.isInB, cohorts.isInB.count)
        let contrasts = Self.contrasts(prepared, isInB)
        let test = Self.test(prepared, contrasts, isInB, options)
        let own = MomentTable(prepared.map { $0.sumsOfCohorts(isInB) }, units: units)
        let bootstrap = ClusterBootstrap(own, isInB: isInB, seed: options.seed &+ 1)
        let critical = test.criticalValue(level: options.level)
        let q = FalseDiscovery.adjusted(test.p)
        rows = prepared.indices.map { index in
            let row = prepared[index]
            let (a, b) = (row.figure(inB: false, isInB), row.figure(inB: true, isInB))
            let difference = (b.value ?? .nan) - (a.value ?? .nan)
            let error = contrasts[index]?.standardError
            let isSignificant = test.adjusted[index] <= options.level
            return ComparedRow(
                kind: row.source.kind, layer: row.source.layer, name: row.source.name, measure: row.source.measure,
                a: a, b: b, horizon: row.horizon, difference: difference, interval: bootstrap.intervals[index],
                detectable: critical.flatMap { critical in error.map { (critical + Self.power) * $0 } },
                p: test.p[index], adjusted: test.adjusted[index], q: q[index], isSignificant: isSignificant,
                direction: Self.direction(contrasts[index]?.difference ?? 0, row.source.worse),
                logRank: row.curve?.logRank(isInB))
        }
        p = test.adjusted.min() ?? 1
        permutations = test.maxima.count
        leftOut = zip(cohorts.measurements, all).filter { $1 == nil }.map { ($0.0.kind, $0.0.layer, $0.0.name) }
        self.units = (cohorts.units(inB: false), cohorts.units(inB: true))
        self.options = options
    }

    /// Whether the gate fires, and nothing else: the same test, which stops when the answer is certain.
    package static func fires(_ cohorts: Cohorts, options: ComparisonOptions) -> Bool {
        let prepared = cohorts.measurements.compactMap { PreparedRow($0, cohorts.isInB) }
        let contrasts = contrasts(prepared, cohorts.isInB)
        let test = test(prepared, contrasts, cohorts.isInB, options, stoppingAbove: options.level)
        return (test.adjusted.min() ?? 1) <= options.level
    }

    // MARK: - Parts

    /// By how many standard errors a difference must exceed the limit to be found four times out of five.
    private static let power = 0.841_621_233_572_914_3

    private static func contrasts(_ rows: [PreparedRow], _ isInB: [Bool]) -> [Contrast?] {
        let table = MomentTable(rows.map(\.sums), units: isInB.count)
        let a = table.total(of: isInB.indices.filter { !isInB[$0] })
        let b = table.total(of: isInB.indices.filter { isInB[$0] })
        return zip(a, b).map { Contrast($0, $1, pooled: $0 + $1) }
    }

    private static func test(
        _ rows: [PreparedRow], _ contrasts: [Contrast?], _ isInB: [Bool], _ options: ComparisonOptions,
        stoppingAbove level: Double? = nil
    ) -> PermutationTest {
        let observed = rows.indices.map { index -> Double in
            let base = rows[index].value(inB: false, isInB) ?? 0
            return contrasts[index]?.statistic(ignoring: options.leastEffect * base.magnitude).magnitude ?? 0
        }
        return PermutationTest(
            MomentTable(rows.map(\.sums), units: isInB.count), isInB: isInB, observed: observed,
            permutations: options.neededPermutations, seed: options.seed, stoppingAbove: level)
    }

    private static func direction(_ difference: Double, _ worse: MeasuredRow.Sense?) -> ComparedRow.Direction {
        guard difference != 0 else { return .none }
        guard let worse else { return difference > 0 ? .more : .less }
        return (difference > 0) == (worse == .more) ? .worse : .better
    }
}
