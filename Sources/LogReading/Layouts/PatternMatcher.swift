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

    /// A header that is remembered, and what it meant, relative to its first byte.
    private struct Header {
        var length = 0
        var match = LineMatch()
    }

    /// The longest header that is remembered, and how many are: threads and processes take turns.
    private static let longestHeader = RepeatLane.longestHeader
    private static let headerCount = 8

    // Empty until the first line matches: most layouts never meet one, and small files are many.
    private var headers: [Header] = []
    private var headerBytes: [UInt8] = []
    /// The same, as the entries that they mean.
    private var laneHeaders: [RepeatLane.Header] = []
    private var lastHeader = 0
    private var oldestHeader = 0

    init(_ pattern: LinePattern) {
        self.pattern = pattern
        timeReader = pattern.time.map(TimeReader.init)
    }

    /// Matches a line that repeats a header of one of the last lines that matched; false decides nothing.
    @inline(__always)
    mutating func matchRepeated(_ p: UnsafePointer<UInt8>, _ count: Int, into match: inout LineMatch) -> Bool {
        guard !headerBytes.isEmpty else { return false }
        var time = RawTime()
        guard case .time(let length)? = timeReader?.read(p, count, into: &time) else { return false }
        if !repeats(lastHeader, p + length, count &- length) {
            guard let other = findHeader(p + length, count &- length) else { return false }
            lastHeader = other
        }
        match = headers[lastHeader].match
        match.move(by: Int32(truncatingIfNeeded: length))
        match.time = time
        match.hasTime = true
        let start = length &+ headers[lastHeader].length
        if pattern.endsWithMessage {
            match.message = LineMatch.Field(
                start: Int32(truncatingIfNeeded: start), end: Int32(truncatingIfNeeded: count))
            return true
        }
        return pattern.steps.withUnsafeBufferPointer { steps in
            run(steps, pattern.headerEnd, p, start, count, &match) == .match
        }
    }

    /// What the last lines have in common, for layouts of which it says everything but the message.
    var lane: RepeatLane? {
        guard !headers.isEmpty, pattern.endsWithMessage, let pattern = pattern.time, pattern.hasSeconds,
            let minute = timeReader?.lastMinute, case .full = minute.time.kind
        else { return nil }
        return RepeatLane(
            words: minute.words, minuteLength: minute.length, minuteSeconds: minute.time.seconds,
            fraction: pattern.fraction, zone: pattern.zone, headers: laneHeaders, headerBytes: headerBytes,
            lastHeader: lastHeader)
    }

    @inline(__always)
    private func repeats(_ header: Int, _ p: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        let length = headers[header].length
        guard length > 0, count >= length else { return false }
        return headerBytes.withUnsafeBufferPointer { bytes in
            guard let base = bytes.baseAddress else { return false }
            return memcmp(p, base + header &* Self.longestHeader, length) == 0
        }
    }

    private func findHeader(_ p: UnsafePointer<UInt8>, _ count: Int) -> Int? {
        for header in 0..<Self.headerCount where repeats(header, p, count) { return header }
        return nil
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

    /// Remembers the header of a line that matched, in place of the oldest one.
    private mutating func remember(
        _ p: UnsafePointer<UInt8>, _ count: Int, from start: Int, _ match: LineMatch
    ) {
        let end = Int(match.headerEnd)
        guard end > start, end - start <= Self.longestHeader else { return }
        // A header that ended with its line may lack the blank at its end, and says nothing about longer lines.
        guard end < count else { return }
        if headers.isEmpty {
            headers = Array(repeating: Header(), count: Self.headerCount)
            laneHeaders = Array(repeating: RepeatLane.Header(), count: Self.headerCount)
            headerBytes = Array(repeating: 0, count: Self.longestHeader * Self.headerCount)
        }
        let slot = oldestHeader
        oldestHeader = (slot + 1) % Self.headerCount
        lastHeader = slot
        var meaning = match
        meaning.message = LineMatch.Field()
        meaning.forget(beyond: Int32(truncatingIfNeeded: end))
        meaning.move(by: Int32(truncatingIfNeeded: -start))
        headers[slot] = Header(length: end - start, match: meaning)
        laneHeaders[slot] = RepeatLane.Header(length: end - start, entry: meaning.entry(line: 0, shift: 0))
        for index in 0..<end - start { headerBytes[slot * Self.longestHeader + index] = p[start + index] }
    }
}
