/// Makes a picture narrow enough: names of callbacks give way to a number that leads to the list below, then whole labels.
struct LabelFit: Sendable {
    /// The edges that carry their number in place of a label.
    private(set) var numbered: Set<Int>
    /// Those whose labels have a number in place of the names.
    private(set) var brief: Set<Int> = []
    /// One for each side; the states have the same places in all of them.
    private(set) var layouts: [DiagramLayout] = []

    private let graph: StateGraph
    private let labels: DiagramLabels
    private let sides: [DiagramSide]
    private let box: StateBox
    private let centred: Double

    /// - Parameters:
    ///   - most: How wide a panel may be.
    ///   - isCentred: Whether the states are in its middle.
    init(
        _ graph: StateGraph, _ labels: DiagramLabels, _ sides: [DiagramSide], box: StateBox, most: Double,
        isCentred: Bool
    ) {
        (self.graph, self.labels, self.sides, self.box) = (graph, labels, sides, box)
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
        labels.label(of: graph.edges[edge], on: side, isBrief: brief.contains(edge))
    }

    /// Whether figures are left without the names.
    private func canBeBrief(_ edge: Int) -> Bool {
        let all = sides.compactMap { labels.label(of: graph.edges[edge], on: $0) }
        return all.contains(where: \.hasNames) && all.contains { !$0.brief(.text).lines[0].text.isEmpty }
    }

    private func laidOut(_ numbered: Set<Int>, _ brief: Set<Int>) -> [DiagramLayout] {
        let panels = sides.map { side in
            graph.edges.indices.map { edge in
                labels.label(of: graph.edges[edge], on: side, isBrief: brief.contains(edge)).map {
                    (width: $0.width, height: $0.height)
                }
            }
        }
        return DiagramLayout.of(graph, box: box, panels: panels, numbered: numbered, centred: centred)
    }
}
