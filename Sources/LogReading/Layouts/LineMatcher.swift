import TraceRecords

/// Finds the layout of a line. Hot path: the layout of the line before is tried first, by comparison of bytes.
struct LineMatcher {
    /// What a line is.
    enum Outcome {
        /// It begins a record; the number of its layout in the catalog.
        case entry(layout: Int)
        /// It ends the record whose message comes before it.
        case metadata(layout: Int)
        /// It is a header, a footer or a note of the tool.
        case ignored
        /// It would begin a record, with a time that exists.
        case impossibleTime(layout: Int)
        case none
    }

    private enum Role { case entry, metadata, ignored }

    /// How many decorations may come before a record, one after another (`> `, line number, blanks …).
    private static let maximalDecorations = 4
    /// How far into a line a pattern may begin that may begin anywhere.
    private static let anywhereReach = 256
    /// How many lines show where a source has its times.
    private static let linesLookedAt = 100

    private var matchers: [PatternMatcher] = []
    private var layoutOf: [Int] = []
    private var roles: [Role] = []
    private var keepsWholeLine: [Bool] = []
    private var hasLabel: [Bool] = []
    private var holdsLines: [Bool] = []
    /// The patterns that may begin anywhere in a line, each with the number of its layout.
    private var anywhere: [(layout: Int, matcher: PatternMatcher)] = []
    /// Whether such patterns are tried, after all others.
    var findsTimesAnywhere = false
    private let wrappers: [PatternMatcher]
    private let prefixes: [PatternMatcher]
    private var last = 0

