import Foundation
import Testing

@testable import LifecycleModel

@Suite("The compiled models")
struct BuiltInModelsTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Sources/LifecycleModel")

    /// The YAML files as one tree.
    private static func files() throws -> ModelTree {
        let names = BuiltInModels.models.flatMap(\.self) + BuiltInModels.settings
        return ModelTree(
            content: .map(
                try names.map { name in
                    let text = try String(contentsOf: folder.appending(path: "models/\(name)"), encoding: .utf8)
                    return .init(key: name, value: try ModelTree(yaml: text, file: name))
                }))
    }

    /// With COMPILE_MODELS in the environment, writes the file instead.
    @Test("equal the YAML files, lines included; `make models` updates them")
    func compiled() throws {
        let files = try Self.files()
        let bytes = CompactTree.bytes(of: files)
        if ProcessInfo.processInfo.environment["COMPILE_MODELS"] != nil {
            // Only models that can be read are worth compiling.
            _ = try BuiltInModels.catalog(of: files)
            return try Data(bytes).write(to: Self.folder.appending(path: "compiled/models.bin"))
        }
        let isCurrent = PackageResources.models_bin == bytes
        #expect(isCurrent, "the models were changed: run `make models`")
        let isEqual = try CompactTree.tree(bytes, file: "models.bin") == files
        #expect(isEqual, "the compact form loses something")
    }

    @Test("every file of the folder is compiled")
    func complete() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.appending(path: "models").path)
        #expect(Set(names) == Set(BuiltInModels.models.flatMap(\.self) + BuiltInModels.settings))
    }

    @Test("errors in built-in models still have their line")
    func lines() throws {
        var app = try BuiltIn.model("app")
        app.rules[0].checks[0].when = ["nonsense"]
        let found = ModelValidator.diagnostics(of: app, in: try BuiltIn.catalog.get())
        let yaml = try String(contentsOf: Self.folder.appending(path: "models/app-rules.yaml"), encoding: .utf8)
        let line = try #require(yaml.components(separatedBy: "\n").firstIndex { $0.hasPrefix("  R-APP-01:") }) + 1
        #expect(
            found.first { $0.message.contains("nonsense") }?.description.hasPrefix("app-rules.yaml:\(line):") == true)
    }

    @Test("damaged bytes are an error, never a crash")
    func damaged() throws {
        let tree = try ModelTree(yaml: "a: [b, {c: d}]\ne: &x {f: g}\nh: *x", file: "m.yaml")
        let bytes = CompactTree.bytes(of: tree)
        #expect(try CompactTree.tree(bytes, file: "m.bin") == tree)
        for length in bytes.indices {
            #expect(throws: ModelError.self) { try CompactTree.tree(Array(bytes[..<length]), file: "m.bin") }
        }
        for index in bytes.indices {
            for byte in UInt8.min...UInt8.max {
                var changed = bytes
                changed[index] = byte
                _ = try? CompactTree.tree(changed, file: "m.bin")
            }
        }
        var other = bytes
        other[0] += 1
        #expect(throws: ModelError.self) { try CompactTree.tree(other, file: "m.bin") }
    }
}
