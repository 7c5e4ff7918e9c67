/// Why a model file cannot be used: what, where and how to fix it.
package struct ModelError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file, as the caller named it.
    package var file: String
    /// Line, counted from 1; 0 when it concerns the whole file.
    package var line: Int
    /// What is wrong and how to fix it, as one sentence.
    package var message: String

    package init(file: String, line: Int, message: String) {
        self.file = file
        self.line = line
        self.message = message
    }

    package var description: String { line > 0 ? "\(file):\(line): \(message)" : "\(file): \(message)" }
}

/// Files and lines of the parts of a model, for messages.
///
/// All origins are equal, so that two models with the same content are equal.
package struct ModelOrigin: Sendable, Hashable {
    /// A line of a file.
    package struct Location: Sendable, Hashable {
        package var file: String
        /// Counted from 1.
        package var line: Int
    }

    /// A part of a model: its kind and its id.
    package enum Part: Sendable, Hashable {
        case model, initial, derives
        case state(String)
        case callback(String)
        case transition(String)
        case rule(String)
        case limit(String)
        case scenario(String)
        case equivalenceClass(String)
        case nextCallbacks(Int)
    }

    /// The file of the model itself.
    package var file = ""
    /// Searched only for messages, so a list that is cheap to build is enough.
    private var locations: [(part: Part, location: Location)] = []

    package init() {}

    package static func == (a: ModelOrigin, b: ModelOrigin) -> Bool { true }
    package func hash(into hasher: inout Hasher) {}

    mutating func note(_ part: Part, _ field: Field) {
        locations.append((part, Location(file: field.file, line: field.line)))
    }

    /// Where a part is defined; the beginning of the model's file when that is not known.
    package func location(of part: Part) -> Location {
        locations.last { $0.part == part }?.location ?? Location(file: file, line: 1)
    }
}
