@testable import EventRecognition
@testable import LifecycleModel
@testable import TraceRecords

/// Any lines as messages, with any spellings of a user: recognised together and one by one, with the same events.
///
/// What stands before the first zero byte is a file of aliases.
public enum RecognitionProbe {
    private static let vocabulary = (try? ModelCatalog.builtIn()).map { Vocabulary(models: $0.models) }
    private static let lexicon = vocabulary.flatMap { try? Lexicon(vocabulary: $0) }

    public static func run(_ bytes: [UInt8]) {
        guard let vocabulary, var lexicon else { preconditionFailure("the built-in files cannot be read") }
        let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
        if parts.count == 2, parts[0].count > 8,
            let aliases = try? AliasTable(
                yaml: String(decoding: parts[0], as: UTF8.self), file: "fuzz.yaml", vocabulary: vocabulary),
            let own = try? Lexicon(vocabulary: vocabulary, aliases: aliases)
        {
            lexicon = own
        }
        let batch = batch(Array(parts[parts.count - 1]))
        var together = Recognizer(lexicon: lexicon, keepsMessages: true)
        let events = shown(together.recognize(batch).facts + together.finish().facts)
        var alone = Recognizer(lexicon: lexicon, keepsMessages: true)
        var facts: [FactBatch.Fact] = []
        for entry in batch.entries {
            facts += alone.recognize(EntryBatch(bytes: batch.bytes, entries: [entry])).facts
        }
        precondition(events == shown(facts + alone.finish().facts), "batches must change no event")
    }

    /// An entry for every line; one that begins with a blank continues the one before.
    private static func batch(_ bytes: [UInt8]) -> EntryBatch {
        var batch = EntryBatch(bytes: bytes)
        var start = 0
        var line: Int64 = 1
        for text in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
            if text.first == 0x20, !batch.entries.isEmpty {
                batch.entries[batch.entries.count - 1].lineCount += 1
                batch.entries[batch.entries.count - 1].message.length += Int32(text.count + 1)
            } else {
                batch.entries.append(
                    Entry(
                        time: line * 250_000_000, line: line, pid: Int32(line % 3),
                        message: ByteRange(offset: start, length: text.count)))
            }
            start += text.count + 1
            line += 1
        }
        return batch
    }

    private static func shown(_ facts: [FactBatch.Fact]) -> [FactBatch.Fact] {
        facts.filter { if case .event = $0 { true } else { false } }
    }
}
