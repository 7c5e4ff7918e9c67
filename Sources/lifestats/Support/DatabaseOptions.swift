import ArgumentParser
import Foundation

/// Which database a command works on.
struct DatabaseOptions: ParsableArguments {
    @Option(
        name: .customLong("db"),
        help: ArgumentHelp(
            "The database file (default: lifestats.db, or what LIFESTATS_DB names).", valueName: "file"))
    var file: String?

    /// The path: the option, else the environment, else `lifestats.db` in the working folder.
    var path: String {
        file ?? ProcessInfo.processInfo.environment["LIFESTATS_DB"].flatMap { $0.isEmpty ? nil : $0 }
            ?? "lifestats.db"
    }
}
