extension TimelineComposer {
    /// Draws ticks and their labels at the lower edge.
    func ticks(from top: Double, to bottom: Double) -> [Picture.Shape] {
        guard hasClock else { return [] }
        var shapes: [Picture.Shape] = []
        var occupied = -Double.infinity
        var day = ""
        for piece in scale.pieces where !piece.isBreak {
            let step = TimeScale.step(for: piece, room: 78)
            for time in TimeScale.ticks(of: piece, step: step) {
                let x = scale.x(time)
                shapes.append(
                    .path(
                        .init(
                            steps: [.move(Point(x: x, y: top + 6)), .line(Point(x: x, y: bottom + 4))], stroke: .frame,
                            lineWidth: 1)))
                let date = ClockText.date(time)
                var text = step >= 86_400_000_000_000 ? date : ClockText.time(time, step: step)
                if date != day, step < 86_400_000_000_000 { text = String(date.dropFirst(5)) + " " + text }
                let width = TextMeasure.width(text, size: 11, face: .text)
                guard x - width / 2 > occupied + 6, x + width / 2 < left + plot + Self.ending - 2 else { continue }
                day = date
                occupied = x + width / 2
                shapes.append(
                    .text(.init(x: x, y: bottom + 20, text: text, size: 11, anchor: .middle, ink: .muted)))
            }
        }
        return shapes
    }

    /// Draws the breaks, over the stays that they cut.
    func breaks(from top: Double, to bottom: Double) -> [Picture.Shape] {
        hasClock ? scale.pieces.filter(\.isBreak).flatMap { breakMark($0, top: top, bottom: bottom) } : []
    }

    private func breakMark(_ piece: TimeScale.Piece, top: Double, bottom: Double) -> [Picture.Shape] {
        let middle = (piece.left + piece.right) / 2
        let label = "\(words.leftOutTime): \(DurationText.of(piece.until - piece.from))"
        func edge(_ offset: Double) -> [Point] {
            var points: [Point] = []
            var y = top + 4
            while y < bottom + 4 {
                points.append(Point(x: middle + offset + (points.count % 2 == 0 ? -2 : 2), y: y))
                y += 7
            }
            return points
        }
        // The strip between the edges is cut out of whatever runs on behind it.
        let (first, second) = (edge(-3), edge(3))
        let outline = first + second.reversed()
        var strip: [Picture.Path.Step] = []
        for (place, point) in outline.enumerated() { strip.append(place == 0 ? .move(point) : .line(point)) }
        var lines: [Picture.Shape] = [.path(.init(steps: strip + [.close], fill: .panel))]
        for points in [first, second] {
            let steps = points.enumerated().map { $0 == 0 ? Picture.Path.Step.move($1) : .line($1) }
            lines.append(.path(.init(steps: steps, stroke: .faint, lineWidth: 1)))
        }
        return [.group(.init(classes: "break", role: "img", label: label, shapes: lines))]
    }

    /// Draws the legend and the notes; returns the lower end.
    func legend(into shapes: inout [Picture.Shape], y: Double, width: Double, hidden: Int) -> Double {
        var flow = LegendFlow(left: Self.margin, y: y, width: width)
        let used = Set(timeline.lanes.flatMap { $0.stays.map(\.state) })
        for state in timeline.states where used.contains(state.id) {
            let title = TextFit.shortened(state.title, to: 200, size: 12.5, face: .text)
            let fill = Self.inks(of: state.tone).fill
            flow.place(sample: 26, text: title) { x, y in
                [
                    .box(
                        .init(
                            x: x, y: y - 7, width: 26, height: 14, radius: 3, fill: fill,
                            stroke: state.tone == .outside ? .faint : nil))
                ]
                    + (state.tone == .suspended
                        ? [
                            .path(
                                Self.hatching(
                                    left: x, top: y - 7, width: 26, height: 14, ink: .muted, step: 12))
                        ] : [])
            }
        }
        let stays = timeline.lanes.flatMap(\.stays)
        if stays.contains(where: \.isInferred) {
            flow.place(sample: 26, text: words.inferredStay) { x, y in
                [
                    .box(.init(x: x, y: y - 7, width: 26, height: 14, radius: 3, stroke: .faint)),
                    .path(Self.hatching(left: x, top: y - 7, width: 26, height: 14, ink: .stateFrame, step: 6)),
                ]
            }
        }
        if stays.contains(where: { $0.isCutLeft || $0.isCutRight }) {
            flow.place(sample: 10, text: words.cut) { x, y in [.path(Self.tear(x: x + 5, y: y - 8, teeth: 4))] }
        }
        let marks = timeline.lanes.flatMap(\.marks)
        if hasClock, !marks.isEmpty {
            flow.place(sample: 16, text: words.findingMark) { x, y in
                DiagramComposer.findingMark(x: x + 8, y: y, ink: Self.ink(of: marks))
            }
        }
        let breaks = scale.pieces.filter(\.isBreak)
        if hasClock, !breaks.isEmpty {
            let left = breaks.reduce(Int64(0)) { $0 + ($1.until - $1.from) }
            flow.place(sample: 18, text: "\(words.leftOutTime) (Σ \(DurationText.of(left)))") { x, y in
                [6.0, 12].map { offset in
                    .path(
                        .init(
                            steps: [
                                .move(Point(x: x + offset - 2, y: y - 8)), .line(Point(x: x + offset + 2, y: y - 3)),
                                .line(Point(x: x + offset - 2, y: y + 3)), .line(Point(x: x + offset + 2, y: y + 8)),
                            ], stroke: .muted, lineWidth: 1))
                }
            }
        }
        shapes.append(.group(.init(classes: "legend", role: "group", shapes: flow.shapes)))
        var notes = timeline.notes
        notes.append(hasClock ? words.utc : words.orderOnly)
        if allLanes > timeline.lanes.count {
            let drawn = NumberText.count(timeline.lanes.count)
            notes.append(Words.filled(words.lanesLeftOut, drawn, NumberText.count(allLanes)))
        }
        if hidden > 0 { notes.append(Words.filled(words.tooShort, NumberText.count(hidden))) }
        return flow.write(notes: notes, into: &shapes)
    }
}
