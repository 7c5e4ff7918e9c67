import TraceRecords

/// Which state follows which: a matrix coloured by the share of the transitions out of a state.
package struct TransitionHeatMap: Sendable, Hashable, ChartContent {
    package var title: String
    /// Ids and titles of the states, in the order of rows and columns.
    package var states: [Name]
    package var cells: [Cell]

    package init(title: String, states: [Name], cells: [Cell]) {
        self.title = title
        self.states = states
        self.cells = cells
    }

    package struct Name: Sendable, Hashable {
        package var id: String
        package var title: String

        package init(id: String, title: String) {
            self.id = id
            self.title = title
        }
    }

    /// A change of state that occurred.
    package struct Cell: Sendable, Hashable {
        package var from: String
        package var to: String
        /// How often it was observed.
        package var count: Int
        /// Share of the observed transitions out of `from` (0...1).
        package var probability: Double
        /// How often it was inferred from the model, such as the silent end of a process.
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

    /// The width of the widest word of a title, which is broken neither beside its row nor above its column.
    private var word: Double { states.map { TextFit.widestWord(of: $0.title, size: 11, face: .bold) }.max() ?? 0 }
    private var names: Double { min(240, max(84, word + 24)).rounded(.up) }
    /// The matrix is as wide as other charts, which fit on a phone, unless its figures need more room.
    private var cell: (width: Double, height: Double) {
        let room = (ChartPanel.usualWidth - names - 12) / Double(max(1, states.count))
        let widest =
            cells.map { TextMeasure.width(NumberText.grouped($0.count) + "×", size: 11, face: .bold) }.max() ?? 0
        return (max(widest + 7, min(120, room, max(72, word + 6))).rounded(.down), 45)
    }
    private static let dash = [6.0, 3]

    func panel(_ words: Words) -> ChartPanel {
        let (cell, names) = (cell, names)
        let isShort = hasShortFigures(words)
        let (above, head) = heads
        var shapes = above
        shapes.append(.label("\(words[.from]) ↓   \(words[.to]) →", at: Point(24, 24), size: 12))
        for (place, state) in states.enumerated() {
            let beside = TextFit.wrapped(state.title, to: names - 22, lines: 3, size: 11, face: .bold)
            for (number, line) in beside.enumerated() {
                let row = head + (Double(place) + 0.5) * cell.height
                let y = row + 4 + (Double(number) - Double(beside.count - 1) / 2) * (beside.count > 2 ? 13 : 16)
                shapes.append(
                    .label(line, at: Point(names - 12, y), size: 11, face: .bold, anchor: .end, ink: .text))
            }
            shapes += states.indices.map { .box(box(row: place, column: $0, head: head)) }
        }
        let places = Dictionary(states.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
        let cells = cells.sorted { ($0.from, $0.to) < ($1.from, $1.to) }
        let moves = Words.fewestMoves(cells.map { ($0.from, $0.count) })
        for one in cells {
            guard let row = places[one.from], let column = places[one.to] else { continue }
            shapes.append(
                draw(one, of: moves, in: box(row: row, column: column, head: head), isShort: isShort, words: words))
        }
        return ChartPanel(
            width: max(ChartPanel.usualWidth, names + Double(states.count) * cell.width + 12),
            height: head + Double(states.count) * cell.height + 14, shapes: shapes, legend: legend(words),
            description: cells.map { summary($0, of: moves, words) }.joined(separator: ". "))
    }

    /// The titles above the columns, and where the rows begin.
    ///
    /// Above narrow columns every second title stands higher and has the width of two. Where even that would break a word,
    /// the titles are stairs: each ends above its column, higher than those before it.
    private var heads: (shapes: [Picture.Shape], height: Double) {
        let isStaggered = word + 6 > cell.width
        let isStairs = word > 2 * cell.width - 2
        func middle(_ place: Int) -> Double { names + (Double(place) + 0.5) * cell.width }
        let titles = states.enumerated().map { place, state in
            TextFit.wrapped(
                state.title, to: isStairs ? middle(place) - 11 : (isStaggered ? 2 : 1) * cell.width - 2, lines: 2,
                size: 11, face: .bold)
        }
        let high = titles.map(\.count).max() ?? 1
        // How many lines stand below each title.
        let below = titles.indices.map { place in
            isStairs
                ? titles[..<place].reduce(0) { $0 + $1.count } : isStaggered && !place.isMultiple(of: 2) ? high : 0
        }
        let above = isStairs ? titles.reduce(1) { $0 + $1.count } : isStaggered ? 2 * high : high
        let head = 38 + 16 * Double(above)
        let shapes = titles.enumerated().flatMap { place, lines -> [Picture.Shape] in
            let (x, base) = (middle(place), head - 14 - 16 * Double(below[place]))
            let line = Picture.Shape.line(Point(x, base + 5), Point(x, head - 4), ink: .faint)
            return (below[place] > 0 ? [line] : [])
                + lines.reversed().enumerated().map { number, text in
                    .label(
                        text, at: Point(isStairs ? x + 5 : x, base - 16 * Double(number)), size: 11, face: .bold,
                        anchor: isStairs ? .end : .middle, ink: .text)
                }
        }
        return (shapes, head)
    }

    /// An empty cell.
    private func box(row: Int, column: Int, head: Double) -> Picture.Box {
        .init(
            x: names + Double(column) * cell.width + 1.5, y: head + Double(row) * cell.height + 1.5,
            width: cell.width - 3, height: cell.height - 3, radius: 5, fill: .heat0, stroke: .frame)
    }

    /// Whether inferred transitions have no room for the word: `+3`.
    private func hasShortFigures(_ words: Words) -> Bool {
        cells.contains {
            let text = words.counted($0.inferred, .inferredTimes)
            return $0.inferred > 0 && TextMeasure.width(text, size: 11, face: .text) > cell.width - 3
        }
    }

    private func legend(_ words: Words) -> [PictureSheet.Entry] {
        let inferred = PictureSheet.Entry(text: words[.inferred], sample: 22) {
            [.label("+3", at: $0 + Point(2, 4), size: 11)]
        }
        let shares: [PictureSheet.Entry] =
            [
                .init(text: words[.shareOfMoves], sample: 84) { p in
                    Ink.shades.enumerated().map { place, ink in
                        .box(
                            .init(
                                x: p.x + Double(place) * 14, y: p.y - 7, width: 13, height: 14, radius: 3, fill: ink,
                                stroke: .frame))
                    }
                }
            ] + (hasShortFigures(words) ? [inferred] : [])
        guard cells.contains(where: { !$0.isDocumented }) else { return shares }
        let undocumented = PictureSheet.Entry(text: words[.undocumented]) { place in
            var box = Marks.swatch(at: place, fill: nil, stroke: .undocumented)
            (box.lineWidth, box.dash) = (2, Self.dash)
            return [.box(box)]
        }
        return shares + [undocumented]
    }

    private func summary(_ cell: Cell, of moves: Int, _ words: Words) -> String {
        func title(_ id: String) -> String { TextFit.short(states.first { $0.id == id }?.title ?? id) }
        let parts = figures(cell, of: moves, words) + (cell.isDocumented ? [] : [words[.undocumented]])
        return "\(title(cell.from)) → \(title(cell.to)): \(parts.joined(separator: ", "))"
    }

    /// How often, and the share; inferred transitions have their own line and no share.
    ///
    /// - Parameter moves: see ``Words/fewestMoves(_:)``.
    private func figures(_ cell: Cell, of moves: Int, _ words: Words, isShort: Bool = false) -> [String] {
        let observed = [words.grouped(cell.count) + "×", words.percent(cell.probability, of: moves)]
        let inferred = isShort ? "+" + words.grouped(cell.inferred) : words.counted(cell.inferred, .inferredTimes)
        return (cell.count > 0 ? observed : []) + (cell.inferred > 0 ? [inferred] : [])
    }

    private func draw(
        _ cell: Cell, of moves: Int, in empty: Picture.Box, isShort: Bool, words: Words
    ) -> Picture.Shape {
        let step = cell.probability.isFinite ? max(0, min(1, cell.probability)) * Double(Ink.shades.count - 1) : 0
        var box = empty
        if cell.count > 0 { box.fill = Ink.shades[max(1, Int(step.rounded()))] }
        if !cell.isDocumented { (box.stroke, box.lineWidth, box.dash) = (.undocumented, 2, Self.dash) }
        let lines = figures(cell, of: moves, words, isShort: isShort)
        let (first, pitch) = lines.count > 2 ? (13.5, 12.5) : lines.count > 1 ? (18.0, 16.0) : (25.5, 0.0)
        let texts = lines.enumerated().map { place, line -> Picture.Shape in
            let isCount = cell.count > 0 && place == 0
            let isInferred = cell.inferred > 0 && place == lines.count - 1
            let isShaded = box.fill.map(Ink.shades.contains) ?? false
            let face: Typeface = isCount ? .bold : .text
            let usual = isCount ? 13.5 : isInferred ? 11 : 12
            // Millions are smaller, so that they stay in their cell.
            let most = usual * (box.width - 4) / TextMeasure.width(line, size: usual, face: face)
            return .label(
                line, at: Point(box.x + box.width / 2, box.y + first + Double(place) * pitch),
                size: max(11, min(usual, most)), face: face, anchor: .middle,
                ink: isInferred && !isShaded ? .muted : .text)
        }
        return .group(
            .init(
                classes: cell.isDocumented ? "cell documented" : "cell undocumented", role: "img",
                label: summary(cell, of: moves, words), data: [("from", cell.from), ("to", cell.to)],
                shapes: [.box(box)] + texts))
    }
}
