import Foundation

extension DiagramComposer {
    /// Draws a state in a panel.
    func state(_ place: Int, on side: Side, origin: Point) -> Picture.Shape {
        let state = graph.states[place]
        let middle = origin + layout.states[place]
        let (left, top) = (middle.x - box.width / 2, middle.y - box.height / 2)
        let isGhost = side != .documented && isUnseen(state)
        var frame = Picture.Box(
            x: left, y: top, width: box.width, height: box.height, radius: 10, fill: fill(of: state, on: side),
            stroke: isGhost ? .ghost : .stateFrame, lineWidth: isGhost ? 1.2 : 1.6)
        if isGhost { frame.dash = [2, 4] }
        let isEstimate = side != .documented && state.stay == nil && state.estimate != nil
        if isEstimate { (frame.stroke, frame.dash) = (.silent, [9, 4, 2, 4]) }
        if !state.isDocumented {
            frame.stroke = .undocumented
            frame.dash = [8, 4]
        }
        var shapes: [Picture.Shape] = [.box(frame)]
        if side != .documented, state.estimate != nil {
            shapes += Self.hatching(left: left, top: top, width: box.width, height: box.height)
        }
        shapes += marks(of: state, left: left, top: top)

        let titles = StateBox.title(state)
        let lines = side == .documented ? [state.id] : labels.figures(state, in: graph)
        let endings = side == .documented ? [] : labels.endings(state)
        let content =
            Double(titles.count) * StateBox.titleHeight
            + Double(lines.count + endings.count) * StateBox.figureHeight
        var y = middle.y - content / 2 + 14
        for title in titles {
            shapes.append(
                .text(
                    .init(
                        x: middle.x, y: y, text: title, size: StateBox.titleSize, face: .bold, anchor: .middle,
                        ink: isGhost ? .ghost : .text)))
            y += StateBox.titleHeight
        }
        for line in lines {
            let face: Typeface = side == .documented ? .code : .text
            let size = side == .documented ? 11 : StateBox.figureSize
            let text = TextFit.shortened(line, to: box.width - 20, size: size, face: face)
            shapes.append(
                .text(
                    .init(
                        x: middle.x, y: y - 2, text: text, size: size, face: face, anchor: .middle,
                        ink: isGhost ? .ghost : options.colouring == .plain ? .muted : .text)))
            y += StateBox.figureHeight
        }
        for ending in endings {
            let text = TextFit.shortened(ending.text, to: box.width - 20, size: 11, face: .text)
            shapes.append(
                .text(
                    .init(
                        x: middle.x, y: y - 2, text: text, size: 11, anchor: .middle,
                        ink: ending.isBad ? .text : .muted)))
            y += StateBox.figureHeight
        }
        if side != .documented, let share = state.stay?.share, share > 0 {
            let room = box.width - 20
            shapes.append(
                .box(.init(x: left + 10, y: top + box.height - 8, width: room, height: 3, radius: 1.5, fill: .frame)))
            shapes.append(
                .box(
                    .init(
                        x: left + 10, y: top + box.height - 8, width: max(3, room * min(share, 1)), height: 3,
                        radius: 1.5, fill: .documented)))
        }
        return .group(
            .init(
                classes: isGhost ? "state unseen" : "state", role: "img", label: tooltip(state),
                data: [("state", state.id)], shapes: shapes))
    }

    /// Whether nothing was seen of a state.
    private func isUnseen(_ state: StateGraph.State) -> Bool {
        state.stay == nil && state.estimate == nil
            && !graph.edges.contains { $0.seen != nil && ($0.from == state.id || $0.to == state.id) }
    }

    /// Slanting lines behind the text of a state that is only estimated.
    static func hatching(left: Double, top: Double, width: Double, height: Double) -> [Picture.Shape] {
        var lines = TimelineComposer.hatching(
            left: left + 3, top: top + 3, width: width - 6, height: height - 6, ink: .silent, step: 9)
        lines.opacity = 0.22
        return [.path(lines)]
    }

    /// A dot for an initial state, a dot in a ring for a final one, in the upper corners.
    private func marks(of state: StateGraph.State, left: Double, top: Double) -> [Picture.Shape] {
        var shapes: [Picture.Shape] = []
        if state.isInitial { shapes += Self.initialMark(x: left + 13, y: top + 13) }
        if state.isFinal { shapes += Self.finalMark(x: left + box.width - 13, y: top + 13) }
        return shapes
    }

    static func initialMark(x: Double, y: Double) -> [Picture.Shape] {
        [.box(.init(x: x - 4, y: y - 4, width: 8, height: 8, radius: 4, fill: .stateFrame))]
    }

    static func finalMark(x: Double, y: Double) -> [Picture.Shape] {
        [
            .box(.init(x: x - 5, y: y - 5, width: 10, height: 10, radius: 5, stroke: .stateFrame, lineWidth: 1.4)),
            .box(.init(x: x - 2.5, y: y - 2.5, width: 5, height: 5, radius: 2.5, fill: .stateFrame)),
        ]
    }

    /// The colour of a state: white, or a step of the scale of ``DiagramOptions/Colouring``.
    private func fill(of state: StateGraph.State, on side: Side) -> Ink {
        guard side != .documented, options.colouring != .plain, let own = weight(of: state) else { return .state }
        let all = graph.states.compactMap(weight)
        guard let most = all.max(), let least = all.min(), most > least else { return .heat3 }
        let steps = Ink.shades
        let share = (log(own) - log(least)) / (log(most) - log(least))
        return steps[min(steps.count - 1, max(0, Int((share * Double(steps.count - 1)).rounded())))]
    }

    private func weight(of state: StateGraph.State) -> Double? {
        guard let stay = state.stay else { return nil }
        return options.colouring == .frequency ? Double(stay.count) : stay.median.map { Double(max($0, 1)) }
    }

    /// What a pointer shows on a state.
    func tooltip(_ state: StateGraph.State) -> String {
        var lines = [Self.short(state.title), Self.short(state.id)]
        if lines[0] == lines[1] { lines.removeLast() }
        if let stay = state.stay {
            lines.append(Words.counted(stay.count, one: words.visit, many: words.visits))
            if let median = stay.median { lines.append("\(words.median) \(DurationText.of(median))") }
            if let p90 = stay.p90 { lines.append("\(words.p90) \(DurationText.of(p90))") }
            if let total = stay.total { lines.append("\(words.total) \(DurationText.of(total))") }
            if let share = stay.share { lines.append("\(words.share) \(NumberText.percent(share))") }
        } else if state.estimate == nil {
            lines += labels.figures(state, in: graph)
        }
        if let estimate = state.estimate {
            lines.append(Words.filled(words.estimated, NumberText.count(estimate.count)))
            if let median = estimate.median { lines.append("\(words.median) \(DurationText.of(median))") }
            if let p90 = estimate.p90 { lines.append("\(words.p90) \(DurationText.of(p90))") }
            if let total = estimate.total { lines.append("\(words.total) \(DurationText.of(total))") }
        }
        if let endings = labels.allEndings(state) { lines.append(Self.short(endings)) }
        if !state.citation.isEmpty { lines.append("\(words.source): \(Self.short(state.citation))") }
        return lines.joined(separator: "\n")
    }
}
