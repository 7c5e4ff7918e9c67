import Foundation
import Testing

/// The corpora of the fuzz targets: every input goes through what fuzzing does with it, which stops the tests where
/// something is wrong. `make fuzz` then names the input.
@Suite("Fuzz corpus")
struct CorpusTests {
    private static let corpus = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../corpus").standardizedFileURL

    /// The inputs of a target: its findings, and the members of its archive.
    private func inputs(of target: String) throws -> [[UInt8]] {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("lifestats-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let unpack = Process()
        unpack.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        unpack.arguments = ["tar", "xzf", "\(Self.corpus.path)/\(target).tar.gz", "-C", folder.path]
        try unpack.run()
        unpack.waitUntilExit()
        try #require(unpack.terminationStatus == 0)
        let findings = Self.corpus.appendingPathComponent(target)
        return try [findings, folder].flatMap { folder in
            try ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted().map { name in
                Array(try Data(contentsOf: folder.appendingPathComponent(name)))
            }
        }
    }

    private static let probes: [String: @Sendable ([UInt8]) -> Void] = [
        "Log": LogProbe.run, "Readers": ReadingProbe.text.run, "JSON": ReadingProbe.json.run, "Times": TimesProbe.run,
        "Recognition": RecognitionProbe.run, "Replay": ReplayProbe.run, "Model": ModelProbe.run,
        "Layout": LayoutProbe.run, "BinaryLog": BinaryLogProbe.run,
    ]

    @Test("every input is read without a fault", arguments: Self.probes.keys.sorted())
    func corpus(target: String) throws {
        let probe = try #require(Self.probes[target])
        let inputs = try inputs(of: target)
        #expect(inputs.count > 20, "\(target) has hardly any inputs")
        for input in inputs { probe(input) }
    }

    /// The two packages declare the same sources, so a resource that only one of them knows stops the build for fuzzing.
    @Test("the package for fuzzing embeds the files that the product embeds")
    func resources() throws {
        let fuzz = Self.corpus.appendingPathComponent("../Package.swift")
        let product = Self.corpus.appendingPathComponent("../../../Package.swift")
        let embedded = try Self.embedded(in: product)
        for (target, folders) in try Self.embedded(in: fuzz) where embedded[target] != nil {
            #expect(folders == embedded[target], "\(target)")
        }
        #expect(embedded["LogReading"]?.isEmpty == false)
    }

    /// The folders that each target of a package embeds.
    private static func embedded(in package: URL) throws -> [String: [String]] {
        let text = try String(contentsOf: package, encoding: .utf8)
        let targets = text.components(separatedBy: "targets: [\n").last ?? ""
        var folders: [String: [String]] = [:]
        for target in targets.split(separator: #/stage\(|arget\(/#).dropFirst() {
            let names = target.matches(of: #/"([^"]+)"/#)
            guard let name = names.first?.output.1 else { continue }
            folders[String(name)] = target.matches(of: #/embedInCode\("([^"]+)"\)/#).map { String($0.output.1) }
                .sorted()
        }
        return folders
    }
}
