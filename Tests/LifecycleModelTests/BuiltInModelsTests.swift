import Foundation
import Testing

@testable import LifecycleModel

@Suite("The built-in models")
struct BuiltInModelsTests {
    @Test("what a rule finds has a short title that says what happened")
    func titles() throws {
        for model in try BuiltIn.catalog.get().models {
            let rules = model.rules.filter { $0.checks.contains { $0.template != .permitted } }
            let limits = model.limits.filter { $0.kind != .grace }
            for (id, title) in rules.map({ ($0.id, $0.title) }) + limits.map({ ($0.id, $0.title) }) {
                #expect((10...60).contains(title.count) && !title.hasSuffix("."), "\(id): \(title)")
                #expect(title.first?.isUppercase == true, "\(id): \(title)")
            }
        }
    }

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
