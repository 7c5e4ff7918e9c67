import Foundation
import Testing

@testable import EventRecognition

/// The index looks at every eighth byte of a line, which nobody may notice.
@Suite("The column in which a text stands")
struct ColumnTests {
    @Test("lines state the same wherever their texts begin")
    func shiftedLines() throws {
        let samples = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../samples/formats")
        var lines: Set<String> = []
        for file in try FileManager.default.contentsOfDirectory(at: samples, includingPropertiesForKeys: nil) {
            lines.formUnion(try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init))
        }
        try #require(lines.count > 200)
        for line in lines {
            let statements = try (1...8).map { try statement(String(repeating: " ", count: $0) + line) }
            #expect(Set(statements).count == 1, "\(line)")
        }
    }

    /// The rules of a kill come before those of any signal, whose texts begin the same.
    @Test(
        "of two rules that hold for a line the first one counts",
        arguments: [
            ("Application 'UIKitApplication:org.tea.Kettle[0x76c5]' exited abnormally with signal 9", "exited:kill"),
            ("Application 'UIKitApplication:org.tea.Kettle' exited with signal 9", "exited:kill"),
        ])
    func firstRule(message: String, expected: String) throws {
        for column in 0..<8 {
            #expect(try statement(String(repeating: " ", count: column) + message).hasSuffix(expected))
        }
    }
}
