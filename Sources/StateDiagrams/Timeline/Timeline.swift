/// The content of a timeline: the visits of instances as lanes below each other, on one time axis.
package struct Timeline: Sendable, Hashable, Codable {
    package var title: String
    package var subtitle: String
    /// The states, in the order of the legend.
    package var states: [State]
    /// The lanes, in the order in which they are drawn; lanes of one group follow each other.
    package var lanes: [Lane]
    /// Further notes below the picture.
    package var notes: [String]
    /// Whether every run is drawn from its launch on, and not all on one clock.
    package var isAligned: Bool
    /// What happened where a rule is broken, by its id.
    package var ruleTitles: [String: String] = [:]

    /// Most lanes that are drawn; the picture states how many there are.
    package static let mostLanes = 150

    package init(
        title: String, subtitle: String = "", states: [State], lanes: [Lane], notes: [String] = [],
        isAligned: Bool = false
    ) {
        (self.isAligned, self.title, self.subtitle, self.states) = (isAligned, title, subtitle, states)
        (self.lanes, self.notes) = (lanes, notes)
    }

    /// Whether a lane is the first of its run.
    func isFirst(_ place: Int) -> Bool { place == 0 || !isSameRun(place, place - 1) }

    /// Whether a lane is that of the app, and the only one of its run.
    func isAlone(_ place: Int) -> Bool {
        guard lanes.indices.contains(place), lanes[place].layer == "app" else { return false }
        return isFirst(place) && (place + 1 == lanes.count || isFirst(place + 1))
    }

    private func isSameRun(_ a: Int, _ b: Int) -> Bool { lanes[a].key == lanes[b].key }

    /// A state of the legend.
    package struct State: Sendable, Hashable, Codable {
        package var id: String
        package var title: String
        package var tone: Tone
        /// Which of the states of its model with this tone it is: the stripes on its bars.
        package var variant: Int

        package init(id: String, title: String, tone: Tone, variant: Int = 0) {
            (self.id, self.title, self.tone, self.variant) = (id, title, tone, variant)
        }

        /// Where the stripes are, in shares of the height of a bar: off the text in its middle.
        var stripes: [Double] { [[], [0.89], [0.11, 0.89], [0.09, 0.21, 0.89]][variant % 4] }
    }

    /// The colour of a state, from working for the user to not running at all.
    package enum Tone: String, Sendable, Hashable, CaseIterable, Codable {
        /// States of a user's model, which have no place among those of iOS, in turn.
        case own1, own2, own3, own4
        /// In the foreground and working (active, appeared).
        case active
        /// In between (inactive, appearing).
        case transit
        /// Running, but not visible (background, loaded).
        case background
        /// Not running any code (suspended, disappeared).
        case suspended
        /// Outside the lifetime (unattached, unloaded).
        case outside
    }

    /// A run, by its name and its number.
    struct RunKey: Hashable {
        var group: String
        var run: Int64
    }

    /// The visits of one instance.
    package struct Lane: Sendable, Hashable, Codable {
        /// The run of the lane by its name and its number, because several runs may have the same name.
        package var group: String
        package var run: Int64
        package var title: String
        /// `app`, `scene`, `view` or the id of a user's model.
        package var layer: String
        package var visits: [Visit]
        package var marks: [Mark]
        /// Whether the begin and the end of its run are known.
        package var isWhole = true
        /// Whether the clock of its run went back, but by so little that the length of the run is known nevertheless.
        package var hasSmallStep = false
        /// Whether nothing tells how long its run was, because its times are of different clocks.
        package var hasUnknownLength: Bool { !hasSmallStep && visits.contains(where: \.hasNoLength) }

        var key: RunKey { RunKey(group: group, run: run) }

        package init(
            group: String, title: String, layer: String, visits: [Visit], marks: [Mark] = [], run: Int64 = 0
        ) {
            (self.group, self.run, self.title, self.layer) = (group, run, title, layer)
            (self.visits, self.marks) = (visits, marks)
        }
    }

    /// One visit of a state. Times in nanoseconds since 1970 UTC.
    package struct Visit: Sendable, Hashable, Codable {
        package var state: String
        /// Begin and end; `nil` where the log does not show it: the visit extends to the edge of its lane.
        package var from: Int64?
        package var until: Int64?
        /// The events that begin and end it, by numbers that grow in the order of the log; `nil` where no line shows it.
        package var beginEvent: Int64?
        package var endEvent: Int64?
        /// Whether the visit, or one end of it, follows from the model and not from a line.
        package var isInferred: Bool
        /// Whether silence is all that shows it.
        package var isEstimated = false
        /// Whether the log begins or ends during the visit.
        package var isCutLeft: Bool
        package var isCutRight: Bool
        /// Whether it has a torn edge: a visit without any length did not begin outside the log either.
        var isTornLeft: Bool { isCutLeft && (from != until || isCutRight) }
        /// Whether it may have lasted longer, though the log does not end.
        package var isAtLeast = false
        /// Whether its two times are of different clocks, so that nothing tells how long it lasted.
        package var hasNoLength = false
        /// Whether it goes on with the visit before it, which a suspension splits.
        package var isPart = false
        /// Where it is in the log (`app.log:12`).
        package var source: String

        package init(
            state: String, from: Int64?, until: Int64?, isInferred: Bool = false, isCutLeft: Bool = false,
            isCutRight: Bool = false, source: String = ""
        ) {
            (self.state, self.from, self.until, self.isInferred) = (state, from, until, isInferred)
            (self.isCutLeft, self.isCutRight, self.source) = (isCutLeft, isCutRight, source)
        }
    }

    /// A finding at a time.
    package struct Mark: Sendable, Hashable, Codable {
        package var time: Int64?
        package var rule: String
        /// `info`, `warning` or `error`.
        package var severity: String
        package var message: String
        package var source: String

        package init(time: Int64?, rule: String, severity: String, message: String, source: String = "") {
            (self.time, self.rule, self.severity, self.message) = (time, rule, severity, message)
            self.source = source
        }
    }
}

