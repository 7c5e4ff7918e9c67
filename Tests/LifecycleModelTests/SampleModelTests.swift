import Foundation
import Testing

@testable import LifecycleModel

@Suite("The sample of a user's own model")
struct SampleModelTests {
    private func sample(_ name: String) throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return try String(contentsOf: root.appending(path: "samples/models/\(name)"), encoding: .utf8)
    }

    @Test("is sound")
    func validates() throws {
        var catalog = try BuiltIn.catalog.get()
        try catalog.add(yaml: try sample("player.yaml"), file: "player.yaml")
        let player = try #require(catalog.model("player"))
        #expect(ModelValidator.diagnostics(of: player, in: catalog).map(\.description) == [])
    }

    /// Whether a line contains a spelling of a callback, or ends with the two ends of one of its patterns.
    private func says(_ callback: ModelCallback, _ line: Substring) -> Bool {
        callback.spellings.contains { line.contains($0) }
            || callback.patterns.contains { pattern in
                let ends = pattern.split(separator: "*")
                return line.contains("] " + ends[0]) && line.hasSuffix(ends[ends.count - 1])
            }
    }

    @Test("its log follows it")
    func replays() throws {
        let player = try ModelReader.read(try sample("player.yaml"), file: "player.yaml")
        var state = player.initial
        var path = [state]
        for line in try sample("player.log").split(separator: "\n") {
            guard let callback = player.callbacks.first(where: { says($0, line) }) else { continue }
            let edge = try #require(player.edges.first { $0.from == state && $0.callback == callback.id }, "\(line)")
            state = edge.to
            path.append(state)
        }
        #expect(
            path.joined(separator: " ")
                == "idle loading playing paused playing stalled playing stalled playing idle loading playing paused "
                + "playing idle")
    }
}
