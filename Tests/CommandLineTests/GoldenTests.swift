import Foundation
import Testing

/// Cases computed by hand: a log, a command, and the expected output.
@Suite("Golden cases")
struct GoldenTests {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("golden")

    static let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
        .filter { !$0.hasPrefix(".") }.sorted()

    private func text(_ name: String, _ file: String) throws -> String {
        try String(contentsOf: Self.folder.appendingPathComponent("\(name)/\(file)"), encoding: .utf8)
    }

    /// Splits a command line at blanks outside of double quotes.
    private func words(_ line: String) -> [String] {
        line.split(separator: "\"", omittingEmptySubsequences: false).enumerated().flatMap { index, part in
            index.isMultiple(of: 2) ? part.split(separator: " ").map(String.init) : [String(part)]
        }
    }

    @Test("the command prints the expected output", arguments: names)
    func answer(name: String) throws {
        let program = try Program()
        try program.write(try text(name, "app.log"), to: "app.log")
        try program.run("ingest", "app.log")
        let command = try text(name, "command.txt").trimmingCharacters(in: .newlines)
        let outcome = try program.run(words(command))
        #expect(outcome.status == 0, "\(outcome.errors)")
        let actual = outcome.text.split(whereSeparator: \.isNewline).map(String.init)
        let expected = try text(name, "expected.txt").split(whereSeparator: \.isNewline).map(String.init)
        #expect(actual.count == expected.count, "\(outcome.text)")
        for (line, wanted) in zip(actual, expected) { #expect(isSame(line, wanted), "\(line) is not \(wanted)") }
    }

    /// Compares cells: real numbers up to rounding, all others exactly.
    private func isSame(_ line: String, _ wanted: String) -> Bool {
        let cells = line.split(separator: ",", omittingEmptySubsequences: false)
        let others = wanted.split(separator: ",", omittingEmptySubsequences: false)
        return cells.count == others.count
            && zip(cells, others).allSatisfy { cell, other in
                if cell == other { return true }
                guard Int64(cell) == nil || Int64(other) == nil, let a = Double(cell), let b = Double(other) else {
                    return false
                }
                return abs(a - b) <= 1e-9 * max(1, abs(b))
            }
    }
}
