/// The version of lifestats.
public enum LifeStatsVersion {
    /// Semantic version; the CHANGELOG says what it holds.
    public static let current = "0.1.0"
}
