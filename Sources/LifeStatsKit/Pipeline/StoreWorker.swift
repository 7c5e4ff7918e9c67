import Dispatch
import TraceRecords
import TraceStore

/// The third thread: writes what the replay hands over, a piece or several small ones together.
struct StoreWorker {
    let writer: TraceWriter
    let writes: BoundedQueue<WriteItem>
    let progress: IngestProgress

    private var log = -1
    private var kinds = KindNumbers()
    private var shown: UInt64 = 0

    /// Pieces are written together until they have so many events, or are so old. Where an ingest is stored as it comes
    /// this is a transaction, and each one writes the last page of every table again, which for ten thousand small logs is
    /// more than the logs.
    private static let eventsTogether = 8192
    private static let longestWait = DispatchTimeInterval.milliseconds(200)

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
        while let first = writes.take() {
            for item in try writeTogether(first) { report.add(item) }
            let now = DispatchTime.now().uptimeNanoseconds
            if now - shown > 150_000_000 {
                shown = now
                show(progress.line)
            }
        }
    }

    /// Writes a piece, and what comes soon after it, all or nothing. Returns what was written.
    private mutating func writeTogether(_ first: WriteItem) throws -> [WriteItem] {
        let deadline = DispatchTime.now() + Self.longestWait
        var stored: [WriteItem] = []
        var events = 0
        try writer.atomically {
            var next: WriteItem? = first
            while let item = next {
                try write(item)
                stored.append(item)
                events += item.batch.steps.count
                let isDue = events >= Self.eventsTogether || DispatchTime.now() >= deadline
                next = isDue ? nil : writes.take(before: deadline)
            }
        }
        return stored
    }

    private mutating func write(_ item: WriteItem) throws {
        if item.log != log {
            log = item.log
            kinds = KindNumbers()
        }
        try writer.write(
            item.batch, kinds: &kinds, sources: item.sources, takenBack: item.takenBack,
            rejects: Dictionary(item.rejects.map { ($0.source, $0.rejects) }, uniquingKeysWith: +),
            dailyTotals: Dictionary(item.dailyTotals.map { ($0.source, $0.totals) }, uniquingKeysWith: +),
            copyKeys: item.copyKeys, stream: item.stream)
    }
}
