package import TraceRecords

/// Reads one source, batch by batch, in constant memory.
///
/// The last entry of what there is to read is *provisional*: continuation lines may still be appended to it, or its
/// line may not be complete. It is delivered like any other, but the position of the batch stands before it. So there
/// is one rule for reading on, whether in a later run or after more has arrived: forget everything that came from
/// lines behind `position.counts.lines`, and go on from `position`.
///
/// A live source (a pipe) that pauses delivers the open entry as far as its lines are complete, and never a line twice.
package final class SourceReader {
    private let options: ReadingOptions
    private let catalog: LayoutCatalog
    private let stream: any ByteStream
    /// The file itself, where it can be looked at again.
    private var file: FileStream?
    private var scanner: EntryScanner

    /// The first bytes, as they are.
    private let beginningBytes: [UInt8]
    /// The bytes that the next chunk begins with: the open entry, then a line that is not complete.
    private var carried: [UInt8] = []
    private var openEntry: Entry?
    /// Where the line that is not complete begins in `carried`.
    private var lineStart = 0

    private enum Delivery { case none, whatIsComplete, all }

    /// Position before the provisional part: where to go on from.
    package private(set) var position: SourcePosition
    /// Position behind everything delivered, the provisional part included: what the line accounting of the source
    /// shows.
    package private(set) var endPosition: SourcePosition
    /// Whether everything that there is was delivered; at a pause, all but a line that is not complete.
    private var delivered = Delivery.none
    /// First and last line of the open entry that was delivered when a live source paused.
    private var given: ClosedRange<Int64>?
    /// Why nothing more can be read; thrown after what came before it was delivered.
    private var failure: ReadingError?
    /// What a last line that is not complete adds.
    private var formatsAtEnd: [Int64]?
    private var contextAtEnd: TimeContext?
    private var layoutsAtEnd: [Int64: Int]?
    /// Whether bytes that are no text were left out.
    private var leftOutDamage = false

    /// Names of the layouts of the entries read so far, the most frequent first; `bare` stands for lines without a
    /// layout.
    package var formats: [String] {
        let names = catalog.layouts.map(\.name) + [SourceReader.bareFormat]
        return zip(names, formatsAtEnd ?? scanner.entriesByLayout).enumerated().filter { $0.element.1 > 0 }
            .sorted { ($1.element.1, $0.offset) < ($0.element.1, $1.offset) }
            .map(\.element.0)
    }

    /// What the first bytes tell of all of it. Positions hold for this reading alone.
    package let beginning: SourceBeginning
    private let transcoding: TranscodingStream?

    /// Whether nothing more can come: with ``ReadingOptions/patience``, a pipe may be silent without being closed. A
    /// file may still grow.
    package var hasEnded: Bool { stream.hasEnded }

    /// Whether everything up to the end was delivered, the provisional part included, which comes again if it is asked for
    /// more and has grown meanwhile.
    package var isAtEnd: Bool { delivered == .all && failure == nil }

    /// Whether it is a pipe, whose lines come as they are written.
    package var isLive: Bool { stream.isLive }

    /// Whether any line has a layout; without one, nothing but the messages themselves can tell that it is a log.
    package var isRecognised: Bool { formats.contains { $0 != SourceReader.bareFormat } }

    /// What had to be assumed about year, date, zone and encoding, in plain words.
    package var assumptions: [String] {
        (contextAtEnd ?? scanner.context).assumptions
            + beginning.assumptions + (transcoding?.assumptions ?? [])
            + (leftOutDamage ? ["bytes that are no text left out"] : [])
    }

    /// What its lines have used of the clock that the reading began with. A reading that goes on is told what was used
    /// before.
    package var clockStart: ClockStart {
        get { (contextAtEnd ?? scanner.context).start }
        set { scanner.context.start = newValue }
    }

    /// The zone that was assumed for times without one; `nil` when the log says its zones itself.
    package var timezone: String? {
        let context = contextAtEnd ?? scanner.context
        return context.assumedZone ? context.zone.name : nil
    }

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
        let stream = try StreamOpener.open(source, options: options)
        var options = options
        // A small file needs no large storage.
        if let size = source.size, source.isSeekable {
            options.chunkBytes = min(options.chunkBytes, max(Int(clamping: size), 16 << 10))
        }
        try self.init(stream, path: source.path, catalog: catalog, options: options, resumeAt: resumeAt)
        if source.isOnce, case .packed = FileKind(beginningBytes) { throw StreamOpener.archiveInPipe(source.path) }
        if source.isSeekable { file = stream as? FileStream }
    }

    /// Makes sure that the source still begins as it did when the position was reached that the reading goes on from.
    ///
    /// - Throws: ``ReadingError`` of code `changed` when its first bytes have come to tell something else.
    package func expect(_ beginning: SourceBeginning) throws(ReadingError) {
        guard beginning == self.beginning else {
            throw ReadingError(
                code: .changed, path: "",
                message: "was written to just before it was read, and is other text than it seemed: ingest it again")
        }
    }

    /// What the fingerprint of the source is, now that it was read: of everything that was read, where that can be looked
    /// at again.
    ///
    /// - Parameter planned: the fingerprint that it had before.
    /// - Throws: ``ReadingError`` of code `changed` when the file no longer begins with what it held then: it was cut and
    ///   written anew meanwhile, and what was read may be of both.
    package func fingerprint(insteadOf planned: SourceFingerprint) throws(ReadingError) -> SourceFingerprint {
        guard let file else { return planned }
        guard try SourceFingerprint(file, length: planned.length) == planned else {
            throw ReadingError(code: .changed, path: "", message: "was written anew while it was read")
        }
        guard file.offset > planned.length else { return planned }
        return try SourceFingerprint(file, length: file.offset)
    }

    /// Reads a stream of bytes from its beginning; what an earlier reading has dealt with is left out.
    init(
        _ stream: any ByteStream, path: String, catalog: LayoutCatalog, options: ReadingOptions,
        resumeAt: SourcePosition?
    ) throws(ReadingError) {
        self.options = options
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
        stream.patience = options.patience ?? -1
        let head: [UInt8]
        (head, beginning) = try Self.beginning(of: stream, options: options)
        beginningBytes = Array(head.prefix(FileKind.size))
        let text = beginning.text(head, then: stream)
        transcoding = text.transcoding
        self.stream = text.stream
        position = resumeAt ?? SourcePosition()
        endPosition = position
        scanner = EntryScanner(catalog: catalog, options: options, position: position, beginning: beginning)
        if position.byteOffset > 0 { try self.stream.skip(position.byteOffset) }
    }

    /// The first bytes of a stream, and what they tell. Where they are damaged, what stands behind them tells it.
    static func beginning(
        of stream: any ByteStream, options: ReadingOptions
    ) throws(ReadingError) -> ([UInt8], SourceBeginning) {
        var head = try StreamOpener.beginning(of: stream, isStopped: options.isStopped)
        var beginning = SourceBeginning(head)
        while beginning.isBinary, !stream.isLive, head.count < SourceBeginning.longestDamage {
            // A failure comes again when what was read is used up.
            guard let more = try? StreamOpener.beginning(of: stream), !more.isEmpty else { break }
            head += more
            beginning = SourceBeginning(more)
            beginning.markLength = 0
        }
        // More of a pipe would have to be waited for.
        let reach = SourceBeginning.metadataReach - head.count
        if !beginning.hasMetadata, !stream.isLive, reach > 0, head.count >= SourceBeginning.size,
            let more = try? StreamOpener.beginning(of: stream, size: reach)
        {
            head += more
            beginning.lookForMetadata(in: head)
        }
        return (head, beginning)
    }

    /// The next batch; `nil` when there is nothing more to read at present. See ``next(into:)``.
    package func next() throws(ReadingError) -> EntryBatch? {
        var batch = EntryBatch()
        return try next(into: &batch) ? batch : nil
    }

    /// Fills `batch` with what comes next, in the storage that it has; false when there is nothing more to read at
    /// present. A source that grows can be asked again; the provisional entry is then delivered again, completed, as
    /// the first of the next batch.
    ///
    /// The storage may be longer than what was read: only the ranges of the entries mean something.
    ///
    /// - Throws: ``ReadingError`` when reading fails; what was delivered before stays good.
    package func next(into batch: inout EntryBatch) throws(ReadingError) -> Bool {
        var bytes = batch.bytes
        scanner.entries = batch.entries
        batch = EntryBatch()
        defer { batch.bytes = bytes }
        if let failure {
            self.failure = nil
            throw failure
        }
        while true {
            var filled = carried.count
            do throws(ReadingError) {
                filled = try fill(&bytes)
            } catch {
                // What was read before the failure is delivered first.
                if delivered == .all || carried.isEmpty { throw error }
                failure = error
                bytes.withUnsafeMutableBytes { room in carried.withUnsafeBytes { room.copyMemory(from: $0) } }
            }
            let atEnd = filled == carried.count
            let isPause = atEnd && stream.isLive && !stream.hasEnded && failure == nil
            if delivered == .all && atEnd || delivered == .whatIsComplete && isPause { return false }
            delivered = !atEnd ? .none : isPause ? .whatIsComplete : .all

            scanner.beginChunk(filled, openEntry: openEntry)
            let start = lineStart
            let scanned = bytes.withUnsafeMutableBufferPointer {
                scanner.scan(UnsafeMutableBufferPointer(rebasing: $0[..<filled]), from: start, isEnd: false)
            }
            if isPause {
                if deliverOpenEntry(bytes, scanned, filled, into: &batch) { return true }
                continue
            }
            if atEnd { return deliverEnd(&bytes, scanned, filled, into: &batch) }

            position = scanner.stablePosition
            leftOutDamage = scanner.leftOutDamage
            keep(bytes, scanned, filled)
            Self.append(scanner.extra, to: &bytes, at: filled)
            if scanner.entries.isEmpty && scanner.rejects.isEmpty { continue }
            endPosition = position
            hand(over: position, into: &batch)
            leaveOutGiven(&batch, bytes)
            if batch.entries.isEmpty && batch.rejects.isEmpty {
                swap(&scanner.entries, &batch.entries)
                continue
            }
            return true
        }
    }

    /// Puts the carried bytes and the next ones of the stream into the storage. Returns how many there are.
    private func fill(_ bytes: inout [UInt8]) throws(ReadingError) -> Int {
        let capacity = carried.count + max(options.chunkBytes, 1)
        if bytes.count < capacity {
            // A little more than asked for, so that carried bytes of another length need no other storage.
            bytes = Array(repeating: 0, count: capacity + min(options.chunkBytes / 8, 16 << 10))
        }
        var filled = carried.count
        var failure: ReadingError?
        bytes.withUnsafeMutableBytes { room in
            carried.withUnsafeBytes { room.copyMemory(from: $0) }
            do throws(ReadingError) {
                filled += try stream.read(into: UnsafeMutableRawBufferPointer(rebasing: room[filled..<capacity]))
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return filled
    }

    private func hand(over position: SourcePosition, into batch: inout EntryBatch) {
        batch.entries = scanner.entries
        batch.rejects = scanner.rejects
        batch.position = position
        scanner.entries = []
        scanner.rejects = []
    }

    /// Keeps from now on which layout every line has.
    func recordLayouts() { scanner.layoutOfLine = [:] }

    /// Name of the layout of the entry that begins on a line; `nil` when it was not recorded or has none.
    func layout(ofLine line: Int64) -> String? {
        guard let number = (layoutsAtEnd ?? scanner.layoutOfLine)?[line], number < catalog.layouts.count else {
            return nil
        }
        return catalog.layouts[number].name
    }

    /// Keeps what the next chunk must begin with.
    private func keep(_ bytes: [UInt8], _ scanned: Int, _ filled: Int) {
        carried.removeAll(keepingCapacity: true)
        if let (range, entry) = scanner.takeOpenEntry(scannedTo: scanned) {
            carried.append(contentsOf: bytes[range])
            openEntry = entry
        } else {
            openEntry = nil
        }
        lineStart = carried.count
        carried.append(contentsOf: bytes[scanned..<filled])
    }

    /// The last batch: with the open entry, and with what needs more bytes to be told for certain, as it stands.
    private func deliverEnd(
        _ bytes: inout [UInt8], _ scanned: Int, _ filled: Int, into batch: inout EntryBatch
    ) -> Bool {
        position = scanner.stablePosition
        var beyond = scanner
        keep(bytes, scanned, filled)
        scanner.entries = []
        scanner.rejects = []
        if scanned < filled || beyond.jsonLine != nil {
            _ = bytes.withUnsafeMutableBufferPointer {
                beyond.scan(UnsafeMutableBufferPointer(rebasing: $0[..<filled]), from: scanned, isEnd: true)
            }
        }
        Self.append(beyond.extra, to: &bytes, at: filled)
        endPosition = beyond.endPosition
        formatsAtEnd = beyond.entriesByLayout
        contextAtEnd = beyond.context
        layoutsAtEnd = beyond.layoutOfLine
        leftOutDamage = beyond.leftOutDamage
        batch.entries = beyond.entries
        batch.rejects = beyond.rejects
        batch.position = position
        leaveOutGiven(&batch, bytes)
        return !(batch.entries.isEmpty && batch.rejects.isEmpty)
    }

    /// The entry that is open while a live source is silent. A line that is not complete waits for the rest of it: what
    /// was handed over of a pipe cannot be taken back.
    private func deliverOpenEntry(_ bytes: [UInt8], _ scanned: Int, _ filled: Int, into batch: inout EntryBatch) -> Bool
    {
        position = scanner.stablePosition
        endPosition = scanner.endPosition
        let closed = scanner.entries
        let open = scanner.isOpen ? scanner.entries.last : nil
        keep(bytes, scanned, filled)
        batch.entries = closed
        batch.rejects = scanner.rejects
        batch.position = position
        scanner.entries = []
        scanner.rejects = []
        leaveOutGiven(&batch, bytes)
        if let open { given = open.line...open.line + Int64(open.lineCount) - 1 }
        return !(batch.entries.isEmpty && batch.rejects.isEmpty)
    }

    /// Leaves out the lines of the first entry that a live source delivered before.
    private func leaveOutGiven(_ batch: inout EntryBatch, _ bytes: [UInt8]) {
        guard let lines = given, let first = batch.entries.first else { return }
        given = nil
        guard first.line == lines.lowerBound else { return }
        let count = Int32(clamping: lines.count)
        guard first.lineCount > count else {
            batch.entries.removeFirst()
            return
        }
        var start = Int(first.message.offset)
        let end = start + Int(first.message.length)
        for _ in 0..<count {
            while start < end, bytes[start] != 0x0A { start += 1 }
            start = min(start + 1, end)
        }
        batch.entries[0].line += Int64(count)
        batch.entries[0].lineCount -= count
        batch.entries[0].message = ByteRange(offset: start, length: end - start)
    }

    /// Puts texts behind the bytes of the source.
    private static func append(_ extra: [UInt8], to bytes: inout [UInt8], at place: Int) {
        guard !extra.isEmpty else { return }
        if bytes.count < place + extra.count {
            bytes.append(contentsOf: repeatElement(0, count: place + extra.count - bytes.count))
        }
        bytes.replaceSubrange(place..<place + extra.count, with: extra)
    }
}
