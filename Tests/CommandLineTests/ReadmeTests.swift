import Foundation
import Testing

/// The README promises what it shows: its commands run, its table is what they print, its picture what they draw.
///
/// After a wanted change, `LIFESTATS_RECORD=1 make test` writes the table and the picture anew.
@Suite("README", .serialized)
struct ReadmeTests {
    private static let readme = Program.project.appendingPathComponent("README.md")
    private static let picture = Program.project.appendingPathComponent(".readme/app.svg")
    private static let records = ProcessInfo.processInfo.environment["LIFESTATS_RECORD"] != nil

    /// The contents of all fenced blocks of a kind.
    private func blocks(_ kind: String, of text: String) -> [String] {
        text.components(separatedBy: "```\(kind)\n").dropFirst().compactMap {
            $0.components(separatedBy: "\n```").first
        }
    }

    /// A program whose folder has the samples, as a checkout has.
    private func checkout() throws -> Program {
        let program = try Program()
        try FileManager.default.createSymbolicLink(
            at: program.folder.url.appendingPathComponent("samples"),
            withDestinationURL: Program.project.appendingPathComponent("samples"))
        return program
    }

    /// Splits a command line at blanks, outside of quotation marks.
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

    @Test("has commands that run, in the order in which they stand")
    func commands() throws {
        let program = try checkout()
        let lines = try blocks("sh", of: String(contentsOf: Self.readme, encoding: .utf8))
            .flatMap { $0.split(separator: "\n").map(String.init) }
        #expect(lines.count > 8)
        for line in lines {
            let words = words(line)
            #expect(words.first == "lifestats", "not ours: \(line)")
            let outcome = try program.run(Array(words.dropFirst()))
            #expect(outcome.status == 0, "\(line): \(outcome.errors)")
        }
    }

    @Test("shows the table and the picture that its first commands make")
    func results() throws {
        let program = try checkout()
        var text = try String(contentsOf: Self.readme, encoding: .utf8)
        let first = try #require(blocks("sh", of: text).first).split(separator: "\n").map(String.init)
        #expect(try program.run(Array(words(first[0]).dropFirst())).status == 0)
        let table = try program.run(Array(words(first[1]).dropFirst())).text.trimmingCharacters(in: .newlines)
        let shown = try #require(blocks("text", of: text).first { $0.hasPrefix("layer") })
        try program.run("diagram", "-o", "app.svg")
        let drawn = try Data(contentsOf: program.folder.url.appendingPathComponent("app.svg"))
        if Self.records {
            text = text.replacingOccurrences(of: shown, with: table)
            try text.write(to: Self.readme, atomically: true, encoding: .utf8)
            try drawn.write(to: Self.picture)
        }
        #expect(Self.records || shown == table, "the README shows another table; record it anew")
        #expect(try Data(contentsOf: Self.picture) == drawn, "the README shows another picture; record it anew")
    }
}
