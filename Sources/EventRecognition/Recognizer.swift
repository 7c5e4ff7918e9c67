package import LifecycleModel
package import TraceRecords

/// Finds the events in the entries of one source, and merges all other lines into signs of life.
///
/// What it says of a line depends on that line and the lines before it in the source, never on how the source was cut
/// into batches.
package struct Recognizer {
    /// How far into a line names are looked for: a line of megabytes states nothing that its beginning does not tell.
    private static let reach = 16_384
    /// How many texts of earlier lines are kept at least: addresses of view controllers are many, and few come again.
    private static let symbolsKept = 16_384

    let lexicon: Lexicon
    private let keepsMessages: Bool
    let disguise: Disguise
    var symbols = SymbolStore()
    var memo = LineMemo()
    var totals: DailyTotals
    var report = ReportVersions()
    var life = LifeTracker()
    /// Two lines that were one, put together.
    var joined: [UInt8] = []
    /// Whether the symbols of the next batch are numbered anew.
    private var restartsSymbols = false
    /// Room to make for the facts of a batch: what the batch before had, and a little more.
    private var expectedFacts = 0

    // A line that names no process is one of the process that wrote the line before.
    var process: RecentSymbol
    var pid = LifeTracker.noPid
    var device = RecentSymbol()
    /// The first device that the lines so far name.
    private var firstDevice: NamedDevice?
    /// Whether any line so far has named its process; whether any other one has said its id.
    private var namesProcesses = false
    private var namesPids = false

    /// What is remembered of the lines before the position of the last batch: where the reading would go on.
    package private(set) var context: RecognitionContext
    private var contextLines: Int64 = -1

    /// A recogniser for one source.
    ///
    /// - Parameters:
    ///   - lexicon: what is recognised; compile it once for all sources.
    ///   - keepsMessages: whether events carry the text of their line.
    ///   - disguise: what is shown in place of the words of the log; `nil` shows them.
    ///   - context: what an earlier recogniser of the source remembered where the reading goes on.
    package init(
        lexicon: Lexicon, keepsMessages: Bool = false, disguise: Disguise? = nil,
        context: RecognitionContext = RecognitionContext()
    ) {
        self.lexicon = lexicon
        self.keepsMessages = keepsMessages
        self.disguise = disguise ?? .none
        totals = DailyTotals(lexicon.units, disguise ?? .none)
        process = RecentSymbol { ProcessName.shown($0, disguise) }
        process.restore(context.process, from: &symbols)
        device.restore(context.device, from: &symbols)
        pid = context.pid.map(Int64.init) ?? LifeTracker.noPid
        totals.pending = context.totals
        firstDevice = context.firstDevice
        report = context.report ?? ReportVersions()
        self.context = context
    }

    /// What had to be assumed or left out, in plain words.
    package var assumptions: [String] { [totals.assumption].compactMap(\.self) }

    /// What is remembered of all lines so far, the provisional ones included: what the next source of the log takes up.
    package var present: RecognitionContext {
        var context = RecognitionContext(
            process: process.remembered, pid: pid == LifeTracker.noPid ? nil : Int32(truncatingIfNeeded: pid),
            device: device.remembered, totals: totals.pending)
        if report.isActive { context.report = report }
        context.firstDevice = firstDevice
        return context
    }

    /// A recogniser for one source that knows the built-in dialects.
    ///
    /// - Throws: ``DialectError`` when a built-in file is damaged; a test rules that out.
    package init(vocabulary: Vocabulary, keepsMessages: Bool = false) throws(DialectError) {
        self.init(lexicon: try Lexicon(vocabulary: vocabulary), keepsMessages: keepsMessages)
    }

    /// The facts of the next batch of the source.
    package mutating func recognize(_ batch: EntryBatch) -> FactBatch {
        let bytes = batch.bytes.span.bytes
        let entries = batch.entries.span
        var facts: [FactBatch.Fact] = []
        facts.reserveCapacity(expectedFacts)
        let stable = batch.position.counts.lines
        var provisional = entries.count
        while provisional > 0, entries[provisional - 1].line > stable { provisional -= 1 }
        for index in 0..<provisional { note(entries[index], bytes, &facts) }
        if provisional > 0 || stable != contextLines {
            context = present
            contextLines = stable
        }
        // What is read again must not be part of what is kept.
        if provisional < entries.count { life.endAll(into: &facts) }
        for index in provisional..<entries.count { note(entries[index], bytes, &facts) }
        expectedFacts = facts.count + facts.count / 8
        return handOver(facts, isLast: false, rejects: batch.rejects, position: batch.position)
    }

    private mutating func handOver(
        _ facts: [FactBatch.Fact], isLast: Bool, rejects: [Reject] = [], position: SourcePosition = SourcePosition()
    ) -> FactBatch {
        var batch = FactBatch(
            facts: facts, newSymbols: symbols.takeNew(), dailyTotals: totals.takeFinished(isLast: isLast),
            rejects: rejects, position: position)
        batch.restartsSymbols = restartsSymbols
        restartsSymbols = false
        return batch
    }

    /// The facts that were waiting for lines that do not come: spans of life that are still open and, with `isLast`,
    /// totals of a day that is not named.
    package mutating func finish(isLast: Bool = true) -> FactBatch {
        var facts: [FactBatch.Fact] = []
        life.endAll(into: &facts)
        return handOver(facts, isLast: isLast)
    }

    /// Forgets the texts of earlier lines when they have become many. Only after ``finish(isLast:)``, when no fact waits
    /// that refers to one of them.
    package mutating func forgetSymbols() {
        guard symbols.count > Self.symbolsKept else { return }
        symbols = SymbolStore()
        memo = LineMemo()
        process.renumber(from: &symbols)
        device.renumber(from: &symbols)
        restartsSymbols = true
    }

    @inline(__always)
    private mutating func note(_ entry: Entry, _ bytes: RawSpan, _ facts: inout [FactBatch.Fact]) {
        if !entry.process.isEmpty {
            // Lines before any that names its process belong to what stands before them: they go first.
            if !namesProcesses {
                life.endAll(into: &facts)
                namesProcesses = true
            }
            if report.isActive { endReport(at: entry, bytes) }
            process.take(bytes, entry.process, from: &symbols)
            pid = entry.pid.map(Int64.init) ?? LifeTracker.noPid
        } else if let own = entry.pid {
            // So do lines before any that says its id.
            if !namesPids {
                life.endAll(into: &facts)
                namesPids = true
            }
            pid = Int64(own)
        }
        if !entry.device.isEmpty {
            device.take(bytes, entry.device, from: &symbols)
            if firstDevice == nil { firstDevice = device.name.map { NamedDevice(line: entry.line, name: $0) } }
        }

        let start = Int(entry.message.offset)
        let end = start + Int(entry.message.length)
        if entry.lineCount == 1 {
            let reach = min(end, start + Self.reach)
            let candidate = lexicon.candidate(bytes, from: start, start, reach)
            if candidate < reach || lexicon.mayStateBriefly(bytes, start, reach),
                recognizeLine(entry, entry.line, bytes, candidate: candidate, start, reach, &facts)
            {
                return
            }
        } else if recognizeLines(entry, bytes, start, end, &facts) {
            return
        }
        life.note(
            process: process.symbol, pid: pid, device: device.symbol, time: entry.time, line: entry.line,
            lineCount: entry.lineCount, into: &facts)
    }

    /// Recognises every line of an entry with continuation lines; lines that are indented belong to a dump.
    private mutating func recognizeLines(
        _ entry: Entry, _ bytes: RawSpan, _ start: Int, _ end: Int, _ facts: inout [FactBatch.Fact]
    ) -> Bool {
        var isEvent = false
        var line = entry.line
        var position = start
        while position < end {
            var last = position
            while last < end, bytes.byte(last) != 0x0A { last += 1 }
            if let wrapped = recognizeWrapped(entry, line, bytes, position, last, end, &facts) {
                isEvent = true
                position = wrapped
                line += 2
                continue
            }
            if position == start || last > position && !ByteClass.isBlank(bytes.byte(position)) {
                let reach = min(last, position + Self.reach)
                let candidate = lexicon.candidate(bytes, from: position, position, reach)
                isEvent = recognizeLine(entry, line, bytes, candidate: candidate, position, reach, &facts) || isEvent
            }
            position = last + 1
            line += 1
        }
        return isEvent
    }

    /// Recognises one line; `false` when it is no event.
    mutating func recognizeLine(
        _ entry: Entry, _ line: Int64, _ bytes: RawSpan, candidate: Int, _ start: Int, _ end: Int,
        _ facts: inout [FactBatch.Fact]
    ) -> Bool {
        let count = end - start
        var hash: UInt64 = 0
        if candidate < end, count <= LineMemo.longest {
            hash = bytes.stableHash(start, count: count)
            if let known = memo.statement(bytes, start, count: count, hash: hash) {
                life.end(process: process.symbol, pid: pid, into: &facts)
                append(
                    Event(
                        time: entry.time, line: line, callback: known.callback, process: process.symbol,
                        saysEnd: known.saysEnd, pid: Int32(exactly: pid), device: device.symbol,
                        instance: known.instance),
                    bytes, start, end, hash, &facts)
                return true
            }
        }
        guard let statement = statement(entry, bytes, candidate: candidate, start, end, line, hash) else {
            if report.isEndTold { tellVersions(line: line, &facts) }
            return false
        }
        append(statement, entry, line, bytes, start, end, hash, &facts)
        return true
    }

    /// Adds an event, with what it says of its line as a whole.
    @inline(__always)
    mutating func append(
        _ event: Event, _ bytes: RawSpan, _ start: Int, _ end: Int, _ hash: UInt64, _ facts: inout [FactBatch.Fact]
    ) {
        var event = event
        if let time = event.time {
            let whole = hash != 0 ? hash : bytes.stableHash(start, count: end - start)
            let seed = UInt64(bitPattern: time) ^ process.hash ^ UInt64(bitPattern: pid) << 32
            event.copyKey = max(1, StableHash.mix(StableHash.mix(seed) ^ whole))
        }
        if keepsMessages { event.message = symbols.symbol(bytes, start, end) }
        facts.append(.event(event))
    }
}
