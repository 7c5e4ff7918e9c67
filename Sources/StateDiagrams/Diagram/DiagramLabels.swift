import TraceRecords

/// The texts on the states and edges of a diagram.
struct DiagramLabels: Sendable {
    let options: DiagramOptions
    let words: Words
    let room: TextRoom
    let callbackNames: CallbackNames
    private let places: [String: Int]
    /// Whether the labels are in a list below the picture.
    private var isListed: Bool
    /// See ``Words/fewestMoves(_:)``, of what was observed.
    private let fewestMoves: Int
    /// The edges that make up most of the transitions.
    private let emphasised: Set<StateGraph.Edge>

    init(graph: StateGraph, options: DiagramOptions, room: TextRoom = .usual) {
        self.options = options
        words = Words(options.language)
        self.room = room
        places = graph.places
        isListed = graph.places.count > DiagramLayout.mostLabelled
        callbackNames = CallbackNames(graph.edges.flatMap(\.callbacks))
        fewestMoves = Words.fewestMoves(
            graph.edges.compactMap { edge in edge.seen.map { (edge.from, edge.isInferred ? 0 : $0.count) } })
        emphasised = Self.top(of: graph.edges)
    }

    /// The most frequent edges, which together make up four fifths of all transitions; of edges that are as frequent all or,
    /// where that would be every edge, none.
    private static func top(of edges: [StateGraph.Edge]) -> Set<StateGraph.Edge> {
        let seen = edges.filter { $0.occurrences > 0 }
        let all = seen.reduce(0) { $0 + $1.occurrences }
        var (least, taken) = (Int.max, 0)
        for count in seen.map(\.occurrences).sorted(by: >) where taken * 5 < all * 4 {
            (least, taken) = (count, taken + count)
        }
        let top = seen.filter { $0.occurrences >= least }
        return top.count < seen.count ? Set(top) : []
    }

    // MARK: - Edges

    /// The labels in the list below a picture, where there is room.
    var listed: DiagramLabels {
        var labels = self
        labels.isListed = true
        return labels
    }

    /// The edges in the order in which they give up their labels: those around other states first, and in a narrow picture
    /// the others; of these rare ones first, those that somebody should look at later, then the most frequent ones, then
    /// what is undocumented, and differences beyond chance last.
    func expendable(of graph: StateGraph) -> [Int] {
        graph.edges.indices.filter { room.isNarrow || !isShort(graph.edges[$0]) }.sorted { a, b in
            let (first, second) = (graph.edges[a], graph.edges[b])
            if weight(first) != weight(second) { return weight(first) < weight(second) }
            return (first.occurrences, b) < (second.occurrences, a)
        }
    }

    private func weight(_ edge: StateGraph.Edge) -> Int {
        if edge.change?.isSignificant == true { return 8 }
        let isUndocumented = !edge.isDocumented && edge.seen != nil
        return (isShort(edge) ? 4 : 0)
            + (isUndocumented ? 3 : emphasised.contains(edge) ? 2 : edge.isRemarkable ? 1 : 0)
    }

    /// The label of an edge in a panel; `nil` when the panel does not show the edge.
    func label(of edge: StateGraph.Edge, on side: DiagramSide) -> EdgeLabel? {
        if let change = edge.change { return compared(edge, change).gathered }
        let label: EdgeLabel? =
            switch side {
            case .documented: edge.isModelled ? documented(edge.on(side)) : nil
            case .observed: edge.isShown ? observed(edge, isNamed: options.view.sides.count == 1) : nil
            case .overlay: edge.isShown ? observed(edge, isNamed: true) : edge.isModelled ? unseen(edge.on(side)) : nil
            }
        return label?.gathered
    }

