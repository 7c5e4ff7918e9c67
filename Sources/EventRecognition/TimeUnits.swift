/// The units of time in which figures are printed (`dialects/units.yaml`).
struct TimeUnits: Sendable {
    /// Seconds of each unit, by its name in lower case without a full stop.
    private let seconds: [String: Double]

    static func builtIn() throws(DialectError) -> TimeUnits {
        let file = try DialectFile(
            name: "units.yaml", text: String(decoding: PackageResources.units_yaml, as: UTF8.self))
        var seconds: [String: Double] = [:]
        let lists = [
            ("milliseconds", 0.001), ("seconds", 1), ("minutes", 60), ("hours", 3600), ("days", 86_400),
        ]
        for (list, length) in lists {
            for name in try file.texts(list) { seconds[Self.folded(name)] = length }
        }
        return TimeUnits(seconds: seconds)
    }

    /// How many seconds a unit has; `nil` when it is not known.
    func seconds(of unit: String) -> Double? { unit.isEmpty ? 1 : seconds[Self.folded(unit)] }

    private static func folded(_ unit: String) -> String {
        unit.lowercased().filter { $0 != "." && $0 != "\u{FF0E}" }
    }
}
