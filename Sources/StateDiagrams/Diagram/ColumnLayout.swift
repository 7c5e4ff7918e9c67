/// Lays out a graph with all states in one column, in the order of the model, in the middle of the panel. Changes downwards
/// run on the right, changes upwards on the left, unless one side becomes much wider than the other; neighbours are joined
/// directly, longer edges run further out. Labels lie beside their lines, numbers on them.
///
/// Lines and labels cannot overlap: labels of long edges lie between the heights of states, and horizontal pieces of lines
/// only at the heights of states.
struct ColumnLayout {
    /// A label or the vertical piece of a line on one side of the column.
    private struct Obstacle {
        /// Distances from the box, and heights.
        var from: Double, to: Double, top: Double, bottom: Double
    }

    /// An edge around other states.
    private struct Arc {
        var edge: Int
        var from: Int, to: Int
        var isRight: Bool
        var distance = 0.0
        /// Heights of its two ends.
        var start = 0.0, end = 0.0
        /// Middle of the label's height.
        var labelHeight = 0.0

        var upper: Int { min(from, to) }
        var lower: Int { max(from, to) }
    }

    /// An edge from a state to itself, around one corner of its box.
    private struct Loop {
        var edge: Int
        var state: Int
        var isRight: Bool
        var isBelow: Bool
        /// Height of the end at the side of the box.
        var end = 0.0
    }

    private let graph: StateGraph
    /// Width of all states, and height of each.
    private let width: Double
    private var heights: [Double]
    /// The edges whose labels are numbers, which lie on their lines.
    private let numbered: Set<Int>
    /// Room for the label of each edge; `nil` for an edge that the panel does not show.
    private var labels: [(width: Double, height: Double)?]
    /// Ends of each edge, as places in the column.
    private let ends: [(from: Int, to: Int)]
    /// Heights of the gaps between states, and the room for loops above and below each state.
    private var gaps: [Double]
    private var above: [Double]
    private var below: [Double]
    private var tops: [Double] = []
    private var straight: [Int: Double] = [:]
    private var arcs: [Arc] = []
    private var loops: [Loop] = []

    /// Distances between a line and its label, a label and the next line, two lines, and the box and the first line.
    private static let toLabel = 6.0
    private static let toLine = 7.0
    private static let between = 20.0
    private static let first = 26.0
    private static let leastGap = 48.0
    /// How far a loop reaches out of its box, sideways and vertically.
    private static let loopReach = 26.0
    /// Least distance of two lines that end at the same side of a box, and of the first one from the corners.
    private static let (betweenEnds, toCorner) = (14.0, 9.0)

    init(_ graph: StateGraph, box: StateBox, labels: [(width: Double, height: Double)], numbered: Set<Int>) {
        self.graph = graph
        width = box.width
        heights = box.heights
        self.numbered = numbered
        self.labels = labels.map { $0 }
        let places = graph.places
        ends = graph.edges.map { (places[$0.from] ?? 0, places[$0.to] ?? 0) }
        gaps = Array(repeating: Self.leastGap, count: max(graph.states.count - 1, 0))
        above = Array(repeating: 0, count: graph.states.count)
        below = above
    }

    /// Lays out several panels of one graph. A state has the same place in all of them; a line takes room only where it is
    /// drawn.
    ///
    /// - Parameters:
    ///   - panels: Room that the labels of each panel need; `nil` for an edge that the panel does not show.
    ///   - centred: How wide a panel may be with the states in its middle: in a wider one they move to a side.
    func layouts(_ panels: [[(width: Double, height: Double)?]], centred: Double) -> [DiagramLayout] {
        var whole = self
        whole.sortEdges()
        whole.makeBoxesHigh()
        whole.makeRoom()
        let drawn = panels.map { labels in
            var panel = whole
            panel.labels = labels
            panel.straight = panel.straight.filter { labels[$0.key] != nil }
            panel.arcs.removeAll { labels[$0.edge] == nil }
            panel.loops.removeAll { labels[$0.edge] == nil }
            panel.placeArcs()
            panel.placeEnds()
            return panel.result()
        }
        let (left, right) = (drawn.map(\.left).max() ?? 0, drawn.map(\.right).max() ?? 0)
        let panelWidth = max(left + right, min(2 * max(left, right), centred))
        return drawn.map { panel in
            var layout = panel.layout
            layout.width = panelWidth
            layout.shift(by: max(left, min(panelWidth / 2, panelWidth - right)))
            return layout
        }
    }

    private func size(ofLabel edge: Int) -> (width: Double, height: Double) { labels[edge] ?? (8, 8) }

