import Foundation
import Testing

/// What README and guide show is true: their commands run, the output is what the program prints, the picture what it
/// draws, and the links lead somewhere.
///
/// After an intended change, `LIFESTATS_RECORD=1 make test` records output and picture again.
@Suite("README and guide", .serialized)
struct ReadmeTests {
    private static let readme = Program.project.appendingPathComponent("README.md")
    private static let picture = Program.project.appendingPathComponent(".readme/app.svg")
    private static let records = ProcessInfo.processInfo.environment["LIFESTATS_RECORD"] != nil
    private static let documents = ["README.md", "docs/guide.md"]

    /// The fenced blocks of a document, in order.
    private func blocks(of text: String) -> [(kind: String, text: String)] {
        text.components(separatedBy: "```").enumerated().filter { !$0.offset.isMultiple(of: 2) }.map { _, block in
            let kind = String(block.prefix { $0 != "\n" })
            return (kind, block.dropFirst(kind.count).trimmingCharacters(in: .newlines))
        }
    }

    /// A program whose folder has the samples and queries, as a checkout has.
    private func checkout() throws -> Program {
        let program = try Program()
        for folder in ["samples", "queries"] {
            try FileManager.default.createSymbolicLink(
                at: program.folder.url.appendingPathComponent(folder),
                withDestinationURL: Program.project.appendingPathComponent(folder))
        }
        return program
    }

    /// Splits a command line at blanks outside of quotation marks.
    private func words(_ line: String) -> [String] {
        var words: [String] = []
        var word = ""
        var quote: Character?
        for character in line {
            if character == quote {
                quote = nil
            } else if quote == nil, character == "\"" || character == "'" {
                quote = character
            } else if quote == nil, character == " " {
                if !word.isEmpty { words.append(word) }
                word = ""
            } else {
                word.append(character)
            }
        }
        return word.isEmpty ? words : words + [word]
    }

    @Test("have commands that succeed in the order in which they are given", arguments: documents)
    func commands(document: String) throws {
        let program = try checkout()
        let url = Program.project.appendingPathComponent(document)
        let lines = try blocks(of: String(contentsOf: url, encoding: .utf8)).filter { $0.kind == "sh" }
            .flatMap { $0.text.split(separator: "\n").map(String.init) }
        #expect(lines.count >= 3)
        for line in lines {
            let words = words(line)
            #expect(words.first == "lifestats", "not ours: \(line)")
            let outcome = try program.run(Array(words.dropFirst()))
            #expect(outcome.status == 0, "\(line): \(outcome.errors)")
        }
    }

    @Test("The README shows the output and the picture of its commands")
    func results() throws {
        let program = try checkout()
        var text = try String(contentsOf: Self.readme, encoding: .utf8)
        let all = blocks(of: text)
        var compared = 0
        for (command, shown) in zip(all, all.dropFirst()) where command.kind == "sh" && shown.kind == "text" {
            // As in a terminal that is as wide as a page shows without scrolling.
            let outcome = try program.run(Array(words(command.text).dropFirst()), environment: ["COLUMNS": "100"])
            // A command without data reports on standard error.
            let printed = (outcome.output.isEmpty ? outcome.errors : outcome.text)
                .trimmingCharacters(in: .newlines)
            #expect(Self.records || shown.text == printed, "\(command.text): record the README again")
            if Self.records {
                text = text.replacingOccurrences(of: "```text\n\(shown.text)\n```", with: "```text\n\(printed)\n```")
            }
            compared += 1
        }
        #expect(compared == 3)
        let drawing = try #require(all.first { $0.text.hasPrefix("lifestats diagram --app") })
        let diagram = try program.run(Array(words(drawing.text).dropFirst()))
        #expect(diagram.status == 0, "\(diagram.errors)")
        let drawn = try Data(contentsOf: program.folder.url.appendingPathComponent("app.svg"))
        if Self.records {
            try text.write(to: Self.readme, atomically: true, encoding: .utf8)
            try drawn.write(to: Self.picture)
        }
        #expect(try Data(contentsOf: Self.picture) == drawn, "the README shows another picture; record it again")
    }

    @Test(
        "Links lead to files that exist",
        arguments: [
            "README.md", "CONTRIBUTING.md", "docs/guide.md", "docs/formats.md", "docs/benchmarks.md", "docs/testing.md",
        ])
    func links(document: String) throws {
        let url = Program.project.appendingPathComponent(document)
        let text = try String(contentsOf: url, encoding: .utf8)
        for match in text.matches(of: /\]\(([^)#:]+)(?:#[^)]*)?\)/) {
            let target = url.deletingLastPathComponent().appendingPathComponent(String(match.1)).standardizedFileURL
            #expect(FileManager.default.fileExists(atPath: target.path), "\(document): \(match.1)")
        }
    }
}
