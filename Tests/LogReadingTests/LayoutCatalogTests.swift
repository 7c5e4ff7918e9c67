import DataFiles
import Foundation
import Testing

@testable import LogReading

@Suite("Layouts as data")
struct LayoutCatalogTests {
    @Test("every built-in layout reads its own samples as they say")
    func samples() throws {
        let catalog = try builtInCatalog.get()
        for layout in catalog.layouts {
            #expect(!layout.about.isEmpty && !layout.title.isEmpty, "\(layout.name) is not documented")
            try catalog.check(layout)
        }
        #expect(Set(catalog.layouts.map(\.name)).count == catalog.layouts.count)
    }

    static let good = """
        name: tea
        title: My tea machine
        patterns:
          - "{time:HH:mm:ss.S} <{process}> {message}"
        samples:
          - line: "09:08:07.5 <pot> boil"
            time: "1970-01-01T09:08:07.5Z"
            process: pot
            message: boil
        """

    @Test("a layout of the user's own comes first")
    func own() throws {
        let catalog = try builtInCatalog.get().adding(yaml: Self.good, file: "tea.yaml")
        #expect(catalog.layouts.first?.name == "tea")
        #expect(LineReading.read("10:00:00 <pot> x", catalog: catalog)?.layout == "plain-time")
        #expect(LineReading.read("10:00:00.25 <pot> x", catalog: catalog)?.process == "pot")
    }

    @Test("a layout with many fields of text is as quick on a line that it nearly fits as on any other")
    func manyTexts() throws {
        let fields = String(repeating: "{text} ", count: 12)
        let yaml = Self.good.replacingOccurrences(of: "<{process}> {message}", with: "<{process}> \(fields)| {message}")
            .replacingOccurrences(of: "<pot> boil", with: "<pot> a b c d e f g h i j k l | boil")
        let catalog = try builtInCatalog.get().adding(yaml: yaml, file: "tea.yaml")
        // Tried in every way, one such line would outlast the machine.
        let many = String(repeating: "a ", count: 120)
        #expect(LineReading.read("10:00:00.25 <pot> \(many)! x", catalog: catalog)?.process != "pot")
        #expect(LineReading.read("10:00:00.25 <pot> \(many)| x", catalog: catalog)?.message == "x")
        #expect(LineReading.read("10:00:00.25 <pot> a b c d e f g h i j k | l | x", catalog: catalog)?.message == "x")
    }

    @Test(
        "a broken layout is refused with file, line and reason",
        arguments: [
            ("name: tea", "name: Tea!", 1, "a-z"),
            ("    process: pot", "    process: kettle", 6, "process is 'pot', not 'kettle'"),
            ("<pot> boil", "(pot) boil", 6, "it is read as 'plain-time'"),
            ("{process}", "{nothing}", 4, "is not a field"),
            ("{message}\"", "{process}\"", 4, "must be {message}"),
            ("title:", "titel:", 2, "'titel' is not a key"),
            ("name: tea", "name: nslog", 1, "already a layout"),
            ("HH:mm:ss.S", "HH:mm:ss.S x", 4, "after the seconds"),
            ("title: My", "title: [My", 3, "not YAML"),
        ] as [(String, String, Int?, String)])
    func broken(old: String, new: String, line: Int?, reason: String) throws {
        let yaml = Self.good.replacingOccurrences(of: old, with: new)
        let error = #expect(throws: DataFileError.self) {
            try builtInCatalog.get().adding(yaml: yaml, file: "tea.yaml")
        }
        #expect(error?.file == "tea.yaml")
        #expect(error?.line == line)
        #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
    }
}
