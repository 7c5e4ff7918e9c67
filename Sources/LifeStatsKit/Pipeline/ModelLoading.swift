import LifecycleModel

/// The built-in models with the user's own.
enum ModelLoading {
    /// - Throws: ``LifeStatsError`` or `ModelError` when a file cannot be read or is no model.
    static func catalog(with files: [String]) throws -> ModelCatalog {
        var catalog = try ModelCatalog.builtIn()
        for file in files { catalog.add(try ModelReader.read(try TextFile.read(file), file: file)) }
        return catalog
    }
}