extension Timeline {
    /// The same timeline with a begin and an end for every visit, and whether its times are those of a clock.
    ///
    /// A log without times still has an order: from one event of a run at which a visit begins or ends to the next takes one
    /// second.
    func timed(mostLanes: Int = mostLanes) -> (timeline: Timeline, hasClock: Bool) {
        var timeline = self
        timeline.lanes = Array(lanes.prefix(mostLanes))
        let hasClock = lanes.contains { $0.visits.contains { $0.from != nil || $0.until != nil } }
        let events = hasClock ? [:] : timeline.runs.mapValues { Self.places(of: $0.flatMap(\.visits)) }
        for place in timeline.lanes.indices {
            let visits =
                hasClock ? lanes[place].visits : Self.ordered(lanes[place].visits, events[lanes[place].key] ?? [:])
            timeline.lanes[place].visits = hasClock ? Self.completed(visits) : visits
            for mark in timeline.lanes[place].marks.indices {
                let found = timeline.lanes[place].marks[mark]
                timeline.lanes[place].marks[mark].time =
                    hasClock ? found.time.map(Self.clamped) : Self.order(of: found, visits)
            }
        }
        timeline.lanes.removeAll { $0.visits.isEmpty }
        return (timeline, hasClock)
    }

    /// Limits times so that the distance between two of them cannot overflow.
    private static func clamped(_ time: Int64) -> Int64 { max(-(1 << 61), min(1 << 61, time)) }

    private static let second: Int64 = 1_000_000_000

    /// The events at which visits begin or end, counted in the order of the log.
    private static func places(of visits: [Visit]) -> [Int64: Int64] {
        let events = Set(visits.flatMap { [$0.beginEvent, $0.endEvent].compactMap(\.self) }).sorted()
        return Dictionary(uniqueKeysWithValues: zip(events, 0...))
    }

