/// All callbacks of the models in use, numbered, so that an event can refer to its callback by a small number.
///
/// Numbers follow the order of the models and of their callbacks, so the same models give the same numbers.
package struct Vocabulary: Sendable, Hashable {
    /// One callback of one model.
    package struct Entry: Sendable, Hashable {
        /// Number of the callback: its index in ``Vocabulary/entries``.
        package var index: UInt16
        /// Id of the model that declares it.
        package var model: String
        /// Layer of that model.
        package var layer: String
        package var callback: ModelCallback
    }

    /// All callbacks by number.
    package let entries: [Entry]
    private let byName: [String: [UInt16]]
    /// Ids of the models.
    package let models: Set<String>

    /// Numbers the callbacks of the models. Callbacks beyond 65,535 are ignored.
    package init(models: [LifecycleModel]) {
        var entries: [Entry] = []
        var byName: [String: [UInt16]] = [:]
        for model in models {
            for callback in model.callbacks {
                guard let index = UInt16(exactly: entries.count), index < .max else { break }
                entries.append(Entry(index: index, model: model.id, layer: model.layer, callback: callback))
                byName[callback.id, default: []].append(index)
            }
        }
        self.entries = entries
        self.byName = byName
        self.models = Set(models.map(\.id))
    }

    /// The callback with a number of this vocabulary.
    package subscript(index: UInt16) -> Entry { entries[Int(index)] }

    /// The number of a callback of the given model, or of the first model that declares it.
    package func index(of callback: String, model: String? = nil) -> UInt16? {
        byName[callback]?.first { model == nil || entries[Int($0)].model == model }
    }

    /// Number of callbacks.
    package var count: Int { entries.count }
}
