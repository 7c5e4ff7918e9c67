import DataFiles
import Foundation
import LifecycleModel
public import Reports
import StateDiagrams
import TraceRecords

/// The documented models as tables, files and pictures.
public enum ModelGuide {
    /// All models as a table.
    ///
    /// - Throws: ``LifeStatsError`` when a model file has errors.
    public static func listing(models: [String] = []) throws -> String {
        try LifeStatsError.translated {
            ResultWriter.text(
                .table,
                columns: [
                    Column("model"), Column("layer"), Column("title"), Column("states"), Column("transitions"),
                    Column("rules"), Column("scenarios"),
                ],
                rows: try ModelLoading.catalog(with: models).models.map { model in
                    [
                        .text(model.id), .text(model.layer), .text(model.title.english),
                        .integer(Int64(model.states.count)), .integer(Int64(model.transitions.count)),
                        .integer(Int64(model.rules.count + model.limits.count)),
                        .integer(Int64(model.scenarios.count)),
                    ]
                }, options: .ofTerminal)
        }
    }

    /// A model as tables: states, callbacks, transitions, scenarios, limits, rules.
    ///
    /// - Parameters:
    ///   - name: id of a model, or a file.
    ///   - system: a version of iOS of which only what holds in it is shown; `nil` shows everything.
    /// - Throws: ``LifeStatsError`` when there is no such model, or the version is none.
    public static func description(
        of name: String, system: String? = nil, language: String, format: OutputFormat
    ) throws -> String {
        try LifeStatsError.translated {
            _ = try PictureLanguage(named: language)
            if name == "settings" {
                return text(ModelTables.tables(of: try ModelCatalog.builtIn().settings), format)
            }
            var model = try model(name)
            if let system {
                guard let major = SystemRange.major(of: system) else {
                    throw LifeStatsError("--os \(system): not a version", remedy: "write it as 27 or 17.4")
                }
                model = model.inSystem(major)
            }
            return text(ModelTables.tables(of: model, language: language), format)
        }
    }

    /// Several tables in one text. JSON: an object with a member for each table. NDJSON: a member with the name of the
    /// table in each row. Otherwise: headings.
    private static func text(_ tables: [ModelTable], _ format: OutputFormat) -> String {
        let texts = tables.map { table in
            let isMarked = format == .ndjson
            return ResultWriter.text(
                format,
                columns: ((isMarked ? ["table"] : []) + table.columns).map { Column($0, kind: .plain) },
                rows: table.rows.map { row in ((isMarked ? [table.name] : []) + row).map { .text($0) } },
                options: .ofTerminal)
        }
        switch format {
        case .ndjson: return texts.joined()
        case .json:
            let members = zip(tables, texts).map { table, text in
                "\"\(table.name)\": \(text.trimmingCharacters(in: .newlines))"
            }
            return "{\n\(members.joined(separator: ",\n"))\n}\n"
        case .table, .csv, .markdown:
            return zip(tables, texts).map { table, text in
                (format == .markdown ? "## \(table.name)\n\n" : "\(table.name)\n") + text
            }.joined(separator: "\n")
        }
    }

    /// The errors of a model file with their lines; empty when there are none.
    ///
    /// - Parameter models: files of other models of the user that it builds on.
    /// - Throws: ``LifeStatsError`` when the file cannot be read at all.
    public static func validation(
        of file: String, models: [String] = []
    ) throws -> (text: String, hasErrors: Bool) {
        try LifeStatsError.translated {
            let found = try ModelValidator.diagnostics(
                ofText: try TextFile.read(file), file: file, in: ModelLoading.catalog(with: models))
            return (found.map { "\($0)\n" }.joined(), found.contains { $0.level == .error })
        }
    }

    /// A model in a format of another tool, or as a picture.
    ///
    /// - Throws: ``LifeStatsError`` when there is no such model or format.
    public static func export(_ name: String, format: String, language: String) throws -> [UInt8] {
        try LifeStatsError.translated {
            _ = try PictureLanguage(named: language)
            let model = try model(name)
            if let textFormat = ModelWriter.Format(rawValue: format) {
                let text = try ModelWriter.text(of: model, as: textFormat, language: language)
                // Titles may hold anything. The other formats are read back, and have escapes of their own.
                let isPicture = textFormat == .dot || textFormat == .mermaid
                return Array((isPicture ? VisibleText.neutralised(text, keepsLines: true) : text).utf8)
            }
            guard format == "svg" else {
                let known = ModelWriter.Format.allCases.map(\.rawValue) + ["svg"]
                throw LifeStatsError(
                    "--format \(format): there is no such format",
                    remedy: Suggestion.remedy(format, among: known, or: "use \(known.joined(separator: ", "))"))
            }
            var options = DiagramOptions()
            options.view = .documented
            options.language = PictureLanguage(checked: language)
            return try StateDiagram(ObservedGraph.documented(model, language: language), options: options).bytes(.svg)
        }
    }