    private static func ordered(_ visits: [Visit], _ places: [Int64: Int64]) -> [Visit] {
        visits.map { visit in
            var visit = visit
            let end = visit.endEvent.flatMap { places[$0] } ?? Int64(places.count)
            visit.from = (visit.beginEvent.flatMap { places[$0] } ?? 0) * second
            visit.until = end * second
            return visit
        }
    }

    /// Without times a finding is where the last visit begins that is not below its line.
    private static func order(of mark: Mark, _ visits: [Visit]) -> Int64? {
        func line(_ source: String) -> Int? { source.split(separator: ":").last.flatMap { Int($0) } }
        guard let own = line(mark.source) else { return nil }
        return (visits.last { line($0.source).map { $0 <= own } ?? false } ?? visits.first)?.from
    }

    /// Unknown ends extend to the neighbouring visit, or to the first or last known time of the lane.
    private static func completed(_ visits: [Visit]) -> [Visit] {
        let known = visits.flatMap { [$0.from, $0.until].compactMap { $0 } }
        guard let first = known.min().map(clamped), let last = known.max().map(clamped) else { return [] }
        var result = visits.map { visit in
            var visit = visit
            visit.from = visit.from.map(clamped)
            visit.until = visit.until.map(clamped)
            return visit
        }
        for place in result.indices where result[place].from == nil {
            result[place].from = place > 0 ? result[place - 1].until : first
        }
        var next = last
        for place in result.indices.reversed() {
            if result[place].until == nil { result[place].until = next }
            next = result[place].from ?? next
        }
        return result.filter { ($0.from ?? 0) <= ($0.until ?? 0) }
    }

    var runs: [RunKey: [Lane]] { Dictionary(grouping: lanes, by: \.key) }

    /// How long each run lasted from its first visit to the end of its last one, in words.
    func lengths(_ words: Words) -> [RunKey: String] {
        runs.compactMapValues { lanes in
            let visits = lanes.flatMap(\.visits)
            guard let from = visits.compactMap(\.from).min(), let until = visits.compactMap(\.until).max() else {
                return nil
            }
            if from >= until { return words[.oneMoment] }
            let goesBack = lanes.contains { lane in
                zip(lane.visits, lane.visits.dropFirst()).contains { $0.from ?? .min > $1.from ?? .max }
            }
            if goesBack && !lanes.contains(where: \.hasSmallStep) || lanes.contains(where: \.hasUnknownLength) {
                return words[.unknownLength]
            }
            return words.duration(until - from, isLeast: lanes.contains { !$0.isWhole })
        }
    }

    /// The axis of each run: the same for all, or for each run its own, on which its first sign of life is at 0. Runs of
    /// like length have one scale; each has its own where the shortest would be hardly visible beside the longest, or where
    /// time is left out, so that a short bar may be a long run.
    ///
    /// - Parameters:
    ///   - left, width: of the axis, in points.
    ///   - ending: The room for what is written after a run on a common axis.
    func scales(
        left: Double, width: Double, hasClock: Bool, ending: (RunKey) -> Double = { _ in 0 },
        breakWidth: @escaping (Int64?) -> Double
    ) -> [RunKey: TimeScale] {
        var endings: [Int64: Double] = [:]
        for (run, lanes) in runs where !isAligned && runs.count > 1 {
            guard let end = Self.ends(of: lanes)?.until else { continue }
            endings[end] = max(endings[end] ?? 0, ending(run))
        }
        func scale(of lanes: [Lane], isShared: Bool) -> TimeScale {
            let visits = lanes.flatMap(\.visits)
            return TimeScale(
                spans: hasClock
                    ? Dictionary(grouping: lanes, by: \.key).values.flatMap { spansInUse(of: $0, isShared: isShared) }
                    : [],
                visits: Self.spans(of: visits), unknown: Self.spans(of: visits.filter(\.hasNoLength)),
                marks: hasClock ? lanes.flatMap { $0.marks.compactMap(\.time) } : [],
                left: left, width: width, breakWidth: hasClock ? breakWidth : nil, isShared: isShared,
                endings: endings)
        }
        guard isAligned else {
            let common = scale(of: lanes, isShared: runs.count > 1)
            return runs.mapValues { _ in common }
        }
        let scales = runs.mapValues { scale(of: $0, isShared: false) }
        let rates = scales.values.map(\.timePerPoint).filter { $0 > 0 }
        let isBroken = scales.values.contains { $0.pieces.contains(where: \.isBreak) }
        guard hasClock, !isBroken, let least = rates.min(), let most = rates.max(), most <= 25 * least else {
            return scales
        }
        return scales.mapValues { $0.scaled(to: most) }
    }

