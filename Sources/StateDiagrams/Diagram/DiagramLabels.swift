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
        // Between neighbours there is room for a line of figures; beside a long way every point makes the picture wider.
        let pieces =
            isShort(edge)
            ? stride(from: 0, to: figures.count, by: 3).map {
                figures[$0..<min($0 + 3, figures.count)].joined(separator: " · ")
            } : figures
        label.lines += pieces.enumerated().map { place, text in
            .init(text, face: place == 0 ? .bold : .text, size: 12, ink: ink)
        }
        if let estimated = edge.estimated {
            let text = Words.filled(words.estimated, NumberText.count(estimated))
            label.lines.append(.init(text, face: .text, size: 11, ink: self.ink(of: .silent)))
            if edge.seen == nil { return label }
        }
        if named || !edge.isDocumented { label.lines += names(edge, ink: ink, silent: words.inferred) }
        return label
    }

    /// Most lines that the callbacks of an edge take.
    private static let mostLines = 4

    private func names(_ edge: StateGraph.Edge, ink: Ink, silent: String) -> [EdgeLabel.Line] {
        if edge.callbacks.isEmpty { return [.init(silent, face: .text, size: 11, ink: ink)] }
        let room = isShort(edge) ? EdgeLabel.wide : EdgeLabel.narrow
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

    /// Whether an edge joins neighbours of the column.
    private func isShort(_ edge: StateGraph.Edge) -> Bool {
        abs((places[edge.from] ?? 0) - (places[edge.to] ?? 0)) == 1
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

    /// The figures below the title of a state, as many as were asked for, each line holding two; those of estimated
    /// stays follow and say so.
    func figures(_ state: StateGraph.State, in graph: StateGraph) -> [String] {
        let seen = state.stay.map { figures($0) } ?? []
        guard let estimate = state.estimate else { return seen.isEmpty ? [passages(state, in: graph)] : seen }
        let count = Words.filled(words.estimated, NumberText.count(estimate.count))
        return seen + [count + (estimate.median.map { " · " + DurationText.of($0) } ?? "")]
    }

    private func figures(_ stay: StateGraph.Stay) -> [String] {
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
        let lines = stride(from: 0, to: parts.count, by: 2).map {
            parts[$0..<min($0 + 2, parts.count)].joined(separator: " · ")
        }
        return lines.isEmpty ? [""] : lines
    }

    /// A state without visits, such as the one outside the life of a process, shows how often it was left and reached.
    private func passages(_ state: StateGraph.State, in graph: StateGraph) -> String {
        let out = graph.counted.filter { $0.from == state.id }.reduce(0) { $0 + ($1.seen?.count ?? 0) }
        let into = graph.counted.filter { $0.to == state.id }.reduce(0) { $0 + ($1.seen?.count ?? 0) }
        var parts: [String] = []
        if out > 0 { parts.append(Words.counted(out, one: words.start, many: words.starts)) }
        if into > 0 { parts.append(Words.counted(into, one: words.end, many: words.ends)) }
        return parts.isEmpty ? words.neverVisited : parts.joined(separator: " · ")
    }

    /// The runs that ended in a state, on at most two lines: what went wrong, then the ends of the log.
    func endings(_ state: StateGraph.State) -> [EndLine] {
        let wrong = state.endings.filter { !EndingWords.isEndOfLog($0.reason) }
        let cut = state.endings.filter { EndingWords.isEndOfLog($0.reason) }
        var lines: [EndLine] = []
        // As many reasons as fit; the others are counted.
        for shown in stride(from: wrong.count, to: 0, by: -1) {
            let rest = wrong.dropFirst(shown).reduce(0) { $0 + $1.count }
            let parts = wrong.prefix(shown).map(ending) + (rest > 0 ? [Words.filled(words.more, String(rest))] : [])
            let text = parts.joined(separator: " · ")
            guard shown == 1 || TextMeasure.width(text, size: 11, face: .text) <= StateBox.widest else { continue }
            lines.append(EndLine(text: text, isBad: true))
            break
        }
        if !cut.isEmpty { lines.append(EndLine(text: cut.map(ending).joined(separator: " · "), isBad: false)) }
        return lines
    }

    /// A line about the ends of runs.
    struct EndLine {
        var text: String
        /// Whether the runs ended; otherwise only the log did.
        var isBad: Bool
    }

    private func ending(_ ending: StateGraph.Ending) -> String {
        "\(NumberText.count(ending.count)) \(EndingWords.of(ending.reason, options.language))"
    }

    /// All of them in one line, for a tooltip.
    func allEndings(_ state: StateGraph.State) -> String? {
        guard !state.endings.isEmpty else { return nil }
        let count = state.endings.reduce(0) { $0 + $1.count }
        let list = state.endings.map(ending).joined(separator: " · ")
        return Words.filled(count == 1 ? words.ending : words.endings, NumberText.count(count), list)
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
