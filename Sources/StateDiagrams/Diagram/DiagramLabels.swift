/// What stands on the states and edges of one panel.
struct DiagramLabels: Sendable {
    let options: DiagramOptions
    let words: Words
    /// First word that callbacks are shown without; empty when they are shown whole.
    let prefix: String
    private let places: [String: Int]

    init(graph: StateGraph, options: DiagramOptions) {
        self.options = options
        words = Words.of(options.language)
        places = graph.places
        prefix = Self.commonFirstWord(of: graph.edges.flatMap(\.callbacks))
    }

    /// The word that most of the long names begin with (`application`): left out, it makes room for what tells the
    /// names apart.
    static func commonFirstWord(of callbacks: [String]) -> String {
        let names = Set(callbacks)
        guard names.count > 2, let longest = names.map(\.count).max(), longest >= 24 else { return "" }
        var votes: [String: Int] = [:]
        for name in names { votes[String(name.prefix { !$0.isUppercase }), default: 0] += 1 }
        guard let (word, count) = votes.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }) else { return "" }
        return count * 2 > names.count && word.count > 3 && !names.contains(word) ? word : ""
    }

    /// The name of a callback as it is drawn.
    func shown(_ callback: String) -> String {
        guard !prefix.isEmpty, callback.hasPrefix(prefix), callback.count > prefix.count else { return callback }
        let rest = callback.dropFirst(prefix.count)
        return rest.prefix(1).lowercased() + rest.dropFirst()
    }

    /// The label of an edge on the documented side.
    func documented(_ edge: StateGraph.Edge) -> EdgeLabel {
        EdgeLabel(lines: names(edge, ink: ink(of: edge.kind), silent: words.silent))
    }

    /// The label of an edge on the observed side.
    ///
    /// - Parameter named: Whether the callbacks are repeated; beside the documented side only deviations need them.
    func observed(_ edge: StateGraph.Edge, named: Bool) -> EdgeLabel {
        let ink = ink(of: edge.kind)
        var label = EdgeLabel()
        label.mark = Self.worst(edge.findings)
        let figures = options.edgeMetrics.compactMap { figure($0, of: edge) }
        if !figures.isEmpty {
            label.lines.append(.init(figures.joined(separator: " · "), face: .bold, size: 12, ink: ink))
        }
        if named || !edge.isDocumented { label.lines += names(edge, ink: ink, silent: words.inferred) }
        return label
    }

    /// Most lines that the callbacks of an edge take.
    private static let mostLines = 4

    private func names(_ edge: StateGraph.Edge, ink: Ink, silent: String) -> [EdgeLabel.Line] {
        if edge.callbacks.isEmpty { return [.init(silent, face: .text, size: 11, ink: ink)] }
        let isShort = abs((places[edge.from] ?? 0) - (places[edge.to] ?? 0)) == 1
        let room = isShort ? EdgeLabel.wide : EdgeLabel.narrow
        var lines: [EdgeLabel.Line] = []
        for (place, callback) in edge.callbacks.enumerated() {
            let name = TextFit.wrapped(shown(callback), to: room, lines: 3, size: 11, face: .code)
            guard lines.isEmpty || lines.count + name.count <= Self.mostLines else {
                let rest = Words.filled(words.more, String(edge.callbacks.count - place))
                return lines + [.init(rest, face: .text, size: 11, ink: ink)]
            }
            lines += name.map { EdgeLabel.Line($0, face: .code, size: 11, ink: ink) }
        }
        return lines
    }

    private func figure(_ metric: Metric, of edge: StateGraph.Edge) -> String? {
        guard let seen = edge.seen else { return nil }
        switch metric {
        case .count: return NumberText.count(seen.count) + "×"
        case .probability: return edge.probability.map(NumberText.percent)
        case .share: return seen.share.map { "\(words.share) " + NumberText.percent($0) }
        case .median: return seen.median.map(DurationText.of)
        case .p90: return seen.p90.map { "\(words.p90) " + DurationText.of($0) }
        case .total: return seen.total.map { "Σ " + DurationText.of($0) }
        }
    }

    /// The figures below the title of a state, as many as were asked for, each line holding two.
    func figures(_ state: StateGraph.State, in graph: StateGraph) -> [String] {
        guard let stay = state.stay else { return [passages(state, in: graph)] }
        let parts = options.stateMetrics.compactMap { metric -> String? in
            switch metric {
            case .count: Words.counted(stay.count, one: words.visit, many: words.visits)
            case .median: stay.median.map { DurationText.of($0) }
            case .p90: stay.p90.map { "\(words.p90) " + DurationText.of($0) }
            case .total: stay.total.map { "Σ " + DurationText.of($0) }
            case .share: stay.share.map(NumberText.percent)
            case .probability: nil
            }
        }
        return stride(from: 0, to: parts.count, by: 2).map {
            parts[$0..<min($0 + 2, parts.count)].joined(separator: " · ")
        }
    }

    /// A state without visits, such as the one outside the life of a process, shows how often it was left and reached.
    private func passages(_ state: StateGraph.State, in graph: StateGraph) -> String {
        let out = graph.edges.filter { $0.from == state.id }.reduce(0) { $0 + ($1.seen?.count ?? 0) }
        let into = graph.edges.filter { $0.to == state.id }.reduce(0) { $0 + ($1.seen?.count ?? 0) }
        var parts: [String] = []
        if out > 0 { parts.append(Words.counted(out, one: words.start, many: words.starts)) }
        if into > 0 { parts.append(Words.counted(into, one: words.end, many: words.ends)) }
        return parts.isEmpty ? words.neverVisited : parts.joined(separator: " · ")
    }

    /// The runs that ended in a state: `3 jetsam · 1 crash`.
    func endings(_ state: StateGraph.State) -> String? {
        guard !state.endings.isEmpty else { return nil }
        return state.endings.map { "\(NumberText.count($0.count)) \($0.reason)" }.joined(separator: " · ")
    }

    func ink(of kind: StateGraph.EdgeKind) -> Ink {
        switch kind {
        case .documented: .documented
        case .undocumented: .undocumented
        case .neverOccurred: .never
        case .silent: .silent
        }
    }

    static func worst(_ marks: [StateGraph.Mark]) -> Ink? {
        if marks.isEmpty { return nil }
        if marks.contains(where: { $0.severity == "error" }) { return .error }
        return marks.contains { $0.severity == "warning" } ? .warning : .info
    }
}
