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

    private static let plan = stages.map { ReplayPlan($0.models, ReplayOptions()) }

    public static func run(_ bytes: [UInt8]) {
        guard let stages, let plan else { preconditionFailure("the built-in files cannot be read") }
        guard let first = bytes.first else { return }
        let options = ReadingOptions(chunkBytes: 16 + Int(first) * 8, entryBytes: 4096)
        guard
            let reader = try? SourceReader(
                MemoryStream(Array(bytes.dropFirst())), catalog: stages.layouts, options: options)
        else { return }
        var recognizer = Recognizer(lexicon: stages.lexicon, keepsMessages: true)
        var replayer = LogReplayer(plan: plan, options: ReplayOptions(), blocks: BlockSequence(first: 0))
        let source = SourceContext(id: 1)
        while let batch = try? reader.next() {
            recognizer.recognize(batch)
            for facts in recognizer.takeFullBatches() { replayer.replay(facts, of: source) }
        }
        for facts in recognizer.takeFacts() + recognizer.takeProvisionalFacts() { replayer.replay(facts, of: source) }
        _ = replayer.takeBatch()
        _ = replayer.finish()
        precondition(reader.endPosition.counts.isBalanced, "every line must be accounted for")
    }
}