    private func compared(_ edge: StateGraph.Edge, _ change: StateGraph.Change) -> EdgeLabel {
        let isMarked = change.isSignificant
        let figures = text(change) { figure(change, $0) } ?? "A + B: \(words.grouped(edge.occurrences))×"
        let isSame = change.a != nil && change.a.map { figure(change, $0) } == change.b.map { figure(change, $0) }
        var label = EdgeLabel(mark: isMarked ? change.ink : nil)
        // Numbers of changes are not to be compared with shares.
        if !change.isCount, !isSame {
            label.lines = [.init(figures, face: isMarked ? .bold : .text, size: 12, ink: edge.ink)]
        }
        label.lines += seenNames(edge, edge.seenCallbacks ?? edge.callbacks)
        if edge.kind == .undocumented { label.lines.append(.init(words[.undocumented], size: 11, ink: .undocumented)) }
        return label
    }

    /// The callbacks that were seen, or why there are none, and the states that the log does not show.
    private func seenNames(_ edge: StateGraph.Edge, _ callbacks: [String]) -> [EdgeLabel.Line] {
        guard !edge.via.isEmpty else { return names(edge, callbacks, orElse: reason(edge)) }
        let via = remark(words.filled(.via, edge.via.joined(separator: " → ")), on: edge)
        return via + (callbacks.isEmpty && !edge.isInferred ? [] : names(edge, callbacks, orElse: reason(edge)))
    }

    /// A share, or a number of changes.
    private func figure(_ change: StateGraph.Change, _ value: Double) -> String {
        change.isCount ? words.grouped(Int(value)) + "×" : words.percent(value)
    }

    /// Why an edge that was seen has no callback.
    private func reason(_ edge: StateGraph.Edge) -> Word {
        edge.isByScenes ? .byScenes : edge.isInferred ? .inferred : .noCallback
    }

    /// `60.8% → 35.1%`; `nil` without figures.
    private func text(_ change: StateGraph.Change, _ figure: (Double) -> String) -> String? {
        guard change.a != nil || change.b != nil else { return nil }
        return "\(change.a.map(figure) ?? "–") → \(change.b.map(figure) ?? "–")"
    }

    private func documented(_ edge: StateGraph.Edge) -> EdgeLabel {
        var label = EdgeLabel()
        label.lines += names(edge, edge.callbacks, orElse: .silent)
        return label
    }

    /// What is documented but was seen rarely or never, over which other things are drawn: several callbacks are only
    /// counted, and named in the list below.
    private func unseen(_ edge: StateGraph.Edge) -> EdgeLabel {
        var label = documented(edge)
        if edge.callbacks.count > 1, !isListed {
            label.lines = [.init(words.counted(edge.callbacks.count, .callbacks), ink: edge.ink, isNumbered: true)]
        }
        if edge.isFolded {
            label.lines.insert(.init(words.grouped(edge.occurrences) + "×", size: 12, ink: edge.ink), at: 0)
        }
        return label
    }

    /// - Parameter isNamed: Whether callbacks are repeated; beside the documented side only deviations need them.
    private func observed(_ edge: StateGraph.Edge, isNamed: Bool) -> EdgeLabel {
        // Between neighbours there is room for a line of figures; beside a long edge every point makes the picture wider.
        let all = options.edgeMetrics.compactMap { figure($0, of: edge) }
        let figures =
            isListed || (isShort(edge) && !room.isNarrow)
            ? all.joined(inGroupsOf: 3)
            : Self.filled(
                all.flatMap { $0.replacing(" (", with: "\n(").split(separator: "\n").map(String.init) },
                to: EdgeLabel.figures)
        // Remarks are counted in a note: a mark is for what somebody should look at.
        var label = EdgeLabel(mark: Ink.worst(of: edge.findings.map(\.severity).filter { $0 != "info" }))
        label.lines = figures.enumerated().map { place, text in
            .init(text, face: place == 0 && emphasised.contains(edge) ? .bold : .text, size: 12, ink: edge.kind.ink)
        }
        if edge.inferred > 0 {
            label.lines += remark(words.counted(edge.inferred, .inferredToo), on: edge)
        }
        if let estimated = edge.estimated {
            label.lines.append(.init(words.estimated(estimated), ink: edge.kind.ink))
            if edge.seen == nil {
                // Between the states there is room for the figure; the list has the callbacks, too.
                if isListed, !edge.callbacks.isEmpty { label.lines += names(edge, edge.callbacks, orElse: .silent) }
                return label
            }
        }
        if isNamed || !edge.isDocumented || !edge.via.isEmpty {
            // The list is about both sides.
            let seen = edge.seenCallbacks ?? edge.callbacks
            let named = isListed && options.view == .sideBySide && edge.isModelled ? edge.callbacks : seen
            label.lines += seenNames(edge, named)
            if edge.withoutCallback > 0, edge.seenCallbacks?.isEmpty == false {
                label.lines += remark(withoutCallback(edge), on: edge)
            }
        }
        return label
    }

