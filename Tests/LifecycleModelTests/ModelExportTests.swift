import Foundation
import Testing

@testable import LifecycleModel

@Suite("Exporting models")
struct ModelExportTests {
    static let ids = ["app", "process", "scene", "view", "swiftui-view", "background-task"]

    @Test("YAML reads back equal", arguments: ids)
    func yamlRoundTrip(id: String) throws {
        let model = try BuiltIn.model(id)
        #expect(try ModelReader.read(ModelWriter.text(of: model, as: .yaml), file: "out.yaml") == model)
    }

    @Test("SCXML has the structure that the W3C schema requires", arguments: ids)
    func scxmlStructure(id: String) throws {
        let model = try BuiltIn.model(id)
        let root = try ChartElement.read(ModelWriter.text(of: model, as: .scxml))
        #expect(root.name == "scxml" && root.namespace == "http://www.w3.org/2005/07/scxml")
        #expect(root.attributes["version"] == "1.0")
        let states = root.children
        let ids = states.compactMap { $0.attributes["id"] }
        #expect(Set(ids).count == ids.count && ids.count == states.count)
        #expect(ids.contains(root.attributes["initial"] ?? ""))
        for state in states {
            #expect(["state", "final"].contains(state.name))
            // The schema gives <final> no transitions.
            #expect(state.name == "state" || state.children.isEmpty)
            for transition in state.children {
                #expect(transition.name == "transition")
                #expect(ids.contains(transition.attributes["target"] ?? ""))
                #expect(transition.attributes["event"]?.isEmpty == false)
            }
        }
    }

    @Test("an empty title counts as missing, so that a model is read as it was written")
    func emptyTitle() throws {
        let model = try ModelReader.read(
            """
            model: door
            title: ''
            initial: shut
            states: {shut: {title: {en: '', es: cerrada}, citation: d1}, open: {title: &name , citation: d2}}
            callbacks: {opens: {spellings: [opens], citation: d}}
            transitions: {D1: {from: shut, to: open, callbacks: opens, citation: d3}}
            """, file: "door.yaml")
        #expect(model.title.english == "door" && model.state("open")?.title.english == "open")
        #expect(model.state("shut")?.title["es"] == "cerrada")
        #expect(try ModelReader.read(ModelWriter.text(of: model, as: .yaml), file: "out.yaml") == model)
    }

    @Test("SCXML has every move of the machine, and silent moves have their own events")
    func scxmlMoves() throws {
        let root = try ChartElement.read(ModelWriter.text(of: try BuiltIn.model("process"), as: .scxml))
        let moves = root.children.flatMap { state in
            state.children.map { move in
                [state.attributes["id"], move.attributes["event"], move.attributes["target"]].compactMap(\.self)
                    .joined(separator: " -> ")
            }
        }
        let launch = "willFinishLaunchingWithOptions didFinishLaunchingWithOptions"
        #expect(
            moves.sorted() == [
                "not_running -> \(launch) -> running",
                "running -> applicationWillTerminate silent.PRC-T04 -> not_running",
                "running -> didFinishLaunchingWithOptions -> running", "running -> silent.PRC-T02 -> suspended",
                "suspended -> silent.PRC-T03 -> running", "suspended -> silent.PRC-T05 -> not_running",
            ])
    }

    @Test("JSON is valid and carries the ids")
    func json() throws {
        let text = try ModelWriter.text(of: try BuiltIn.model("app"), as: .json)
        let parsed = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        #expect(parsed?["model"] as? String == "app")
        #expect((parsed?["transitions"] as? [String: Any])?.count == 20)
    }

    @Test("DOT draws the documented states and arrows", arguments: ids)
    func dot(id: String) throws {
        let model = try BuiltIn.model(id)
        let lines = try ModelWriter.text(of: model, as: .dot).split(separator: "\n")
        let states = lines.compactMap { $0.firstMatch(of: /^  "(\w+)" \[/).map { String($0.1) } }
        #expect(states == model.states.filter(\.isDrawn).map(\.id))
        let arrows = lines.compactMap { $0.firstMatch(of: /^  "(\w+)" -> "(\w+)"/).map { "\($0.1) \($0.2)" } }
        #expect(arrows == model.drawnEdges(abnormal: true).map { "\($0.from) \($0.to)" })
        let initial = lines.filter { $0.contains("initial=true") }.map { $0.split(separator: "\"")[1] }
        #expect(initial == [Substring(model.initial)])
    }

    @Test("DOT escapes texts, labels arrows with their callbacks and dashes silent ones")
    func dotLines() throws {
        let lines = try ModelWriter.text(of: try BuiltIn.model("app"), as: .dot).split(separator: "\n")
        #expect(
            lines.contains(
                #"  "active" -> "inactive" [label="applicationWillResignActive", tooltip="APP-T04"];"#))
        #expect(lines.contains { $0.hasPrefix(#"  "background" -> "suspended" [style=dashed, tooltip="#) })
        var model = try BuiltIn.model("process")
        model.states[0].title = "a \"b\" \\ c\nd"
        #expect(try ModelWriter.text(of: model, as: .dot).contains(#"[label="a \"b\" \\ c\nd", initial=true"#))
    }

    @Test("Mermaid draws the documented picture")
    func mermaid() throws {
        let lines = try ModelWriter.text(of: try BuiltIn.model("app"), as: .mermaid, language: "es")
            .split(separator: "\n").map { String($0.drop { $0 == " " }) }
        #expect(lines.first == "stateDiagram-v2")
        #expect(lines.contains("state \"Inactivo\" as inactive"))
        #expect(lines.contains("[*] --> not_running"))
        #expect(lines.contains("active --> inactive : applicationWillResignActive"))
        #expect(lines.contains("background --> suspended : (silent)"))
    }

    @Test("the drawn picture of the app has the documented arrows")
    func drawnEdges() throws {
        let drawn = try BuiltIn.model("app").drawnEdges().map { "\($0.from) \($0.to)\($0.isSilent ? " ~" : "")" }
        #expect(
            Set(drawn) == [
                "not_running inactive", "not_running background", "inactive active", "active inactive",
                "inactive background", "background inactive", "background suspended ~", "suspended background",
                "suspended inactive", "background not_running", "suspended not_running ~",
            ])
    }
}
