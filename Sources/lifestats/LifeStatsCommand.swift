import ArgumentParser
import CHeap
import Foundation
import LifeStatsKit

/// The command line: options, one call of `LifeStatsKit`, an exit code.
@main
struct LifeStatsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lifestats",
        abstract: "Shows how an iOS app really lives, beside how Apple documents it.",
        discussion: """
            Reads logs of the app lifecycle into a SQLite database, answers questions about it, and draws the \
            observed states beside the documented ones.

              lifestats ingest logs/             read logs into lifestats.db
              lifestats query dwell_times        how long the app stays in each state
              lifestats query transition_counts  how often it goes from one state to another
              lifestats diagram -o app.svg       the picture

            Data goes to standard output; progress, summaries and hints go to standard error.
            Exit codes: 0 done; 1 `check` found something; 2 an error; 64 a usage error.
            """,
        version: LifeStatsVersion.current,
        subcommands: [
            IngestCommand.self, DiagramCommand.self, QueryCommand.self, TimelineCommand.self, ReportCommand.self,
            CheckCommand.self, ShowCommand.self, ModelCommand.self, FormatsCommand.self, SchemaCommand.self,
            ShellCommand.self, ReplayCommand.self, ForgetCommand.self, ExportCommand.self, SimulateCommand.self,
            VerifyCommand.self,
        ]
    )

    static func main() {
        lifestats_return_large_buffers()
        Signals.occupyClosedStreams()
        Signals.ignoreFailuresOfWriting()
        do {
            var command = try parseAsRoot(Arguments.withComments(CommandLine.arguments.dropFirst()))
            try command.run()
        } catch let error as LifeStatsError {
            Console.error(error)
            Foundation.exit(2)
        } catch {
            exit(withError: error)
        }
    }
}
