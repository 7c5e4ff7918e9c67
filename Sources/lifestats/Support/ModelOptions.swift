import ArgumentParser

/// The models that a command knows beside the built-in ones.
struct ModelOptions: ParsableArguments {
    @Option(
        name: .customLong("model"),
        help: ArgumentHelp("A model of your own beside the built-in ones; may be repeated.", valueName: "file"))
    var files: [String] = []
}
