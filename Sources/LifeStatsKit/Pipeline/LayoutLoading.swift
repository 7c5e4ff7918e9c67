import Foundation
import LogReading

/// The built-in layouts with the user's own: those of the configuration folder, then those that are named.
enum LayoutLoading {
    /// - Throws: ``LifeStatsError`` or `LayoutError` when a file cannot be read or a layout does not fit its samples.
    static func catalog(with files: [String]) throws -> LayoutCatalog {
        var catalog = try LayoutCatalog.builtIn()
        for file in configured + files { catalog = try catalog.adding(yaml: try TextFile.read(file), file: file) }
        return catalog
    }

    /// The user's layouts: `formats/*.yaml` in the configuration folder.
    private static var configured: [String] {
        guard let folder = ConfigurationFolder.path.map({ $0 + "/formats" }),
            let names = try? FileManager.default.contentsOfDirectory(atPath: folder)
        else { return [] }
        return names.filter { $0.hasSuffix(".yaml") || $0.hasSuffix(".yml") }.sorted().map { "\(folder)/\($0)" }
    }
}
