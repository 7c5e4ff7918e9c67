/// Draws a state graph as a ``Picture``: heading, one or two panels, legend.
struct DiagramComposer {
    let graph: StateGraph
    let options: DiagramOptions
    let labels: DiagramLabels
    let sides: [DiagramSide]
    let box: StateBox
    /// Which labels give way, and the layouts with the others.
    let fit: LabelFit
    /// The numbers of the edges that the list below the picture explains.
    let numbers: [Int: Int]
    /// The number of panels in a row, and the maximum width of each.
    private let columns: Int
    private let mostWidth: Double

    var words: Words { labels.words }
    var layouts: [DiagramLayout] { fit.layouts }

    /// Distances, in points.
    private static let padding = 12.0
    private static let gap = 20.0
    private static let (panelHead, panelTop, lineOfHead) = (46.0, 16.0, 18.0)

    /// Panels that would be too wide to be read beside each other stand below each other. On a phone, states become narrower
    /// before the picture becomes wider.
    init(_ graph: StateGraph, _ options: DiagramOptions) {
        let beside = DiagramComposer(graph, options, columns: options.view.sides.count)
        let usual = beside.isReadable ? beside : DiagramComposer(graph, options, columns: 1)
        let isTight = options.isForPhone && usual.panelWidth > usual.mostWidth
        self = isTight ? DiagramComposer(graph, options, columns: 1, room: .phone) : usual
    }

    private init(_ input: StateGraph, _ options: DiagramOptions, columns: Int, room: TextRoom? = nil) {
        let graph = input.drawn(options)
        self.columns = columns
        mostWidth = ((options.width - 2 * PictureSheet.margin + Self.gap) / Double(columns) - Self.gap).rounded(.down)
        let labels = DiagramLabels(
            graph: graph, options: options, room: room ?? (mostWidth < 600 ? .narrow : .usual))
        let box = StateBox(graph: graph, labels: labels)
        self.graph = graph
        self.options = options
        self.labels = labels
        self.box = box
        let sides = options.view.sides
        self.sides = sides
        let fit = LabelFit(
            graph, labels, sides, box: box, most: mostWidth - 2 * Self.padding, isCentred: options.isForPhone)
        self.fit = fit
        let listed = graph.edges.indices.filter { place in
            let drawn = sides.compactMap { fit.label(of: place, on: $0) }
            return fit.numbered.contains(place) ? !drawn.isEmpty : drawn.contains(where: \.isShortened)
        }
        numbers = Dictionary(uniqueKeysWithValues: zip(listed, 1...))
    }

    /// Whether small text, of 10.5 points, has 9 where the picture is shown as wide as it may be.
    private var isReadable: Bool { columns == 1 || panelWidth * 9 <= mostWidth * 10.5 }

    func layout(of side: DiagramSide) -> DiagramLayout { layouts[sides.firstIndex(of: side) ?? 0] }

    var hasObserved: Bool { sides != [.documented] }

    /// Where a page has its own heading, one panel needs none.
    private var hasPanelHeading: Bool { options.hasHeading || sides.count > 1 || graph.isComparison }

    /// Whether name and summary of a panel stand below each other.
    private var isHeadHigh: Bool { hasPanelHeading && sides.contains { headWidth(of: $0) > mostWidth } }

    private func headWidth(of side: DiagramSide) -> Double {
        TextMeasure.width(name(of: side), size: 16, face: .bold) + 60
            + TextMeasure.width(summary(of: side), size: 12.5, face: .text)
    }

    private var panelHead: Double {
        hasPanelHeading ? Self.panelHead + (isHeadHigh ? Self.lineOfHead : 0) : Self.panelTop
    }

    /// What the picture is based on: `135 transitions · 13 runs`.
    var summary: String { summary(of: sides[sides.count - 1]) }

    /// In whole points, so that rounding is the same in both panels.
    private var panelWidth: Double {
        let heads = hasPanelHeading && !isHeadHigh ? sides.map(headWidth).max() ?? 0 : 0
        let least = numbers.isEmpty ? min(324, mostWidth) : mostWidth
        return max(layouts[0].width + 2 * Self.padding, heads, least).rounded(.up)
    }

