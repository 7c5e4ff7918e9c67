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

    /// The last headers; `nil` until a line matches, because most layouts never meet one and small files are many.
    private var headers: HeaderMemory?
    /// The slot of the header that was met last.
    private var last = 0

    init(_ pattern: LinePattern) {
        self.pattern = pattern
        timeReader = pattern.time.map(TimeReader.init)
    }

    /// Matches a line that repeats a header of one of the last lines that matched; false decides nothing.
    @inline(__always)
    mutating func matchRepeated(_ p: UnsafePointer<UInt8>, _ count: Int, into match: inout LineMatch) -> Bool {
        guard let headers else { return false }
        var time = RawTime()
        guard case .time(let length)? = timeReader?.read(p, count, into: &time),
            let slot = headers.find(p + length, count &- length, after: last)
        else { return false }
        last = slot
        match = headers.matches[slot]
        match.move(by: Int32(truncatingIfNeeded: length))
        match.time = time
        match.hasTime = true
        let start = length &+ headers.lengths[slot]
        if pattern.endsWithMessage {
            match.message = LineMatch.Field(
                start: Int32(truncatingIfNeeded: start), end: Int32(truncatingIfNeeded: count))
            return true
        }
        return pattern.steps.withUnsafeBufferPointer { steps in
            run(steps, pattern.headerEnd, p, start, count, &match) == .match
        }
    }

    /// What the last lines have in common, for layouts where that is everything but the message.
    var lane: RepeatLane? {
        guard let headers, pattern.endsWithMessage, let time = pattern.time, let day = timeReader?.lastDay else {
            return nil
        }
        return RepeatLane(day: day, fraction: time.fraction, zone: time.zone, headers: headers)
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
        guard end > start, end - start <= HeaderMemory.longest else { return }
        // A header that ended with its line may lack the blank at its end, and does not help with longer lines.
        guard end < count else { return }
        var meaning = match
        meaning.message = LineMatch.Field()
        meaning.forget(beyond: Int32(truncatingIfNeeded: end))
        meaning.move(by: Int32(truncatingIfNeeded: -start))
        if headers == nil { headers = HeaderMemory() }
        headers?.remember(p + start, end - start, meaning)
        last = headers?.last ?? 0
    }
}

extension PatternMatcher {
    typealias Steps = UnsafeBufferPointer<MatchStep>

    /// Matches the steps from `first` on against the line from `start` on. A field of text is as short as the steps
    /// after it allow, so the work is bounded by the longest text, not by the line.
    func run(
        _ steps: Steps, _ first: Int, _ p: UnsafePointer<UInt8>, _ start: Int, _ count: Int, _ match: inout LineMatch
    ) -> Outcome {
        var failed = FailedTexts()
        return run(steps, first, p, start, count, &match, &failed, isInText: false)
    }

    /// Whether a byte shows a text to be no subsystem: `[app<com.example.tea>:41]`, `[Tea
    /// applicationDidEnterBackground:]`, `[user/501/UIKitApplication:com.example.tea[0a1b] [501]:]`.
    private static func isNoSubsystem(_ p: UnsafePointer<UInt8>, _ place: Int, _ count: Int) -> Bool {
        switch p[place] {
        case UInt8(ascii: "<"), UInt8(ascii: "/"), UInt8(ascii: "["): return true
        case UInt8(ascii: " "): break
        default: return false
        }
        var end = place
        while end < min(count, place + 256), p[end] != UInt8(ascii: "]") { end += 1 }
        return end < count && p[end] == UInt8(ascii: "]") && p[end - 1] == UInt8(ascii: ":")
    }

    private func run(
        _ steps: Steps, _ first: Int, _ p: UnsafePointer<UInt8>, _ start: Int, _ count: Int, _ match: inout LineMatch,
        _ failed: inout FailedTexts, isInText: Bool
    ) -> Outcome {
        var at = start
        var index = first
        var impossible = false
        while index < steps.count {
            if index == pattern.headerEnd { match.headerEnd = Int32(truncatingIfNeeded: at) }
            switch steps[index] {
            case .text:
                let outcome = text(steps, index, p, at, count, &match, &failed, isInText: isInText)
                return outcome == .match && impossible ? .impossibleTime : outcome
            case .group(let otherwise):
                var attempt = match
                let outcome = run(steps, index + 1, p, at, count, &attempt, &failed, isInText: isInText)
                if outcome == .match { match = attempt }
                if outcome != .none { return impossible ? .impossibleTime : outcome }
                index = Int(otherwise)
                continue
            case .time:
                switch time(p, at, count, &match) {
                case .time(let length): at += length
                case .impossible:
                    impossible = true
                    guard let length = shapeLength(p + at, count - at) else { return .impossibleTime }
                    at += length
                case .none: return .none
                }
            case .columns:
                guard let time = pattern.time else { return .none }
                return ColumnMatcher(time).match(p, count, into: &match) ? .match : .none
            default:
                guard let next = simple(steps[index], p, at, count, &match) else { return .none }
                at = next
            }
            index += 1
        }
        guard isBlank(p, at, count) else { return .none }
        return impossible ? .impossibleTime : .match
    }

