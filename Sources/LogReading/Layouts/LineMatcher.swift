/// Finds the layout of a line. Hot path: the layout of the line before is tried first, by comparison of bytes.
struct LineMatcher {
    /// What a line is.
    enum Outcome {
        /// It begins a record; the number of its layout in the catalog.
        case entry(layout: Int)
        /// It ends the record whose message stands before it.
        case metadata(layout: Int)
        /// It is a header, a footer or a note of the tool.
        case ignored
        /// It would begin a record, with a time that exists.
        case impossibleTime(layout: Int)
        case none
    }

    private enum Role { case entry, metadata, ignored }

    /// How many things may stand before a record, one after another (`> `, line number, blanks …).
    private static let maximalDecorations = 4

    private var matchers: [PatternMatcher] = []
    private var layoutOf: [Int] = []
    private var roles: [Role] = []
    private var keepsWholeLine: [Bool] = []
    private var hasLabel: [Bool] = []
    private let decorations: [PatternMatcher]
    private var last = 0

    init(layouts: [Layout], decorations: [LinePattern]) {
        self.decorations = decorations.map(PatternMatcher.init)
        var ignored: [(layout: Int, pattern: LinePattern)] = []
        for (number, layout) in layouts.enumerated() {
            for pattern in layout.patterns {
                add(pattern, number, layout.followsMessage ? .metadata : .entry, layout)
            }
            ignored += layout.ignored.map { (number, $0) }
        }
        for (number, pattern) in ignored { add(pattern, number, .ignored, layouts[number]) }
    }

    private mutating func add(_ pattern: LinePattern, _ number: Int, _ role: Role, _ layout: Layout) {
        matchers.append(PatternMatcher(pattern))
        layoutOf.append(number)
        roles.append(role)
        keepsWholeLine.append(layout.keepsWholeLine)
        hasLabel.append(layout.label != nil)
    }

    /// The layout of the last entry, and what its last lines have in common; `nil` when its lines must be looked at.
    var lane: (layout: Int, lane: RepeatLane)? {
        guard last < matchers.count, roles[last] == .entry, !keepsWholeLine[last], !hasLabel[last],
            let lane = matchers[last].lane
        else { return nil }
        return (layoutOf[last], lane)
    }

    /// Matches a line whose header repeats one of the last lines; `nil` decides nothing.
    @inline(__always)
    mutating func matchRepeated(
        _ p: UnsafePointer<UInt8>, _ count: Int, into match: inout LineMatch
    ) -> Int? {
        guard last < matchers.count, roles[last] == .entry,
            matchers[last].matchRepeated(p, count, into: &match)
        else { return nil }
        if keepsWholeLine[last] { match.message = LineMatch.Field(start: 0, end: Int32(truncatingIfNeeded: count)) }
        return layoutOf[last]
    }

    /// Finds the layout of the line that begins at `p`; positions in `match` count from there.
    mutating func match(_ p: UnsafePointer<UInt8>, _ count: Int, into match: inout LineMatch) -> Outcome {
        if let layout = matchRepeated(p, count, into: &match) { return .entry(layout: layout) }
        // What is not seen would be taken for the beginning of a name.
        let hidden = InvisibleBytes.run(p, count)
        var start = hidden < count ? hidden : 0
        var outcome = matchInOrder(p + start, count - start, into: &match)
        var stripped = 0
        while case .none = outcome, stripped < Self.maximalDecorations, start < count {
            let length = decorationLength(p + start, count - start)
            guard length > 0, start + length < count else { return outcome }
            start += length
            stripped += 1
            outcome = matchInOrder(p + start, count - start, into: &match)
        }
        if start > 0 { match.move(by: Int32(truncatingIfNeeded: start)) }
        return outcome
    }

    private mutating func matchInOrder(
        _ p: UnsafePointer<UInt8>, _ count: Int, into match: inout LineMatch
    ) -> Outcome {
        var impossible: Int?
        let first = p[0]
        for index in matchers.indices where matchers[index].pattern.firstBytes.contains(first) {
            switch matchers[index].match(p, count, into: &match) {
            case .match:
                switch roles[index] {
                case .ignored: return .ignored
                case .metadata: return .metadata(layout: layoutOf[index])
                case .entry: break
                }
                last = index
                if keepsWholeLine[index] {
                    match.message = LineMatch.Field(start: 0, end: Int32(truncatingIfNeeded: count))
                }
                return .entry(layout: layoutOf[index])
            case .impossibleTime: impossible = impossible ?? layoutOf[index]
            case .none: continue
            }
        }
        return impossible.map { .impossibleTime(layout: $0) } ?? .none
    }

    private func decorationLength(_ p: UnsafePointer<UInt8>, _ count: Int) -> Int {
        // A file that was not written to its end before the machine stopped has NUL bytes in their place.
        var at = 0
        while at < count, p[at] == 0 { at += 1 }
        if at > 0 { return at }
        // A file that was put behind another one brings the mark of its encoding with it.
        if p[0] == 0xEF, count >= 3, p[1] == 0xBB, p[2] == 0xBF { return 3 }
        let invisible = InvisibleBytes.run(p, count)
        if invisible > 0 { return invisible }
        for decoration in decorations where decoration.pattern.firstBytes.contains(p[0]) {
            if let length = decoration.prefixLength(p, count) { return length }
        }
        return 0
    }
}
