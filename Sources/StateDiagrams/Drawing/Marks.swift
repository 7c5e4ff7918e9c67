/// Small drawings that several pictures share.
enum Marks {
    /// A triangle with an exclamation mark: a finding.
    static func finding(at place: Point, ink: Ink) -> [Picture.Shape] {
        func point(_ x: Double, _ y: Double) -> Point { place + Point(x, y) }
        return [
            .polygon([point(0, -6.5), point(7, 5.5), point(-7, 5.5)], fill: ink),
            .line(point(0, -2.2), point(0, 1.6), ink: .panel, width: 1.6),
            .line(point(0, 2.9), point(0, 4.3), ink: .panel, width: 1.6),
        ]
    }

    /// A diamond: a difference beyond chance.
    static func significant(at place: Point, ink: Ink) -> [Picture.Shape] {
        [.polygon([Point(0, -6.5), Point(6.5, 0), Point(0, 6.5), Point(-6.5, 0)].map { place + $0 }, fill: ink)]
    }

    /// The mark on a label: a finding in the colour of its severity, or a difference.
    static func onEdge(at place: Point, ink: Ink) -> [Picture.Shape] {
        ink == .more || ink == .less ? significant(at: place, ink: ink) : finding(at: place, ink: ink)
    }

    /// Slanting lines, clipped to a box.
    static func hatching(in box: Picture.Box, ink: Ink, step: Double) -> Picture.Path {
        var steps: [Picture.Path.Step] = []
        // At most a few hundred lines: a wide box is hatched more widely.
        let step = max(step, (box.width + box.height) / 300)
        var start = step / 2
        while start < box.width + box.height {
            let from = Point(box.x + min(start, box.width), box.y + max(0, start - box.width))
            let to = Point(box.x + max(0, start - box.height), box.y + min(start, box.height))
            steps += [.move(from), .line(to)]
            start += step
        }
        return Picture.Path(steps: steps, stroke: ink, lineWidth: 0.9, opacity: 0.55)
    }

    /// A torn edge: the log begins or ends here, not the visit.
    static func tear(at place: Point, teeth: Int = 6) -> Picture.Shape {
        let points = (1...teeth).map { tooth in place + Point(tooth % 2 == 1 ? 3 : -3, Double(tooth) * 5 - 2) }
        return .polyline([place + Point(0, -2)] + points, ink: .text, width: 1.3)
    }

    /// An initial state: a dot.
    static func initial(at place: Point) -> [Picture.Shape] { [.circle(place, diameter: 8, fill: .stateFrame)] }

    /// A final state: a dot in a ring.
    static func final(at place: Point) -> [Picture.Shape] {
        [
            .circle(place, diameter: 10, fill: nil, stroke: .stateFrame, width: 1.4),
            .circle(place, diameter: 5, fill: .stateFrame),
        ]
    }

    /// A filled sample for a legend.
    static func swatch(at place: Point, fill: Ink?, stroke: Ink? = nil) -> Picture.Box {
        .init(x: place.x, y: place.y - 7, width: 26, height: 14, radius: 3, fill: fill, stroke: stroke)
    }
}