    private func withoutCallback(_ edge: StateGraph.Edge) -> String {
        words.counted(edge.withoutCallback, edge.isByScenes ? .someByScenes : .withoutCallback)
    }

    /// A remark in a few lines; where they would cut it, only the number of the edge in the list, which has it whole.
    private func remark(_ text: String, on edge: StateGraph.Edge) -> [EdgeLabel.Line] {
        if isListed { return [.init(TextFit.short(text), ink: edge.kind.ink)] }
        let lines = TextFit.wrapped(text, to: width(for: edge), lines: 3, size: 11, face: .text)
        let isCut = lines.last?.hasSuffix("…") == true
        return isCut
            ? [.init("", ink: edge.kind.ink, isNumbered: true)] : lines.map { .init($0, ink: edge.kind.ink) }
    }

    /// How wide a line of a label may be.
    private func width(for edge: StateGraph.Edge) -> Double {
        isListed ? EdgeLabel.listed : isShort(edge) ? room.short : room.long
    }

    /// The callbacks, or a word that says why there are none; in a label, only the first of many.
    private func names(
        _ edge: StateGraph.Edge, _ callbacks: [String], orElse word: Word
    ) -> [EdgeLabel.Line] {
        let ink = edge.ink
        if callbacks.isEmpty { return [.init(words[word], ink: ink)] }
        // Of several names, each begins at the left, and what continues on the next line does not.
        let indent = callbacks.count > 1 ? 12.0 : 0
        let first = isListed ? callbacks.count : NameList.shown(of: callbacks.count)
        var lines = callbacks.prefix(first).flatMap { callback in
            let name = callbackNames.shown(callback)
            let whole = min(EdgeLabel.listed, TextFit.widestWord(of: name, size: 11, face: .code))
            let width = max(width(for: edge), whole)
            // What the log does not have is documented only.
            let isSeen = edge.isModelOnly || edge.seenCallbacks?.contains(callback) ?? true
            let ink = isSeen ? ink : .never
            return TextFit.wrapped(name, to: width, lines: 4, size: 11, face: .code).enumerated().map {
                EdgeLabel.Line($1, face: .code, ink: ink, indent: $0 == 0 ? 0 : indent)
            }
        }
        if callbacks.count > first {
            lines.append(
                .init(words.filled(.more, String(callbacks.count - first)), ink: ink, isNumbered: true))
        }
        return lines
    }

    /// Whether an edge joins neighbours in the column.
    func isShort(_ edge: StateGraph.Edge) -> Bool {
        abs((places[edge.from] ?? 0) - (places[edge.to] ?? 0)) == 1
    }

    private func figure(_ metric: PictureMetric, of edge: StateGraph.Edge) -> String? {
        guard let seen = edge.seen else { return nil }
        switch metric {
        case .count: return words.grouped(seen.count) + "×"
        case .probability: return shares(of: edge)
        case .share: return seen.share.map { "\(words[.share]) \(words.percent($0))" }
        case .median: return seen.median.map { words.duration(.median, $0) }
        case .p90: return seen.p90.map { words.duration(.p90, $0) }
        case .total: return seen.total.map { "Σ " + words.duration($0) }
        }
    }

