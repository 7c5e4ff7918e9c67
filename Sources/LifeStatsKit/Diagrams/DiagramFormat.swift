/// File formats of diagrams: the words of `--format`.
public enum DiagramFormat: String, Sendable, CaseIterable {
    case svg, png, pdf, dot, json

    /// The format that a file name asks for; `nil` when its ending is none of them.
    public init?(fileName: String) {
        guard let ending = fileName.split(separator: ".").last, fileName.contains(".") else { return nil }
        self.init(rawValue: ending.lowercased())
    }
}
