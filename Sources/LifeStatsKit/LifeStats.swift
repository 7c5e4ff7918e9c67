import Foundation

/// The version of lifestats.
public enum LifeStatsVersion {
    /// Semantic version; the CHANGELOG says what it holds.
    public static let current = "0.1.0"
}

/// Where a user keeps what is meant for every database: layouts of their own, and the key of `--redact`.
enum ConfigurationFolder {
    /// `lifestats` in `XDG_CONFIG_HOME`, or in `~/.config`; `nil` where neither is known.
    static var path: String? {
        let environment = ProcessInfo.processInfo.environment
        let home =
            environment["XDG_CONFIG_HOME"].flatMap { $0.isEmpty ? nil : $0 }
            ?? environment["HOME"].map { $0 + "/.config" }
        return home.map { $0 + "/lifestats" }
    }
}
