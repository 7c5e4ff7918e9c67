import ArgumentParser
import LifeStatsKit

/// Which part of the database a command looks at.
struct FilterOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Only this app (process name).", valueName: "name"))
    var app: String?

    @Option(help: ArgumentHelp("Only this version of the app.", valueName: "version"))
    var appVersion: String?

    @Option(help: ArgumentHelp("Only this device.", valueName: "name"))
    var device: String?

    @Option(help: ArgumentHelp("Only this run (run_id).", valueName: "id"))
    var run: Int64?

    @Option(help: ArgumentHelp("Only from this time on (ISO 8601; UTC unless it says otherwise).", valueName: "time"))
    var since: String?

    @Option(help: ArgumentHelp("Only before this time (ISO 8601; UTC unless it says otherwise).", valueName: "time"))
    var until: String?

    func filter(scenario: String? = nil) throws -> Filter {
        try Filter(
            app: app, appVersion: appVersion, device: device, run: run, scenario: scenario, since: since, until: until)
    }

    /// The filter in words, for people.
    var words: [String] {
        [
            app.map { "app \($0)" }, appVersion.map { "version \($0)" }, device.map { "device \($0)" },
            run.map { "run \($0)" }, since.map { "since \($0)" }, until.map { "until \($0)" },
        ].compactMap(\.self)
    }
}
