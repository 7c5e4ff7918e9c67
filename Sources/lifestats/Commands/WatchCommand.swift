import ArgumentParser
import LifeStatsKit

struct WatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Shows live what an app does: current states, changes, findings.",
        discussion: """
            The view is updated in place. For each app, scene and view controller it shows the current state, how \
            long it has lasted, and a strip of the last five minutes; below, the latest changes (red: undocumented) \
            and findings as they happen, with their smallest repair. If standard output is not a terminal, changes \
            and findings are printed as plain lines.

            What is read is stored in a temporary database; --db FILE keeps it.

            Keys: p pauses the view, f shows only apps whose name contains a text, s saves the diagram and the report into \
            the working folder, q quits.

            Examples:
              idevicesyslog | lifestats watch -
              xcrun simctl spawn booted log stream --style compact | lifestats watch -
              lifestats watch app.log
            """
    )

    @Argument(help: ArgumentHelp("A log that grows, or - for standard input.", valueName: "file"))
    var path = "-"

    @OptionGroup var database: DatabaseOptions

    @OptionGroup var models: ModelOptions

    @OptionGroup(title: "Reading logs") var logs: LogOptions

    func run() throws {
        var options = logs.options(for: [path], models: models.files)
        options.follow = path != "-"
        let report = try OneStep.live(options, keepingIn: database.file) { options in
            guard !LiveView.isPossible else { return try LiveView.screen(options, colors: Console.colorsOutput) }
            return try LiveView.lines(
                options, colors: false, notice: { Console.say($0) }, write: { Console.write($0 + "\n") })
        }
        Console.say(report)
    }
}
