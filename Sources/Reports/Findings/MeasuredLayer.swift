internal import TraceRecords

/// How well the logs of a layer agree with its documented model: figures, each with its formula.
package struct MeasuredLayer: Sendable {
    /// One figure: a stable name for programs (`token_replay_fitness`), a value from 0 to 1 (`nil` when there is nothing to
    /// measure), and the numbers in its formula.
    package typealias Measure = (
        id: String, title: String, value: Double?, formula: String, terms: [(name: String, value: Int)]
    )

    /// A change that would make the logs conform, as the end of "the log would conform …", and how often it is needed.
    package typealias Repair = (text: String, count: Int)

    /// How long it usually takes from one callback to the next, in nanoseconds, and how many of the times are unusual.
    package typealias UsualTime = (
        first: String, second: String, count: Int, median: Double, robustDeviation: Double, mean: Double,
        deviation: Double, outliers: Int
    )

    package var layer: String
    package var model: String
    /// Numbers of instances, of different traces among them, and of callbacks.
    package var traces: Int
    package var variants: Int
    package var callbacks: Int
    package var measures: [Measure] = []
    /// The most frequent first.
    package var repairs: [Repair] = []
    /// The definition of an unusual time, and the pairs of callbacks, those with the most unusual times first.
    package var usualTimesFormula = ""
    package var usualTimes: [UsualTime] = []

    package init(layer: String, model: String, traces: Int, variants: Int, callbacks: Int) {
        (self.layer, self.model) = (layer, model)
        (self.traces, self.variants, self.callbacks) = (traces, variants, callbacks)
    }
}

// MARK: - As text and as JSON

extension MeasuredLayer {
    /// Lines of text: each figure with its formula and the numbers in it.
    ///
    /// - Parameter examples: Repairs and pairs of callbacks to list; `nil` lists all.
    func lines(examples: Int?, style: TextStyle) -> [String] {
        let title = "\(VisibleText.neutralised(layer)) layer against the model \(VisibleText.neutralised(model))"
        let size =
            "\(Plural.text(traces, "instance")), \(Plural.text(variants, "variant")), "
            + Plural.text(callbacks, "callback")
        var lines = ["\(style.bold(title))  \(style.dim(size))"]
        let width = measures.map(\.title.count).max() ?? 0
        for measure in measures {
            let name = measure.title.padded(to: width)
            lines.append("  \(name)  \(Self.text(measure.value).padded(to: 9))  \(style.dim(measure.formula))")
            let terms = measure.terms.map { "\($0.name) \(NumberText.grouped($0.value))" }.joined(separator: ", ")
            lines.append("  \(String(repeating: " ", count: width + 11))  \(style.dim(terms))")
        }
        if !repairs.isEmpty {
            lines.append("  smallest changes that would make every trace conform:")
            lines += Self.listed(repairs, examples, style) { repair in
                let times = repair.count == 1 ? "once" : "\(NumberText.grouped(repair.count)) times"
                return "\(times.leftPadded(to: 14)) \(VisibleText.neutralised(repair.text))"
            }
        }
        let unusual = usualTimes.filter { $0.outliers > 0 }
        if !unusual.isEmpty {
            lines.append("  unusual times (temporal profile): \(style.dim(usualTimesFormula))")
            lines += Self.listed(unusual, examples, style) { time in
                "\(NumberText.grouped(time.outliers).leftPadded(to: 8)) of \(NumberText.grouped(time.count))  "
                    + "\(VisibleText.neutralised(time.first)) > \(VisibleText.neutralised(time.second))  "
                    + "median \(HumanDuration.text(seconds: time.median / 1e9))"
            }
        }
        return lines
    }

    var json: JSONValue {
        .members([
            "layer": .string(layer),
            "model": .string(model),
            "traces": .integer(Int64(traces)),
            "variants": .integer(Int64(variants)),
            "callbacks": .integer(Int64(callbacks)),
            "measures": .array(
                measures.map { measure in
                    .members([
                        "measure": .string(measure.id),
                        "value": measure.value.map { .number($0) } ?? .null,
                        "formula": .string(measure.formula),
                        "terms": .object(measure.terms.map { .init(name: $0.name, value: .integer(Int64($0.value))) }),
                    ])
                }),
            "repairs": .array(
                repairs.map { repair in
                    .members(["repair": .string(repair.text), "count": .integer(Int64(repair.count))])
                }),
            "temporal_profile": .members([
                "formula": .string(usualTimesFormula),
                "pairs": .array(usualTimes.map(Self.json)),
            ]),
        ])
    }

    private static func json(_ time: UsualTime) -> JSONValue {
        .members([
            "callback": .string(time.first),
            "next_callback": .string(time.second),
            "count": .integer(Int64(time.count)),
            "median_ns": .number(time.median),
            "robust_deviation_ns": .number(time.robustDeviation),
            "mean_ns": .number(time.mean),
            "deviation_ns": .number(time.deviation),
            "outliers": .integer(Int64(time.outliers)),
        ])
    }

    /// Six decimals, rounded to 0 or 1 only when the value is exactly that.
    package static func text(_ value: Double?) -> String {
        guard let value else { return "–" }
        if value < 1, value >= 0.999_999_5 { return ">0.999999" }
        if value > 0, value < 0.000_000_5 { return "<0.000001" }
        let millionths = Int64((value * 1e6).rounded())
        let fraction = String(millionths % 1_000_000)
        return "\(millionths / 1_000_000)." + String(repeating: "0", count: 6 - fraction.count) + fraction
    }

    private static func listed<Element>(
        _ elements: [Element], _ examples: Int?, _ style: TextStyle, line: (Element) -> String
    ) -> [String] {
        var lines = elements.prefix(examples ?? .max).map { "  " + line($0) }
        if elements.count > lines.count {
            lines.append("    " + style.dim("… and \(NumberText.grouped(elements.count - lines.count)) more"))
        }
        return lines
    }
}
