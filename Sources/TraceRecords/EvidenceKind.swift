/// Whether a line says so, or the model says that it must have happened: the words of the column `evidence`.
public enum EvidenceKind: String, Sendable, Codable, CaseIterable {
    case observed, inferred
}
