import LifecycleModel
import TraceRecords

@testable import EventRecognition

/// Entries written by hand, in the shape in which reading hands them over.
struct Lines {
    /// One entry: what stands in the columns that a format cuts off, and the message.
    struct Line {
        var message: String
        var process = "Demo"
        var pid: Int32? = 100
        var device = ""
        var subsystem = ""
        var record = ""
        var time: Int64? = nil
        var lineCount: Int32 = 1
    }

    var lines: [Line]

    init(_ lines: [Line]) { self.lines = lines }

    /// Lines of one process, one second apart.
    init(messages: [String]) {
        lines = messages.enumerated().map { Line(message: $1, time: Int64($0) * 1_000_000_000) }
    }

    /// The entries cut into batches that hold the given numbers of them; the rest is the last batch.
    func batches(_ sizes: [Int] = []) -> [EntryBatch] {
        var batches: [EntryBatch] = []
        var next = 0
        var line: Int64 = 1
        for size in sizes + [lines.count] {
            var batch = EntryBatch()
            func put(_ text: String) -> ByteRange {
                let range = ByteRange(offset: batch.bytes.count, length: text.utf8.count)
                batch.bytes += Array(text.utf8)
                return range
            }
            for entry in lines[next..<min(next + size, lines.count)] {
                batch.entries.append(
                    Entry(
                        time: entry.time, line: line, lineCount: entry.lineCount, pid: entry.pid,
                        process: put(entry.process), device: put(entry.device), subsystem: put(entry.subsystem),
                        message: put(entry.message), record: put(entry.record)))
                line += Int64(entry.lineCount)
            }
            next = min(next + size, lines.count)
            batch.position.counts.lines = line - 1
            batches.append(batch)
        }
        return batches
    }
}

/// What a recogniser says of lines, with the numbers of its batches replaced by those of one table.
struct Reading {
    var facts: [FactBatch.Fact] = []
    var totals: [DailyTotal] = []
    private var speakers: [Speaker] = []
    private var texts: [String] = []

    /// Reads batches, and takes the facts after each of them or only at the end.
    init(_ batches: [EntryBatch], lexicon: Lexicon, takesOften: Bool = false) {
        var recognizer = Recognizer(lexicon: lexicon)
        for batch in batches {
            recognizer.recognize(batch)
            for facts in takesOften ? recognizer.takeFacts() : recognizer.takeFullBatches() { take(facts) }
        }
        for facts in recognizer.takeFacts() + recognizer.takeProvisionalFacts() { take(facts) }
        totals = recognizer.takeDailyTotals() + recognizer.remainingDailyTotals
    }

    init(_ lines: Lines) throws { self.init(lines.batches(), lexicon: try Known.lexicon()) }

    /// The facts of one batch.
    init(_ batch: FactBatch) { take(batch) }

    private mutating func take(_ batch: FactBatch) {
        for fact in batch.facts {
            switch fact {
            case .event(var event):
                event.speaker = number(batch.speakers[Int(event.speaker)])
                event.origin = symbol(batch.text(event.origin))
                event.message = symbol(batch.text(event.message))
                facts.append(.event(event))
            case .activity(var interval):
                interval.speaker = number(batch.speakers[Int(interval.speaker)])
                facts.append(.activity(interval))
            }
        }
    }

    private mutating func number(_ speaker: Speaker) -> UInt32 {
        if let known = speakers.firstIndex(of: speaker) { return UInt32(known) }
        speakers.append(speaker)
        return UInt32(speakers.count - 1)
    }

    private mutating func symbol(_ text: String?) -> Symbol {
        guard let text else { return .none }
        if !texts.contains(text) { texts.append(text) }
        return Symbol(id: UInt32((texts.firstIndex(of: text) ?? 0) + 1))
    }

    var events: [Event] {
        facts.compactMap { if case .event(let event) = $0 { event } else { nil } }
    }

    var intervals: [ActivityInterval] {
        facts.compactMap { if case .activity(let interval) = $0 { interval } else { nil } }
    }

    func text(_ symbol: Symbol) -> String { symbol.isNone ? "" : texts[Int(symbol.id) - 1] }

    func speaker(_ event: Event) -> Speaker { speakers[Int(event.speaker)] }

    func speaker(_ interval: ActivityInterval) -> Speaker { speakers[Int(interval.speaker)] }
}

/// The built-in vocabulary.
enum Known {
    static func vocabulary() throws -> Vocabulary { Vocabulary(models: try ModelCatalog.builtIn().models) }

    private static let compiled = Result { try Lexicon(vocabulary: try vocabulary()) }

    /// The lexicon of the built-in vocabulary, compiled once for all tests.
    static func lexicon() throws -> Lexicon { try compiled.get() }

    /// The callback that a message states; `nil` when it states none.
    static func callback(in message: String) throws -> String? {
        let reading = try Reading(Lines(messages: [message]))
        return try reading.events.first?.callback.map { try vocabulary()[$0].callback.id }
    }

    /// The label of the instance that a message names; empty when it names none.
    static func label(in message: String, record: String = "") throws -> String? {
        let reading = try Reading(Lines([.init(message: message, record: record, time: 0)]))
        return reading.events.first.map { reading.speaker($0).label ?? "" }
    }
}

/// What a message states, in words: the callback, or the origin and the proof.
func statement(_ message: String, subsystem: String = "") throws -> String {
    let lineCount = Int32(message.utf8.count { $0 == 0x0A } + 1)
    let line = Lines.Line(message: message, subsystem: subsystem, time: 1, lineCount: lineCount)
    let reading = try Reading(Lines([line]))
    let vocabulary = try Known.vocabulary()
    return reading.events.filter { $0.proof?.isDetail != true }.map { event in
        event.callback.map { vocabulary[$0].callback.id }
            ?? "\(reading.text(event.origin)) \(event.proof?.rawValue ?? "")"
    }.joined(separator: ", ")
}