    /// `94% (71%)`: of the observed moves, and of all ends of visits where that is clearly another figure.
    func shares(of edge: StateGraph.Edge) -> String? {
        // Of what was never observed, a share of the ends would look like one of the moves.
        guard let probability = edge.probability else { return nil }
        let ends = edge.shareOfEnds.map { "(\(words.percent($0, of: fewestMoves)))" }
        let moves = words.percent(probability, of: fewestMoves)
        guard let ends, abs(probability - (edge.shareOfEnds ?? 0)) > 0.05 else { return moves }
        return "\(moves) \(ends)"
    }

    // MARK: - States

    /// The figures below the title of a state, one on a line, and those of the estimated visits.
    func figures(_ state: StateGraph.State, in graph: StateGraph) -> [String] {
        if graph.isComparison, !state.changes.isEmpty {
            return [
                figures(state.change) { words.duration(Int64($0)) }, figures(state.shareChange) { words.percent($0) },
            ]
            .compactMap(\.self)
        }
        var seen = state.visits.map { visits in options.stateMetrics.compactMap { figure($0, of: visits) } }
        // A state may be reached without another before it, though the model has one.
        if let visits = state.visits?.count, !state.isInitial, passages(of: state, \.to, in: graph) == 0 {
            seen?.append(words.counted(visits, .beginHere))
        }
        guard let estimate = state.estimate else { return filled(seen ?? passages(state, in: graph)) }
        let median = estimate.median.map { [words.duration(.median, $0)] } ?? []
        return filled((seen ?? []) + [words.estimated(estimate.count)] + median)
    }

    /// A figure of a state in two cohorts.
    private func figures(_ change: StateGraph.Change?, _ figure: (Double) -> String) -> String? {
        change.flatMap { change in
            text(change, figure).map { (change.isSignificant ? StateGraph.beyondChance : "") + $0 }
        }
    }

    /// The texts with ` · ` between them, as many on a line as fit.
    private func filled(_ texts: [String], size: Double = StateBox.figureSize) -> [String] {
        Self.filled(texts, to: room.state, size: size)
    }

    private static func filled(_ texts: [String], to room: Double, size: Double = StateBox.figureSize) -> [String] {
        texts.reduce(into: []) { lines, text in
            let joined = (lines.last.map { $0 + " · " } ?? "") + text
            if let last = lines.indices.last, TextMeasure.width(joined, size: size, face: .text) <= room {
                lines[last] = joined
            } else {
                lines.append(text)
            }
        }
    }

    private func figure(_ metric: PictureMetric, of visits: StateGraph.Figures) -> String? {
        switch metric {
        case .count: words.counted(visits.count, .visits)
        case .median: visits.median.map { words.duration(.median, $0) }
        case .p90: visits.p90.map { words.duration(.p90, $0) }
        case .total: visits.total.map { "Σ " + words.duration($0) }
        case .share: visits.share.map { words.percent($0) }
        case .probability: nil
        }
    }

    /// A state without visits, such as the one of an app that does not run, shows how often it was left and reached.
    private func passages(_ state: StateGraph.State, in graph: StateGraph) -> [String] {
        let (out, into) = (passages(of: state, \.from, in: graph), passages(of: state, \.to, in: graph))
        let parts = (out > 0 ? [words.counted(out, .starts)] : []) + (into > 0 ? [words.counted(into, .ends)] : [])
        guard !parts.isEmpty else {
            return [
                words[
                    graph.isComparison ? .notCompared : graph.untold.contains(state.id) ? .untoldState : .neverVisited]
            ]
        }
        return graph.isComparison ? ["A + B: \(parts[0])"] + parts.dropFirst() : parts
    }

    /// How often a state was left or reached.
    private func passages(
        of state: StateGraph.State, _ end: KeyPath<StateGraph.Edge, String>, in graph: StateGraph
    ) -> Int {
        graph.edges.reduce(0) { $0 + ($1[keyPath: end] == state.id ? $1.occurrences : 0) }
    }

    /// A line about the ends of runs.
    struct EndLine {
        var text: String
        /// Whether the runs ended; otherwise only the log did.
        var isBad: Bool
    }

