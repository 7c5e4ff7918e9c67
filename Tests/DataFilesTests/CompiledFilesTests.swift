import DataFiles
import Foundation
import Testing

@testable import EventRecognition
@testable import LifecycleModel
@testable import LogReading

@Suite("Compiled data files")
struct CompiledFilesTests {
    /// A folder of YAML files, and the file that they are compiled into.
    struct Folder: CustomTestStringConvertible {
        var target: String
        var name: String
        /// The files that the program reads.
        var files: [String]

        var path: URL { sources.appending(path: "\(target)/\(name)") }
        var compiled: URL { sources.appending(path: "\(target)/compiled/\(name).bin") }
        var testDescription: String { name }
        private var sources: URL {
            URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent().appending(path: "Sources")
        }
    }

    static let folders = [
        Folder(
            target: "LifecycleModel", name: "models",
            files: BuiltInModels.models.flatMap(\.self) + BuiltInModels.settings),
        Folder(
            target: "LogReading", name: "formats", files: BuiltInLayouts.files + [BuiltInLayouts.decorations]),
        Folder(
            target: "EventRecognition", name: "dialects", files: BuiltInDialects.ruleFiles + BuiltInDialects.otherFiles),
    ]

    /// With COMPILE_DATA in the environment, writes the files instead.
    @Test("equal the YAML files, lines included; `make data` updates them", arguments: folders)
    func compiled(_ folder: Folder) throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path.path).sorted()
        let tree = DataTree(
            content: .map(
                try names.map { name in
                    let text = try String(contentsOf: folder.path.appending(path: name), encoding: .utf8)
                    return .init(key: name, value: try DataTree(yaml: text, file: name))
                }))
        let bytes = CompactTree.bytes(of: tree)
        if ProcessInfo.processInfo.environment["COMPILE_DATA"] != nil {
            return try Data(bytes).write(to: folder.compiled)
        }
        #expect(try Data(contentsOf: folder.compiled) == Data(bytes), "\(folder.name) was changed: run `make data`")
        let isEqual = try CompactTree.tree(bytes, file: folder.name) == tree
        #expect(isEqual, "the compact form loses something")
        #expect(names == folder.files.sorted(), "the program reads other files than the folder has")
    }

    /// With COMPILE_DATA in the environment, writes the file instead. The models and dialects must be compiled before.
    @Test("the windows of the built-in needles are chosen as compiled")
    func windows() throws {
        let known = try BuiltInDialects.read()
        let needles = Lexicon.builder(known, try Vocabulary(models: ModelCatalog.builtIn().models), nil).needles
        let choice = WindowChoice(needles, avoiding: known.commonWindows)
        let bytes = choice.compiled(for: needles)
        let file = Self.folders[2].compiled.deletingLastPathComponent().appending(path: "windows.bin")
        if ProcessInfo.processInfo.environment["COMPILE_DATA"] != nil {
            return try Data(bytes).write(to: file)
        }
        #expect(try Data(contentsOf: file) == Data(bytes), "spellings or rules were changed: run `make data`")
        #expect(WindowChoice(compiled: bytes, for: needles) == choice)
        #expect(WindowChoice(compiled: bytes, for: needles + [Needle(text: Array("tea time is over".utf8))]) == nil)
    }

    @Test("damaged bytes are an error, never a crash")
    func damaged() throws {
        let tree = try DataTree(yaml: "a: [b, {c: d}]\ne: &x {f: g}\nh: *x", file: "m.yaml")
        let bytes = CompactTree.bytes(of: tree)
        #expect(try CompactTree.tree(bytes, file: "m.bin") == tree)
        for length in bytes.indices {
            #expect(throws: DataFileError.self) { try CompactTree.tree(Array(bytes[..<length]), file: "m.bin") }
        }
        for index in bytes.indices {
            for bit in 0..<8 {
                var changed = bytes
                changed[index] ^= 1 << UInt8(bit)
                _ = try? CompactTree.tree(changed, file: "m.bin")
            }
        }
        var other = bytes
        other[0] += 1
        #expect(throws: DataFileError.self) { try CompactTree.tree(other, file: "m.bin") }
    }
}
