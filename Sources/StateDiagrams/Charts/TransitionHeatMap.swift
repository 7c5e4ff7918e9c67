/// Which state follows which: a matrix coloured by the part of the transitions out of a state.
package struct TransitionHeatMap: Sendable, Hashable, Codable {
    package var title: String
    package var subtitle: String
    /// Ids and titles of the states, in the order of rows and columns.
    package var states: [Name]
    package var cells: [Cell]

    package init(title: String, subtitle: String = "", states: [Name], cells: [Cell]) {
        self.title = title
        self.subtitle = subtitle
        self.states = states
        self.cells = cells
    }

    package struct Name: Sendable, Hashable, Codable {
        package var id: String
        package var title: String

        package init(id: String, title: String) {
            self.id = id
            self.title = title
        }
    }

    /// A change of state that occurred.
    package struct Cell: Sendable, Hashable, Codable {
        package var from: String
        package var to: String
        /// How often it was observed.
        package var count: Int
        /// Part of the observed transitions out of `from` (0...1).
        package var probability: Double
        /// How often it follows from the model alone: the silent end of a process.
        package var inferred: Int
        package var isDocumented: Bool

        package init(
            from: String, to: String, count: Int, probability: Double, inferred: Int = 0, isDocumented: Bool
        ) {
            self.from = from
            self.to = to
            self.count = count
            self.probability = probability
            self.inferred = inferred
            self.isDocumented = isDocumented
        }
    }

    private static let names = 190.0
    private static let cell = (width: 112.0, height: 50.0)
    private static let oneLineHead = 54.0

    func frame(_ words: ChartWords) -> ChartFrame {
        let names = states.map {
            TextFit.wrapped($0.title, to: Self.cell.width - 8, lines: 2, size: 12.5, face: .bold)
        }
        let head = Self.oneLineHead + (names.contains { $0.count > 1 } ? 16 : 0)
        let width = max(460, Self.names + Double(states.count) * Self.cell.width + 24)
        let height = head + Double(states.count) * Self.cell.height + 24
        var shapes: [Picture.Shape] = [
            .text(.init(x: 24, y: head - 14, text: "\(words.from) ↓   \(words.to) →", size: 12, ink: .muted))
        ]
        let places = Dictionary(
            states.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
        for (place, state) in states.enumerated() {
            let middle = Self.names + (Double(place) + 0.5) * Self.cell.width
            let lines = names[place]
            for (number, line) in lines.enumerated() {
                let y = head - 14 - Double(lines.count - 1 - number) * 16
                shapes.append(
                    .text(.init(x: middle, y: y, text: line, size: 12.5, face: .bold, anchor: .middle)))
            }
            let beside = TextFit.wrapped(state.title, to: Self.names - 40, lines: 2, size: 12.5, face: .bold)
            for (number, line) in beside.enumerated() {
                let row = head + (Double(place) + 0.5) * Self.cell.height
                let y = row + 4 + (Double(number) - Double(beside.count - 1) / 2) * 16
                shapes.append(.text(.init(x: Self.names - 12, y: y, text: line, size: 12.5, face: .bold, anchor: .end)))
            }
            for column in states.indices {
                shapes.append(
                    .box(
                        .init(
                            x: Self.names + Double(column) * Self.cell.width + 1.5,
                            y: head + Double(place) * Self.cell.height + 1.5, width: Self.cell.width - 3,
                            height: Self.cell.height - 3, radius: 5, fill: .heat0, stroke: .frame)))
            }
        }
        for cell in cells.sorted(by: { ($0.from, $0.to) < ($1.from, $1.to) }) {
            guard let row = places[cell.from], let column = places[cell.to] else { continue }
            shapes.append(draw(cell, row: row, column: column, head: head, words: words))
        }
        return ChartFrame(
            title: title, subtitle: subtitle, width: width, height: height, shapes: shapes,
            legend: [
                .init(text: words.share, sample: 130) { x, y in
                    Ink.shades.enumerated().map { place, ink in
                        .box(
                            .init(
                                x: x + Double(place) * 22, y: y - 7, width: 20, height: 14, radius: 3, fill: ink,
                                stroke: .frame))
                    }
                },
                .init(text: words.undocumented) { x, y in
                    [
                        .box(
                            .init(
                                x: x, y: y - 7, width: 26, height: 14, radius: 3, stroke: .undocumented, lineWidth: 2,
                                dash: [6, 3]))
                    ]
                },
            ],
            description: cells.sorted { ($0.from, $0.to) < ($1.from, $1.to) }.map { summary($0, words) }.joined(
                separator: ". "))
    }

    private func summary(_ cell: Cell, _ words: ChartWords) -> String {
        func title(_ id: String) -> String { DiagramComposer.short(states.first { $0.id == id }?.title ?? id) }
        let figures = Self.figures(cell, words).joined(separator: ", ")
        return "\(title(cell.from)) → \(title(cell.to)): \(figures)"
            + (cell.isDocumented ? "" : ", \(words.undocumented)")
    }

    /// How often, and the part that it is; what is inferred has a line of its own and no part.
    private static func figures(_ cell: Cell, _ words: ChartWords) -> [String] {
        let observed = [NumberText.count(cell.count) + "×", NumberText.percent(cell.probability)]
        let inferred = Words.filled(words.inferred, NumberText.count(cell.inferred))
        return (cell.count > 0 ? observed : []) + (cell.inferred > 0 ? [inferred] : [])
    }

    private func draw(_ cell: Cell, row: Int, column: Int, head: Double, words: ChartWords) -> Picture.Shape {
        let (x, y) = (
            Self.names + Double(column) * Self.cell.width + 1.5, head + Double(row) * Self.cell.height + 1.5
        )
        let (width, height) = (Self.cell.width - 3, Self.cell.height - 3)
        let step = cell.probability.isFinite ? max(0, min(1, cell.probability)) * Double(Ink.shades.count - 1) : 0
        var box = Picture.Box(
            x: x, y: y, width: width, height: height, radius: 5,
            fill: cell.count > 0 ? Ink.shades[max(1, Int(step.rounded()))] : .heat0, stroke: .frame)
        if !cell.isDocumented {
            (box.stroke, box.lineWidth, box.dash) = (.undocumented, 2, [6, 3])
        }
        let lines = Self.figures(cell, words)
        let (first, pitch) = lines.count > 2 ? (15.0, 13.5) : lines.count > 1 ? (20.0, 17.0) : (28.0, 0.0)
        let texts = lines.enumerated().map { place, line -> Picture.Shape in
            let isCount = cell.count > 0 && place == 0
            let isInferred = cell.inferred > 0 && place == lines.count - 1
            return .text(
                .init(
                    x: x + width / 2, y: y + first + Double(place) * pitch, text: line,
                    size: isCount ? 13.5 : isInferred ? 11 : 12, face: isCount ? .bold : .text, anchor: .middle,
                    ink: isInferred ? .muted : .text))
        }
        return .group(
            .init(
                classes: cell.isDocumented ? "cell documented" : "cell undocumented", role: "img",
                label: summary(cell, words), data: [("from", cell.from), ("to", cell.to)],
                shapes: [.box(box)] + texts))
    }
}