    func picture() -> Picture {
        let panelWidth = panelWidth
        let panelHeight = (layouts[0].height + panelHead + Self.padding).rounded(.up)
        let width = Double(columns) * (panelWidth + Self.gap) - Self.gap
        var sheet = PictureSheet(
            title: graph.title, subtitle: graph.subtitle, width: width, hasHeading: options.hasHeading)
        for row in stride(from: 0, to: sides.count, by: columns) {
            let panels = sides[row..<row + columns].enumerated().map { place, side in
                let x = PictureSheet.margin + Double(place) * (panelWidth + Self.gap)
                return panel(side, .init(x: x, y: sheet.y, width: panelWidth, height: panelHeight))
            }
            sheet.add(panels, height: panelHeight)
        }
        if !numbers.isEmpty {
            let list = numberList(below: sheet.y, width: width)
            sheet.add(list.shapes, height: list.height)
        }
        sheet.close(legend: legend, notes: notes)
        // The picture in sentences, for those who cannot see it; on a phone each part says its own.
        var sentences = graph.subtitle.isEmpty ? [] : [graph.subtitle]
        if !options.isForPhone || sentences.isEmpty {
            sentences += graph.states.map { labels.tooltip($0, in: graph, withDetails: false) }
            sentences += graph.edges.map { labels.tooltip($0, in: graph, withDetails: false) }
        }
        return sheet.picture(
            description: sentences.map { $0.replacing("\n", with: ", ") }.joined(separator: ". "),
            language: options.language, idPrefix: options.idPrefix)
    }

    private func panel(_ side: DiagramSide, _ frame: Picture.Box) -> Picture.Shape {
        let name = name(of: side)
        var box = frame
        (box.radius, box.fill, box.stroke) = (12, .panel, .frame)
        var shapes: [Picture.Shape] = [.box(box)]
        if hasPanelHeading {
            let (x, y) = (frame.x + 20, frame.y + 29)
            shapes.append(.label(name, at: Point(x, y), size: 16, face: .bold, ink: .text))
            shapes.append(
                isHeadHigh
                    ? .label(summary(of: side), at: Point(x, y + Self.lineOfHead), size: 12.5)
                    : .label(summary(of: side), at: Point(x + frame.width - 40, y), size: 12.5, anchor: .end))
        }
        let origin = Point(frame.x + (frame.width - layouts[0].width) / 2, frame.y + panelHead)
        let drawn = graph.edges.indices.compactMap { place in
            fit.label(of: place, on: side).map { (place, $0) }
        }
        // Lines below states, states below labels: no line ever crosses a word.
        shapes += drawn.map { line(of: $0.0, on: side, origin: origin) }
        for place in graph.states.indices where graph.states[place].isModelled || side != .documented {
            shapes.append(state(place, on: side, origin: origin))
        }
        shapes += drawn.compactMap { place, label in
            fit.numbered.contains(place)
                ? numbers[place].flatMap { number($0, of: place, on: side, origin: origin) }
                : labelShape(label, of: place, on: side, origin: origin)
        }
        return .group(.init(classes: "panel \(side.rawValue)", role: "group", label: name, shapes: shapes))
    }

    private func name(of side: DiagramSide) -> String { words[graph.isComparison ? .compared : side.heading] }

    private func summary(of side: DiagramSide) -> String {
        if side == .documented {
            let states = graph.states.count(where: \.isModelled)
            let edges = graph.edges.count(where: \.isModelled)
            return words.counted(states, .states) + " · " + words.counted(edges, .edges)
        }
        if graph.isComparison {
            let found = graph.differences
            return words.filled(.someDiffer, words.grouped(found.count), words.grouped(found.all))
        }
        let seen = graph.edges.reduce(0) { $0 + $1.occurrences }
        let runs = graph.runs.map { " · " + words.counted($0, .runs) } ?? ""
        return words.counted(seen, .transitions) + runs
    }

    // MARK: - Legend

    /// The edges that some panel shows, as it shows them, with their labels.
    private var shown: [(edge: StateGraph.Edge, label: EdgeLabel)] {
        graph.edges.flatMap { edge in
            sides.compactMap { side in labels.label(of: edge, on: side).map { (edge.on(side), $0) } }
        }
    }