    /// Whether most runs would be too short on a common clock to show anything.
    var isTooShortForOneClock: Bool {
        var (clock, hasClock) = timed()
        clock.isAligned = false
        let (runs, width) = (clock.runs, 1_000.0)
        let scale = clock.scales(left: 0, width: width, hasClock: hasClock) { _ in width / 12 }.values.first
        let short = runs.values.count { lanes in
            guard let scale, let (from, until) = Self.ends(of: lanes) else { return false }
            return scale.x(until) - scale.x(from) < width / 80
        }
        return hasClock && runs.count > 1 && short * 2 > runs.count
    }

    private static func ends(of lanes: [Lane]) -> (from: Int64, until: Int64)? {
        let spans = spans(of: lanes.flatMap(\.visits))
        guard let from = spans.map(\.from).min(), let until = spans.map(\.until).max() else { return nil }
        return (from, until)
    }

    /// When a run is in front of the user, by its first layer, or at least in the background, if it has the axis for itself;
    /// of a user's model, when anything runs.
    private func spansInUse(of lanes: [Lane], isShared: Bool) -> [(from: Int64, until: Int64)] {
        let layers = Set(lanes.map(\.layer))
        let layer = ["app", "scene", "view"].first(where: layers.contains)
        let idle: Set<Tone> = [.background, .suspended, .outside]
        let visits = lanes.filter { layer == nil || $0.layer == layer }.flatMap(\.visits).filter { !$0.hasNoLength }
        func spans(_ isUsed: (Tone) -> Bool) -> [(from: Int64, until: Int64)] {
            let used = Set(states.filter { isUsed($0.tone) }.map(\.id))
            return Self.spans(of: visits.filter { used.contains($0.state) })
        }
        let used = spans { !idle.contains($0) }
        return used.isEmpty && !isShared ? spans { $0 == .background } : used
    }

    private static func spans(of visits: [Visit]) -> [(from: Int64, until: Int64)] {
        visits.compactMap { visit in
            guard let from = visit.from, let until = visit.until else { return nil }
            return (from, until)
        }
    }
}

extension [Timeline.State] {
    /// The ids of those in use.
    var active: Set<String> { Set(filter { $0.tone == .active }.map(\.id)) }

    /// The titles of the active ones that occur in some lanes: `Active / Stalled`; `nil` when none does.
    func activeTitles(in lanes: [Timeline.Lane]) -> String? {
        let seen = active.intersection(lanes.flatMap { $0.visits.map(\.state) })
        return seen.isEmpty ? nil : filter { seen.contains($0.id) }.map(\.title).joined(separator: " / ")
    }

    /// One entry of a legend for each colour with its stripes, with the titles of the states that share it.
    var byTone: [Timeline.State] {
        // A title may contain a comma.
        let separator = " · "
        var entries: [Timeline.State] = []
        for state in self {
            let title = TextFit.shortened(state.title, to: 200, size: 12.5, face: .text)
            guard let place = entries.firstIndex(where: { ($0.tone, $0.variant) == (state.tone, state.variant) })
            else {
                entries.append(.init(id: state.id, title: title, tone: state.tone, variant: state.variant))
                continue
            }
            let known = entries[place].title.split(separator: separator).map(String.init)
            // A user's model may have any number of states.
            if known.count < 6, !known.contains(title) { entries[place].title += separator + title }
        }
        return entries
    }
}

