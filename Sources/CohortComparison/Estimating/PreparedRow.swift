/// A measurement with what resampling needs: sums of each unit.
struct PreparedRow {
    let source: MeasuredRow
    /// The curve of all stays; `nil` for a measurement without times.
    let curve: SurvivalEstimate?
    let horizon: Double?
    /// Sums of each unit, from the curve of both cohorts together, so that they do not depend on the labels.
    let sums: (numerators: [Double], denominators: [Double])
    /// The curves of A and B; empty for a measurement without times.
    private let curves: [SurvivalEstimate]

    /// The fewest units, of both cohorts together, that have data, and on which the thing happens at all. What hardly any
    /// unit shows can't be told from chance, and only makes the limit for everything else higher.
    private static let fewestUnits = Cohorts.fewestUnits
    private static let fewestCases = 3

    /// - Returns: `nil` when too few units have data, or all have the same. The rule does not look at the labels: a rule
    ///   that did would itself be a test.
    init?(_ measurement: MeasuredRow, _ isInB: [Bool]) {
        source = measurement
        switch measurement.content {
        case .stays(let stays):
            let all = SurvivalEstimate(stays)
            curve = all
            horizon = all.horizon
            sums = all.unitSums(horizon: all.horizon, units: isInB.count)
            curves = [false, true].map { all.restricted(toB: $0, isInB) }
        case .sums(let numerators, let denominators):
            (curve, horizon, curves) = (nil, nil, [])
            sums = (numerators, denominators)
        }
        guard sums.denominators.count(where: { $0 > 0 }) >= Self.fewestUnits,
            sums.numerators.count(where: { $0 != 0 }) >= Self.fewestCases
        else { return nil }
        let total = MomentTable([sums], units: isInB.count).total(of: isInB.indices)
        let pooled = MomentTable.moments(0, in: total)
        guard pooled.residual > 1e-12 * pooled.yy else { return nil }
    }

    /// Sums of each unit from the curve of its own cohort: sum over sum is exactly the restricted mean of the cohort.
    func sumsOfCohorts(_ isInB: [Bool]) -> (numerators: [Double], denominators: [Double]) {
        guard let horizon else { return sums }
        let own = curves.map { $0.unitSums(horizon: horizon, units: isInB.count) }
        return (zip(own[0].0, own[1].0).map { $0 + $1 }, zip(own[0].1, own[1].1).map { $0 + $1 })
    }

    /// The measurement in one cohort; `nil` without data.
    func value(inB isB: Bool, _ isInB: [Bool]) -> Double? {
        if let horizon {
            let curve = curves[isB ? 1 : 0]
            return curve.stays.isEmpty ? nil : curve.restrictedMean(horizon: horizon)
        }
        var (y, x) = (0.0, 0.0)
        for unit in isInB.indices where isInB[unit] == isB {
            y += sums.numerators[unit]
            x += sums.denominators[unit]
        }
        return x > 0 ? y / x : nil
    }

    func figure(inB isB: Bool, _ isInB: [Bool]) -> CohortFigure {
        let own = isInB.indices.filter { isInB[$0] == isB }
        return CohortFigure(
            units: own.count { sums.denominators[$0] > 0 }, count: own.reduce(0) { $0 + sums.denominators[$1] },
            value: value(inB: isB, isInB),
            median: horizon == nil ? nil : curves[isB ? 1 : 0].median(units: isInB.count))
    }
}