    /// The lines of the documented side, which say nothing of what was seen, then those of what was.
    private var lineEntries: [PictureSheet.Entry] {
        func kinds(isModelOnly: Bool) -> [StateGraph.EdgeKind] {
            let kinds = Set(shown.map(\.edge).filter { $0.isModelOnly == isModelOnly }.map(\.kind))
            return StateGraph.EdgeKind.allCases.filter(kinds.contains)
        }
        let model = kinds(isModelOnly: true)
        let entries = model.map { kind in
            PictureSheet.Entry(text: words[kind == .silent ? .edgeSilent : .edgeOfModel], sample: 46) {
                Self.sample(kind, .model, at: $0)
            }
        }
        let isComparison = graph.isComparison
        return entries
            + kinds(isModelOnly: false).filter { kind in
                isComparison ? kind != .documented : kind != .silent || !model.contains(.silent)
            }.map { kind in
                let ink = isComparison ? .never : kind.ink
                return .init(text: words[kind.name(isComparison: isComparison)], sample: 46) {
                    Self.sample(kind, ink, at: $0)
                }
            }
    }

    /// Entries for what the picture contains, and nothing else.
    private var legend: [PictureSheet.Entry] {
        var entries = (graph.isComparison ? comparedEntries : []) + lineEntries
        if graph.states.contains(where: \.isInitial) {
            entries.append(.init(text: words[.initial], sample: 10) { Marks.initial(at: $0 + Point(5, 0)) })
        }
        if graph.states.contains(where: \.isFinal) {
            entries.append(.init(text: words[.final], sample: 10) { Marks.final(at: $0 + Point(5, 0)) })
        }
        if hasObserved { entries += observedEntries }
        let marks = Set(shown.compactMap(\.label.mark))
        for (ink, word) in [(Ink.error, Word.errorMark), (.warning, .warningMark)] where marks.contains(ink) {
            entries.append(.init(text: words[word], sample: 16) { Marks.finding(at: $0 + Point(8, 0), ink: ink) })
        }
        return entries
    }

    /// What colours and marks of a comparison mean.
    private var comparedEntries: [PictureSheet.Entry] {
        let edges = shown.compactMap(\.edge.change)
        let states = graph.states.flatMap(\.changes).filter(\.isSignificant)
        // A line, a state in the colour, or both.
        let (lines, fills) = (Set(edges.map(\.ink)), Set(states.map(\.ink)))
        func fill(_ ink: Ink, at place: Point) -> Picture.Shape {
            var box = Marks.swatch(at: place, fill: ink)
            box.opacity = 0.2
            return .box(box)
        }
        let colours: [(Ink, Word)] = [(.more, .moreInB), (.less, .lessInB), (.never, .withinChance)]
        var entries = colours.filter { lines.union(fills).contains($0.0) }.map { ink, word in
            PictureSheet.Entry(text: words[word], sample: lines.contains(ink) ? 46 : 26) { place in
                (fills.contains(ink) ? [fill(ink, at: place)] : [])
                    + (lines.contains(ink) ? Self.sample(.documented, ink, at: place) : [])
            }
        }
        if (edges + states).contains(where: \.isSignificant) {
            entries.append(
                .init(text: words[.beyondChance], sample: 14) { Marks.significant(at: $0 + Point(7, 0), ink: .text) })
        }
        return entries
    }

    private var observedEntries: [PictureSheet.Entry] {
        var entries: [PictureSheet.Entry] = []
        if graph.states.contains(where: { $0.estimate != nil }) {
            entries.append(
                .init(text: words[.estimatedState], sample: 34) { place in
                    let frame = Picture.Box(
                        x: place.x, y: place.y - 8, width: 34, height: 16, radius: 4, fill: .state, stroke: .estimated,
                        lineWidth: 1.2, dash: StateGraph.EdgeKind.estimated.dash(width: 1))
                    return [.box(frame), .path(Self.hatching(in: frame))]
                })
        }
        if Set(shown.map { graph.strokeWidth(of: $0.edge) }).count > 1 {
            entries.append(
                .init(text: words[graph.isComparison ? .widthOfDifference : .width], sample: 34) { p in
                    [
                        .polygon(
                            [p + Point(0, -0.6), p + Point(34, -3), p + Point(34, 3), p + Point(0, 0.6)],
                            fill: graph.isComparison ? .never : .model)
                    ]
                })
        }
        if graph.states.contains(where: { ($0.visits?.share ?? 0) > 0 }) {
            entries.append(
                .init(text: words[.shareOfTime], sample: 34) { Self.shareBar(at: $0 + Point(0, -1.5), 34, 0.6) })
        }
        if let range = shadedRange {
            let isCount = options.colouring == .frequency
            let ends = [range.least, range.most].map { end in
                isCount ? words.grouped(Int(end)) : words.duration(Int64(end))
            }
            let text = "\(words[isCount ? .shadeOften : .shadeLong]) (\(ends.joined(separator: " – ")))"
            entries.append(
                .init(text: text, sample: 42) { p in
                    Ink.shades.enumerated().map { place, ink in
                        .box(
                            .init(
                                x: p.x + 7 * Double(place), y: p.y - 7, width: 7, height: 14, fill: ink,
                                stroke: .frame))
                    }
                })
        }
        return entries
    }

