package import DataFiles

/// Reads model files.
package enum ModelReader {
    /// The model that a YAML text describes.
    ///
    /// - Parameter file: name of the file for messages.
    /// - Throws: ``DataFileError`` with file and line at the first problem.
    package static func read(_ text: String, file: String) throws(DataFileError) -> LifecycleModel {
        try model(Field.document(text, file: file))
    }

    /// The model that the top of a file describes.
    static func model(_ document: Field) throws(DataFileError) -> LifecycleModel {
        var model = LifecycleModel(id: "", layer: "", title: LocalizedText(), scope: .object, initial: "")
        var fields = try Fields(reading: document)
        try model.bind(&fields)
        try fields.finish()
        model.origin.file = document.file
        let drawn = model.states.filter(\.isDrawn).map(\.id)
        for index in model.transitions.indices where model.transitions[index].from == ["any"] {
            let to = model.transitions[index].to
            model.transitions[index].from = drawn.filter { !to.contains($0) }
        }
        return model
    }

    /// Adds the rules, limits and scenarios of a file that begins with `part of:` to its model.
    ///
    /// - Throws: ``DataFileError`` when the file cannot be read or is part of another model.
    static func add(part document: Field, to model: inout LifecycleModel) throws(DataFileError) {
        var fields = try Fields(reading: document)
        let owner = fields.entry("part of")
        var id = ""
        try fields.require("part of", &id)
        if let owner, id != model.id { throw owner.error("the file is part of '\(id)', not of '\(model.id)'") }
        try model.bindParts(&fields)
        try fields.finish()
    }
}

extension LifecycleModel {
    /// The content of the model as ``ModelReader`` reads it.
    var tree: DataTree {
        var model = self
        return Fields.tree { fields throws(DataFileError) in try model.bind(&fields) }
    }

    fileprivate mutating func bind(_ fields: inout Fields) throws(DataFileError) {
        if let field = fields.entry("model") { origin.note(.model, field) }
        if let field = fields.entry("initial") { origin.note(.initial, field) }
        try fields.require("model", &id)
        try fields.bind("layer", &layer, usual: fields.isReading ? id : nil)
        try fields.bindTitle(&title, of: id)
        try fields.bind("one machine per", &scope, usual: fields.isReading ? .object : nil)
        try fields.require("initial", &initial)
        try fields.bind("final", &final)
        try fields.bind("uses", &uses)
        try fields.bind("read by dialects", &isReadByDialects)
        try origin.bind("states", &states, ModelOrigin.Part.state, &fields, isRequired: true)
        try origin.bind("callbacks", &callbacks, ModelOrigin.Part.callback, &fields)
        try origin.bind("transitions", &transitions, ModelOrigin.Part.transition, &fields, isRequired: true)
        try bindParts(&fields)
    }

    /// Reads or writes what further files of the model may contain. Reading adds to what is there.
    fileprivate mutating func bindParts(_ fields: inout Fields) throws(DataFileError) {
        try origin.bind("rules", &rules, ModelOrigin.Part.rule, &fields)
        try origin.bind("limits", &limits, ModelOrigin.Part.limit, &fields)
        try origin.bind("scenarios", &scenarios, ModelOrigin.Part.scenario, &fields)
        // A path that names no model is one of this model.
        for index in scenarios.indices where scenarios[index].paths.first?.model == "" {
            scenarios[index].paths[0].model = id
        }
        try origin.bind("classes", &classes, ModelOrigin.Part.equivalenceClass, &fields)
        for (index, row) in (try fields.entry("next callbacks")?.elements() ?? []).enumerated() {
            origin.note(.nextCallbacks(nextCallbacks.count + index), row)
        }
        try fields.bindMore("next callbacks", &nextCallbacks)
        if let field = fields.entry("derives") { origin.note(.derives, field) }
        try fields.bind("derives", &derives, usual: fields.isReading ? derives : .some(nil))
    }
}

extension ModelOrigin {
    /// Reads or writes a mapping of parts, and notes where each is defined.
    fileprivate mutating func bind<Element: KeyedRecord>(
        _ key: String, _ parts: inout [Element], _ part: (String) -> Part, _ fields: inout Fields,
        isRequired: Bool = false
    ) throws(DataFileError) {
        for entry in try fields.entry(key)?.entries() ?? [] { note(part(entry.key), entry) }
        try fields.bindMore(key, &parts, isRequired: isRequired)
    }
}

extension Fields {
    /// A list of which a further file may contain more: reading adds to it.
    fileprivate mutating func bindMore<Element: FieldValue>(
        _ key: String, _ values: inout [Element], isRequired: Bool = false
    ) throws(DataFileError) {
        var more = isReading ? [] : values
        try bind(key, &more, usual: isRequired ? nil : [])
        if isReading { values += more }
    }
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
