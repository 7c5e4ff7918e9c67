/// How well the logs of a layer and its documented model agree: figures with the formula beside each.
package struct MeasuredLayer: Sendable, Hashable {
    /// One figure.
    package struct Measure: Sendable, Hashable {
        /// A number that the formula names.
        package struct Term: Sendable, Hashable {
            package var name: String
            package var value: Int

            package init(_ name: String, _ value: Int) {
                self.name = name
                self.value = value
            }
        }

        /// Stable name for programs (`token_replay_fitness`).
        package var id: String
        package var title: String
        /// From 0 to 1; `nil` where there is nothing to measure.
        package var value: Double?
        package var formula: String
        package var terms: [Term]

        package init(id: String, title: String, value: Double?, formula: String, terms: [Term]) {
            self.id = id
            self.title = title
            self.value = value
            self.formula = formula
            self.terms = terms
        }
    }

    /// A change that would make logs conform, and how often it is needed.
    package struct Repair: Sendable, Hashable {
        /// As the end of "would conform …".
        package var text: String
        package var count: Int

        package init(text: String, count: Int) {
            self.text = text
            self.count = count
        }
    }

    /// How long it usually takes from one callback to the next.
    package struct UsualTime: Sendable, Hashable {
        package var first: String
        package var second: String
        package var count: Int
        /// In nanoseconds.
        package var median: Double
        package var robustDeviation: Double
        package var mean: Double
        package var deviation: Double
        /// How many times are out of the usual.
        package var outliers: Int

        package init(
            first: String, second: String, count: Int, median: Double, robustDeviation: Double, mean: Double,
            deviation: Double, outliers: Int
        ) {
            self.first = first
            self.second = second
            self.count = count
            self.median = median
            self.robustDeviation = robustDeviation
            self.mean = mean
            self.deviation = deviation
            self.outliers = outliers
        }
    }

    package var layer: String
    package var model: String
    /// Instances, different traces among them, and callbacks.
    package var traces: Int
    package var variants: Int
    package var callbacks: Int
    package var measures: [Measure] = []
    /// The most frequent first.
    package var repairs: [Repair] = []
    /// What an unusual time is, in words, and the pairs of callbacks, those with the most unusual times first.
    package var usualTimesFormula = ""
    package var usualTimes: [UsualTime] = []

    package init(layer: String, model: String, traces: Int, variants: Int, callbacks: Int) {
        self.layer = layer
        self.model = model
        self.traces = traces
        self.variants = variants
        self.callbacks = callbacks
    }
}
