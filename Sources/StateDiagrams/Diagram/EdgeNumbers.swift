/// Numbers on the edges of a large graph, where labels would be too many: a small disc on each line, off the states, the
/// other lines and the other discs. The list below the picture says what the numbers mean.
enum EdgeNumbers {
    static let diameter = 20.0
    /// Free space around a disc, and along its line to both ends.
    private static let (clear, toEnd) = (3.0, 17.0)

    /// Places a number on every edge.
    ///
    /// - Returns: Whether all of them are clear of everything else.
    static func place(in layout: inout DiagramLayout, box: (width: Double, height: Double)) -> Bool {
        let lines = layout.edges.map { line(of: $0) }
        let lengths = lines.map(length)
        var discs: [Point] = []
        var areAllClear = true
        // Short lines have the fewest places to choose from.
        for edge in lines.indices.sorted(by: { (lengths[$0], $0) < (lengths[$1], $1) }) {
            var best: (place: Point, room: Double) = (lines[edge][lines[edge].count / 2], -1)
            for place in candidates(on: lines[edge]) {
                let room = room(
                    at: place, edge: edge, lines: lines, discs: discs, states: layout.states, box: box,
                    atLeast: best.room)
                if room >= diameter / 2 + clear {
                    best = (place, room)
                    break
                }
                if room > best.room { best = (place, room) }
            }
            if best.room < diameter / 2 + clear { areAllClear = false }
            discs.append(best.place)
            layout.edges[edge].label = best.place
        }
        layout.makeRoom(for: discs.map { ($0, diameter / 2 + 6) })
        return areAllClear
    }

    /// Points along a line, at most three points apart.
    private static func line(of route: DiagramLayout.Route) -> [Point] {
        let samples = route.samples + [route.tip]
        var points = [samples[0]]
        for (from, to) in zip(samples, samples.dropFirst()) {
            let steps = max(1, Int(((to - from).length / 3).rounded(.up)))
            for step in 1...steps { points.append(from + (to - from) * (Double(step) / Double(steps))) }
        }
        return points
    }

    private static func length(_ line: [Point]) -> Double {
        zip(line, line.dropFirst()).reduce(0) { $0 + ($1.1 - $1.0).length }
    }

    /// The points of a line that are not too near its ends, the middle first.
    private static func candidates(on line: [Point]) -> [Point] {
        guard let start = line.first, let end = line.last else { return [] }
        let middle = line.count / 2
        return line.indices.sorted { (abs($0 - middle), $0) < (abs($1 - middle), $1) }.map { line[$0] }
            .filter { ($0 - start).length >= toEnd && ($0 - end).length >= toEnd }
    }

    /// Distance of a place to whatever is nearest; any smaller distance when it is not more than `least`.
    private static func room(
        at place: Point, edge: Int, lines: [[Point]], discs: [Point], states: [Point],
        box: (width: Double, height: Double),
        atLeast least: Double
    ) -> Double {
        var nearest = Double.infinity
        for state in states {
            let x = max(0, abs(place.x - state.x) - box.width / 2)
            let y = max(0, abs(place.y - state.y) - box.height / 2)
            nearest = min(nearest, Point(x, y).length)
        }
        for disc in discs { nearest = min(nearest, (place - disc).length - 0.77 * diameter) }
        for (other, line) in lines.enumerated() where other != edge {
            for point in line {
                nearest = min(nearest, (place - point).length - 2)
                if nearest <= least { return nearest }
            }
        }
        return nearest
    }
}
