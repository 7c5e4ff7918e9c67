/// The layout of one kind of log: data, read from a YAML file.
package struct Layout: Sendable {
    /// Which lines without the layout still belong to the record before them.
    package enum Continuation: String, Sendable, CaseIterable {
        /// All: only whole records are written to such logs.
        case any
        /// Indented ones and closing brackets; others are lines of their own, as `print` writes them.
        case indented
        /// None.
        case none
    }

    /// A line that the layout must read, and what it must find in it.
    package struct Sample: Sendable, Hashable {
        package var line: String
        /// ISO 8601, in UTC; `nil` when the line has no time.
        package var time: String?
        package var process: String?
        package var pid: Int32?
        package var device: String?
        package var subsystem: String?
        package var message: String?
        /// Where it stands in the layout's file.
        package var fileLine: Int?
    }

    /// Name for `--format` and the column `format`.
    package var name: String
    /// What writes such logs, in a few words.
    package var title: String
    /// What to know about it.
    package var about: String
    /// How lines that do not match go on.
    package var continuation: Continuation
    /// What the subsystem of its entries is, where the lines do not say it.
    package var label: String?
    /// The zone of its times that state none; `nil` where the user must know.
    package var zone: FixedZone?
    /// Whether the message is the whole line and not only what follows the header.
    package var keepsWholeLine: Bool
    /// The patterns as written, most specific first.
    package var patternTexts: [String]
    /// Lines that every reader of the layout must understand.
    package var samples: [Sample]
    /// Where the layout was read from.
    package var file: String
    /// The line of the file that its name stands on.
    package var fileLine: Int?

    var patterns: [LinePattern]
    /// Lines that belong to the format and say nothing: headers, footers, notes of the tool.
    var ignored: [LinePattern]
    /// Whether a line of the layout ends the record, and its message stands in the lines before it.
    var followsMessage: Bool
    /// The keys of records that are JSON objects; `nil` when the layout has none.
    var json: JSONKeys?
    /// Sets of keys: an object that has all of one set says nothing.
    var ignoredJSON: [[[UInt8]]]
}

/// A layout file that cannot be used.
package struct LayoutError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The layout file.
    package var file: String
    /// Line of the file, counted from 1; `nil` when no line is to blame.
    package var line: Int?
    /// What is wrong, and how to mend it.
    package var message: String

    package var description: String {
        line.map { "\(file):\($0): \(message)" } ?? "\(file): \(message)"
    }
}

/// What is wrong with a layout, without the place where it stands.
struct LayoutProblem: Error, Hashable {
    var text: String
    init(_ text: String) { self.text = text }
}