    private static func sample(_ kind: StateGraph.EdgeKind, _ ink: Ink, at place: Point) -> [Picture.Shape] {
        let end = place + Point(36, 0)
        return [
            .line(place, end, ink: ink, width: 2.2, dash: kind.dash(width: 2.2)),
            .polygon(arrow(from: end, to: place + Point(46, 0), width: 1.7), fill: ink),
        ]
    }

    /// Whether there are a documented and an undocumented edge between the same states.
    private var hasTwoVerdicts: Bool {
        let shown = graph.edges.filter(\.isShown)
        return shown.contains { edge in
            edge.isDocumented && shown.contains { !$0.isDocumented && ($0.from, $0.to) == (edge.from, edge.to) }
        }
    }

    private var notes: [String] {
        var notes = graph.isComparison ? [words[.comparedFigures]] : []
        let hasShares = hasObserved && options.edgeMetrics.contains(.probability) && !graph.isComparison
        let shares = hasShares ? graph.edges.filter(\.isShown).compactMap(labels.shares) : []
        let hasBoth = shares.contains { $0.contains("(") }
        if hasBoth { notes.append(words[.percentages]) }
        let remarks = graph.edges.flatMap(\.findings).filter { $0.severity == "info" }.reduce(0) { $0 + $1.count }
        if hasObserved, hasTwoVerdicts { notes.append(words[.twoVerdicts]) }
        if sides.contains(.documented),
            graph.edges.contains(where: { $0.isDocumented && !$0.isModelled && $0.isShown && $0.via.isEmpty })
        {
            notes.append(words[.onlyWhereSeen])
        }
        // These are short, and together on a line.
        var small = shares.isEmpty || hasBoth ? [] : [words[.percentagesOfMoves]]
        small += hasObserved && remarks > 0 ? [words.counted(remarks, .remarksOnEdges)] : []
        if !labels.callbackNames.word.isEmpty { small.append(words.filled(.prefixLeftOut, labels.callbackNames.word)) }
        if !small.isEmpty { notes.append(small.joined(separator: words.language.isSpaced ? " " : "")) }
        return notes + folded
    }

    /// What became of the edges that are too rare: an overlay draws those of the model.
    private var folded: [String] {
        let all = graph.edges.reduce(0) { $0 + $1.occurrences }
        let edges = Dictionary(grouping: graph.edges.filter(\.isFolded)) { options.view == .overlay && $0.isModelled }
        return [(false, Word.hidden), (true, .folded)].compactMap { isDrawn, word in
            edges[isDrawn].map { edges in
                let share = Double(edges.reduce(0) { $0 + $1.occurrences }) / Double(max(1, all))
                return words.counted(edges.count, word, words.percent(share))
            }
        }
    }
}

// MARK: - As JSON

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
        let places = graph.states.enumerated().map { place, state in
            let (middle, height) = (layouts[0].states[place], layouts[0].heights[place])
            return Place(
                id: state.id, x: round(middle.x - box.width / 2), y: round(middle.y - height / 2),
                width: round(box.width), height: round(height))
        }
        let lines = graph.edges.enumerated().map { place, edge in
            // The route on the side that shows the edge, the observed one first.
            let routes = layouts.reversed().map { $0.edges[place] }
            let route = routes.first { !$0.points.isEmpty } ?? routes[0]
            return Line(
                from: edge.from, to: edge.to, kind: edge.kind,
                points: (route.points + [route.tip]).map { [round($0.x), round($0.y)] })
        }
        return try Picture.json(Document(graph: graph, view: options.view.rawValue, places: places, lines: lines))
    }
}
