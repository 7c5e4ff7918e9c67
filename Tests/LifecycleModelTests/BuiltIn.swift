import DataFiles
@testable import LifecycleModel

/// The built-in catalog, read once for all tests.
enum BuiltIn {
    static let catalog = Result(catching: ModelCatalog.builtIn)

    static func model(_ id: String) throws -> LifecycleModel {
        guard let model = try catalog.get().model(id) else {
            throw DataFileError(file: id, line: 0, message: "there is no such model")
        }
        return model
    }
}
