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
                        process: put(entry.process), device: put(entry.device), message: put(entry.message)))
                line += Int64(entry.lineCount)
            }
            next = min(next + size, lines.count)
            batch.position.counts.lines = line - 1
            batches.append(batch)
        }
        return batches
    }
}

/// What a recogniser says of lines, with its symbols resolved.
struct Reading {
    var facts: [FactBatch.Fact] = []
    var texts = [""]
    var totals: [DailyTotal] = []

    init(_ batches: [EntryBatch], lexicon: Lexicon) {
        var recognizer = Recognizer(lexicon: lexicon)
        for batch in batches { take(recognizer.recognize(batch)) }
        take(recognizer.finish())
    }

    init(_ lines: Lines) throws { self.init(lines.batches(), lexicon: try Known.lexicon()) }

    private mutating func take(_ batch: FactBatch) {
        facts += batch.facts
        texts += batch.newSymbols
        totals += batch.dailyTotals
    }

    var events: [Event] {
        facts.compactMap { if case .event(let event) = $0 { event } else { nil } }
    }

    var spans: [LifeSpan] {
        facts.compactMap { if case .life(let span) = $0 { span } else { nil } }
    }

    func text(_ symbol: Symbol) -> String { texts[Int(symbol.id)] }
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
    static func label(in message: String) throws -> String? {
        let reading = try Reading(Lines(messages: [message]))
        return reading.events.first.map { reading.text($0.instance) }
    }
}
