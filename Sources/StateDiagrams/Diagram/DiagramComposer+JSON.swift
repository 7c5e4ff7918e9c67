extension DiagramComposer {
    /// The graph with its figures and the place of each state, for other programs: keys sorted, durations in
    /// nanoseconds, places in points from the top left.
    func json() throws(DiagramError) -> [UInt8] {
        struct Place: Encodable {
            var id: String
            var x: Double, y: Double, width: Double, height: Double
        }
        struct Line: Encodable {
            var from: String, to: String
            var kind: StateGraph.EdgeKind
            var points: [[Double]]
        }
        struct Document: Encodable {
            var graph: StateGraph
            var view: String
            var places: [Place]
            var lines: [Line]
        }
        func round(_ value: Double) -> Double { (value * 100).rounded() / 100 }
        let document = Document(
            graph: graph, view: options.view.rawValue,
            places: zip(graph.states, layout.states).map { state, middle in
                Place(
                    id: state.id, x: round(middle.x - box.width / 2), y: round(middle.y - box.height / 2),
                    width: round(box.width), height: round(box.height))
            },
            lines: zip(graph.edges, shownWays).map { edge, way in
                Line(
                    from: edge.from, to: edge.to, kind: edge.kind,
                    points: (way.points + [way.tip]).map { [round($0.x), round($0.y)] })
            })
        return try JSONText.of(document)
    }

    /// The way of each edge on the side that shows it, the observed one first.
    private var shownWays: [DiagramLayout.Way] {
        graph.edges.indices.map { place in
            layouts.reversed().map { $0.edges[place] }.first { !$0.points.isEmpty } ?? layout.edges[place]
        }
    }
}
