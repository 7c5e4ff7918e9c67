/// Whether the model knows a change of state: the words of the column `verdict`.
public enum Verdict: String, Sendable, Codable, CaseIterable {
    case documented, undocumented
}