    /// How far the label of an edge reaches inwards and outwards from its line.
    private func extent(ofLabel edge: Int) -> (inner: Double, outer: Double) {
        let width = size(ofLabel: edge).width
        return numbered.contains(edge) ? (width / 2, width / 2) : (-Self.toLabel, Self.toLabel + width)
    }

    /// Distance of the middle of a label from its line.
    private func middle(ofLabel edge: Int) -> Double {
        numbered.contains(edge) ? 0 : Self.toLabel + size(ofLabel: edge).width / 2
    }

    /// Room of a vertical line, up to where the next one may come.
    private func lineRoom(of edge: Int) -> Double { (numbered.contains(edge) ? 15 : Self.between) - Self.toLine }

    /// Neighbours are joined directly, by one line for each direction; everything else becomes an arc or a loop.
    private mutating func sortEdges() {
        var joined: Set<[Int]> = []
        var corners: [Int: Int] = [:]
        for (edge, end) in ends.enumerated() {
            if end.from == end.to {
                // The corners in turn; a state has at most one loop of each kind.
                let corner = corners[end.from, default: 0]
                corners[end.from] = corner + 1
                loops.append(
                    Loop(edge: edge, state: end.from, isRight: corner % 2 == 0, isBelow: corner % 4 < 2))
            } else if abs(end.from - end.to) == 1, joined.insert([end.from, end.to]).inserted {
                straight[edge] = 0
            } else {
                arcs.append(Arc(edge: edge, from: end.from, to: end.to, isRight: end.to >= end.from))
            }
        }
        for edge in straight.keys {
            // Two directions run side by side.
            let hasTwin = joined.contains([ends[edge].to, ends[edge].from])
            straight[edge] = hasTwin ? (ends[edge].to > ends[edge].from ? 20 : -20) : 0
        }
        arcs.sort { ($0.lower - $0.upper, $0.upper, $0.edge) < ($1.lower - $1.upper, $1.upper, $1.edge) }
        balanceSides()
    }

    /// Moves arcs to the other side where theirs is wider by more than half of what an arc takes. The states they pass
    /// decide: arcs beside other states do not make each other wider.
    private mutating func balanceSides() {
        var reach = [true: Array(repeating: 0.0, count: graph.states.count), false: []]
        reach[false] = reach[true]
        for place in arcs.indices {
            let arc = arcs[place]
            let width =
                numbered.contains(arc.edge)
                ? lineRoom(of: arc.edge) + Self.toLine : extent(ofLabel: arc.edge).outer + Self.between
            func widest(_ isRight: Bool) -> Double { (reach[isRight] ?? [])[arc.upper...arc.lower].max() ?? 0 }
            if widest(arc.isRight) > widest(!arc.isRight) + width / 2 { arcs[place].isRight.toggle() }
            let own = widest(arcs[place].isRight) + width
            for state in arc.upper...arc.lower { reach[arcs[place].isRight]?[state] = own }
        }
    }

    /// Makes boxes high enough for the lines that end at one of their sides.
    private mutating func makeBoxesHigh() {
        for state in graph.states.indices {
            for isRight in [true, false] {
                let loops = loops.count { $0.state == state && $0.isRight == isRight }
                let ends = arcs.filter { $0.isRight == isRight }
                    .reduce(loops) { $0 + ($1.from == state ? 1 : 0) + ($1.to == state ? 1 : 0) }
                heights[state] = max(
                    heights[state], 2 * Self.toCorner + Double(max(0, ends - 1)) * Self.betweenEnds)
            }
        }
    }

    /// Makes the gaps between states high enough for the labels in them.
    private mutating func makeRoom() {
        for edge in straight.keys {
            let gap = min(ends[edge].from, ends[edge].to)
            gaps[gap] = max(gaps[gap], size(ofLabel: edge).height + 24)
        }
        for arc in arcs where arc.upper < arc.lower {
            let needed = size(ofLabel: arc.edge).height + 6
            if !(arc.upper..<arc.lower).contains(where: { gaps[$0] >= needed }) {
                gaps[(arc.upper + arc.lower - 1) / 2] = needed
            }
        }
        for loop in loops {
            let room = max(size(ofLabel: loop.edge).height, Self.loopReach) + 6
            if loop.isBelow {
                below[loop.state] = max(below[loop.state], room)
            } else {
                above[loop.state] = max(above[loop.state], room)
            }
        }
        var top = 0.0
        for place in graph.states.indices {
            top += above[place]
            tops.append(top)
            top += heights[place] + below[place] + (place < gaps.count ? gaps[place] : 0)
        }
    }

    private func bottom(of place: Int) -> Double { tops[place] + heights[place] }

    private func middle(ofState place: Int) -> Double { tops[place] + heights[place] / 2 }

    private func middle(ofGap place: Int) -> Double { bottom(of: place) + below[place] + gaps[place] / 2 }