    /// The runs that ended in a state: those that really ended, as many on a line as fit, then those that the log cuts.
    func endings(_ state: StateGraph.State) -> [EndLine] {
        [true, false].flatMap { isBad in
            filled(state.endings.filter { $0.isEndOfLog != isBad }.map(ending), size: 11)
                .flatMap { TextFit.wrapped($0, to: room.state, lines: 3, size: 11, face: .text) }
                .map { EndLine(text: $0, isBad: isBad) }
        }
    }

    private func ending(_ ending: StateGraph.Ending) -> String {
        "\(words.grouped(ending.count)) \(words.endReason(ending.reason, count: ending.count))"
    }

    // MARK: - Tooltips

    /// The tooltip of a state: names in full, all figures and, with details, the citation.
    func tooltip(_ state: StateGraph.State, in graph: StateGraph, withDetails: Bool? = nil) -> String {
        var lines = [TextFit.short(state.title), TextFit.short(state.id)]
        if lines[0] == lines[1] { lines.removeLast() }
        if !state.changes.isEmpty { lines += figures(state, in: graph) }
        if let visits = state.visits {
            lines.append(words.counted(visits.count, .visits))
            lines += durations(visits)
            if let share = visits.share { lines.append("\(words[.share]) \(words.percent(share))") }
        } else if state.estimate == nil, state.changes.isEmpty, options.view != .documented {
            lines += figures(state, in: graph)
        }
        if let estimate = state.estimate { lines += [words.estimated(estimate.count)] + durations(estimate) }
        if !state.endings.isEmpty {
            let list = state.endings.map(ending).joined(separator: " · ")
            lines.append(TextFit.short(words.counted(state.endings.reduce(0) { $0 + $1.count }, .endings, list)))
        }
        if withDetails ?? !options.isForPhone, !state.citation.isEmpty {
            lines.append("\(words[.source]): \(TextFit.short(state.citation))")
        }
        return lines.joined(separator: "\n")
    }

    /// The tooltip of an edge: names in full, figures and, with details, findings, citations and examples.
    func tooltip(_ edge: StateGraph.Edge, in graph: StateGraph, withDetails: Bool? = nil) -> String {
        let isModel = edge.isModelOnly && edge.kind == .documented
        let kind = isModel ? Word.edgeOfModel : edge.kind.name(isComparison: graph.isComparison)
        var lines = ["\(graph.title(of: edge.from)) → \(graph.title(of: edge.to)) (\(words[kind]))"]
        let callbacks = edge.callbacks + (edge.seenCallbacks ?? []).filter { !edge.callbacks.contains($0) }
        if !edge.via.isEmpty { lines.append(words.filled(.via, edge.via.map(TextFit.short).joined(separator: " → "))) }
        if !callbacks.isEmpty { lines.append(callbacks.map(TextFit.short).joined(separator: ", ")) }
        if let seen = edge.seen {
            let figures = [words.grouped(seen.count) + "×"] + [shares(of: edge)].compactMap(\.self)
            lines.append((figures + durations(seen)).joined(separator: " · "))
        }
        if let change = edge.change, let text = text(change, { figure(change, $0) }) {
            lines.append(text + (change.isSignificant ? " (\(words[.beyondChance]))" : ""))
        }
        if edge.withoutCallback > 0 { lines.append(withoutCallback(edge)) }
        if edge.inferred > 0 { lines.append(words.counted(edge.inferred, .inferredToo)) }
        if let estimated = edge.estimated { lines.append(words.estimated(estimated)) }
        guard withDetails ?? !options.isForPhone else { return lines.joined(separator: "\n") }
        lines += edge.findings.map {
            let count = words.grouped($0.count)
            return
                "\(words[.finding]): \(TextFit.short($0.rule)) (\($0.severity), \(count)×) \(TextFit.short($0.message))"
        }
        lines += edge.citations.map { "\(words[.source]): \(TextFit.short($0))" }
        lines += edge.examples.prefix(5).map { "\(words[.example]): \(TextFit.short($0))" }
        return lines.joined(separator: "\n")
    }

