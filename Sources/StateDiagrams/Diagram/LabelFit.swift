/// Makes a picture narrow enough: names of callbacks give way to a number that leads to the list below, then whole labels.
struct LabelFit: Sendable {
    /// The edges that carry their number in place of a label.
    private(set) var numbered: Set<Int>
    /// Those whose labels have a number in place of the names.
    private(set) var brief: Set<Int> = []
    /// One for each side; the states have the same places in all of them.
    private(set) var layouts: [DiagramLayout] = []

    private let graph: StateGraph
    private let sides: [DiagramSide]
    /// The labels of every edge on each side, whole and with a number in place of the names.
    private let whole: [[EdgeLabel?]]
    private let short: [[EdgeLabel?]]
    private let box: StateBox
    private let centred: Double

    /// - Parameters:
    ///   - most: How wide a panel may be.
    ///   - isCentred: Whether the states are in its middle.
    init(
        _ graph: StateGraph, _ labels: DiagramLabels, _ sides: [DiagramSide], box: StateBox, most: Double,
        isCentred: Bool
    ) {
        (self.graph, self.sides, self.box) = (graph, sides, box)
        whole = sides.map { side in graph.edges.map { labels.label(of: $0, on: side) } }
        short = zip(sides, whole).map { side, panel in
            zip(graph.edges, panel).map { edge, label in label?.brief(edge.on(side).ink) }
        }
        centred = isCentred ? most : .infinity
        numbered = Set(graph.states.count > DiagramLayout.mostLabelled ? Array(graph.edges.indices) : [])
        layouts = laidOut(numbered, brief)
        let expendable = labels.expendable(of: graph).filter { edge in
            !numbered.contains(edge) && sides.contains { label(of: edge, on: $0)?.width ?? 0 > EdgeNumbers.diameter }
        }
        for edge in expendable where layouts[0].width > most && canBeBrief(edge) {
            brief.insert(edge)
            layouts = laidOut(numbered, brief)
        }
        for edge in expendable where layouts[0].width > most {
            numbered.insert(edge)
            layouts = laidOut(numbered, brief)
        }
        // Labels without which the picture is as wide come back, the most important ones first.
        let reached = max(most, layouts[0].width)
        for edge in expendable.reversed() {
            for other in [
                (numbered.subtracting([edge]), brief.subtracting([edge])), (numbered.subtracting([edge]), brief),
            ]
            where other != (numbered, brief) {
                let found = laidOut(other.0, other.1)
                guard found[0].width <= reached else { continue }
                ((numbered, brief), layouts) = (other, found)
                break
            }
        }
    }

    func label(of edge: Int, on side: DiagramSide) -> EdgeLabel? {
        sides.firstIndex(of: side).flatMap { (brief.contains(edge) ? short : whole)[$0][edge] }
    }

    /// Whether figures are left without the names.
    private func canBeBrief(_ edge: Int) -> Bool {
        whole.contains { $0[edge]?.hasNames == true }
            && short.contains { $0[edge].map { !$0.lines[0].text.isEmpty } ?? false }
    }

    private func laidOut(_ numbered: Set<Int>, _ brief: Set<Int>) -> [DiagramLayout] {
        let panels = zip(whole, short).map { whole, short in
            graph.edges.indices.map { edge in
                (brief.contains(edge) ? short : whole)[edge].map { (width: $0.width, height: $0.height) }
            }
        }
        return DiagramLayout.of(graph, box: box, panels: panels, numbered: numbered, centred: centred)
    }
}