    init(layouts: [Layout], decorations: Decorations) {
        wrappers = decorations.wrappers.map(PatternMatcher.init)
        prefixes = decorations.prefixes.map(PatternMatcher.init)
        var ignored: [(layout: Int, pattern: LinePattern)] = []
        for (number, layout) in layouts.enumerated() {
            for pattern in layout.patterns {
                if layout.isAnywhere {
                    anywhere.append((number, PatternMatcher(pattern)))
                } else {
                    add(pattern, number, layout.followsMessage ? .metadata : .entry, layout)
                }
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
        holdsLines.append(layout.holdsLines)
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
        let first = hidden < count ? hidden : 0
        if let wrapped = matchWrapped(p, first, count, into: &match) { return wrapped }
        var start = first
        var outcome = matchInOrder(p + start, count - start, into: &match)
        var stripped = 0
        while case .none = outcome, stripped < Self.maximalDecorations, start < count {
            let length = decorationLength(p + start, count - start)
            guard length > 0, start + length < count else { break }
            start += length
            stripped += 1
            outcome = matchInOrder(p + start, count - start, into: &match)
        }
        if case .none = outcome, findsTimesAnywhere, let layout = matchAnywhere(p, first, count, into: &match) {
            return .entry(layout: layout)
        }
        if start > 0 { match.move(by: Int32(truncatingIfNeeded: start)) }
        if stripped > 0, case .entry = outcome { dropClosingMark(p, first..<start, &match) }
        return outcome
    }

    /// Matches a whole line of another log inside the line; `nil` when there is none.
    private mutating func matchWrapped(
        _ p: UnsafePointer<UInt8>, _ start: Int, _ count: Int, into match: inout LineMatch
    ) -> Outcome? {
        for wrapper in wrappers where wrapper.pattern.firstBytes.contains(p[start]) {
            guard let length = wrapper.prefixLength(p + start, count - start), start + length < count else { continue }
            let inner = start + length
            let outcome = matchInOrder(p + inner, count - inner, into: &match)
            guard case .entry = outcome else { continue }
            match.move(by: Int32(truncatingIfNeeded: inner))
            return outcome
        }
        return nil
    }

    /// Leaves out the back quote or bar at the end of a message that has its counterpart before the record.
    private func dropClosingMark(_ p: UnsafePointer<UInt8>, _ prefix: Range<Int>, _ match: inout LineMatch) {
        var end = Int(match.message.end)
        let start = Int(match.message.start)
        while end > start, p[end - 1] == 0x20 { end -= 1 }
        guard end > start, p[end - 1] == UInt8(ascii: "`") || p[end - 1] == UInt8(ascii: "|") else { return }
        let mark = p[end - 1]
        guard prefix.contains(where: { p[$0] == mark }) else { return }
        while end > start, p[end - 1] == mark || p[end - 1] == 0x20 { end -= 1 }
        match.message.end = Int32(truncatingIfNeeded: end)
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
                if holdsLines[index], let inner = matchInside(p, count, &match) { return inner }
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

    /// Matches the message of a line as a line of a layout that says more of it; `nil` when it is none.
    private mutating func matchInside(
        _ p: UnsafePointer<UInt8>, _ count: Int, _ match: inout LineMatch
    ) -> Outcome? {
        let start = Int(match.message.start)
        guard !match.message.isEmpty, p[start] &- 48 < 10 else { return nil }
        var inner = LineMatch()
        for index in matchers.indices
        where roles[index] == .entry && !holdsLines[index] && matchers[index].pattern.firstBytes.contains(p[start]) {
            guard case .match = matchers[index].match(p + start, count - start, into: &inner), inner.hasTime
            else { continue }
            match = inner
            match.move(by: Int32(truncatingIfNeeded: start))
            return .entry(layout: layoutOf[index])
        }
        return nil
    }

    /// Matches a line with a pattern that may begin anywhere; `nil` when there is none or more than one, or when the line is a
    /// JSON record, or indented, as further lines of a message are.
    private mutating func matchAnywhere(
        _ p: UnsafePointer<UInt8>, _ start: Int, _ count: Int, into match: inout LineMatch
    ) -> Int? {
        guard p[start] != UInt8(ascii: "{"), p[0] != UInt8(ascii: " "), p[0] != UInt8(ascii: "\t"),
            let found = matchFirst(p, after: start, count, into: &match)
        else { return nil }
        var second = LineMatch()
        guard matchFirst(p, after: found.end, count, into: &second) == nil else { return nil }
        match.message = LineMatch.Field(start: 0, end: Int32(truncatingIfNeeded: count))
        return found.layout
    }

    /// The first place behind `start` where such a pattern matches: its layout, and where its time ends.
    private mutating func matchFirst(
        _ p: UnsafePointer<UInt8>, after start: Int, _ count: Int, into match: inout LineMatch
    ) -> (layout: Int, end: Int)? {
        for at in start + 1..<max(start + 1, min(count, start + Self.anywhereReach))
        where p[at] &- 48 < 10 && !Self.goesOn(p, at) {
            for index in anywhere.indices {
                guard case .match = anywhere[index].matcher.match(p + at, count - at, into: &match),
                    // Figures before a clock may be a date that is not understood.
                    match.time.kind != .noDate || !(0..<at).contains(where: { p[$0] &- 48 < 10 })
                else { continue }
                return (anywhere[index].layout, at + Int(match.message.start))
            }
        }
        return nil
    }

    /// Whether what is at a place goes on with a word, a number, or a date or clock before it.
    private static func goesOn(_ p: UnsafePointer<UInt8>, _ at: Int) -> Bool {
        switch p[at - 1] {
        case 0x30...0x39: true
        case 0x2D...0x2F, 0x3A: at > 1 && p[at - 2] &- 48 < 10  // - . / :
        default: (p[at - 1] | 0x20) &- 97 < 26
        }
    }

    /// Whether most of the first lines of a source have their time behind a text, and none has it anywhere else.
    ///
    /// - Parameter least: how many such lines are enough: a single one may be a sentence.
    mutating func hasTimesAnywhere(_ lines: [UInt8], least: Int) -> Bool {
        guard !anywhere.isEmpty else { return false }
        if matchers.isEmpty { return true }
        return lines.withUnsafeBufferPointer { lines in
            guard let p = lines.baseAddress else { return false }
            let first = Self.visibleLines(p, lines.count)
            // A time behind a text is found sooner than that no layout matches, so only one line is matched with all of them
            // where no line has one.
            if let line = first.first, hasTime(p, line) { return false }
            var match = LineMatch()
            let late = first.count { line in
                let (line, count) = (p + line.lowerBound, line.count)
                return matchAnywhere(line, InvisibleBytes.run(line, count), count, into: &match) != nil
            }
            return late >= least && 2 * late > first.count && !first.dropFirst().contains { hasTime(p, $0) }
        }
    }

    private mutating func hasTime(_ p: UnsafePointer<UInt8>, _ line: Range<Int>) -> Bool {
        var match = LineMatch()
        switch self.match(p + line.lowerBound, line.count, into: &match) {
        case .entry, .metadata, .impossibleTime: return match.hasTime
        case .ignored, .none: return false
        }
    }

    /// The first lines of a text that are not blank.
    private static func visibleLines(_ p: UnsafePointer<UInt8>, _ count: Int) -> [Range<Int>] {
        var (lines, start): ([Range<Int>], Int) = ([], 0)
        while start < count, lines.count < linesLookedAt {
            let end = Bytes.find(0x0A, p, start, count) ?? count
            if InvisibleBytes.firstVisible(p, start, end) != nil { lines.append(start..<end) }
            start = end + 1
        }
        return lines
    }

    private func decorationLength(_ p: UnsafePointer<UInt8>, _ count: Int) -> Int {
        // A file that was not written to its end before the machine stopped has NUL bytes in their place.
        var at = 0
        while at < count, p[at] == 0 { at += 1 }
        if at > 0 { return at }
        // A file that was appended to another brings the mark of its encoding with it.
        if p[0] == 0xEF, count >= 3, p[1] == 0xBB, p[2] == 0xBF { return 3 }
        let invisible = InvisibleBytes.run(p, count)
        if invisible > 0 { return invisible }
        for prefix in prefixes where prefix.pattern.firstBytes.contains(p[0]) {
            if let length = prefix.prefixLength(p, count) { return length }
        }
        return 0
    }
}

/// What a layout found in one line: positions relative to the line's first byte. Plain, for the hot path.
struct LineMatch {
    /// A field of the line.
    struct Field {
        var start: Int32 = 0
        var end: Int32 = 0

        var isEmpty: Bool { start == end }

        @inline(__always)
        func range(_ shift: Int) -> ByteRange {
            isEmpty ? .none : ByteRange(offset: shift &+ Int(start), length: Int(end &- start))
        }

        @inline(__always)
        mutating func move(by shift: Int32) {
            guard !isEmpty else { return }
            start &+= shift
            end &+= shift
        }
    }

    var time = RawTime()
    var hasTime = false
    var pid: Int32 = 0
    var hasPid = false
    var process = Field()
    var device = Field()
    var subsystem = Field()
    var category = Field()
    var level = Field()
    var thread = Field()
    var activity = Field()
    var library = Field()
    var message = Field()
    /// Where the bytes end whose meaning can be remembered; 0 when there are none.
    var headerEnd: Int32 = 0

    /// Moves all fields, when the line turns out to begin elsewhere.
    @inline(__always)
    mutating func move(by shift: Int32) {
        process.move(by: shift)
        device.move(by: shift)
        subsystem.move(by: shift)
        category.move(by: shift)
        level.move(by: shift)
        thread.move(by: shift)
        activity.move(by: shift)
        library.move(by: shift)
        message.move(by: shift)
    }

    /// Empties the fields that end after a position.
    mutating func forget(beyond end: Int32) {
        if process.end > end { process = Field() }
        if device.end > end { device = Field() }
        if subsystem.end > end { subsystem = Field() }
        if category.end > end { category = Field() }
        if level.end > end { level = Field() }
        if thread.end > end { thread = Field() }
        if activity.end > end { activity = Field() }
        if library.end > end { library = Field() }
    }

    /// The entry that the fields mean, without its time, when the line begins at `shift`.
    @inline(__always)
    func entry(line: Int64, shift: Int) -> Entry {
        Entry(
            line: line, pid: hasPid ? pid : nil, process: process.range(shift), device: device.range(shift),
            subsystem: subsystem.range(shift), message: message.range(shift))
    }
}

/// Matches lines of columns between tabs, in any order: what a column is follows from what it holds.
struct ColumnMatcher {
    /// Columns that a line may have; more of them are a table of something else.
    private static let mostColumns = 12
    private static let levels = ["default", "info", "debug", "error", "fault", "activity", "signpost"].map {
        Array($0.utf8)
    }

    private let time: TimePattern

    init(_ time: TimePattern) { self.time = time }

    /// Whether the line has such columns: a time among the first three or as the last one, a message, and something that the usual columns
    /// (type, time, process, message) don't have or that is in another place.
    func match(_ p: UnsafePointer<UInt8>, _ count: Int, into match: inout LineMatch) -> Bool {
        guard count > 0, p[0] != 0x09, Bytes.find(0x09, p, 0, count) != nil, let columns = columns(p, count) else {
            return false
        }
        var timeColumn: Int?
        var texts: [Int] = []
        var (beginsWithLevel, hasThread) = (false, false)
        for (number, column) in columns.enumerated() {
            let (start, length) = (p + column.lowerBound, column.count)
            if length == 0 {
                continue
            } else if isLevel(start, length) {
                if number == 0 { beginsWithLevel = true }
            } else if isThread(start, length) {
                hasThread = true
            } else if length == 1, start[0] == UInt8(ascii: "|") {
                return false
            } else if timeColumn == nil, number < 3 || number + 1 == columns.count,
                readTime(start, length, into: &match)
            {
                timeColumn = number
            } else if let number = decimal(start, length) {
                guard !match.hasPid, let pid = Int32(exactly: number) else { continue }
                match.pid = pid
                match.hasPid = true
            } else if match.subsystem.isEmpty, isSubsystem(start, length) {
                match.subsystem = field(column)
            } else {
                texts.append(number)
            }
        }
        guard let timeColumn, let message = texts.last(where: { holdsBlank(p, columns[$0]) }) ?? texts.last else {
            return false
        }
        guard !beginsWithLevel || timeColumn != 1 || hasThread || match.hasPid || !match.subsystem.isEmpty else {
            return false
        }
        match.message = field(columns[message])
        // The process comes after the time, or before everything else.
        let names = texts.filter { $0 != message }
        if let process = names.first(where: { $0 > timeColumn }) ?? names.first {
            match.process = field(columns[process])
        }
        return true
    }

    private func columns(_ p: UnsafePointer<UInt8>, _ count: Int) -> [Range<Int>]? {
        var columns: [Range<Int>] = []
        var start = 0
        for at in 0..<count where p[at] == 0x09 {
            columns.append(trimmed(p, start..<at))
            start = at + 1
            if columns.count >= Self.mostColumns { return nil }
        }
        columns.append(trimmed(p, start..<count))
        return columns.count >= 3 ? columns : nil
    }

    private func trimmed(_ p: UnsafePointer<UInt8>, _ column: Range<Int>) -> Range<Int> {
        var (start, end) = (column.lowerBound, column.upperBound)
        while start < end, p[start] == 0x20 { start += 1 }
        while end > start, p[end - 1] == 0x20 { end -= 1 }
        return start..<end
    }

    private func field(_ column: Range<Int>) -> LineMatch.Field {
        LineMatch.Field(
            start: Int32(truncatingIfNeeded: column.lowerBound), end: Int32(truncatingIfNeeded: column.upperBound))
    }

    private func readTime(_ p: UnsafePointer<UInt8>, _ count: Int, into match: inout LineMatch) -> Bool {
        var reader = TimeReader(time)
        var raw = RawTime()
        guard case .time(count) = reader.read(p, count, into: &raw) else { return false }
        match.time = raw
        match.hasTime = true
        return true
    }

    private func isLevel(_ p: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        Self.levels.contains { word in word.count == count && word.indices.allSatisfy { p[$0] | 0x20 == word[$0] } }
    }

    private func isThread(_ p: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        count > 2 && p[0] == UInt8(ascii: "0") && p[1] == UInt8(ascii: "x")
            && (2..<count).allSatisfy { p[$0] &- 48 < 10 || (p[$0] | 0x20) &- 97 < 6 }
    }

    private func decimal(_ p: UnsafePointer<UInt8>, _ count: Int) -> Int64? {
        guard count <= 18, (0..<count).allSatisfy({ p[$0] &- 48 < 10 }) else { return nil }
        return (0..<count).reduce(0) { $0 * 10 + Int64(p[$1] &- 48) }
    }

    /// Whether it is a name such as `com.example.tea`.
    private func isSubsystem(_ p: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        var dots = 0
        for at in 0..<count {
            switch p[at] {
            case UInt8(ascii: "."): dots += 1
            case UInt8(ascii: "-"), UInt8(ascii: "_"): continue
            default: guard (p[at] | 0x20) &- 97 < 26 || p[at] &- 48 < 10 else { return false }
            }
        }
        return dots >= 2
    }

    private func holdsBlank(_ p: UnsafePointer<UInt8>, _ column: Range<Int>) -> Bool {
        column.contains { p[$0] == 0x20 }
    }
}
