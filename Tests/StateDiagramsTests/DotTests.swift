import Testing

@testable import StateDiagrams

struct DotTests {
    @Test func theDotOfASmallGraph() {
        let graph = StateGraph(
            title: "Door",
            states: [.init(id: "open", title: "Open \"wide\""), .init(id: "shut", title: "Shut", isFinal: true)],
            edges: [
                .init(from: "shut", to: "open", isDocumented: true, isSilent: true),
                .init(
                    from: "open", to: "shut", callbacks: ["push"], isDocumented: true,
                    seen: .init(count: 4, median: 1_500_000_000), probability: 1),
            ])
        var options = DiagramOptions()
        options.view = .overlay
        let body = graph.dot(options).split(separator: "\n").dropFirst(4).map(String.init)
        #expect(
            body == [
                #"  "open" [label="Open \"wide\"\n4 starts"]"#,
                #"  "shut" [label="Shut\n4 ends", peripheries=2]"#,
                ##"  "open" -> "shut" [label="4× · 100%\npush", color="#0a6cae", fontcolor="#0a6cae", style=solid, penwidth=4.31]"##,
                ##"  "shut" -> "open" [label="silent", color="#3b4654", fontcolor="#3b4654", style=dashed, arrowhead=empty]"##,
                "}",
            ])
    }

    @Test func graphvizReadsTheDotOfHostileNames() throws {
        var options = DiagramOptions()
        for view in PictureView.allCases {
            options.view = view
            let dot = Samples.hostile.dot(options)
            #expect(throws: Never.self) { try Graphviz.render(dot, engine: "dot", format: "dot") }
        }
    }

    @Test func whatGraphvizCannotReadIsAnErrorThatSaysSo() {
        #expect(throws: DiagramError.self) { try Graphviz.render("digraph {", format: "dot") }
    }
}
