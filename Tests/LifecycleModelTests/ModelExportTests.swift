import Foundation
import Testing

@testable import LifecycleModel

@Suite("Exporting and importing models")
struct ModelExportTests {
    static let ids = ["app", "process", "scene", "view"]

    @Test("YAML reads back equal", arguments: ids)
    func yamlRoundTrip(id: String) throws {
        let model = try BuiltIn.model(id)
        #expect(try ModelReader.read(ModelWriter.text(of: model, as: .yaml), file: "out.yaml") == model)
    }

    @Test("SCXML reads back equal", arguments: ids)
    func scxmlRoundTrip(id: String) throws {
        let model = try BuiltIn.model(id)
        #expect(try SCXMLReader.read(ModelWriter.text(of: model, as: .scxml), file: "out.scxml").model == model)
    }

    @Test("SCXML has the structure that the W3C schema asks for", arguments: ids)
    func scxmlStructure(id: String) throws {
        let model = try BuiltIn.model(id)
        let root = try XMLReader.read(ModelWriter.text(of: model, as: .scxml), file: "out.scxml")
        #expect(root.name == "scxml" && root.namespace == "http://www.w3.org/2005/07/scxml")
        #expect(root.attributes["version"] == "1.0")
        let states = root.children.filter { $0.namespace == root.namespace }
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

    @Test("an edited SCXML file counts, and what SCXML cannot say is kept")
    func editedSCXML() throws {
        let text = try ModelWriter.text(of: try BuiltIn.model("view"), as: .scxml)
        let edited = text.replacingOccurrences(
            of: "<transition event=\"viewDidDisappear\" target=\"disappeared\"/>",
            with: "<transition event=\"viewDidDisappear\" target=\"loaded\"/>")
        #expect(edited != text)
        let model = try SCXMLReader.read(edited, file: "edited.scxml").model
        let target = model.edges.first { $0.from == "disappearing" && $0.callback == "viewDidDisappear" }?.to
        #expect(target == "loaded")
        #expect(model.state("appeared")?.title["zh-Hans"] == "已经显示")
        #expect(model.rule("R-VC-12") != nil)
    }

    @Test("an empty title is none, so that a model is read as it was written")
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

    @Test("an edited SCXML file keeps ids, citations and final states as far as the chart has them, and tells the rest")
    func editedSCXMLKeepsItsSources() throws {
        let text = try ModelWriter.text(
            of: try ModelReader.read(
                """
                model: door
                initial: shut
                final: [shut, gone]
                states: {shut: {citation: d1}, open: {citation: d2}, gone: {citation: d3}}
                callbacks:
                  opens: {spellings: [opens], citation: d}
                  shuts: {spellings: [shuts], citation: d}
                  falls: {spellings: [falls], citation: d}
                transitions:
                  D1: {from: shut, to: open, callbacks: opens, citation: d4}
                  D2: {from: open, to: shut, callbacks: shuts, citation: d5}
                  D3: {from: [shut, open], to: gone, callbacks: falls, cause: rust, citation: d6}
                """, file: "door.yaml"), as: .scxml)
        // Another tool puts a state between, and lets a shut door fall open.
        let edited = text.replacingOccurrences(
            of: "<state id=\"open\">",
            with: "<state id=\"ajar\"><transition event=\"pushed\" target=\"open\"/></state>\n  <state id=\"open\">"
        ).replacingOccurrences(
            of: "<transition event=\"opens\" target=\"open\"/>",
            with: "<transition event=\"opens\" target=\"ajar\"><log expr=\"1\"/></transition>")
        let line = try #require(edited.split(separator: "\n").firstIndex { $0.contains("<log") }) + 1
        let imported = try SCXMLReader.read(edited, file: "e.scxml")
        let model = imported.model
        #expect(model.final == ["shut", "gone"])
        #expect(model.states.map { "\($0.id) \($0.citation)" } == ["shut d1", "ajar ", "open d2", "gone d3"])
        #expect(
            model.transitions.map { "\($0.id) \($0.from) \($0.callbacks) \($0.to) \($0.cause) \($0.citation)" } == [
                #"D2 ["open"] ["shuts"] ["shut"]  d5"#, #"D3 ["shut", "open"] ["falls"] ["gone"] rust d6"#,
                #"T1 ["shut"] ["opens"] ["ajar"]  "#, #"T2 ["ajar"] ["pushed"] ["open"]  "#,
            ])
        #expect(
            imported.remarks == [
                "e.scxml:\(line): <log> is left out; a model has nothing for it",
                "e.scxml: transition D1 from shut is not in the chart as it was: left out with its citation (d4)",
            ])
    }

    @Test("a nested chart of another tool is flattened")
    func foreignSCXML() throws {
        let text = """
            <scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" initial="on" name="lamp">
              <!-- any state of 'on' leads to 'off' -->
              <state id="on" initial="bright">
                <transition event="switch.off" target="off"/>
                <state id="dim"><transition event="up" target="bright"/></state>
                <state id="bright"><transition event="down" target="dim"/></state>
              </state>
              <state id="off"><transition event="switch.on" target="on"/><transition event="break" target="broken"/></state>
              <final id="broken"/>
            </scxml>
            """
        let lamp = try SCXMLReader.read(text, file: "lamp.scxml").model
        #expect(lamp.id == "lamp" && lamp.initial == "bright" && lamp.final == ["broken"])
        #expect(lamp.states.map(\.id) == ["dim", "bright", "off", "broken"])
        let moves = lamp.edges.map { "\($0.from) \($0.callback) \($0.to)" }
        #expect(
            Set(moves) == [
                "dim up bright", "dim switch.off off", "bright down dim", "bright switch.off off",
                "off switch.on bright", "off break broken",
            ])
    }

    @Test(
        "SCXML that cannot be read is refused with its line",
        arguments: [
            ("<scxml>\n<parallel id='p'/></scxml>", "chart.scxml:2: <parallel>"),
            ("<scxml>\n\n<state/></scxml>", "chart.scxml:3: a <state> has no id"),
            ("<scxml>\n<state id='a'>\n</scxml>", "chart.scxml:3: not well-formed XML: <state> of line 2"),
            ("<scxml><state id='a'><transition target='b'/></state></scxml>", "chart.scxml:1: there is no state 'b'"),
            ("<!DOCTYPE x [<!ENTITY e 'e'>]><scxml/>", "chart.scxml:1: not well-formed XML: a document type"),
            ("<html/>", "chart.scxml:1: the root element is <html>"),
        ])
    func badSCXML(text: String, message: String) {
        let error = #expect(throws: ModelError.self) { try SCXMLReader.read(text, file: "chart.scxml") }
        #expect(error?.description.hasPrefix(message) == true, "\(error?.description ?? "")")
    }

    @Test("JSON is valid and carries the ids")
    func json() throws {
        let text = try ModelWriter.text(of: try BuiltIn.model("app"), as: .json)
        let parsed = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        #expect(parsed?["model"] as? String == "app")
        #expect((parsed?["transitions"] as? [String: Any])?.count == 20)
    }

    @Test("DOT draws the documented picture and reads back as the same machine", arguments: ids)
    func dot(id: String) throws {
        let model = try BuiltIn.model(id)
        let read = try DOTReader.read(ModelWriter.text(of: model, as: .dot), file: "out.dot")
        #expect(read.states.map(\.id) == model.states.filter(\.isDrawn).map(\.id))
        #expect(read.initial == model.initial)
        let drawn = model.drawnEdges(abnormal: true).map { "\($0.from) \($0.callbacks) \($0.to)" }
        let back = read.drawnEdges(abnormal: true).map { "\($0.from) \($0.callbacks) \($0.to)" }
        #expect(back == drawn)
    }

    @Test("a hand-written graph becomes a model")
    func foreignDOT() throws {
        let model = try DOTReader.read(
            """
            digraph checkout {
              rankdir=LR; node [shape=box];  // defaults do not matter
              start [shape=point]; done [shape=doublecircle];
              start -> cart;
              cart -> paying [label="pay tapped"];
              paying -> done [label="payment ok\\npayment skipped"];
              paying -> cart;
            }
            """, file: "checkout.dot")
        #expect(model.id == "checkout" && model.initial == "cart" && model.final == ["done"])
        #expect(model.states.map(\.id) == ["done", "cart", "paying"])
        #expect(model.callback("pay_tapped")?.spellings == ["pay tapped"])
        let moves = model.edges.map { "\($0.from) \($0.callback) \($0.to)" }
        #expect(moves == ["cart pay_tapped paying", "paying payment_ok done", "paying payment_skipped done"])
        #expect(model.silentMoves.map { "\($0.from) \($0.to)" } == ["paying cart"])
    }

    @Test(
        "DOT that cannot be read is refused with its line",
        arguments: [
            ("graph g {\n a -- b }", "g.dot:2: not a DOT graph: '--'"),
            ("digraph {\n a -> ; }", "g.dot:2: not a DOT graph: a node is missing"),
            ("digraph {\n a [label=\"x] }", "g.dot:2: not a DOT graph: a text"),
            ("digraph { }", "g.dot:1: the graph has no nodes"),
        ])
    func badDOT(text: String, message: String) {
        let error = #expect(throws: ModelError.self) { try DOTReader.read(text, file: "g.dot") }
        #expect(error?.description.hasPrefix(message) == true, "\(error?.description ?? "")")
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
