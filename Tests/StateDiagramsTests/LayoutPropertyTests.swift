import Testing

@testable import StateDiagrams

/// Graphs of every shape, made up from a seed: labels must stay clear of states, of each other and of foreign lines.
struct LayoutPropertyTests {
    /// A generator that gives the same numbers everywhere (Steele and others' SplitMix64).
    struct Dice: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var z = state
            z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
            return z ^ (z >> 31)
        }
    }

    static func graph(seed: UInt64) -> StateGraph {
        var dice = Dice(state: seed)
        let isLarge = seed % 4 == 0
        let count = isLarge ? Int.random(in: 10...16, using: &dice) : Int.random(in: 1...9, using: &dice)
        let names = ["Idle", "Foreground inactive", "正在加载媒体资源", "Running", "A state with a rather long title"]
        let calls = ["go", "applicationDidBecomeActive", "viewWillAppear", "缓冲完成", "didFinishLaunchingWithOptions"]
        let states = (0..<count).map { place in
            StateGraph.State(
                id: "s\(place)", title: names.randomElement(using: &dice) ?? "", isDocumented: place < 7,
                visits: Bool.random(using: &dice) ? .init(count: 9, median: second, share: 0.1) : nil)
        }
        let edges = (0..<Int.random(in: 0...(isLarge ? 60 : 18), using: &dice)).map { _ in
            let isSilent = Int.random(in: 0..<5, using: &dice) == 0
            let number = Int.random(in: 1...3, using: &dice)
            return StateGraph.Edge(
                from: "s\(Int.random(in: 0..<count, using: &dice))", to: "s\(Int.random(in: 0..<count, using: &dice))",
                callbacks: isSilent ? [] : (0..<number).map { _ in calls.randomElement(using: &dice) ?? "" },
                isDocumented: Bool.random(using: &dice), isSilent: isSilent,
                seen: Bool.random(using: &dice) ? .init(count: 12_345) : nil, probability: 0.123,
                findings: Bool.random(using: &dice)
                    ? [.init(rule: "R", severity: "error", count: 1, message: "m")] : [])
        }
        return StateGraph(title: "seed \(seed)", states: states, edges: edges)
    }

    @Test(arguments: UInt64(1)...200)
    func labelsStayClear(seed: UInt64) {
        var options = DiagramOptions()
        options.view = seed % 2 == 0 ? .sideBySide : .overlay
        if seed % 3 == 0 { options.width = 414 }
        let composer = DiagramComposer(Self.graph(seed: seed), options)
        for side in composer.sides { check(composer, side) }
        #expect(Set(composer.layouts.map(\.states)).count == 1)
    }

    @Test func sixteenStatesWithSixtyEdgesFitThePictureOfAPage() {
        var dice = Dice(state: 16)
        let states = (0..<16).map { StateGraph.State(id: "s\($0)", title: "State \($0)") }
        var pairs = Set((0..<15).map { [$0, $0 + 1] })
        while pairs.count < 60 {
            pairs.insert([Int.random(in: 0..<16, using: &dice), Int.random(in: 0..<16, using: &dice)])
        }
        let edges = pairs.map {
            StateGraph.Edge(
                from: "s\($0[0])", to: "s\($0[1])", callbacks: ["go"], isDocumented: true, seen: .init(count: 9))
        }
        var options = DiagramOptions()
        options.view = .overlay
        let composer = DiagramComposer(StateGraph(title: "", states: states, edges: edges), options)
        check(composer, .overlay)
        // Text of 11 points is still read where the picture is shown 890 points wide.
        #expect(composer.picture().width <= 1_100)
    }

    private func check(_ composer: DiagramComposer, _ side: DiagramSide) {
        let (graph, layout) = (composer.graph, composer.layout(of: side))
        let boxes = zip(layout.states, layout.heights).map { middle, height in
            Frame(
                x: middle.x - composer.box.width / 2, y: middle.y - height / 2, width: composer.box.width,
                height: height)
        }
        let labels = graph.edges.indices.compactMap { place -> (edge: Int, frame: Frame)? in
            let label = composer.fit.label(of: place, on: side)
            guard let label, let middle = layout.edges[place].label else { return nil }
            let isNumber = composer.fit.numbered.contains(place)
            let width = isNumber ? EdgeNumbers.diameter : label.width
            let height = isNumber ? EdgeNumbers.diameter : label.height
            return (
                place, Frame(x: middle.x - width / 2, y: middle.y - height / 2, width: width, height: height)
            )
        }
        for (place, label) in labels.enumerated() {
            #expect(!boxes.contains { $0.overlaps(label.frame) }, "label of edge \(label.edge) on a state")
            for other in labels[(place + 1)...] {
                #expect(!label.frame.overlaps(other.frame), "labels of edges \(label.edge) and \(other.edge)")
            }
            for (edge, route) in layout.edges.enumerated() where !route.points.isEmpty {
                // A number is on its own line.
                if composer.fit.numbered.contains(edge), edge == label.edge { continue }
                let crosses = route.samples.contains {
                    label.frame.overlaps(Frame(x: $0.x - 0.6, y: $0.y - 0.6, width: 1.2, height: 1.2))
                }
                #expect(!crosses, "line of edge \(edge) through the label of edge \(label.edge)")
            }
        }
    }

    @Test(
        "a number fits into its disc, and a disc in a label stays clear of the text beside it",
        arguments: UInt64(1)...12)
    func numbersFit(seed: UInt64) {
        var options = DiagramOptions()
        options.view = .sideBySide
        let composer = DiagramComposer(Self.graph(seed: seed), options)
        for diameter in [EdgeNumbers.diameter, EdgeNumbers.inText] {
            for number in [7, 10, 44, 100] {
                guard
                    case .text(let digits)? = DiagramComposer.disc(number, .text, at: Point(0, 0), diameter: diameter)
                        .last
                else { continue }
                let half = TextMeasure.width(digits.text, size: digits.size, face: .bold) / 2
                #expect(Point(half, digits.size * 0.365).length < diameter / 2 - 0.7, "\(number) in \(diameter)")
            }
        }
        for side in composer.sides {
            for place in composer.graph.edges.indices {
                guard let label = composer.fit.label(of: place, on: side), label.isShortened,
                    case .group(let group)? = composer.labelShape(label, of: place, on: side, origin: Point(0, 0))
                else { continue }
                let texts = group.shapes.compactMap { if case .text(let text) = $0 { text } else { nil } }
                for disc in texts where disc.anchor == .middle {
                    for text in texts where text.anchor != .middle && abs(text.y - disc.y) < 6 {
                        let gap = abs(text.x - disc.x) - EdgeNumbers.inText / 2
                        #expect(gap >= EdgeNumbers.beforeText - 0.01, "label of edge \(place), seed \(seed)")
                    }
                }
            }
        }
    }
}
