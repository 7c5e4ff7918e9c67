/// Makes a picture narrow enough: names of callbacks give way to a number that leads to the list below, then figures.
struct LabelFit: Sendable {
    /// What is left of a label, the most first.
    private enum Form: Int, CaseIterable, Sendable {
        /// Everything; the figures with a number in place of the names; between neighbours the count with it; the number.
        case whole, brief, counted, number
    }

    /// One for each side; the states have the same places in all of them.
    private(set) var layouts: [DiagramLayout] = []

    private var forms: [Form]
    private let graph: StateGraph
    private let sides: [DiagramSide]
    /// The labels of every edge in each form on each side.
    private let labels: [Form: [[EdgeLabel?]]]
    private let box: StateBox
    private let centred: Double

    /// The edges that carry their number in place of a label.
    var numbered: Set<Int> { Set(forms.indices.filter { forms[$0] == .number }) }

    /// - Parameters:
    ///   - most: How wide a panel may be.
    ///   - isCentred: Whether the states are in its middle.
    init(
        _ graph: StateGraph, _ labels: DiagramLabels, _ sides: [DiagramSide], box: StateBox, most: Double,
        isCentred: Bool
    ) {
        (self.graph, self.sides, self.box) = (graph, sides, box)
        let whole = sides.map { side in graph.edges.map { labels.label(of: $0, on: side) } }
        func inEach(_ form: (EdgeLabel, Ink) -> EdgeLabel) -> [[EdgeLabel?]] {
            zip(sides, whole).map { side, panel in
                zip(graph.edges, panel).map { edge, label in label.map { form($0, edge.on(side).ink) } }
            }
        }
        self.labels = [
            .whole: whole, .number: whole, .brief: inEach { $0.brief($1) }, .counted: inEach { $0.brief($1).counted },
        ]
        centred = isCentred ? most : .infinity
        forms = graph.edges.map { _ in graph.states.count > DiagramLayout.mostLabelled ? .number : .whole }
        layouts = laidOut(forms)
        let expendable = labels.expendable(of: graph).filter { edge in
            forms[edge] == .whole && sides.contains { label(of: edge, on: $0)?.width ?? 0 > EdgeNumbers.diameter }
        }
        for form in Form.allCases.dropFirst() {
            for edge in expendable where layouts[0].width > most && has(form, edge, labels) {
                forms[edge] = form
                layouts = laidOut(forms)
            }
        }
        // Labels without which the picture is as wide come back, the most important ones first.
        let reached = max(most, layouts[0].width)
        for edge in expendable.reversed() {
            for form in Form.allCases where form.rawValue < forms[edge].rawValue && has(form, edge, labels) {
                var other = forms
                other[edge] = form
                let found = laidOut(other)
                guard found[0].width <= reached else { continue }
                (forms, layouts) = (other, found)
                break
            }
        }
    }

    func label(of edge: Int, on side: DiagramSide) -> EdgeLabel? {
        sides.firstIndex(of: side).flatMap { labels[forms[edge]]?[$0][edge] }
    }

    /// Whether an edge has such a label: figures that are left without the names, or a count beside a short line.
    private func has(_ form: Form, _ edge: Int, _ texts: DiagramLabels) -> Bool {
        guard form == .brief || form == .counted else { return true }
        let hasFigures = labels[.brief]?.contains { $0[edge].map { !$0.lines[0].text.isEmpty } ?? false } ?? false
        let hasNames = labels[.whole]?.contains { $0[edge]?.hasNames == true } ?? false
        return hasFigures && (form == .brief ? hasNames : texts.isShort(graph.edges[edge]))
    }

    private func laidOut(_ forms: [Form]) -> [DiagramLayout] {
        let panels = sides.indices.map { side in
            forms.enumerated().map { edge, form in
                (labels[form]?[side][edge]).map { (width: $0.width, height: $0.height) }
            }
        }
        let numbered = Set(forms.indices.filter { forms[$0] == .number })
        return DiagramLayout.of(graph, box: box, panels: panels, numbered: numbered, centred: centred)
    }
}
