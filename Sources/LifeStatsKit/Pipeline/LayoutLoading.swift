import LogReading

/// The built-in layouts with the user's own.
enum LayoutLoading {
    /// - Throws: ``LifeStatsError`` or `LayoutError` when a file cannot be read or a layout does not fit its samples.
    static func catalog(with files: [String]) throws -> LayoutCatalog {
        var catalog = try LayoutCatalog.builtIn()
        for file in files { catalog = try catalog.adding(yaml: try TextFile.read(file), file: file) }
        return catalog
    }
}
