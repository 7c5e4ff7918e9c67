import ArgumentParser
import LifeStatsKit

struct WatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Shows live what an app does: present states, changes, findings.",
        discussion: """
            The view stays in place: for each app, scene and view controller its present state and how long it has \
            lasted, a strip of the last five minutes, the latest changes (red: undocumented), and findings as they happen, \
            with their smallest repair. Where standard output is not a terminal, changes and findings are plain lines.

            What is read goes into a temporary database; --db FILE keeps it.

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
