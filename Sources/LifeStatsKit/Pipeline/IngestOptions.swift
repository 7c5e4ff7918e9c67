import Foundation
import LifecycleModel
import LogReading
import TraceRecords

/// What to read, and what to assume about it.
public struct IngestOptions: Sendable {
    /// Files, folders, globs, archives; `-` is standard input.
    public var paths: [String]
    /// The database file; created when it does not exist.
    public var database: String
    /// Name of the one format to read everything as; `nil` finds it out from the content.
    public var format: String?
    /// Name of the device that the logs come from, where they name none.
    public var device: String?
    /// Version of the app that wrote the logs.
    public var appVersion: String?
    /// Version of the system that the logs come from, where they do not tell it.
    public var systemVersion: String?
    /// Zone of times that carry none, as `UTC`, `Europe/Zurich` or `+02:00`.
    public var timezone = "UTC"
    /// Year of times that carry none.
    public var year: Int?
    /// Date (`yyyy-mm-dd`) of times that carry none.
    public var date: String?
    /// Files of models beside the built-in ones.
    public var models: [String] = []
    /// Files of layouts beside the built-in ones.
    public var formats: [String] = []
    /// A file of further spellings of callbacks.
    public var aliases: String?
    /// Silence of a process in background after which it counts as suspended; `nil` takes what the database was made
    /// with.
    public var suspendGrace: SuspendGrace?
    /// Go on reading what is appended until interrupted.
    public var follow = false
    /// Keep the text of each event's line.
    public var keepMessages = false
    /// Replace device names, paths, identifiers and free text by pseudonyms.
    public var redact = false
    /// How many logs are read side by side. The content of the database does not depend on it.
    var lanes = 2
    /// Logs of so many facts are derived again as a whole when they grow, which is cheaper than to keep the state of their
    /// replay. The content of the database does not depend on it.
    var mostFactsOfSmallLog = Self.usualSmallLog
    static let usualSmallLog = 10_000

    public init(paths: [String], database: String) {
        self.paths = paths
        self.database = database
    }
}

extension IngestOptions {
    /// Whether they name the user's own files: models, layouts, aliases.
    var namesMaterial: Bool { !models.isEmpty || !formats.isEmpty || aliases != nil || format != nil }

    /// The options that concern reading.
    ///
    /// - Throws: ``LifeStatsError`` when a zone, year or date cannot be understood.
    func readingOptions() throws -> ReadingOptions {
        let years = TimeLimits.years
        if let year, !years.contains(year) {
            throw LifeStatsError(
                "--year \(year): not a year from \(years.lowerBound) to \(years.upperBound)",
                remedy: (0..<100).contains(year) ? "write all four digits: --year \(2000 + year)" : nil)
        }
        if let date, ReadingOptions.Day(date) == nil {
            throw LifeStatsError("--date \(date): not a date", remedy: "write it as 2026-03-01")
        }
        if let systemVersion, SystemRange.major(of: systemVersion) == nil {
            throw LifeStatsError("--os-version \(systemVersion): not a version", remedy: "write it as 17.4")
        }
        var reading = ReadingOptions()
        do {
            reading = try reading.assuming(
                ReadingAssumptions(format: format, timezone: timezone, year: year, date: date))
        } catch {
            throw LifeStatsError(
                "--timezone \(timezone): there is no such time zone",
                remedy: Suggestion.remedy(
                    timezone, among: TimeZone.knownTimeZoneIdentifiers,
                    or: "use UTC, an offset such as +02:00, or a name such as Europe/Zurich"))
        }
        // A pipe that is silent for so many milliseconds hands over what it has.
        reading.patience = 200
        reading.isFollowing = follow
        return reading
    }
}

extension ReadingOptions {
    /// The same options with what the user says of a text.
    ///
    /// - Throws: ``ReadingError`` when there is no such zone.
    func assuming(_ said: ReadingAssumptions) throws(ReadingError) -> ReadingOptions {
        var options = self
        options.format = said.format
        options.timezone = try NamedZone.zone(named: said.timezone)
        options.year = said.year
        options.date = said.date.flatMap(Day.init)
        return options
    }
}

extension ReadingOptions.Day {
    /// A date as `yyyy-mm-dd`; `nil` when the text is none.
    fileprivate init?(_ text: String) {
        guard let match = text.wholeMatch(of: /(\d{4})-(\d\d)-(\d\d)/), let year = Int(match.1),
            let month = Int(match.2), let day = Int(match.3),
            TimeLimits.years.contains(year), CivilDate.isValid(year: year, month: month, day: day)
        else { return nil }
        self.init(year: year, month: month, day: day)
    }
}

/// How long a background process must be silent to count as suspended.
public enum SuspendGrace: Sendable, Hashable, RawRepresentable {
    /// No suspension is estimated.
    case off
    /// Longer than this, in nanoseconds.
    case nanoseconds(Int64)

    /// The default: 5 s.
    public static let usual = SuspendGrace.nanoseconds(5_000_000_000)

    /// Reads seconds from 1 to 86,400, or `off`.
    public init?(rawValue text: String) {
        if text == "off" {
            self = .off
        } else if let seconds = Double(text), seconds >= 1, seconds <= 86_400 {
            self = .nanoseconds(Int64((seconds * 1e9).rounded()))
        } else {
            return nil
        }
    }

    /// In nanoseconds; `nil` for ``off``.
    public var nanoseconds: Int64? {
        switch self {
        case .off: nil
        case .nanoseconds(let nanoseconds): nanoseconds
        }
    }

    /// The value of `--suspend-grace`.
    public var rawValue: String {
        switch self {
        case .off: "off"
        case .nanoseconds(let nanoseconds):
            nanoseconds % 1_000_000_000 == 0
                ? "\(nanoseconds / 1_000_000_000)" : "\(Double(nanoseconds) / 1e9)"
        }
    }
}
