import DataFiles
import TraceRecords

/// A figure in the language of the device: `1,456秒`, `1.456,5 Sek.`, `١٬٤٥٦ ث`, `12`, `1 hr 30 min`.
struct LocalisedFigure: Hashable {
    /// A number, and what stands behind it, without blanks.
    struct Part: Hashable {
        var number: Double
        var unit: String
    }

    private(set) var parts: [Part] = []

    /// The number of a figure that is a count.
    var number: Double? { parts.count == 1 ? parts[0].number : nil }

    /// Marks before the fraction, marks between groups of digits, and those that are one or the other.
    private static let decimalMarks = Set("\u{66B}".unicodeScalars)
    private static let groupMarks = Set(" \u{A0}\u{2009}\u{202F}'\u{2019}\u{66C}".unicodeScalars)
    private static let eitherMarks = Set(",.\u{FF0C}\u{FF0E}".unicodeScalars)
    /// They only say in which direction text runs.
    private static let directions = Set("\u{61C}\u{200E}\u{200F}\u{2066}\u{2067}\u{2068}\u{2069}".unicodeScalars)

    /// `nil` when the text does not begin with a number, or with one of which the marks make no sense.
    init?(_ text: String) {
        var rest = Array(text.unicodeScalars.filter { !Self.directions.contains($0) })[...]
        repeat {
            guard let part = Self.part(&rest) else { return nil }
            parts.append(part)
        } while !rest.isEmpty
    }

    /// The next number with its unit, which ends where another number begins.
    private static func part(_ rest: inout ArraySlice<Unicode.Scalar>) -> Part? {
        var pieces = [""]
        var marks: [Unicode.Scalar] = []
        while let first = rest.first {
            if let digit = Self.digit(first) {
                pieces[pieces.count - 1] += digit
            } else if Self.isMark(first), let next = rest.dropFirst().first, Self.digit(next) != nil {
                marks.append(first)
                pieces.append("")
            } else {
                break
            }
            rest = rest.dropFirst()
        }
        guard let plain = Self.plain(pieces, marks), let number = Double(plain) else { return nil }
        let unit = rest.prefix { Self.digit($0) == nil }
        rest = rest.dropFirst(unit.count)
        return Part(number: number, unit: String(String.UnicodeScalarView(unit)).filter { !$0.isWhitespace })
    }

    /// The figure as a time in seconds, and the unit that is not known and was taken for seconds.
    func seconds(_ units: TimeUnits) -> (Double, unknown: String?) {
        var sum = 0.0
        var unknown: String?
        for part in parts {
            let length = units.seconds(of: part.unit)
            if length == nil { unknown = part.unit }
            sum += part.number * (length ?? 1)
        }
        return (sum, unknown)
    }

    /// The ASCII digit of a digit in any script.
    private static func digit(_ scalar: Unicode.Scalar) -> String? {
        guard scalar.properties.numericType == .decimal, let value = scalar.properties.numericValue else { return nil }
        return String(Int(value))
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        decimalMarks.contains(scalar) || groupMarks.contains(scalar) || eitherMarks.contains(scalar)
    }

    /// The number as the language writes it, with the stretches of digits that marks divide.
    private static func plain(_ pieces: [String], _ marks: [Unicode.Scalar]) -> String? {
        guard let first = pieces.first, let last = pieces.last, !first.isEmpty else { return nil }
        guard let mark = marks.last else { return first }
        let isDecimal: Bool
        if decimalMarks.contains(mark) {
            isDecimal = true
        } else if groupMarks.contains(mark) || marks.dropLast().contains(mark) {
            isDecimal = false
        } else {
            // A mark that comes once, as the only one, divides groups when a whole group follows.
            isDecimal = marks.count > 1 || last.count != 3 || first == "0" || first.count > 3
        }
        let groups = isDecimal ? pieces.dropLast() : pieces[...]
        let between = isDecimal ? marks.dropLast() : marks[...]
        if let group = between.first {
            // India groups by two digits, but for the last three.
            guard !decimalMarks.contains(group), between.allSatisfy({ $0 == group }), first.count <= 3,
                groups.dropFirst().dropLast().allSatisfy({ $0.count == 2 || $0.count == 3 }), groups.last?.count == 3
            else { return nil }
        }
        return groups.joined() + (isDecimal ? "." + last : "")
    }
}

/// The units of time in which figures are printed (`dialects/units.yaml`).
struct TimeUnits: Sendable {
    /// Seconds of each unit, by its name in lower case without a full stop.
    private let seconds: [String: Double]

    init(_ file: Field) throws(DataFileError) {
        var seconds: [String: Double] = [:]
        let lists = [
            ("milliseconds", 0.001), ("seconds", 1), ("minutes", 60), ("hours", 3600), ("days", 86_400),
        ]
        for (list, length) in lists {
            for name in try file.texts(list) { seconds[Self.folded(name)] = length }
        }
        self.seconds = seconds
    }

    /// How many seconds a unit has; `nil` when it is not known.
    func seconds(of unit: String) -> Double? { unit.isEmpty ? 1 : seconds[Self.folded(unit)] }

    private static func folded(_ unit: String) -> String {
        unit.lowercased().filter { $0 != "." && $0 != "\u{FF0E}" }
    }
}

/// Times of MetricKit payloads: `2020-10-24 22:59:00 +0000`, with or without a zone; without one they are taken as UTC.
enum PayloadTime {
    /// Nanoseconds since 1970 UTC; `nil` when the text is no such time.
    static func nanoseconds(_ text: String) -> Int64? {
        let form = /(\d{4}).(\d\d).(\d\d).(\d\d).(\d\d).(\d\d) ?(?:([+-])(\d\d):?(\d\d))?.*/
        guard let match = text.wholeMatch(of: form)?.output, let year = Int(match.1), let month = Int(match.2),
            let day = Int(match.3), CivilDate.isValid(year: year, month: month, day: day), let hour = Int64(match.4),
            let minute = Int64(match.5), let second = Int64(match.6)
        else { return nil }
        let zone = (match.8.flatMap { Int64($0) } ?? 0) * 3600 + (match.9.flatMap { Int64($0) } ?? 0) * 60
        let clock = hour * 3600 + minute * 60 + second
        return TimeLimits.nanoseconds(
            CivilDate.days(year: year, month: month, day: day) * 86_400 + clock - (match.7 == "-" ? -zone : zone))
    }
}
