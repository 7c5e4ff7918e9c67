import Testing

@testable import LifecycleModel

@Suite("Validating a model")
struct ModelValidatorTests {
    @Test("finds nothing in the built-in models", arguments: ["app", "process", "scene", "view"])
    func builtInModelsAreSound(id: String) throws {
        let diagnostics = ModelValidator.diagnostics(of: try BuiltIn.model(id), in: try BuiltIn.catalog.get())
        #expect(diagnostics.map(\.description) == [])
    }
}
