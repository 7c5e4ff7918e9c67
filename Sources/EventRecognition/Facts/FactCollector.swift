import TraceRecords

/// Collects the facts of one source into batches, and interns what their lines print of their speakers.
///
/// Everything that a fact refers to is numbered per batch, so that a batch needs no other one. When a batch is full, the
/// numbering begins anew: whoever keeps numbers must ask for them again.
struct FactCollector {
    /// What a speaker consists of, by the numbers of its texts in ``names``.
    struct SpeakerKey: Hashable {
        var process: UInt32 = 0
        var device: UInt32 = 0
        var label: UInt32 = 0
        var pid = ActivityTracker.noPid
        var namesBundle = false
    }

    /// Room for what a single line may add: all open intervals, its event, and the versions of a report.
    private static let reserve = ActivityTracker.mostOpen + 64

    private var facts: [FactBatch.Fact] = []
    private var full: [FactBatch] = []
    private var activity = ActivityTracker()
    /// Names of processes and devices, and labels.
    private var names = TextTable()
    /// The texts of the batch's symbols.
    private var texts = TextTable()
    private var speakers: [Speaker] = []
    private var numbers: [SpeakerKey: UInt32] = [:]
    /// Speakers of recent facts, in places that follow from their key.
    private var recent = [(key: SpeakerKey, number: UInt32)](repeating: (SpeakerKey(), .max), count: 64)
    /// Time of the latest entry of the source so far.
    var lastTime: Int64?

    /// Number of facts that wait.
    var count: Int { full.reduce(facts.count) { $0 + $1.facts.count } }

    /// Whether the batch should be closed before the next line.
    @inline(__always)
    var isNearlyFull: Bool { facts.count >= FactBatch.mostFacts - Self.reserve }

    // MARK: - Batches

    /// Ends all open intervals and closes the batch.
    mutating func closeBatch() {
        activity.endAll(into: &facts)
        if !facts.isEmpty {
            full.append(FactBatch(facts: facts, speakers: speakers, texts: texts.texts, lastTime: lastTime))
        }
        let expected = min(FactBatch.mostFacts, facts.count + facts.count / 8)
        facts = []
        facts.reserveCapacity(expected)
        names = TextTable()
        texts = TextTable()
        speakers = []
        numbers = [:]
        for place in recent.indices { recent[place].number = .max }
    }

    /// Takes the batches that are closed.
    mutating func takeBatches() -> [FactBatch] {
        defer { full = [] }
        return full
    }

    // MARK: - Texts

    /// The number of a name or label in this batch; 0 for an empty one.
    mutating func name(_ bytes: RawSpan, _ start: Int, _ end: Int) -> UInt32 { names.number(bytes, start, end) }

    /// The symbol of a text in this batch.
    mutating func symbol(_ bytes: RawSpan, _ start: Int, _ end: Int) -> Symbol {
        Symbol(id: texts.number(bytes, start, end))
    }

    mutating func symbol(_ text: String) -> Symbol {
        let bytes = Array(text.utf8)
        return symbol(bytes.span.bytes, 0, bytes.count)
    }

    /// The number of a speaker in this batch.
    @inline(__always)
    mutating func speaker(_ key: SpeakerKey) -> UInt32 {
        let mixed =
            (key.label &* 0x9E37_79B1) ^ (UInt32(truncatingIfNeeded: key.pid) &* 0x85EB_CA6B)
            ^ (key.process &* 0xC2B2_AE35)
        let place = Int(mixed >> 26)
        if recent[place].key == key, recent[place].number != .max { return recent[place].number }
        return speaker(key, at: place)
    }

    @inline(never)
    private mutating func speaker(_ key: SpeakerKey, at place: Int) -> UInt32 {
        let number: UInt32
        if let known = numbers[key] {
            number = known
        } else {
            number = UInt32(speakers.count)
            numbers[key] = number
            speakers.append(
                Speaker(
                    process: names.text(key.process), namesBundle: key.namesBundle, pid: Int32(exactly: key.pid),
                    device: names.text(key.device), label: names.text(key.label)))
        }
        recent[place] = (key, number)
        return number
    }

    // MARK: - Facts

    /// Notes a line that states nothing: its process ran.
    @inline(__always)
    mutating func noteActivity(of writer: SpeakerKey, _ entry: Entry) {
        let speaker = speaker(writer)
        activity.note(
            ActivityTracker.Line(
                speaker: speaker, process: writer.process, pid: writer.pid, time: entry.time, first: entry.line,
                last: entry.line + Int64(entry.lineCount) - 1), into: &facts)
    }

    /// Adds an event of the process that wrote its line.
    @inline(__always)
    mutating func append(_ event: Event, by writer: SpeakerKey) {
        activity.end(process: writer.process, pid: writer.pid, into: &facts)
        facts.append(.event(event))
    }

    /// Adds an event that is about another process than the one that wrote its line.
    mutating func append(_ event: Event, about subject: SpeakerKey) {
        activity.end(about: subject.pid, into: &facts)
        facts.append(.event(event))
    }

    /// Adds an event that ends no interval, because the one before it did.
    mutating func appendDetail(_ event: Event) { facts.append(.event(event)) }

    /// Ends all open intervals: what follows could be of the same processes.
    mutating func endActivity() { activity.endAll(into: &facts) }
}

/// Texts by number, found by their bytes; only a text that is new becomes a `String`.
struct TextTable {
    private var known = ByteTable()
    /// Text 1 is the first one; 0 is the number of no text.
    private(set) var texts: [String] = []

    func text(_ number: UInt32) -> String? { number == 0 ? nil : texts[Int(number) - 1] }

    mutating func number(_ bytes: RawSpan, _ start: Int, _ end: Int) -> UInt32 {
        guard end > start else { return 0 }
        if let number = known.value(bytes, start, count: end - start) { return number }
        var text: [UInt8] = []
        text.reserveCapacity(end - start)
        for position in start..<end { text.append(bytes.byte(position)) }
        texts.append(String(decoding: VisText.plain(text), as: UTF8.self))
        known.insert(bytes, start, count: end - start, value: UInt32(texts.count))
        return UInt32(texts.count)
    }
}
