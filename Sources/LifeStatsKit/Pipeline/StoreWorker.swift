import Dispatch
import TraceRecords
import TraceStore

/// The third thread: writes what the replay hands over, one transaction a piece.
struct StoreWorker {
    let writer: TraceWriter
    let writes: BoundedQueue<WriteItem>
    let progress: IngestProgress

    private var log = -1
    private var kinds = KindNumbers()
    private var shown: UInt64 = 0

    init(writer: TraceWriter, writes: BoundedQueue<WriteItem>, progress: IngestProgress) {
        self.writer = writer
        self.writes = writes
        self.progress = progress
    }

    /// Writes where known sources lie now.
    mutating func move(_ sources: [SourceRecord]) throws {
        guard !sources.isEmpty else { return }
        try writer.move(sources)
    }

    /// Writes until there is nothing more.
    mutating func run(report: inout IngestReport, show: (String) -> Void) throws {
        while let item = writes.take() {
            if item.log != log {
                log = item.log
                kinds = KindNumbers()
            }
            try writer.write(
                item.batch, kinds: &kinds, sources: item.sources, takenBack: item.takenBack,
                rejects: Dictionary(item.rejects.map { ($0.source, $0.rejects) }, uniquingKeysWith: +),
                dailyTotals: Dictionary(item.dailyTotals.map { ($0.source, $0.totals) }, uniquingKeysWith: +),
                stream: item.stream)
            report.add(item)
            let now = DispatchTime.now().uptimeNanoseconds
            if now - shown > 150_000_000 {
                shown = now
                show(progress.line)
            }
        }
    }
}
