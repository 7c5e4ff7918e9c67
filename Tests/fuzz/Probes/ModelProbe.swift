@testable import LifecycleModel

/// Any text as a model, an overlay, a state chart or a graph: read, validated, and written in every format; what is
/// written as YAML must be read again as the same model.
///
/// The first character chooses what kind of file it is.
public enum ModelProbe {
    private static let builtIn = try? ModelCatalog.builtIn()

    public static func run(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        guard var catalog = builtIn else { preconditionFailure("the built-in models cannot be read") }
        let name =
            switch text.first {
            case "<": "fuzz.scxml"
            case "d", "s": "fuzz.dot"
            default: "fuzz.yaml"
            }
        guard (try? catalog.add(text: text, file: name)) != nil else { return }
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
