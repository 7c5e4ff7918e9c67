import LifecycleModel
import TraceStore

/// The models that pictures can be drawn of: built-in ones, those of files, and those stored in the database.
struct KnownModels {
    private(set) var models: [LifecycleModel]

    /// - Throws: ``LifeStatsError`` or `ModelError` when a file cannot be read or is not a model.
    init(files: [String] = [], _ reader: DatabaseReading) throws {
        models = try ModelLoading.catalog(with: files).models
        let sql = "SELECT DISTINCT model FROM documented_states ORDER BY model"
        for id in try Rows.all(reader, sql).compactMap({ $0.text("model") })
        where !models.contains(where: { $0.id == id }) {
            if let model = try StoredModel.read(id: id, from: reader) { models.append(model) }
        }
    }

    /// Layers and ids that ``drawn(layer:)`` knows.
    var layers: [String] { models.map(\.id) }

    /// The model of a layer, or with an id.
    func drawn(layer: String) -> LifecycleModel? {
        models.first { $0.layer == layer } ?? models.first { $0.id == layer }
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
