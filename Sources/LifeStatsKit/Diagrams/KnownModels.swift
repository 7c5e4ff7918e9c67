import LifecycleModel
import TraceStore

/// The models that pictures can be drawn of: the built-in ones, those of files, and those that the database remembers.
struct KnownModels {
    private(set) var models: [LifecycleModel]

    /// - Throws: ``LifeStatsError`` or `ModelError` when a file cannot be read or is no model.
    init(files: [String] = [], _ reader: TraceReader) throws {
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