extension Timeline.Lane {
    /// The visits as a log has them, each with all its parts.
    var whole: [(from: Int64, until: Int64)] {
        visits.reduce(into: []) { whole, visit in
            guard let from = visit.from, let until = visit.until else { return }
            if visit.isPart, let last = whole.indices.last {
                whole[last].until = until
            } else {
                whole.append((from, until))
            }
        }
    }

    /// How many visits are not drawn where these and these parts of visits are.
    func hidden(showing places: [Int]) -> Int {
        var count = 0
        let numbers = visits.map { visit in
            count += visit.isPart && count > 0 ? 0 : 1
            return count
        }
        return count - Set(places.map { numbers[$0] }).count
    }

    /// How many visits are narrower than a column, of which others have a part.
    func narrow(_ scale: TimeScale, width: Double) -> Int {
        let whole = whole
        return whole.count < 2 ? 0 : whole.count { scale.x($0.until) - scale.x($0.from) < width * 0.999 }
    }

    /// For each of a number of equal columns of an axis, a visit of the state that fills most of it; `nil` where there is
    /// none.
    ///
    /// - Parameters:
    ///   - left: Where the first column begins on the axis.
    ///   - width: Width of a column.
    func columns(_ scale: TimeScale, count: Int, left: Double, width: Double) -> [Timeline.Visit?] {
        var columns = [Timeline.Visit?](repeating: nil, count: count)
        var filled = [[String: Double]](repeating: [:], count: count)
        eachPart(scale, count: count, left: left, width: width) { column, part, visit in
            filled[column][visit.state, default: 0] += part
            // Of two visits without any length the later one lasts.
            let most = columns[column].flatMap { filled[column][$0.state] } ?? 0
            if (filled[column][visit.state] ?? 0) >= most { columns[column] = visit }
        }
        return columns
    }

    /// The visit that a finding is about: of those at its time the one whose state it names, or the last.
    func visit(of mark: Timeline.Mark, titles: [String: String]) -> Timeline.Visit? {
        let time = mark.time ?? 0
        // A title may have several words, and the name of another state in one of them.
        func words(_ text: String) -> String {
            " \(text.lowercased().split { !$0.isLetter && $0 != "_" }.joined(separator: " ")) "
        }
        let message = words(mark.message)
        func isNamed(_ name: String?) -> Bool { name.map { message.contains(words($0)) } ?? false }
        let near = visits.filter { ($0.from ?? .max) <= time && time <= ($0.until ?? .min) }
        return near.last { isNamed($0.state) || isNamed(titles[$0.state]) }
            ?? near.last ?? visits.last
    }

    /// The share of each column that visits of some states fill (0...1).
    func shares(
        of states: Set<String>, _ scale: TimeScale, count: Int, left: Double, width: Double
    ) -> [Double] {
        var shares = [Double](repeating: 0, count: count)
        eachPart(scale, count: count, left: left, width: width) { column, part, visit in
            if states.contains(visit.state) { shares[column] += part }
        }
        return shares
    }

    private func eachPart(
        _ scale: TimeScale, count: Int, left: Double, width: Double,
        _ body: (_ column: Int, _ part: Double, Timeline.Visit) -> Void
    ) {
        for visit in visits {
            guard let from = visit.from, let until = visit.until else { continue }
            let start = (scale.x(from) - left) / width
            let end = (scale.x(until) - left) / width
            let first = max(0, Int(start))
            for column in first..<max(first, min(count, max(Int(end.rounded(.up)), Int(start) + 1))) {
                body(column, max(0, min(end, Double(column + 1)) - max(start, Double(column))), visit)
            }
        }
    }
}