    private func durations(_ figures: StateGraph.Figures) -> [String] {
        let all: [(Word, Int64?)] = [(.median, figures.median), (.p90, figures.p90), (.total, figures.total)]
        return all.compactMap { word, time in time.map { words.duration(word, $0) } }
    }
}

extension StateGraph.Change {
    /// The colour of a difference beyond chance; grey for any other.
    var ink: Ink { !isSignificant ? .never : difference > 0 ? .more : .less }
}

extension StateGraph.Edge {
    /// The colour of its text.
    var ink: Ink {
        change.map { $0.isSignificant ? $0.ink : .muted } ?? (isModelOnly ? .model : isCompared ? .never : kind.ink)
    }

    /// The edge as a side shows it: the documented one has nothing of what was seen in its look, and neither has a rare
    /// edge.
    func on(_ side: DiagramSide) -> StateGraph.Edge {
        var edge = self
        edge.isModelOnly = isModelOnly || isFolded || (side == .documented && change == nil)
        return edge
    }
}

extension StateGraph.EdgeKind {
    /// The colour shows the verdict. What no log can show and what never occurred have colours of their own.
    var ink: Ink {
        switch self {
        case .documented, .inferred, .inSteps: .documented
        case .undocumented, .undocumentedInferred: .undocumented
        case .neverOccurred: .never
        case .estimated: .estimated
        case .silent: .model
        }
    }

    /// The dash, longer on thicker lines: solid only for what is documented and observed.
    func dash(width: Double) -> [Double] {
        let unit = max(1, width / 2.2)
        switch self {
        case .documented: return []
        case .undocumented: return [9 * unit, 5 * unit]
        case .inferred: return [9 * unit, 4 * unit, 2 * unit, 4 * unit]
        case .inSteps: return [6 * unit, 3 * unit]
        case .undocumentedInferred: return [9 * unit, 4 * unit, 2 * unit, 4 * unit, 2 * unit, 4 * unit]
        case .neverOccurred: return [2, 4]
        case .estimated: return [3 * unit, 3 * unit]
        case .silent: return [5 * unit, 4 * unit]
        }
    }

    /// The entry in the legend. A comparison is of what the lines of two cohorts show, and says nothing of other edges.
    func name(isComparison: Bool) -> Word {
        switch self {
        case .documented: .edgeDocumented
        case .inferred: .edgeInferred
        case .inSteps: .edgeInSteps
        case .undocumented: .edgeUndocumented
        case .undocumentedInferred: .edgeUndocumentedInferred
        case .neverOccurred: isComparison ? .edgeNotCompared : .edgeNever
        case .estimated: .edgeEstimated
        case .silent: .edgeSilent
        }
    }
}

extension [String] {
    /// The texts with ` · ` between them, a number of them on each line.
    fileprivate func joined(inGroupsOf size: Int) -> [String] {
        stride(from: 0, to: count, by: size).map {
            self[$0..<Swift.min($0 + size, count)].joined(separator: " · ")
        }
    }
}

/// Names of callbacks without the word that most of the long ones begin with (`application`), so that there is room for
/// the rest.
package struct CallbackNames: Sendable {
    /// Empty when they are shown whole.
    let word: String

    package init(_ callbacks: [String]) {
        let names = Set(callbacks)
        var votes: [String: Int] = [:]
        for name in names { votes[String(name.prefix { !$0.isUppercase }), default: 0] += 1 }
        let first = votes.max { ($0.value, $1.key) < ($1.value, $0.key) }
        let isLong = names.count > 2 && names.contains { $0.count >= 24 }
        word =
            first.flatMap { word, count in
                isLong && count * 2 > names.count && word.count > 3 && !names.contains(word) ? word : nil
            } ?? ""
    }

    /// A name as it is shown.
    package func shown(_ callback: String) -> String {
        guard !word.isEmpty, callback.hasPrefix(word), callback.count > word.count else { return callback }
        let rest = callback.dropFirst(word.count)
        return rest.prefix(1).lowercased() + rest.dropFirst()
    }
}
