import ArgumentParser

@main
struct LifeStats: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "lifestats")
}
