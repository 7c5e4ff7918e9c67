import DataFiles
import Foundation
import Testing
import TraceRecords

@testable import LogReading

@Suite("The language of layout files")
struct LayoutLanguageTests {
    /// The source of a file of the parser.
    private func source(_ name: String) throws -> String {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Sources/LogReading")
        return try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
    }

    /// What stands between quotation marks behind each occurrence of a text.
    private func words(_ source: String, behind text: String) -> Set<String> {
        Set(
            source.components(separatedBy: text).dropFirst().compactMap { rest in
                rest.split(separator: "\"").first.map(String.init)
            })
    }

    @Test("every key that the parser reads is explained, and nothing else")
    func keys() throws {
        let parser = try source("Layouts/LayoutParser.swift")
        func keys(of name: String) -> Set<String> {
            words(parser, behind: "\(name)[\"").union(words(parser, behind: "\(name), \""))
        }
        let read = keys(of: "layout").union(keys(of: "sample"))
        let documented = Set((LayoutLanguage.layoutKeys + LayoutLanguage.sampleKeys).map(\.name))
        #expect(read == documented)
        let ofRecords = keys(of: "record").union(LayoutParser.lists.map(\.key))
        #expect(ofRecords == Set(LayoutLanguage.jsonKeys.map(\.name)))
    }

    @Test("every place and every part of a time that is explained is read")
    func places() throws {
        for (name, _) in LayoutLanguage.places where name.hasSuffix("}") {
            let place = name.replacing("FORM", with: "yyyy-MM-dd HH:mm:ss")
            #expect(throws: Never.self, "\(name)") {
                _ = try LinePattern(place == "{message}" ? place : "\(place) {message}")
            }
        }
        for (name, _) in LayoutLanguage.times where name != "ss" {
            let isBehindSeconds = name.contains("S") || name.contains("Z")
            let form =
                isBehindSeconds ? "HH:mm:ss\(name)" : name == "hh" ? "hh:mm:ss PM" : "\(name) dd HH:mm:ss"
            #expect(throws: Never.self, "\(name)") { _ = try TimePattern(form) }
        }
        let compiler = try source("Layouts/LinePattern.swift")
        let fields = compiler.components(separatedBy: "switch name {")[1].components(separatedBy: "default:")[0]
        let read = fields.split(separator: "\n").filter { $0.contains("case \"") }.flatMap { line in
            line.split(separator: ":")[0].split(separator: "\"").enumerated()
                .filter { $0.offset % 2 == 1 }.map { String($0.element) }
        }
        let documented = LayoutLanguage.places.map { String($0.name.dropFirst().prefix { $0 != ":" && $0 != "}" }) }
        #expect(Set(read).subtracting(documented).isEmpty, "\(read)")
    }

    @Test("an unknown key is refused with its line and the keys there are")
    func unknown() throws {
        let yaml = "name: tea\ntitle: Tea\njson: {requires: [a], flavour: b}\nsamples: [{line: '{}'}]\n"
        let error = #expect(throws: DataFileError.self) {
            try LayoutCatalog.builtIn().adding(yaml: yaml, file: "tea.yaml")
        }
        #expect("\(try #require(error))".contains("tea.yaml:3"))
        #expect("\(try #require(error))".contains("process-attribute"))
    }

    @Test("keys that a record must not have, and an attribute that names the process")
    func json() throws {
        let yaml = """
            name: tea
            title: Tea
            json: {requires: [t, m], lacks: [x], time: t, message: m, process-attribute: who}
            samples:
              - {line: '{"t":1710000000,"m":"on","who":"Pot"}', time: "2024-03-09T16:00:00Z", process: Pot, message: on}
            """
        let catalog = try LayoutCatalog.builtIn().adding(yaml: yaml, file: "tea.yaml")
        #expect(LineReading.read(#"{"t":1710000000,"m":"on","x":1}"#, catalog: catalog)?.layout != "tea")
    }

    @Test("keys that name the instance and the versions")
    func instance() throws {
        func yaml(_ instance: String) -> String {
            #"""
            name: tea
            title: Tea
            json: {requires: [t, m], time: t, message: m, instance: [who.id, who], app-version: v, os-version: os}
            samples:
              - line: '{"t":1710000000,"m":"on","who":{"id":"Pot \"1\""},"v":2,"os":"18.3"}'
                time: "2024-03-09T16:00:00Z"
                instance: '\#(instance)'
                app-version: "2"
                os-version: "18.3"
            """#
        }
        let catalog = try LayoutCatalog.builtIn().adding(yaml: yaml(#"Pot "1""#), file: "tea.yaml")
        #expect(LineReading.read(#"{"t":1710000000,"m":"on","who":"Pan"}"#, catalog: catalog)?.instance == "Pan")
        #expect(LineReading.read(#"{"t":1710000000,"m":"on"}"#, catalog: catalog)?.instance == nil)
        #expect(throws: DataFileError.self) {
            try LayoutCatalog.builtIn().adding(yaml: yaml("Lid"), file: "tea.yaml")
        }
    }

    @Test("a layout says the zone of its times that state none; nobody else's times change")
    func zone() throws {
        func yaml(_ zone: String) -> String {
            """
            name: tea
            title: Tea
            zone: \(zone)
            patterns: ["{time:yyyy-MM-dd HH:mm:ss[Z]} tea: {message}"]
            samples:
              - {line: "2024-03-09 07:30:00 tea: on", time: "2024-03-09T13:00:00Z"}
              - {line: "2024-03-09 07:30:00Z tea: on", time: "2024-03-09T07:30:00Z"}
            """
        }
        let catalog = try LayoutCatalog.builtIn().adding(yaml: yaml("-05:30"), file: "tea.yaml")
        let lines = (0..<5).map { "2024-03-09 07:30:0\($0) tea: on\n" } + ["2024-03-09 07:30:09.5 Tea[1:2] x\n"]
        let options = ReadingOptions(timezone: FixedZone(name: "+0100", seconds: 3600))
        let reader = try SourceReader(
            MemoryStream(Array(lines.joined().utf8)), catalog: catalog, options: options)
        var times: [String?] = []
        while let batch = try reader.next() { times += batch.entries.map { $0.time.map(CivilTime.shortISO) } }
        #expect(times == (0..<5).map { "2024-03-09T13:00:0\($0)Z" } + ["2024-03-09T06:30:09.5Z"])
        #expect(
            reader.assumptions == [
                "some times without a zone read as -05:30, as their layout states",
                "other times without a zone read as +0100",
            ])
        for zone in ["Mars", "+1", "+2500", "[a]"] {
            let error = #expect(throws: DataFileError.self) {
                try LayoutCatalog.builtIn().adding(yaml: yaml(zone), file: "tea.yaml")
            }
            #expect("\(try #require(error))".contains("tea.yaml:3"), "\(zone)")
        }
        let kettle = try read("2024/03/09 07:30:00:123  boiling\n", options: options)
        #expect(kettle.entries.map(\.time) == ["2024-03-09T07:30:00.123Z"])
    }
}
