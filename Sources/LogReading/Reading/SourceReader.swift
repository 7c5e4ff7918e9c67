package import TraceRecords

/// Reads one source, batch by batch, in constant memory.
///
/// The last entry of what there is to read is *provisional*: continuation lines may still be appended to it, or its
/// line may not be complete. It is delivered like any other, but the position of the batch stands before it. So there
/// is one rule for reading on, whether in a later run or after more has arrived: forget everything that came from
/// lines behind `position.counts.lines`, and go on from `position`.
package final class SourceReader {
    private let options: ReadingOptions
    private let catalog: LayoutCatalog
    private let stream: any ByteStream
    private var scanner: EntryScanner

    /// The bytes that the next chunk begins with: the open entry, then a line that is not complete.
    private var carried: [UInt8] = []
    private var openEntry: Entry?
    /// Where the line that is not complete begins in `carried`.
    private var lineStart = 0

    /// Position before the provisional part: where to go on from.
    package private(set) var position: SourcePosition
    /// Position behind everything delivered, the provisional part included: what the line accounting of the source
    /// shows.
    package private(set) var endPosition: SourcePosition
    private var hasDeliveredAll = false

    /// Names of the layouts of the entries read so far, the most frequent first; `bare` stands for lines without a
    /// layout.
    package var formats: [String] {
        let names = catalog.layouts.map(\.name) + [SourceReader.bareFormat]
        return zip(names, scanner.entriesByLayout).enumerated().filter { $0.element.1 > 0 }
            .sorted { ($1.element.1, $0.offset) < ($0.element.1, $1.offset) }
            .map(\.element.0)
    }

    /// What had to be assumed about year, date and zone, in plain words.
    package var assumptions: [String] { scanner.context.assumptions }

    /// The zone that was assumed for times without one; `nil` when the log says its zones itself.
    package var timezone: String? { scanner.context.assumedZone ? scanner.context.zone.name : nil }

    /// The format of lines that no layout matches.
    package static let bareFormat = "bare"

    /// Opens a source.
    ///
    /// - Parameters:
    ///   - resumeAt: where an earlier reading stood; `nil` begins at the first line.
    /// - Throws: ``ReadingError`` when it cannot be opened.
    package convenience init(
        _ source: SourceDescription, catalog: LayoutCatalog, options: ReadingOptions = ReadingOptions(),
        resumeAt: SourcePosition? = nil
    ) throws(ReadingError) {
        let stream = try StreamOpener.open(source, limits: options.archiveLimits)
        try self.init(stream, catalog: catalog, options: options, resumeAt: resumeAt)
    }

    /// Reads a stream of bytes.
    init(
        _ stream: any ByteStream, catalog: LayoutCatalog, options: ReadingOptions, resumeAt: SourcePosition?
    ) throws(ReadingError) {
        self.options = options
        self.stream = stream
        var catalog = catalog
        if let format = options.format {
            guard let only = catalog.only(format) else {
                let names = catalog.layouts.map(\.name).joined(separator: ", ")
                throw ReadingError(
                    code: .unknown, path: "", message: "there is no format '\(format)'; known are \(names)")
            }
            catalog = only
        }
        self.catalog = catalog
        position = resumeAt ?? SourcePosition()
        endPosition = position
        scanner = EntryScanner(catalog: catalog, options: options, position: position)
        if position.byteOffset > 0 { try stream.skip(position.byteOffset) }
    }

    /// The next batch; `nil` when there is nothing more to read at present. A source that grows can be asked again;
    /// the provisional entry is then delivered again, completed, as the first of the next batch.
    ///
    /// - Throws: ``ReadingError`` when reading fails; what was delivered before stays good.
    package func next() throws(ReadingError) -> EntryBatch? {
        var entries: [Entry] = []
        while true {
            let before = carried.count
            var failure: ReadingError?
            let bytes = chunk(failure: &failure)
            if let failure { throw failure }
            let atEnd = bytes.count == before
            if atEnd, hasDeliveredAll { return nil }
            hasDeliveredAll = atEnd

            entries.reserveCapacity(bytes.count / 128)
            scanner.entries = entries
            entries = []
            if let openEntry { scanner.putBackOpenEntry(openEntry) }
            let start = lineStart
            let scanned = bytes.withUnsafeBufferPointer { scanner.scan($0, from: start) }
            if atEnd { return deliverEnd(bytes, scanned) }

            position = scanner.stablePosition
            keep(bytes, scanned)
            entries = scanner.entries
            scanner.entries = []
            if entries.isEmpty && scanner.rejects.isEmpty { continue }
            endPosition = position
            let rejects = scanner.rejects
            scanner.rejects = []
            return EntryBatch(bytes: bytes, entries: entries, rejects: rejects, position: position)
        }
    }

    /// The carried bytes and the next ones of the stream; nothing but the carried ones at the end.
    private func chunk(failure: inout ReadingError?) -> [UInt8] {
        let capacity = carried.count + max(options.chunkBytes, 1)
        let carried = self.carried
        let stream = self.stream
        var problem: ReadingError?
        let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { room, count in
            count = carried.count
            carried.withUnsafeBytes { UnsafeMutableRawBufferPointer(room).copyMemory(from: $0) }
            // Pipes give little at a time, and an answer is wanted at once; files give all that is asked for.
            do throws(ReadingError) {
                count += try stream.read(
                    into: UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: room[count...])))
            } catch {
                problem = error
            }
        }
        failure = problem
        return bytes
    }

    /// Keeps what the next chunk must begin with.
    private func keep(_ bytes: [UInt8], _ scanned: Int) {
        carried.removeAll(keepingCapacity: true)
        if let (range, entry) = scanner.takeOpenEntry(scannedTo: scanned) {
            carried.append(contentsOf: bytes[range])
            openEntry = entry
        } else {
            openEntry = nil
        }
        lineStart = carried.count
        carried.append(contentsOf: bytes[scanned...])
    }

    /// The last batch: with the open entry, and with a last line that may not be complete.
    private func deliverEnd(_ bytes: [UInt8], _ scanned: Int) -> EntryBatch? {
        // What is scanned from here on is scanned again if more arrives.
        let checkpoint = scanner
        position = scanner.stablePosition
        let hasLine = bytes.withUnsafeBufferPointer { scanner.scanUnterminated($0, from: scanned) }
        endPosition = scanner.endPosition
        let batch = EntryBatch(
            bytes: bytes, entries: scanner.entries, rejects: scanner.rejects, position: position)
        if hasLine { scanner = checkpoint }
        keep(bytes, scanned)
        scanner.entries = []
        scanner.rejects = []
        return batch.entries.isEmpty && batch.rejects.isEmpty ? nil : batch
    }
}
