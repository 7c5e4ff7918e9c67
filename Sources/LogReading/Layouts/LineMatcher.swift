/// Finds the layout of a line. Hot path: the layout of the line before is tried first, by comparison of bytes.
struct LineMatcher {
    /// What a line is.
    enum Outcome {
        /// It begins a record; the number of its layout in the catalog.
        case entry(layout: Int)
        /// It would, with a time that exists.
        case impossibleTime(layout: Int)
        case none
    }

    /// How many things may stand before a record, one after another (`> `, line number, blanks …).
    private static let maximalDecorations = 4

    private var matchers: [PatternMatcher] = []
    private var layoutOf: [Int] = []
    private var keepsWholeLine: [Bool] = []
    private let decorations: [PatternMatcher]
    private var last = 0

    init(catalog: LayoutCatalog) {
        for (number, layout) in catalog.layouts.enumerated() {
            for pattern in layout.patterns {
                matchers.append(PatternMatcher(pattern))
                layoutOf.append(number)
                keepsWholeLine.append(layout.keepsWholeLine)
            }
        }
        decorations = catalog.decorations.map(PatternMatcher.init)
    }

    /// Finds the layout of the line that begins at `p`; positions in `match` count from there.
    @inline(__always)
    mutating func match(_ p: UnsafePointer<UInt8>, _ count: Int, into match: inout LineMatch) -> Outcome {
        if matchers[last].matchRepeated(p, count, into: &match) {
            if keepsWholeLine[last] { match.message = LineMatch.Field(start: 0, end: Int32(count)) }
            return .entry(layout: layoutOf[last])
        }
        return matchSlowly(p, count, into: &match)
    }

    private mutating func matchSlowly(
        _ p: UnsafePointer<UInt8>, _ count: Int, into match: inout LineMatch
    ) -> Outcome {
        var outcome = matchInOrder(p, count, into: &match)
        var start = 0
        var stripped = 0
        while case .none = outcome, stripped < Self.maximalDecorations, start < count {
            let length = decorationLength(p + start, count - start)
            guard length > 0 else { return outcome }
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
        for index in matchers.indices {
            switch matchers[index].match(p, count, into: &match) {
            case .match:
                last = index
                if keepsWholeLine[index] { match.message = LineMatch.Field(start: 0, end: Int32(count)) }
                return .entry(layout: layoutOf[index])
            case .impossibleTime: impossible = impossible ?? layoutOf[index]
            case .none: continue
            }
        }
        return impossible.map { .impossibleTime(layout: $0) } ?? .none
    }

    private func decorationLength(_ p: UnsafePointer<UInt8>, _ count: Int) -> Int {
        for decoration in decorations {
            if let length = decoration.prefixLength(p, count) { return length }
        }
        return 0
    }
}
