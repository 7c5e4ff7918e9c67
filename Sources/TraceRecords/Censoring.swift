/// Which ends of a stay the log does not show: the words of the column `censored`.
public enum Censoring: String, Sendable, Codable, CaseIterable {
    case neither = ""
    case left, right, both
}