    /// A built-in model by its id, or a model file by its path.
    private static func model(_ name: String) throws -> LifecycleModel {
        let catalog = try ModelCatalog.builtIn()
        if let model = catalog.model(name) { return model }
        guard ["yaml", "yml"].contains(name.split(separator: ".").last?.lowercased()) else {
            throw LifeStatsError(
                "there is no model \(name)",
                remedy: Suggestion.remedy(
                    name, among: catalog.models.map(\.id),
                    or: "models are \(catalog.models.map(\.id).joined(separator: ", ")); a model file ends in .yaml"))
        }
        return try ModelReader.read(try TextFile.read(name), file: name)
    }
}

/// The models that pictures can be drawn of: built-in ones, those of files, and those stored in the database.
struct KnownModels {
    private(set) var models: [LifecycleModel]

    /// - Throws: ``LifeStatsError`` or `DataFileError` when a file cannot be read or is not a model.
    init(files: [String] = [], _ reader: DatabaseReading?) throws {
        models = try ModelLoading.catalog(with: files).models
        guard let reader else { return }
        let sql = "SELECT DISTINCT model FROM documented_states ORDER BY model"
        for id in try Rows.all(reader, sql).compactMap({ $0.text("model") })
        where !models.contains(where: { $0.id == id }) {
            if let model = try StoredModel.read(id: id, from: reader) { models.append(model) }
        }
    }

    /// Layers and ids that ``drawn(layer:)`` knows.
    var layers: [String] { models.map(\.id) }

    /// - Throws: ``LifeStatsError`` when there is no such layer.
    func drawn(layer: String) throws -> LifecycleModel {
        if let model = models.first(where: { $0.layer == layer }) ?? models.first(where: { $0.id == layer }) {
            return model
        }
        let advice = "layers are \(layers.joined(separator: ", ")); add a model of your own with --model FILE"
        throw LifeStatsError(
            "there is no layer \(layer)", remedy: Suggestion.remedy(layer, among: layers, or: advice))
    }
}

/// A user's model as stored in the database: enough to draw it without its file.
enum StoredModel {
    /// The model with an id; `nil` when the database has none.
    static func read(id: String, from reader: DatabaseReading) throws -> LifecycleModel? {
        let values: [String: SQLValue] = ["model": .text(id)]
        let states = try Rows.all(reader, "SELECT * FROM documented_states WHERE model = $model", values)
        guard let first = states.first else { return nil }
        let transitions = try Rows.all(
            reader, "SELECT * FROM documented_transitions WHERE model = $model", values)
        return LifecycleModel(
            id: id, layer: first.text("layer") ?? id,
            title: LocalizedText(["en": id.prefix(1).uppercased() + id.dropFirst()]), scope: .run,
            initial: states.first { $0.integer("initial") == 1 }?.text("state") ?? "",
            final: states.filter { $0.integer("final") == 1 }.compactMap { $0.text("state") },
            states: states.compactMap { row in
                row.text("state").map {
                    ModelState(id: $0, title: LocalizedText(["en": row.text("title") ?? $0]), citation: "")
                }
            },
            transitions: transitions.compactMap { row in
                guard let from = row.text("from_state"), let to = row.text("to_state") else { return nil }
                let callbacks = (row.text("callbacks") ?? "").split(separator: ",").map {
                    $0.trimmingPrefix(" ").description
                }
                let step = StepPattern.callback(CallbackPattern(names: callbacks))
                let citation = row.text("citation") ?? ""
                return ModelTransition(
                    id: citation.split(separator: ":").first.map(String.init) ?? "", from: [from], to: [to],
                    steps: callbacks.isEmpty ? [] : row.integer("silent") == 1 ? [.optional([step])] : [step],
                    citation: citation)
            })
    }
}