    /// Middle of the label of a loop: beside the loop, off the heights at which lines leave the box.
    private func labelHeight(of loop: Loop) -> Double {
        let half = size(ofLabel: loop.edge).height / 2
        return loop.isBelow ? bottom(of: loop.state) + half : tops[loop.state] - half
    }

    /// Finds the distance of each arc from the column, short ones first.
    private mutating func placeArcs() {
        var obstacles: [Bool: [Obstacle]] = [true: [], false: []]
        for (edge, offset) in straight {
            let isRight = ends[edge].to > ends[edge].from
            let height = middle(ofGap: min(ends[edge].from, ends[edge].to))
            let reach = abs(offset) + extent(ofLabel: edge).outer - width / 2
            obstacles[isRight]?.append(
                Obstacle(
                    from: -width, to: reach, top: height - size(ofLabel: edge).height / 2,
                    bottom: height + size(ofLabel: edge).height / 2))
        }
        for loop in loops {
            let height = labelHeight(of: loop)
            let half = max(size(ofLabel: loop.edge).height, Self.loopReach * 2) / 2
            obstacles[loop.isRight]?.append(
                Obstacle(
                    from: 0, to: Self.loopReach + extent(ofLabel: loop.edge).outer, top: height - half,
                    bottom: height + half))
        }
        for place in arcs.indices {
            let arc = arcs[place]
            let (size, reach) = (size(ofLabel: arc.edge), extent(ofLabel: arc.edge))
            let top = middle(ofState: arc.upper)
            let bottom = middle(ofState: arc.lower)
            let known = obstacles[arc.isRight] ?? []
            var distance = Self.first
            for obstacle in known where obstacle.top < bottom && obstacle.bottom > top {
                distance = max(distance, obstacle.to + Self.toLine)
            }
            let heights = labelHeights(of: arc, needed: size.height)
            // The label goes where nothing is in its way yet, if possible.
            let height =
                heights.first { height in
                    !known.contains {
                        $0.to + 4 + reach.inner > distance && $0.top < height + size.height / 2
                            && $0.bottom > height - size.height / 2
                    }
                } ?? heights[0]
            for obstacle in known
            where obstacle.top < height + size.height / 2 && obstacle.bottom > height - size.height / 2 {
                distance = max(distance, obstacle.to + 4 + reach.inner)
            }
            arcs[place].distance = distance
            arcs[place].labelHeight = height
            let far = distance + reach.outer
            obstacles[arc.isRight]?.append(
                Obstacle(
                    from: distance, to: distance + lineRoom(of: arc.edge), top: top, bottom: bottom))
            obstacles[arc.isRight]?.append(
                Obstacle(
                    from: distance - reach.inner, to: far, top: height - size.height / 2,
                    bottom: height + size.height / 2))
        }
    }

    /// Gaps in which the label may lie, the one nearest to the middle first.
    private func labelHeights(of arc: Arc, needed: Double) -> [Double] {
        let middle = (middle(ofState: arc.upper) + middle(ofState: arc.lower)) / 2
        let heights = (arc.upper..<arc.lower).filter { gaps[$0] >= needed }.map { self.middle(ofGap: $0) }
        return heights.sorted { (abs($0 - middle), $0) < (abs($1 - middle), $1) }
    }

    /// Spreads the ends of arcs along the sides of the boxes, in an order in which they do not cross.
    private mutating func placeEnds() {
        for state in graph.states.indices {
            for isRight in [true, false] {
                // From the top: a loop around the upper corner; arcs up, the innermost first; arcs down, the
                // outermost first; a loop around the lower corner.
                var order: [(rank: Int, distance: Double, arc: Int, isStart: Bool)] = []
                for (place, loop) in loops.enumerated() where loop.state == state && loop.isRight == isRight {
                    order.append((loop.isBelow ? 4 : -1, 0, place, true))
                }
                for (place, arc) in arcs.enumerated() where arc.isRight == isRight {
                    for (end, other, isStart) in [(arc.from, arc.to, true), (arc.to, arc.from, false)]
                    where end == state {
                        let rank = other < end ? 0 : 3
                        order.append((rank, rank == 0 ? arc.distance : -arc.distance, place, isStart))
                    }
                }
                order.sort { ($0.rank, $0.distance, $0.arc) < ($1.rank, $1.distance, $1.arc) }
                let room = heights[state] - 2 * Self.toCorner
                let step = order.count > 1 ? min(18, room / Double(order.count - 1)) : 0
                for (place, end) in order.enumerated() {
                    let height = middle(ofState: state) + (Double(place) - Double(order.count - 1) / 2) * step
                    switch end.rank {
                    case -1, 4: loops[end.arc].end = height
                    default: if end.isStart { arcs[end.arc].start = height } else { arcs[end.arc].end = height }
                    }
                }
            }
        }
    }

