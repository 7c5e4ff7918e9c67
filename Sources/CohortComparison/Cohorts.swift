/// Two cohorts as plain values: the units of both, and what was measured on them.
package struct Cohorts: Sendable {
    /// The cohort of each unit: `false` for A, `true` for B. A unit is a device or, where devices are unknown, a run.
    package var isInB: [Bool]
    package var measurements: [MeasuredRow]

    package init(isInB: [Bool], measurements: [MeasuredRow] = []) {
        self.isInB = isInB
        self.measurements = measurements
    }

    /// The fewest units of a cohort: with six against six there are 924 ways to divide them, with fewer hardly any
    /// difference could be found.
    package static let fewestUnits = 6

    package func units(inB: Bool) -> Int { isInB.count { $0 == inB } }
}

/// One thing that may differ between cohorts.
package struct MeasuredRow: Sendable {
    /// What is measured: the values of `kind` in the JSON document.
    package enum Kind: String, Sendable, CaseIterable {
        /// How long a visit of a state lasts.
        case dwell
        /// Share of the observed time that is spent in a state.
        case share
        /// Share of the transitions out of a state that lead to another one.
        case transition
        /// How long a launch takes.
        case launch
        case visit
        /// How many findings there are.
        case finding
        /// Share of the runs that end in a certain way.
        case end
    }

    /// What the numbers are.
    package enum Measure: String, Sendable {
        case seconds, share
        case perHour = "per_hour"
        case perRun = "per_run"
    }

    /// Which change makes a build worse.
    package enum Sense: Sendable { case more, less }

    /// The observations.
    package enum Content: Sendable {
        /// Lengths, some of which may be cut.
        case stays([Stay])
        /// Sums of each unit: the measurement is the sum of the first over the sum of the second.
        case sums(numerators: [Double], denominators: [Double])
    }

    package var kind: Kind
    package var layer: String
    package var name: String
    package var measure: Measure
    package var worse: Sense?
    package var content: Content

    package init(
        _ kind: Kind, layer: String, name: String, measure: Measure, worse: Sense? = nil, content: Content
    ) {
        self.kind = kind
        self.layer = layer
        self.name = name
        self.measure = measure
        self.worse = worse
        self.content = content
    }
}

/// The length of one visit or launch.
package struct Stay: Sendable, Hashable {
    package var unit: Int32
    /// Whether its end was seen; otherwise it lasted at least this long.
    package var isEnded: Bool
    /// In seconds.
    package var length: Double

    package init(unit: Int32, length: Double, isEnded: Bool) {
        self.unit = unit
        self.length = length
        self.isEnded = isEnded
    }
}

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
        let pooled = MomentTable([sums], units: isInB.count).total(of: isInB.indices)[0]
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
