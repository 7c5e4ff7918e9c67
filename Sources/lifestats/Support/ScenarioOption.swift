import ArgumentParser

/// The filter by scenario, which only pictures have.
struct ScenarioOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Only runs in which this documented scenario, or one of this class, occurs (SC-A06, EQ-1).",
            valueName: "id"))
    var scenario: String?
}
