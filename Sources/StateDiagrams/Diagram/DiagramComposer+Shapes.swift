import Foundation

/// The states, edges and labels of a panel.
extension DiagramComposer {
    // MARK: - States

    func state(_ place: Int, on side: DiagramSide, origin: Point) -> Picture.Shape {
        let state = graph.states[place]
        let middle = origin + layouts[0].states[place]
        let isGhost = side != .documented && isUnseen(state)
        let frame = frame(of: state, on: side, middle: middle, height: layouts[0].heights[place], isGhost: isGhost)
        var shapes: [Picture.Shape] = [.box(frame)]
        if let ink = state.changeInk {
            var tint = frame
            (tint.fill, tint.stroke, tint.opacity) = (ink, nil, 0.2)
            shapes.append(.box(tint))
        }
        if side != .documented, state.estimate != nil { shapes.append(.path(Self.hatching(in: frame))) }
        if state.isInitial { shapes += Marks.initial(at: Point(frame.x + 13, frame.y + 13)) }
        if state.isFinal { shapes += Marks.final(at: Point(frame.x + frame.width - 13, frame.y + 13)) }
        shapes += texts(of: state, on: side, middle: middle, isGhost: isGhost)
        if side != .documented, let share = state.visits?.share, share > 0 {
            shapes += Self.shareBar(at: Point(frame.x + 10, frame.y + frame.height - 8), frame.width - 20, share)
        }
        return .group(
            .init(
                classes: isGhost ? "state unseen" : "state", role: "img", label: labels.tooltip(state, in: graph),
                data: [("state", state.id)], shapes: shapes))
    }

    private func frame(
        of state: StateGraph.State, on side: DiagramSide, middle: Point, height: Double, isGhost: Bool
    ) -> Picture.Box {
        var frame = Picture.Box(
            x: middle.x - box.width / 2, y: middle.y - height / 2, width: box.width, height: height, radius: 10,
            fill: fill(of: state, on: side), stroke: isGhost ? .ghost : .stateFrame, lineWidth: isGhost ? 1.2 : 1.6)
        if isGhost { frame.dash = [2, 4] }
        if state.changes.contains(where: \.isSignificant) {
            (frame.stroke, frame.lineWidth) = (state.changeInk ?? .stateFrame, 3)
        }
        let isUntold = graph.untold.contains(state.id)
        if side != .documented, state.visits == nil, state.estimate != nil || isUntold {
            let kind = isUntold ? StateGraph.EdgeKind.silent : .estimated
            (frame.stroke, frame.dash) = (kind.ink, kind.dash(width: 1.6))
        }
        if !state.isDocumented {
            (frame.stroke, frame.dash) = (.undocumented, StateGraph.EdgeKind.undocumented.dash(width: 1.6))
        }
        return frame
    }

    /// Title, figures and ends of runs, one below the other.
    private func texts(
        of state: StateGraph.State, on side: DiagramSide, middle: Point, isGhost: Bool
    ) -> [Picture.Shape] {
        let titles = labels.room.title(state)
        let lines = side == .documented ? [state.id] : labels.figures(state, in: graph)
        let endings = side == .documented ? [] : labels.endings(state)
        let height =
            Double(titles.count) * StateBox.titleHeight
            + Double(lines.count + endings.count) * StateBox.figureHeight
        var y = middle.y - height / 2 + 14
        var shapes: [Picture.Shape] = []
        for title in titles {
            shapes.append(
                .label(
                    title, at: Point(middle.x, y), size: StateBox.titleSize, face: .bold, anchor: .middle,
                    ink: isGhost ? .ghost : .text))
            y += StateBox.titleHeight
        }
        func add(_ line: String, size: Double, face: Typeface, ink: Ink) {
            let text = TextFit.shortened(line, to: box.width - 20, size: size, face: face)
            shapes.append(
                .label(text, at: Point(middle.x, y - 2), size: size, face: face, anchor: .middle, ink: ink))
            y += StateBox.figureHeight
        }
        // On the shades of a scale, only the darkest ink can be read.
        let usual: Ink = options.colouring == .plain ? .muted : .text
        // Each figure of a comparison has the colour of its own change.
        var inks = state.changes.filter(\.isSignificant).map(\.ink)[...]
        for line in lines {
            let own = line.hasPrefix(StateGraph.beyondChance) ? inks.popFirst() : nil
            let ink: Ink = isGhost ? .ghost : own ?? usual
            let isID = side == .documented
            add(line, size: isID ? 11 : StateBox.figureSize, face: isID ? .code : .text, ink: ink)
        }
        for ending in endings { add(ending.text, size: 11, face: .text, ink: ending.isBad ? .text : usual) }
        return shapes
    }

    private func isUnseen(_ state: StateGraph.State) -> Bool {
        state.visits == nil && state.estimate == nil && !graph.untold.contains(state.id)
            && !graph.edges.contains { $0.seen != nil && ($0.from == state.id || $0.to == state.id) }
    }

    /// White, or a step of the scale of ``PictureColouring``.
    private func fill(of state: StateGraph.State, on side: DiagramSide) -> Ink {
        guard side != .documented, let own = weight(of: state), let (least, most) = shadedRange else { return .state }
        guard most > least else { return .heat3 }
        let share = least == 0 ? own / most : (log(own) - log(least)) / (log(most) - log(least))
        return Ink.shades[max(0, min(Ink.shades.count - 1, Int((share * Double(Ink.shades.count - 1)).rounded())))]
    }