    /// Matches a text and the steps after it: tries every end of the text in turn.
    private func text(
        _ steps: Steps, _ index: Int, _ p: UnsafePointer<UInt8>, _ at: Int, _ count: Int, _ match: inout LineMatch,
        _ failed: inout FailedTexts, isInText: Bool
    ) -> Outcome {
        guard case .text(let field, let name, let maximum, let stop, let otherStop, let anywhere) = steps[index] else {
            return .none
        }
        let last = min(count, at + Int(maximum))
        // Only a subsystem and a category may be empty: "[com.example.tea:]".
        var end = field == .category || field == .subsystem ? at : at + 1
        var isImpossible = false
        while end <= last {
            if name, !isNameByte(p[end - 1]) || (end == at + 1 && p[at] == UInt8(ascii: " ")) { break }
            // What begins a message in brackets may be a process or a method.
            if field == .subsystem, end > at, Self.isNoSubsystem(p, end - 1, count) { break }
            if field == .category, end > at, p[end - 1] == UInt8(ascii: "[") { break }
            if !anywhere, end < count, p[end] != stop, p[end] != otherStop {
                end += 1
                continue
            }
            if end == count && !anywhere { break }
            if isInText, let tried = failed.lastFailed(index, from: end) {
                end = tried + 1
                continue
            }
            if name, p[end - 1] == UInt8(ascii: " ") {
                end += 1
                continue
            }
            var attempt = match
            Self.set(field, &attempt, at, end)
            let outcome = run(steps, index + 1, p, end, count, &attempt, &failed, isInText: true)
            if outcome == .match {
                match = attempt
                return .match
            }
            isImpossible = isImpossible || outcome == .impossibleTime
            end += 1
        }
        if isInText { failed.note(index, of: steps.count, from: at + 1, to: min(end - 1, last)) }
        return isImpossible ? .impossibleTime : .none
    }

    /// Reads a time that is not at the line's beginning: nothing is remembered from line to line.
    private func time(
        _ p: UnsafePointer<UInt8>, _ at: Int, _ count: Int, _ match: inout LineMatch
    ) -> TimeReader.Outcome {
        guard let pattern = pattern.time else { return .none }
        var reader = TimeReader(pattern)
        match.time = RawTime()
        match.hasTime = true
        return reader.read(p + at, count - at, into: &match.time)
    }

    /// Length of the beginning of a line that the pattern, one without texts, matches.
    func prefixLength(_ p: UnsafePointer<UInt8>, _ count: Int) -> Int? {
        var at = 0
        var ignored = LineMatch()
        for step in pattern.steps {
            guard let next = simple(step, p, at, count, &ignored) else { return nil }
            at = next
        }
        return at
    }

    /// A step with only one way to match: where it ends, or `nil`.
    @inline(__always)
    private func simple(
        _ step: MatchStep, _ p: UnsafePointer<UInt8>, _ at: Int, _ count: Int, _ match: inout LineMatch
    ) -> Int? {
        switch step {
        case .literal(let start, let length, let orEnd):
            if literal(start, length, p, at, count) { return at + Int(length) }
            // A header that ends with its line is not remembered: it lacks the blank.
            if orEnd, at + Int(length) - 1 == count, literal(start, length - 1, p, at, count) { return count }
            return nil
        case .blanks(let minimum):
            var end = at
            while end < count, p[end] == UInt8(ascii: " ") || p[end] == UInt8(ascii: "\t") { end += 1 }
            return end - at >= Int(minimum) ? end : nil
        case .milliseconds:
            guard let (end, value) = number(p, at, count, most: 15) else { return nil }
            Self.set(interval: value, &match)
            return end
        case .noInterval:
            Self.set(interval: 0, &match)
            return at
        case .digits(let field):
            guard let (end, value) = number(p, at, count, most: 18) else { return nil }
            if field == .pid {
                guard let pid = Int32(exactly: value) else { return nil }
                match.pid = pid
                match.hasPid = true
            }
            return end
        case .hex:
            let isMarked = at + 2 < count && p[at] == UInt8(ascii: "0") && p[at + 1] | 0x20 == UInt8(ascii: "x")
            let first = isMarked ? at + 2 : at
            var end = first
            while end < count, isHex(p[end]) { end += 1 }
            guard end > first else { return nil }
            // `log show` prints the activity in the same form after the thread.
            Self.set(match.thread.isEmpty ? .thread : .activity, &match, at, end)
            return end
        case .word(let field):
            var end = at
            while end < count, p[end] != UInt8(ascii: " "), p[end] != UInt8(ascii: "\t") { end += 1 }
            guard end > at else { return nil }
            Self.set(field, &match, at, end)
            return end
        case .choice(let field, let first, let number):
            for index in Int(first)..<Int(first + number) {
                let word = pattern.words[index]
                guard at + word.count <= count, Bytes.areEqual(p + at, word, word.count) else { continue }
                Self.set(field, &match, at, at + word.count)
                return at + word.count
            }
            return nil
        case .rest(let field):
            Self.set(field, &match, at, count)
            return count
        case .text, .group, .time, .columns:
            return nil
        }
    }

