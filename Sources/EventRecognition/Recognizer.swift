package import LifecycleModel
package import TraceRecords

/// Finds the events in the entries of one source, and merges all other lines into signs of life.
///
/// What it says of a line depends on that line and the lines before it in the source, never on how the source was cut
/// into batches.
package struct Recognizer {
    /// How far into a line names are looked for: a line of megabytes states nothing that its beginning does not tell.
    private static let reach = 16_384

    private let lexicon: Lexicon
    private let keepsMessages: Bool
    private var symbols = SymbolStore()
    private var life = LifeTracker()

    // A line that names no process is one of the process that wrote the line before.
    private var process = RecentSymbol()
    private var pid: Int32?
    private var device = RecentSymbol()

    /// A recogniser for one source.
    ///
    /// - Parameters:
    ///   - lexicon: what is recognised; compile it once for all sources.
    ///   - keepsMessages: whether events carry the text of their line.
    package init(lexicon: Lexicon, keepsMessages: Bool = false) {
        self.lexicon = lexicon
        self.keepsMessages = keepsMessages
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
        for index in entries.indices {
            note(entries[index], bytes, &facts)
        }
        return FactBatch(
            facts: facts, newSymbols: symbols.takeNew(), rejects: batch.rejects, position: batch.position)
    }

    /// The facts that were waiting for lines that do not come: the spans of life that are still open.
    package mutating func finish() -> FactBatch {
        var facts: [FactBatch.Fact] = []
        life.endAll(into: &facts)
        return FactBatch(facts: facts, newSymbols: symbols.takeNew())
    }

    @inline(__always)
    private mutating func note(_ entry: Entry, _ bytes: RawSpan, _ facts: inout [FactBatch.Fact]) {
        if !entry.process.isEmpty {
            process.take(bytes, entry.process, from: &symbols)
            pid = entry.pid
        } else if let own = entry.pid {
            pid = own
        }
        if !entry.device.isEmpty { device.take(bytes, entry.device, from: &symbols) }

        let start = Int(entry.message.offset)
        let end = start + Int(entry.message.length)
        if entry.lineCount == 1 {
            if recognizeLine(entry, entry.line, bytes, start, end, &facts) { return }
        } else if recognizeLines(entry, bytes, start, end, &facts) {
            return
        }
        life.note(
            process: process.symbol, pid: pid, device: device.symbol, time: entry.time, firstLine: entry.line,
            lastLine: entry.line + Int64(entry.lineCount) - 1, into: &facts)
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
            if position == start || last > position && !ByteClass.isBlank(bytes.byte(position)) {
                isEvent = recognizeLine(entry, line, bytes, position, last, &facts) || isEvent
            }
            position = last + 1
            line += 1
        }
        return isEvent
    }

    /// Recognises one line; `false` when it is no event.
    @inline(__always)
    private mutating func recognizeLine(
        _ entry: Entry, _ line: Int64, _ bytes: RawSpan, _ start: Int, _ end: Int, _ facts: inout [FactBatch.Fact]
    ) -> Bool {
        guard let match = lexicon.match(bytes, start, min(end, start + Self.reach)) else { return false }
        let label = lexicon.label(bytes, match, start, end)
        if match.context.needsController, !lexicon.isController(bytes, label, match, start, end) { return false }
        guard case .callback(let callback) = match.context.meaning else { return false }

        life.end(process: process.symbol, pid: pid, into: &facts)
        var event = Event(
            time: entry.time, line: line, callback: callback, process: process.symbol, pid: pid,
            device: device.symbol)
        if !label.isEmpty { event.instance = symbols.symbol(bytes, label) }
        if let time = entry.time {
            let seed = UInt64(bitPattern: time) ^ process.hash ^ UInt64(truncatingIfNeeded: pid ?? -1) << 32
            event.copyKey = max(1, bytes.stableHash(start, count: end - start, seed: StableHash.mix(seed)))
        }
        if keepsMessages { event.message = symbols.symbol(bytes, start, end) }
        facts.append(.event(event))
        return true
    }
}
