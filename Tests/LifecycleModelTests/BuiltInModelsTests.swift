import Foundation
import Testing

@testable import LifecycleModel

@Suite("The built-in models")
struct BuiltInModelsTests {
    @Test("errors in built-in models still have their line")
    func lines() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources/LifecycleModel/models")
        var app = try BuiltIn.model("app")
        app.rules[0].checks[0].when = ["nonsense"]
        let found = ModelValidator.diagnostics(of: app, in: try BuiltIn.catalog.get())
        let yaml = try String(contentsOf: folder.appending(path: "app-rules.yaml"), encoding: .utf8)
        let line = try #require(yaml.components(separatedBy: "\n").firstIndex { $0.hasPrefix("  R-APP-01:") }) + 1
        #expect(
            found.first { $0.message.contains("nonsense") }?.description.hasPrefix("app-rules.yaml:\(line):") == true)
    }
}
