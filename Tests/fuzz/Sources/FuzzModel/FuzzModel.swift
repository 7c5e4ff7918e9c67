import FuzzDriver

@testable import LifecycleModel

/// Any text as a model, an overlay, a state chart or a graph: read, validated, and written in every format; what is
/// written as YAML must be read again as the same model.
///
/// The first character chooses what kind of file it is.
private enum Models {
    static let builtIn = try? ModelCatalog.builtIn()

    static func run(_ text: String) {
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

@_cdecl("LLVMFuzzerTestOneInput")
func test(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
    Models.run(String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self))
    return 0
}

@_cdecl("FuzzModel_main")
func main(_ count: CInt, _ arguments: FuzzDriver.Arguments) -> CInt {
    FuzzDriver.run(count, arguments) { test($0, $1) }
}
