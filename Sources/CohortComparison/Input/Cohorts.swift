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

    /// Number of units of one cohort.
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
        /// How many visits there are.
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
        /// Lengths, of which some may be cut.
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
    /// Index of its unit.
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
