import Synchronization
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

/// What a recogniser remembers of the lines before: a line that names no process is one of the process before it.
///
/// Kept with the place at which the reading of a source stopped, so that reading on gives what reading at once gives.
package struct RecognitionContext: Sendable, Hashable, Codable {
    /// Name of the process, and its id; `nil` where no line named one.
    package var process: String?
    package var pid: Int32?
    /// Whether that process is a part of the system that writes about others.
    var isDaemon: Bool?
    /// Host or device name, as the log writes it.
    package var device: String?
    /// The first device that the lines of the source name, as people read it; `nil` where none does.
    package var firstDevice: String?
    /// Time of the latest entry, in nanoseconds since 1970 UTC.
    package var lastTime: Int64?
    /// Figures of a MetricKit payload whose end has not been read.
    var totals: DailyTotals.Payload?
    /// Versions of a report that has not come to the end of its process.
    var report: ReportVersions?
    /// How many lines say that others are lost.
    var losses: Int?

    package init() {}
}

/// What is shown in place of the words of a log where nobody may see them.
///
/// Recognition itself applies it, because what it remembers of earlier lines is stored as well.
package struct Disguise: Sendable {
    /// The name of a process or of a figure.
    let name: @Sendable (String) -> String
    /// The version of an app or of a system.
    let version: @Sendable (String) -> String
    /// What somebody wrote.
    let text: @Sendable (String) -> String

    /// Shows everything as it stands.
    static let none = Disguise(name: { $0 }, version: { $0 }, text: { $0 })

    package init(
        name: @escaping @Sendable (String) -> String, version: @escaping @Sendable (String) -> String,
        text: @escaping @Sendable (String) -> String
    ) {
        self.name = name
        self.version = version
        self.text = text
    }
}

/// What lines stated that were recognised before. A log repeats its lines word for word, so most of those that state
/// something are known by one comparison, and many of those that only look like it.
final class LineMemo {
    /// What a line states.
    struct Statement {
        /// The callback; ``LineMemo/nothing`` where the line states nothing.
        var callback: UInt16
        /// Where the label is, counted from the beginning of the line.
        var label = Label()
        var isReturn = false
        var isNotification = false
        /// The number of the label in the batch with this serial.
        var number: UInt32 = 0
        var batch: UInt64 = 0
    }

    static let nothing = UInt16.max
    /// The longest line that is remembered.
    static let longest = 96
    private static let slotCount = 256

    private struct Slot {
        var hash: UInt64 = 0
        var count: Int32 = -1
        var statement = Statement(callback: LineMemo.nothing)
    }

    private var slots = [Slot](repeating: Slot(), count: slotCount)
    private var texts = [UInt8](repeating: 0, count: slotCount * longest)
    private var batches: UInt64 = 0

    /// A serial for another batch: the labels have other numbers in each.
    func nextBatch() -> UInt64 {
        batches += 1
        return batches
    }

    /// What a line with a given hash states; `nil` when it is not remembered.
    @inline(__always)
    func statement(_ bytes: RawSpan, _ start: Int, count: Int, hash: UInt64) -> Statement? {
        let slot = Int(truncatingIfNeeded: hash) & (Self.slotCount - 1)
        guard slots[slot].hash == hash, Int(slots[slot].count) == count,
            bytes.equals(start, texts.span.bytes, slot * Self.longest, count: count)
        else { return nil }
        return slots[slot].statement
    }

    /// Remembers a line in the place of the one that had its slot.
    func remember(_ statement: Statement, _ bytes: RawSpan, _ start: Int, count: Int, hash: UInt64) {
        let slot = Int(truncatingIfNeeded: hash) & (Self.slotCount - 1)
        slots[slot] = Slot(hash: hash, count: Int32(count), statement: statement)
        for offset in 0..<count { texts[slot * Self.longest + offset] = bytes.byte(start + offset) }
    }

    /// Gives the label of a line another number.
    func renumber(_ number: UInt32, in batch: UInt64, hash: UInt64) {
        let slot = Int(truncatingIfNeeded: hash) & (Self.slotCount - 1)
        (slots[slot].statement.number, slots[slot].statement.batch) = (number, batch)
    }
}

/// The memos of a lexicon that are not in use: what was learnt from one source helps with the next.
final class MemoShelf: Sendable {
    /// Unchecked, because a memo has one owner at a time: the recogniser that took it, or the shelf under its lock.
    private struct Resting: @unchecked Sendable {
        var memo: LineMemo
    }

    private let memos = Mutex<[Resting]>([])

    fileprivate func take() -> LineMemo { memos.withLock { $0.popLast() }?.memo ?? LineMemo() }

    fileprivate func put(_ memo: LineMemo) {
        let resting = Resting(memo: memo)
        memos.withLock { $0.append(resting) }
    }
}

/// A memo in use. It goes back when the last copy of its recogniser does.
final class LentMemo {
    let memo: LineMemo
    private let shelf: MemoShelf

    init(from shelf: MemoShelf) {
        self.shelf = shelf
        memo = shelf.take()
    }

    deinit { shelf.put(memo) }
}