    /// The layout with its origin in the middle of the column, and its extent to both sides.
    private func result() -> (layout: DiagramLayout, left: Double, right: Double) {
        let empty = DiagramLayout.Route(points: [], tip: Point(0, 0), label: nil)
        var layout = DiagramLayout(
            width: width, height: (tops.last ?? 0) + (heights.last ?? 0) + (below.last ?? 0),
            states: graph.states.indices.map { Point(0, middle(ofState: $0)) }, heights: heights,
            edges: Array(repeating: empty, count: graph.edges.count))
        var left = -width / 2
        var right = width / 2
        for (edge, offset) in straight {
            let side: Double = ends[edge].to > ends[edge].from ? 1 : -1
            layout.edges[edge] = direct(edge, offset: offset, side: side)
            let reach = offset + side * extent(ofLabel: edge).outer
            (left, right) = (min(left, reach), max(right, reach))
        }
        for arc in arcs {
            layout.edges[arc.edge] = route(of: arc)
            let reach = width / 2 + arc.distance + extent(ofLabel: arc.edge).outer
            if arc.isRight { right = max(right, reach) } else { left = min(left, -reach) }
        }
        for loop in loops {
            layout.edges[loop.edge] = route(of: loop)
            let reach = width / 2 + Self.loopReach + extent(ofLabel: loop.edge).outer
            if loop.isRight { right = max(right, reach) } else { left = min(left, -reach) }
        }
        return (layout, -left, right)
    }

    /// A straight line between neighbours, with its label in the gap.
    private func direct(_ edge: Int, offset: Double, side: Double) -> DiagramLayout.Route {
        let gap = min(ends[edge].from, ends[edge].to)
        let (upper, lower) = (bottom(of: gap), tops[gap + 1])
        let (from, tip) = side > 0 ? (upper, lower) : (lower, upper)
        let base = tip - side * DiagramComposer.arrowLength
        let label = offset + side * middle(ofLabel: edge)
        return .init(
            points: Self.line(Point(offset, from), Point(offset, base)),
            tip: Point(offset, tip), label: Point(label, middle(ofGap: gap)))
    }

    /// Out of the box, along the column, and back, with round corners.
    private func route(of arc: Arc) -> DiagramLayout.Route {
        let side: Double = arc.isRight ? 1 : -1
        let edge = side * width / 2
        let far = edge + side * arc.distance
        let down: Double = arc.end > arc.start ? 1 : -1
        let radius = min(
            arc.distance - DiagramComposer.arrowLength - 2, abs(arc.end - arc.start) / 2,
            numbered.contains(arc.edge) ? 12 : 34)
        let handle = radius * 0.4477
        let base = edge + side * DiagramComposer.arrowLength
        let (turn, back) = (Point(far - side * radius, arc.start), Point(far, arc.end - down * radius))
        var points = Self.line(Point(edge, arc.start), turn)
        points += [Point(far - side * handle, arc.start), Point(far, arc.start + down * handle)]
        points += Self.line(Point(far, arc.start + down * radius), back)
        points += [Point(far, arc.end - down * handle), Point(far - side * handle, arc.end)]
        points += Self.line(Point(far - side * radius, arc.end), Point(base, arc.end))
        let label = far + side * middle(ofLabel: arc.edge)
        return .init(points: points, tip: Point(edge, arc.end), label: Point(label, arc.labelHeight))
    }

    /// Out of the side of the box, around the corner, and into its upper or lower edge.
    private func route(of loop: Loop) -> DiagramLayout.Route {
        let side: Double = loop.isRight ? 1 : -1
        let down: Double = loop.isBelow ? 1 : -1
        let edge = side * width / 2
        let level = loop.isBelow ? bottom(of: loop.state) : tops[loop.state]
        let (far, deep, inside) = (edge + side * Self.loopReach, level + down * Self.loopReach, edge - side * 22)
        let turn = (loop.end + deep) / 2
        let back = (far + inside) / 2
        var points = [Point(edge, loop.end), Point(edge + side * 14, loop.end), Point(far, loop.end), Point(far, turn)]
        points += [Point(far, deep - down * 6), Point(far - side * 6, deep), Point(back, deep)]
        points += [
            Point(inside + side * 8, deep), Point(inside, deep),
            Point(inside, level + down * DiagramComposer.arrowLength),
        ]
        let label = far + side * middle(ofLabel: loop.edge)
        return .init(points: points, tip: Point(inside, level), label: Point(label, labelHeight(of: loop)))
    }

    /// A straight piece as a curve.
    private static func line(_ a: Point, _ b: Point) -> [Point] {
        [a, a + (b - a) * (1 / 3), a + (b - a) * (2 / 3), b]
    }
}
