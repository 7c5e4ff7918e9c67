/// The content of a state diagram: states and edges of a documented model, and what was observed of them.
///
/// Documented and observed are two views of one graph, so that a state has the same place in both.
package struct StateGraph: Sendable, Hashable, Codable {
    /// Heading of the picture.
    package var title: String
    /// One line below it: what was examined (app, runs, time span).
    package var subtitle: String
    /// The states: documented ones in the order of their model, then any others.
    package var states: [State]
    /// The edges, in any order.
    package var edges: [Edge]
    /// Number of runs and of events from which the observed side was made; `nil` when unknown.
    package var runs: Int?
    package var events: Int?

    package init(
        title: String, subtitle: String = "", states: [State], edges: [Edge], runs: Int? = nil, events: Int? = nil
    ) {
        self.title = title
        self.subtitle = subtitle
        self.states = states
        self.edges = edges
        self.runs = runs
        self.events = events
    }

    /// The sign of a figure that differs beyond chance.
    package static let beyondChance = "◆ "

    /// Whether the graph shows how two cohorts differ.
    var isComparison: Bool { !changes.isEmpty }

    /// Everything that was compared.
    private var changes: [Change] { edges.compactMap(\.change).filter { !$0.isCount } + states.flatMap(\.changes) }

    /// How many of so many compared figures differ beyond chance.
    package var differences: (count: Int, all: Int) { (changes.count(where: \.isSignificant), changes.count) }

    /// Place of each state in ``states``, by its id.
    var places: [String: Int] {
        Dictionary(states.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The title of a state for a tooltip; the id of an unknown one.
    func title(of id: String) -> String { TextFit.short(states.first { $0.id == id }?.title ?? id) }
}

extension StateGraph {
    /// A state, as the model names it and as it was visited.
    package struct State: Sendable, Hashable, Codable {
        /// Id, as in the database (`fg_active`).
        package var id: String
        /// Name for people, in the language of the picture.
        package var title: String
        package var isDocumented: Bool
        /// Whether the documented side shows the state: some states are documented and drawn only where they occur.
        package var isModelled: Bool
        package var isInitial: Bool
        package var isFinal: Bool
        /// The observed visits; `nil` when there are none.
        package var visits: Figures?
        /// Visits without a line in the log that silence makes likely; never added to the observed ones.
        package var estimate: Figures?
        /// Runs that ended in this state, by reason, the most frequent first.
        package var endings: [Ending]
        /// Where the state is documented; shown as a tooltip.
        package var citation: String
        /// Mean length of a visit in two cohorts, in nanoseconds, and the share of the time.
        package var change: Change?
        package var shareChange: Change?

        /// What differs, or else does not, between two cohorts.
        var changes: [Change] { [change, shareChange].compactMap(\.self) }

        /// The colour of what differs beyond chance; `nil` where nothing does, or some is more and some is less.
        var changeInk: Ink? {
            let inks = Set(changes.filter(\.isSignificant).map(\.ink))
            return inks.count == 1 ? inks.first : nil
        }

        package init(
            id: String, title: String, isDocumented: Bool = true, isInitial: Bool = false, isFinal: Bool = false,
            visits: Figures? = nil, endings: [Ending] = [], citation: String = ""
        ) {
            self.id = id
            self.title = title
            self.isDocumented = isDocumented
            isModelled = isDocumented
            self.isInitial = isInitial
            self.isFinal = isFinal
            self.visits = visits
            self.endings = endings
            self.citation = citation
        }
    }

    /// How often and for how long a state was visited, or how often an edge was taken and the time in the state before
    /// it. Durations in nanoseconds; `nil` is unknown.
    package struct Figures: Sendable, Hashable, Codable {
        /// Number of visits or of transitions.
        package var count: Int
        /// Median and ninetieth percentile of the complete visits.
        package var median: Int64?
        package var p90: Int64?
        /// Sum of the complete visits.
        package var total: Int64?
        /// Share of the time in all states (0...1); for edges, of all transitions.
        package var share: Double?

        package init(count: Int, median: Int64? = nil, p90: Int64? = nil, total: Int64? = nil, share: Double? = nil) {
            self.count = count
            self.median = median
            self.p90 = p90
            self.total = total
            self.share = share
        }
    }

    /// How many runs ended for one reason.
    package struct Ending: Sendable, Hashable, Codable {
        /// A value of the column `runs.end_reason`.
        package var reason: String
        package var count: Int

        package init(reason: String, count: Int) {
            self.reason = reason
            self.count = count
        }

        /// Whether the reason says nothing about the app: the log just ends.
        var isEndOfLog: Bool { reason == "log_end" }
    }

    /// A change of state, as the model has it and as it was seen.
    ///
    /// One pair of states may have three edges: documented, documented in steps, and not. Observed and inferred changes are one edge.
    package struct Edge: Sendable, Hashable, Codable {
        package var from: String
        package var to: String
        /// Callbacks that mark the change, in their order; may be empty.
        package var callbacks: [String]
        /// The callbacks with which the change was seen; `nil` when unknown. Others are documented only.
        package var seenCallbacks: [String]?
        /// Of an edge that was observed, how many changes no callback marks; another line of the log shows them.
        package var withoutCallback = 0
        /// Whether these follow from callbacks of scenes.
        package var isByScenes = false
        /// The verdict: whether the model has the change.
        package var isDocumented: Bool
        /// Whether the documented side shows the change, whatever was seen: an abnormal end, for example, is documented but
        /// drawn only where it occurs.
        package var isModelled: Bool
        /// The evidence: whether the change was only inferred; otherwise a line of the log shows it.
        package var isInferred: Bool
        /// Of an edge that was observed, how many further changes were only inferred.
        package internal(set) var inferred = 0
        /// Of a change that is documented in more than one step, the titles of the states between, which the log does not show.
        package var via: [String] = []
        /// Whether the model has no callback for the change, so that no log can show it.
        package var isSilent: Bool
        /// Whether it is in a picture whose colours show differences.
        package internal(set) var isCompared = false
        /// The changes that were seen, with the time in `from` before them; `nil` when there are none.
        package var seen: Figures?
        /// How often the change is likely though no line shows it; never added to what was seen.
        package var estimated: Int?
        /// Share of the observed moves out of `from` (0...1); `nil` for inferred ones.
        package var probability: Double?
        /// Share of all ends of visits in `from`, observed and inferred (0...1).
        package var shareOfEnds: Double?
        /// Where the change is documented.
        package var citations: [String]
        /// Log lines that show it (`app.log:12`).
        package var examples: [String]
        /// Findings on this edge, by rule.
        package var findings: [Mark]
        /// Share of the observed moves out of `from` in two cohorts.
        package var change: Change?
        /// Whether the edge was too rare to be shown as observed.
        package internal(set) var isFolded = false
        /// Whether the picture shows only what the model says of it.
        package internal(set) var isModelOnly = false

        package init(
            from: String, to: String, callbacks: [String] = [], isDocumented: Bool, isInferred: Bool = false,
            isSilent: Bool = false, seen: Figures? = nil, probability: Double? = nil, citations: [String] = [],
            examples: [String] = [], findings: [Mark] = []
        ) {
            self.from = from
            self.to = to
            self.callbacks = callbacks
            self.isDocumented = isDocumented
            isModelled = isDocumented
            self.isInferred = isInferred
            self.isSilent = isSilent
            self.seen = seen
            self.probability = probability
            self.citations = citations
            self.examples = examples
            self.findings = findings
        }

        /// All changes, observed or inferred.
        var occurrences: Int { (seen?.count ?? 0) + inferred }

        /// Whether somebody should look at it: it is not documented, or has an error or a warning.
        var isRemarkable: Bool { !isDocumented || findings.contains { $0.severity != "info" } }

        /// Whether the observed side shows the edge.
        var isShown: Bool { (seen != nil || estimated != nil) && !isFolded }

        package var kind: EdgeKind {
            // What a callback marks leaves a line.
            let isSilent = isSilent && isDocumented && callbacks.isEmpty
            if isModelOnly { return isSilent ? .silent : .documented }
            guard seen != nil else {
                if estimated != nil { return .estimated }
                return isSilent ? .silent : .neverOccurred
            }
            if !via.isEmpty, !isInferred { return .inSteps }
            if isDocumented { return isInferred ? .inferred : .documented }
            return isInferred ? .undocumentedInferred : .undocumented
        }
    }

    /// A figure in two cohorts, A and B; `nil` without data.
    package struct Change: Sendable, Hashable, Codable {
        package var a: Double?
        package var b: Double?
        /// Whether the difference is beyond chance.
        package var isSignificant: Bool
        /// Whether the figures of an edge are numbers of changes, and not shares.
        package var isCount: Bool

        package init(a: Double?, b: Double?, isSignificant: Bool, isCount: Bool = false) {
            self.a = a
            self.b = b
            self.isSignificant = isSignificant
            self.isCount = isCount
        }

        var difference: Double { (b ?? a ?? 0) - (a ?? b ?? 0) }
    }

    /// How an edge is drawn: the colour shows the verdict, the dash also the evidence.
    package enum EdgeKind: String, Sendable, CaseIterable, Codable {
        /// Documented, and a line of the log shows it.
        case documented
        /// Documented, and inferred: no line of the log shows it.
        case inferred
        /// Documented in several steps, of which the log does not show the states between.
        case inSteps = "in-steps"
        /// Not documented, but a line of the log shows it.
        case undocumented
        case undocumentedInferred = "undocumented-inferred"
        /// Documented, but never seen.
        case neverOccurred = "never-occurred"
        /// Silence makes it likely: no evidence for a verdict.
        case estimated
        /// No log can show it.
        case silent
    }

    /// Findings of one rule on an edge.
    package struct Mark: Sendable, Hashable, Codable {
        /// Rule id (`R-APP-15`).
        package var rule: String
        /// `info`, `warning` or `error`.
        package var severity: String
        package var count: Int
        /// The text of the rule, or the message of the first finding.
        package var message: String

        package init(rule: String, severity: String, count: Int, message: String) {
            self.rule = rule
            self.severity = severity
            self.count = count
            self.message = message
        }
    }
}

extension StateGraph {
    /// The graph as a picture shows it.
    func drawn(_ options: DiagramOptions) -> StateGraph {
        options.view == .documented ? canonical().modelOnly() : canonical().folded(below: options.foldBelow)
    }

    /// The same graph in one fixed form: states that only edges name are added, edges of one verdict between the same
    /// states are merged, and everything is in order. Equal content gives equal pictures, however it was collected.
    package func canonical() -> StateGraph {
        var graph = self
        var known: Set<String> = []
        graph.states = states.filter { known.insert($0.id).inserted }
        for id in Set(edges.flatMap { [$0.from, $0.to] }).subtracting(known) {
            graph.states.append(State(id: id, title: id, isDocumented: false))
        }
        // Documented states keep the order of their model; others follow by name.
        let documented = graph.states.filter(\.isDocumented)
        graph.states = documented + graph.states.filter { !$0.isDocumented }.sorted { $0.id < $1.id }

        let order = graph.places
        var merged: [EdgeKey: Edge] = [:]
        for edge in edges.sorted(by: { $0.tieBreak.lexicographicallyPrecedes($1.tieBreak) }) {
            let key = EdgeKey(edge, order)
            merged[key] = merged[key]?.merged(with: edge) ?? edge
        }
        graph.edges = merged.sorted { $0.key < $1.key }.map(\.value)
        for place in graph.edges.indices { graph.edges[place].isCompared = isComparison }
        return graph
    }

    /// The states that were not seen because no log can show them: no callback leads to them.
    var untold: Set<String> {
        if isComparison { return [] }
        return Set(states.filter { $0.visits == nil && $0.estimate == nil }.map(\.id)).filter { id in
            let into = edges.filter { $0.to == id }
            return !into.isEmpty
                && into.allSatisfy { $0.isSilent && $0.isDocumented && $0.callbacks.isEmpty && $0.seen == nil }
        }
    }

    /// The model alone, without anything that was seen.
    func modelOnly() -> StateGraph {
        let joined = Set(edges.filter(\.isModelled).flatMap { [$0.from, $0.to] })
        let states = states.filter { $0.isModelled || joined.contains($0.id) }.map { state in
            State(
                id: state.id, title: state.title, isInitial: state.isInitial, isFinal: state.isFinal,
                citation: state.citation)
        }
        let edges = edges.filter(\.isModelled).map { edge in
            var plain = Edge(
                from: edge.from, to: edge.to, callbacks: edge.callbacks, isDocumented: true, isSilent: edge.isSilent,
                citations: edge.citations)
            plain.isModelOnly = true
            return plain
        }
        // A subtitle tells what was examined, if anything was seen.
        let isModel = self.edges.allSatisfy { $0.seen == nil }
        return StateGraph(title: title, subtitle: isModel ? subtitle : "", states: states, edges: edges)
    }

    /// The graph without edges that are rarer than a share of the transitions out of their state (0...1).
    ///
    /// Undocumented edges and those with errors or warnings always stay: they are what a reader looks for. Where the
    /// documentation is shown, others are drawn as documented with their count.
    package func folded(below threshold: Double) -> StateGraph {
        guard threshold > 0 else { return self }
        var graph = self
        for (place, edge) in edges.enumerated()
        where !edge.isRemarkable && edge.seen != nil && edge.probability.map({ $0 < threshold }) ?? false {
            (graph.edges[place].isFolded, graph.edges[place].change) = (true, nil)
        }
        return graph
    }

    /// Edges with the same key are one line of the drawing.
    private struct EdgeKey: Hashable, Comparable {
        var from: Int, to: Int, lane: Int

        init(_ edge: Edge, _ order: [String: Int]) {
            from = order[edge.from] ?? 0
            to = order[edge.to] ?? 0
            lane = !edge.isDocumented ? 2 : edge.via.isEmpty ? 0 : 1
        }

        static func < (a: EdgeKey, b: EdgeKey) -> Bool { (a.from, a.to, a.lane) < (b.from, b.to, b.lane) }
    }
}

extension StateGraph.Edge {
    /// Orders edges of one line: the most frequent first.
    fileprivate var tieBreak: [String] {
        let count = String(Int.max - (seen?.count ?? 0))
        return [String(repeating: "0", count: 20 - count.count) + count] + callbacks
    }

    /// Both edges as one. Counts add up; quantiles cannot, so they become unknown. Inferred changes are counted beside
    /// the observed ones.
    fileprivate func merged(with other: Self) -> Self {
        func sum<Number: AdditiveArithmetic>(_ a: Number?, _ b: Number?) -> Number? {
            a.map { $0 + (b ?? .zero) } ?? b
        }
        // What was seen does not change what the documented side says.
        if isModelled != other.isModelled, other.isModelled { return other.merged(with: self) }
        var edge = self
        if !isModelled || other.isModelled { edge.callbacks += other.callbacks.filter { !callbacks.contains($0) } }
        if let theirs = other.seenCallbacks {
            edge.seenCallbacks = (seenCallbacks ?? []) + theirs.filter { !(seenCallbacks ?? []).contains($0) }
        }
        edge.citations += other.citations.filter { !citations.contains($0) }
        edge.examples += other.examples.filter { !examples.contains($0) }
        edge.findings += other.findings
        edge.isSilent = isSilent && (other.isSilent || isModelled && !other.isModelled)
        edge.estimated = sum(estimated, other.estimated)
        edge.probability = sum(probability, other.probability)
        edge.shareOfEnds = sum(shareOfEnds, other.shareOfEnds)
        edge.inferred = inferred + other.inferred
        // What has a callback, or was not seen, says nothing of scenes.
        let silent = [self, other].filter { $0.withoutCallback > 0 || $0.isByScenes }
        edge.isByScenes = !silent.isEmpty && silent.allSatisfy(\.isByScenes)
        edge.withoutCallback = withoutCallback + other.withoutCallback
        guard let ours = seen, let theirs = other.seen else {
            edge.seen = seen ?? other.seen
            edge.isInferred = seen == nil ? other.isInferred : isInferred
            return edge
        }
        guard isInferred == other.isInferred else {
            edge.seen = isInferred ? theirs : ours
            edge.inferred += isInferred ? ours.count : theirs.count
            edge.isInferred = false
            edge.change = isInferred ? other.change : change
            return edge
        }
        edge.seen = StateGraph.Figures(
            count: ours.count + theirs.count, total: sum(ours.total, theirs.total),
            share: sum(ours.share, theirs.share))
        return edge
    }
}

extension StateGraph {
    /// Thickness by frequency, or by the difference between two cohorts. The square root keeps rare edges visible beside
    /// frequent ones; fewer than ten transitions never draw the thickest line.
    func strokeWidth(of edge: Edge) -> Double {
        guard edge.occurrences > 0, !edge.isFolded else { return 1.4 }
        if isComparison {
            guard let change = edge.change, change.isSignificant else { return 1.4 }
            // Differences of less than five points never draw the thickest line.
            let most = edges.compactMap(\.change).filter(\.isSignificant).map(\.difference.magnitude).max() ?? 0
            return 1.4 + 5.6 * change.difference.magnitude / max(most, 0.05)
        }
        let most = max(edges.map(\.occurrences).max() ?? 0, 10)
        return 1.4 + 4.6 * (Double(edge.occurrences) / Double(most)).squareRoot()
    }
}
