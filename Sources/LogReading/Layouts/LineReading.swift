import TraceRecords

/// What is read from the first record of a text, as texts: for samples, tests and `formats explain`.
package struct LineReading: Sendable, Hashable {
    /// Name of the layout that matched.
    package var layout: String
    /// ISO 8601 in UTC.
    package var time: String?
    package var process: String?
    package var pid: Int32?
    package var device: String?
    package var subsystem: String?
    package var message: String

    /// Reads the first record of a text by itself; `nil` when no layout matches it.
    package static func read(
        _ text: String, catalog: LayoutCatalog, options: ReadingOptions = ReadingOptions()
    ) -> LineReading? {
        let stream = MemoryStream(Array(text.utf8))
        guard let reader = try? SourceReader(stream, path: "", catalog: catalog, options: options, resumeAt: nil),
            let batch = try? reader.next(), let entry = batch.entries.first, let layout = reader.formats.first,
            layout != SourceReader.bareFormat
        else { return nil }
        return LineReading(layout: layout, entry: entry, in: batch)
    }

    init(layout: String, entry: Entry, in batch: EntryBatch) {
        func text(_ range: ByteRange) -> String? { range.isEmpty ? nil : batch.text(range) }
        self.layout = layout
        time = entry.time.map(TimeText.iso)
        process = text(entry.process)
        pid = entry.pid
        device = text(entry.device)
        subsystem = text(entry.subsystem)
        message = batch.text(entry.message)
    }
}
