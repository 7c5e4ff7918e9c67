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
        together.recognize(batch)
        let events = shown(together.takeFacts())
        var alone = Recognizer(lexicon: lexicon, keepsMessages: true)
        var facts: [FactBatch] = []
        for entry in batch.entries {
            alone.recognize(EntryBatch(bytes: batch.bytes, entries: [entry], position: batch.position))
            facts += alone.takeFullBatches()
        }
        precondition(events == shown(facts + alone.takeFacts()), "batches must change no event")
    }

    /// An event with its speaker and texts: their numbers mean something in their batch only.
    private struct Shown: Equatable {
        var event: Event
        var speaker: Speaker
        var origin: String?
        var message: String?
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
        // All of it is stable: no entry waits for the lines that continue it.
        batch.position.counts.lines = line
        return batch
    }

    private static func shown(_ batches: [FactBatch]) -> [Shown] {
        batches.flatMap { batch in
            batch.facts.compactMap { fact in
                guard case .event(var event) = fact else { return nil }
                let shown = Shown(
                    event: event, speaker: batch.speakers[Int(event.speaker)], origin: batch.text(event.origin),
                    message: batch.text(event.message))
                (event.speaker, event.origin, event.message) = (0, .none, .none)
                return Shown(event: event, speaker: shown.speaker, origin: shown.origin, message: shown.message)
            }
        }
    }
}
