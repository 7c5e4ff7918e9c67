/// Where the parts of a model stand in its files, for messages.
///
/// All origins are equal, so that two models are equal when they say the same, wherever they stand.
package struct ModelOrigin: Sendable, Hashable {
    /// A line of a file.
    package struct Place: Sendable, Hashable {
        package var file: String
        /// Counted from 1.
        package var line: Int
    }

    /// A part of a model: its kind and its id.
    package enum Part: Sendable, Hashable {
        case model, initial, final, uses, derives
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
    private var places: [Part: Place] = [:]

    package init() {}

    package static func == (a: ModelOrigin, b: ModelOrigin) -> Bool { true }
    package func hash(into hasher: inout Hasher) {}

    mutating func note(_ part: Part, _ field: YAMLField) {
        places[part] = Place(file: field.file, line: field.line)
    }

    /// Where a part stands; the beginning of the model's file when that is not known.
    package func place(of part: Part) -> Place { places[part] ?? Place(file: file, line: 1) }
}