    /// The ends of the scale: visits are counted from zero, and medians, of which one may be a thousand times another, have
    /// a logarithmic scale.
    var shadedRange: (least: Double, most: Double)? {
        let all = options.colouring == .plain ? [] : graph.states.compactMap(weight)
        guard let least = all.min(), let most = all.max() else { return nil }
        return (options.colouring == .frequency ? 0 : least, most)
    }

    private func weight(of state: StateGraph.State) -> Double? {
        guard let visits = state.visits else { return nil }
        return options.colouring == .frequency ? Double(visits.count) : visits.median.map { Double(max($0, 1)) }
    }

    /// Faint lines behind the text of a state that is only estimated.
    static func hatching(in frame: Picture.Box) -> Picture.Path {
        let inner = Picture.Box(x: frame.x + 3, y: frame.y + 3, width: frame.width - 6, height: frame.height - 6)
        var lines = Marks.hatching(in: inner, ink: .estimated, step: 9)
        lines.opacity = 0.22
        return lines
    }

    static func shareBar(at place: Point, _ width: Double, _ share: Double) -> [Picture.Shape] {
        let bar = Picture.Box(x: place.x, y: place.y, width: width, height: 3, radius: 1.5, fill: .frame)
        var filled = bar
        (filled.width, filled.fill) = (max(3, width * min(share, 1)), .stateFrame)
        return [.box(bar), .box(filled)]
    }

    // MARK: - Edges

    /// The line of an edge with its arrow.
    func line(of place: Int, on side: DiagramSide, origin: Point) -> Picture.Shape {
        let edge = graph.edges[place].on(side)
        let route = layout(of: side).edges[place]
        let width = side == .documented ? 1.7 : graph.strokeWidth(of: edge)
        var steps: [Picture.Path.Step] = [.move(origin + route.points[0])]
        for piece in stride(from: 1, to: route.points.count, by: 3) {
            let points = route.points[piece - 1..<piece + 3].map { origin + $0 }
            let isStraight = Set(points.map(\.x)).count == 1 || Set(points.map(\.y)).count == 1
            steps.append(isStraight ? .line(points[3]) : .curve(points[1], points[2], points[3]))
        }
        let ink = edge.change?.ink ?? edge.ink
        let path = Picture.Path(steps: steps, stroke: ink, lineWidth: width, dash: edge.kind.dash(width: width))
        let arrow = Self.arrow(from: origin + (route.points.last ?? route.tip), to: origin + route.tip, width: width)
        let head = Picture.Path(steps: .along(arrow) + [.close], fill: ink)
        return .group(
            .init(
                classes: "edge \(edge.kind.rawValue)", role: "img", label: labels.tooltip(edge, in: graph),
                data: [("from", edge.from), ("to", edge.to)],
                shapes: [.path(path), .path(head)]))
    }

    static let arrowLength = 11.0

    /// A triangle whose tip touches the state.
    static func arrow(from base: Point, to tip: Point, width: Double) -> [Point] {
        let way = tip - base
        guard way.length > 0.01 else { return [] }
        let along = way * (1 / way.length)
        let across = Point(-along.y, along.x) * (3.6 + width * 0.75)
        // The triangle overlaps the line a little, so that there is no gap.
        let start = base - along * 0.6
        return [start + across, tip, start - across]
    }

    func labelShape(_ label: EdgeLabel, of place: Int, on side: DiagramSide, origin: Point) -> Picture.Shape? {
        let edge = graph.edges[place].on(side)
        let route = layout(of: side).edges[place]
        guard !label.lines.isEmpty, let room = route.label else { return nil }
        let nearest = route.samples.min { ($0 - room).length < ($1 - room).length } ?? room
        let isRight = nearest.x <= room.x
        let left = origin.x + room.x - label.width / 2
        let top = origin.y + room.y - label.height / 2
        var shapes: [Picture.Shape] = [
            .box(
                .init(
                    x: left, y: top, width: label.width, height: label.height, radius: 4, fill: .panel, opacity: 0.88))
        ]
        for (number, line) in label.lines.enumerated() {
            let y = top + 3 + Double(number) * EdgeLabel.lineHeight + 11.5
            // Text begins or ends at its line: the installed font may be narrower than the measured one.
            let mark = number == 0 ? label.mark : nil
            let aside = mark == nil ? 0 : EdgeLabel.markWidth
            // Of several names the lines begin at the left, or one could not tell where a name begins.
            let isLeft = isRight || (line.face == .code && label.lines.contains { $0.indent > 0 })
            var x = isLeft ? left + 4 + aside + line.indent : left + label.width - 4 - aside
            if let mark {
                shapes += Marks.onEdge(at: Point(isRight ? left + 10 : x + aside - 6, y - 4), ink: mark)
            }
            if line.isNumbered, let number = numbers[place] {
                // The number is between its edge and the text.
                let step = isLeft ? 1.0 : -1
                shapes += Self.disc(
                    number, line.ink, at: Point(x + step * EdgeNumbers.inText / 2, y - 4),
                    diameter: EdgeNumbers.inText)
                x += step * (EdgeNumbers.inText + EdgeNumbers.beforeText)
            }
            // Where all else is in the list, the number stands alone.
            guard !line.text.isEmpty else { continue }
            shapes.append(
                .label(
                    line.text, at: Point(x, y), size: line.size, face: line.face, anchor: isLeft ? .start : .end,
                    ink: line.ink))
        }
        return .group(
            .init(
                classes: "label \(edge.kind.rawValue)", role: nil,
                label: options.isForPhone ? "" : labels.tooltip(edge, in: graph),
                data: [("from", edge.from), ("to", edge.to)], shapes: shapes))
    }
}
