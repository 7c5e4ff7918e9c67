/// Writes models for people and for other tools.
package enum ModelWriter {
    /// The formats of `lifestats model export`, except pictures.
    package enum Format: String, Sendable, CaseIterable {
        case yaml, json, dot, mermaid, scxml
    }

    /// A model in a format.
    ///
    /// - Parameter language: language of the titles of states in `dot` and `mermaid`.
    /// - Throws: ``ModelError`` when the text cannot be made.
    package static func text(
        of model: LifecycleModel, as format: Format, language: String = "en"
    ) throws(ModelError) -> String {
        switch format {
        case .yaml: try model.tree.yaml()
        case .json: model.tree.json() + "\n"
        case .dot: DOTWriter.text(of: model, language: language)
        case .mermaid: MermaidWriter.text(of: model, language: language)
        case .scxml: try SCXMLWriter.text(of: model)
        }
    }
}