    /// The number of at most so many digits at a place, and where it ends.
    @inline(__always)
    private func number(
        _ p: UnsafePointer<UInt8>, _ at: Int, _ count: Int, most: Int
    ) -> (end: Int, value: Int64)? {
        var end = at
        var value: Int64 = 0
        while end < count, p[end] &- 48 < 10, end - at < most {
            value = value &* 10 &+ Int64(p[end] &- 48)
            end += 1
        }
        return end > at ? (end, value) : nil
    }

    private static func set(interval milliseconds: Int64, _ match: inout LineMatch) {
        match.time = RawTime()
        match.time.kind = .interval
        match.time.seconds = milliseconds / 1000
        match.time.nanoseconds = Int32(milliseconds % 1000) * 1_000_000
        match.hasTime = true
    }

    @inline(__always)
    private func literal(
        _ start: Int32, _ length: Int32, _ p: UnsafePointer<UInt8>, _ at: Int, _ count: Int
    ) -> Bool {
        let (start, length) = (Int(start), Int(length))
        guard at &+ length <= count else { return false }
        return pattern.pool.withUnsafeBufferPointer { pool in
            for i in 0..<length where p[at &+ i] != pool[start &+ i] { return false }
            return true
        }
    }

    /// Length of the characters that an impossible time is written with.
    private func shapeLength(_ p: UnsafePointer<UInt8>, _ count: Int) -> Int? {
        var at = 0
        for part in pattern.time?.parts ?? [] {
            switch part {
            case .literal: at += 1
            case .year: at += 4
            case .monthName: at += 3
            default: at += 2
            }
        }
        if pattern.time?.hasSeconds == true { at += 2 }
        while at < count, p[at] &- 48 < 10 || p[at] == 0x2E || p[at] == 0x2C || p[at] == 0x2B || p[at] == 0x2D {
            at += 1
        }
        return at <= count ? at : nil
    }

    private func isBlank(_ p: UnsafePointer<UInt8>, _ start: Int, _ count: Int) -> Bool {
        for at in start..<max(start, count) where p[at] != UInt8(ascii: " ") && p[at] != UInt8(ascii: "\t") {
            return false
        }
        return true
    }

    /// Whether a process name pasted without its time may hold the byte.
    private func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0..<0x20, UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: ":"), UInt8(ascii: "\""),
            UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "="):
            false
        default: true
        }
    }

    @inline(__always)
    private func isHex(_ byte: UInt8) -> Bool { byte &- 48 < 10 || (byte | 0x20) &- 97 < 6 }

    @inline(__always)
    private static func set(_ field: MatchStep.Field, _ match: inout LineMatch, _ start: Int, _ end: Int) {
        let value = LineMatch.Field(
            start: Int32(truncatingIfNeeded: start), end: Int32(truncatingIfNeeded: end))
        switch field {
        case .process: match.process = value
        case .device: match.device = value
        case .subsystem: match.subsystem = value
        case .level: match.level = value
        case .category: match.category = value
        case .thread: match.thread = value
        case .activity: match.activity = value
        case .library: match.library = value
        case .message: match.message = value
        case .skip, .pid: break
        }
    }
}

/// Where fields of text inside others were found not to end, in one line.
///
/// Whether the steps after a field match depends on where it ends and on nothing before that. Without this memory,
/// every further field of text multiplies the ways to try.
struct FailedTexts {
    /// By step, the ends that were tried in vain. Empty until the first: few lines need it.
    private var ends: [ClosedRange<Int>?] = []

    /// The last of the ends that need not be tried again, when the end is one of them.
    @inline(__always)
    func lastFailed(_ step: Int, from end: Int) -> Int? {
        guard !ends.isEmpty, let failed = ends[step], failed.contains(end) else { return nil }
        return failed.upperBound
    }

    /// Remembers ends that were tried in vain.
    mutating func note(_ step: Int, of steps: Int, from first: Int, to last: Int) {
        guard first <= last else { return }
        if ends.isEmpty { ends = Array(repeating: nil, count: steps) }
        if let known = ends[step], first <= known.upperBound + 1, last >= known.lowerBound - 1 {
            ends[step] = min(first, known.lowerBound)...max(last, known.upperBound)
        } else {
            ends[step] = first...last
        }
    }
}
