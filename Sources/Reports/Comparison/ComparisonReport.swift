internal import TraceRecords

/// How a comparison is written: the values of `compare --format`.
package enum ComparisonFormat: String, Sendable, CaseIterable {
    /// A table for people.
    case table
    /// One document with stable keys.
    case json
    /// A table for a pull request.
    case markdown
    /// Test results for build servers: one test for each row.
    case junit
}

/// Two cohorts compared, ready to be written.
package struct ComparisonReport: Sendable {
    /// A cohort as a whole.
    package struct Side: Sendable {
        package var title: String
        package var units: Int
        package var runs: Int

        package init(title: String, units: Int, runs: Int) {
            self.title = title
            self.units = units
            self.runs = runs
        }
    }

    /// A row in one cohort.
    package struct Figure: Sendable {
        package var units: Int
        package var count: Double
        package var value: Double?
        package var median: Double?
        package var medianInterval: (low: Double?, high: Double?)

        package init(
            units: Int, count: Double, value: Double?, median: Double? = nil,
            medianInterval: (low: Double?, high: Double?) = (nil, nil)
        ) {
            self.units = units
            self.count = count
            self.value = value
            self.median = median
            self.medianInterval = medianInterval
        }
    }

    /// What the numbers of a row are.
    package enum Measure: String, Sendable {
        case seconds, share
        case perHour = "per_hour"
        case perRun = "per_run"
    }

    /// One thing that was compared.
    package struct Row: Sendable {
        package var kind: String
        package var layer: String
        package var name: String
        package var measure: Measure
        package var a: Figure
        package var b: Figure
        /// Seconds up to which times count in means.
        package var horizon: Double?
        package var difference: Double
        package var interval: ClosedRange<Double>?
        /// As a part of A.
        package var relative: Double?
        package var detectable: Double?
        package var detectablePart: Double?
        package var p: Double
        package var adjusted: Double
        package var q: Double
        package var isSignificant: Bool
        /// `worse`, `better`, `more`, `less` or `none`.
        package var direction: String
        package var logRank: (chiSquared: Double, p: Double)?

        package init(kind: String, layer: String, name: String, measure: Measure, a: Figure, b: Figure) {
            self.kind = kind
            self.layer = layer
            self.name = name
            self.measure = measure
            self.a = a
            self.b = b
            (difference, p, adjusted, q, isSignificant, direction) = (0, 1, 1, 1, false, "none")
        }
    }

    /// One of several planned looks.
    package struct Look: Sendable {
        package var number: Int
        package var p: Double
        package var isFired: Bool

        package init(number: Int, p: Double, isFired: Bool) {
            self.number = number
            self.p = p
            self.isFired = isFired
        }
    }

    package var a: Side
    package var b: Side
    /// `device`, `run` or `device or run`.
    package var unit: String
    package var alpha: Double
    package var looks: Int
    package var look: Int
    /// What this look may spend.
    package var level: Double
    /// The looks so far, when several are planned.
    package var ledger: [Look] = []
    package var p: Double
    package var isFired: Bool
    package var permutations: Int
    package var seed: UInt64
    /// Differences up to this part of A were ignored.
    package var leastEffect: Double
    package var rows: [Row]
    /// Measurements that too few units have data for.
    package var leftOut: Int
    /// Whether the comparison fails a build, and what makes it fail (`worse`, `any`, `never`).
    package var fails: Bool
    package var failOn: String

    package init(
        a: Side, b: Side, unit: String, alpha: Double, looks: Int, look: Int, level: Double, p: Double, isFired: Bool,
        permutations: Int, seed: UInt64, leastEffect: Double, rows: [Row], leftOut: Int, fails: Bool, failOn: String
    ) {
        self.a = a
        self.b = b
        self.unit = unit
        self.alpha = alpha
        self.looks = looks
        self.look = look
        self.level = level
        self.p = p
        self.isFired = isFired
        self.permutations = permutations
        self.seed = seed
        self.leastEffect = leastEffect
        self.rows = rows
        self.leftOut = leftOut
        self.fails = fails
        self.failOn = failOn
    }

    /// The answer in a sentence.
    package var verdict: String { ComparisonText(report: self, style: TextStyle(isOn: false), width: nil).gate }

    /// The cohorts, with what they consist of.
    package var sides: [String] { ComparisonText(report: self, style: TextStyle(isOn: false), width: nil).heading }

    /// The rows as a table of the report.
    package var table: ReportTable {
        let text = ComparisonText(report: self, style: TextStyle(isOn: false), width: nil)
        return ReportTable(
            caption: text.notes.joined(separator: ". ") + ".",
            columns: text.columns.map { ReportColumn($0.name, kind: .plain) }, rows: rows.map(text.cells))
    }

    /// The comparison in a format.
    ///
    /// - Parameter width: columns of the terminal; `nil` for no limit.
    package func text(_ format: ComparisonFormat, style: TextStyle = TextStyle(isOn: false), width: Int? = nil)
        -> String
    {
        switch format {
        case .table: ComparisonText(report: self, style: style, width: width).table
        case .markdown: ComparisonText(report: self, style: TextStyle(isOn: false), width: nil).markdown
        case .json: ComparisonJSON(report: self).text
        case .junit: ComparisonJUnit(report: self).text
        }
    }
}
