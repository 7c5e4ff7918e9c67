#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Matches lines against one ``LinePattern``. Hot path: works on the bytes of a line in place, allocates nothing.
///
/// Most neighbouring lines of a log differ only in time and message. The bytes between the two are remembered with
/// what they meant, so that a line that repeats them costs one comparison.
struct PatternMatcher {
    /// Whether a line has the layout.
    enum Outcome {
        case match, none
        /// It would, if its time were one that clock and calendar have.
        case impossibleTime
    }

    let pattern: LinePattern
    private var timeReader: TimeReader?

    /// The longest header that is remembered.
    private static let longestHeader = 128

    private var header: [UInt8] = []
    /// What the remembered header meant, relative to its first byte.
    private var headerMatch = LineMatch()

    init(_ pattern: LinePattern) {
        self.pattern = pattern
        timeReader = pattern.time.map(TimeReader.init)
    }

    /// Matches a line that repeats the header of the last one that matched; false decides nothing.
    @inline(__always)
    mutating func matchRepeated(_ p: UnsafePointer<UInt8>, _ count: Int, into match: inout LineMatch) -> Bool {
        let headerLength = header.count
        guard headerLength > 0 else { return false }
        var time = RawTime()
        guard case .time(let length)? = timeReader?.read(p, count, into: &time), count >= length &+ headerLength,
            memcmp(p + length, header, headerLength) == 0
        else { return false }
        let shift = Int32(truncatingIfNeeded: length)
        match = headerMatch
        match.move(by: shift)
        match.time = time
        match.hasTime = true
        return pattern.steps.withUnsafeBufferPointer { steps in
            run(steps, pattern.headerEnd, p, length &+ headerLength, count, &match) == .match
        }
    }

    /// Matches a whole line.
    mutating func match(_ p: UnsafePointer<UInt8>, _ count: Int, into match: inout LineMatch) -> Outcome {
        match = LineMatch()
        guard pattern.headerEnd > 0 else {
            return pattern.steps.withUnsafeBufferPointer { steps in run(steps, 0, p, 0, count, &match) }
        }
        var time = RawTime()
        var length = 0
        switch timeReader?.read(p, count, into: &time) {
        case .time(let read)?: length = read
        case .impossible?:
            var ignored = LineMatch()
            return pattern.steps.withUnsafeBufferPointer { steps in run(steps, 0, p, 0, count, &ignored) }
        default: return .none
        }
        match.time = time
        match.hasTime = true
        let outcome = pattern.steps.withUnsafeBufferPointer { steps in run(steps, 1, p, length, count, &match) }
        if outcome == .match { remember(p, count, from: length, match) }
        return outcome
    }

    /// Remembers the header of a line that matched.
    private mutating func remember(
        _ p: UnsafePointer<UInt8>, _ count: Int, from start: Int, _ match: LineMatch
    ) {
        header.removeAll(keepingCapacity: true)
        var probe = match
        let end = pattern.steps.withUnsafeBufferPointer { steps in
            headerEnd(steps, 1, p, start, count, &probe)
        }
        guard let end, end > start, end - start <= Self.longestHeader else { return }
        header.append(contentsOf: UnsafeBufferPointer(start: p + start, count: end - start))
        headerMatch = match
        headerMatch.message = LineMatch.Field()
        Self.forget(&headerMatch.subsystem, beyond: end)
        Self.forget(&headerMatch.process, beyond: end)
        Self.forget(&headerMatch.device, beyond: end)
        Self.forget(&headerMatch.level, beyond: end)
        headerMatch.move(by: Int32(-start))
    }

    private static func forget(_ field: inout LineMatch.Field, beyond end: Int) {
        if Int(field.end) > end { field = LineMatch.Field() }
    }
}
