@testable import EventRecognition
@testable import LifecycleModel
@testable import LifecycleReplay
@testable import LogReading
@testable import TraceRecords

/// Any bytes as a log: layouts, times, recognition and replay together.
///
/// The first byte chooses how large the chunks are that the bytes come in.
public enum LogProbe {
    private static let stages: (layouts: LayoutCatalog, models: ModelCatalog, lexicon: Lexicon)? = {
        guard let layouts = try? LayoutCatalog.builtIn(), let models = try? ModelCatalog.builtIn(),
            let lexicon = try? Lexicon(vocabulary: Vocabulary(models: models.models))
        else { return nil }
        return (layouts, models, lexicon)
    }()

    /// Compiled once; every input begins with a copy.
    private static let replayer = stages.map { LogReplayer(catalog: $0.models) }

    public static func run(_ bytes: [UInt8]) {
        guard let stages, var replayer else { preconditionFailure("the built-in files cannot be read") }
        guard let first = bytes.first else { return }
        let options = ReadingOptions(chunkBytes: 16 + Int(first) * 8, entryBytes: 4096)
        guard
            let reader = try? SourceReader(
                MemoryStream(Array(bytes.dropFirst())), catalog: stages.layouts, options: options)
        else { return }
        var recognizer = Recognizer(lexicon: stages.lexicon, keepsMessages: true)
        while let batch = try? reader.next() { replayer.replay(recognizer.recognize(batch), source: 1) }
        replayer.replay(recognizer.finish(), source: 1)
        _ = replayer.takeBatch(final: true)
        precondition(reader.endPosition.counts.isBalanced, "every line must be accounted for")
    }
}
