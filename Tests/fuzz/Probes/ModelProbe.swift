@testable import LifecycleModel

/// Any text as a model or an overlay: read, validated, and written in every format. A model written as YAML must be read
/// as the same model.
public enum ModelProbe {
    private static let builtIn = try? ModelCatalog.builtIn()

    public static func run(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        guard var catalog = builtIn else { preconditionFailure("the built-in models cannot be read") }
        guard (try? catalog.add(yaml: text, file: "fuzz.yaml")) != nil else { return }
        _ = Vocabulary(models: catalog.models).count
        for model in catalog.models.suffix(catalog.models.count - (builtIn?.models.count ?? 0)) {
            _ = model.edges
            _ = model.silentMoves
            _ = ModelValidator.diagnostics(of: model, in: catalog)
            for format in ModelWriter.Format.allCases { _ = try? ModelWriter.text(of: model, as: format) }
            guard let yaml = try? ModelWriter.text(of: model, as: .yaml),
                let again = try? ModelReader.read(yaml, file: "again.yaml")
            else { continue }
            precondition(
                (try? ModelWriter.text(of: again, as: .yaml)) == yaml, "a model must be read as it was written")
        }
    }
}
