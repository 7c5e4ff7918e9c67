import Foundation

/// The version of lifestats.
public enum LifeStatsVersion {
    /// Semantic version; see the CHANGELOG.
    public static let current = "0.1.0"
}

/// The folder for what applies to every database: layouts of the user, and the key of `--redact`.
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
