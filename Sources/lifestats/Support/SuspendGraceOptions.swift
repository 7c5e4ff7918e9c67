import ArgumentParser
import LifeStatsKit

/// How an app's suspension is estimated.
struct SuspendGraceOptions: ParsableArguments {
    @Option(
        name: .customLong("suspend-grace"),
        help: ArgumentHelp(
            "Seconds of silence in background after which the app counts as suspended, or off (default: what the "
                + "database was made with, at first 5).",
            valueName: "seconds|off"))
    var grace: SuspendGrace?
}
