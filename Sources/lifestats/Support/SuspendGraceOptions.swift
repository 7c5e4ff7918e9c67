import ArgumentParser

/// How an app's suspension is estimated.
struct SuspendGraceOptions: ParsableArguments {
    @Option(
        name: .customLong("suspend-grace"),
        help: ArgumentHelp(
            "Seconds of silence in background after which the app counts as suspended, or off.",
            valueName: "seconds|off"))
    var grace: SuspendGrace = .seconds(5)
}
