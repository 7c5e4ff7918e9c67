package import TraceRecords

/// Reads one source, batch by batch, in constant memory.
///
/// The last entry of what there is to read is *provisional*: continuation lines may still be appended to it, or its
/// line may not be complete. It is delivered like any other, but the position of the batch is before it. So there
/// is one rule for reading on, whether in a later run or after more has arrived: forget everything that came from
/// lines after `position.counts.lines`, and go on from `position`.
///
/// A live source (a pipe) that pauses delivers the open entry as far as its lines are complete, and never a line twice.
package final class SourceReader {
    private let options: ReadingOptions
    let catalog: LayoutCatalog
    private let stream: any ByteStream
    private let content: FingerprintStream
    /// The file itself, where it can be looked at again.
    private var file: FileStream?
    private var scanner: EntryScanner
    /// The scanner after the end, with a last line that is not complete; until more comes.
    private var scannerAtEnd: EntryScanner?

    /// The first bytes, as they are.
    private let beginningBytes: [UInt8]
    /// The bytes that the next chunk begins with: the open entry, then a line that is not complete.
    private var carried: [UInt8] = []
    private var openEntry: Entry?
    /// Where the line that is not complete begins in `carried`.
    private var lineStart = 0

    private enum Delivery { case none, whatIsComplete, all }

    /// Position before the provisional part: where a later reading goes on.
    package private(set) var position: SourcePosition
    /// Position after everything delivered, the provisional part included: what the line accounting of the source shows.
    package private(set) var endPosition: SourcePosition
    /// Whether everything that there is was delivered; at a pause, all but a line that is not complete.
    private var delivered = Delivery.none
    /// First and last line of the open entry that was delivered when a live source paused.
    private var given: ClosedRange<Int64>?
    /// Why nothing more can be read; thrown after what came before it was delivered.
    private var failure: ReadingError?

    /// What the first bytes show about all of it. Positions hold for this way of reading alone.
    package let beginning: SourceBeginning
    /// The stream itself, where it is made from a binary unified log.
    private var unifiedLog: UnifiedLogStream?

    /// The format of lines that no layout matches.
    package static let bareFormat = "bare"

    private var builder: EntryBuilder { (scannerAtEnd ?? scanner).builder }

    /// Names of the layouts of the entries read so far, the most frequent first; `bare` means lines without a
    /// layout.
    package var formats: [String] {
        let names = catalog.layouts.map(\.name) + [Self.bareFormat]
        return zip(names, builder.entriesByLayout).enumerated().filter { $0.element.1 > 0 }
            .sorted { ($1.element.1, $0.offset) < ($0.element.1, $1.offset) }
            .map(\.element.0)
    }

    /// Whether nothing more can come. A pipe may be silent without being closed, and a file may still grow.
    package var hasEnded: Bool { stream.hasEnded }

    /// Whether everything up to the end was delivered. The provisional part comes again when the source has grown.
    package var isAtEnd: Bool { delivered == .all && failure == nil }

    /// Whether it is a pipe, whose lines come as they are written.
    package var isLive: Bool { stream.isLive }

    /// The names of files that ``assumptions`` holds, without their folders.
    package var namesInAssumptions: [String] { unifiedLog?.namesInRemarks ?? [] }

    /// What had to be assumed about year, date, zone and encoding, in plain words.
    package var assumptions: [String] {
        let builder = builder
        var texts = builder.context.assumptions + beginning.assumptions
        texts += unifiedLog?.remarks ?? []
        if beginningBytes.first == UInt8(ascii: "{"), formats == [Self.bareFormat] {
            let line = String(decoding: beginningBytes.prefix(400).prefix { $0 != 0x0A }, as: UTF8.self)
            let keys = line.matches(of: /"([^"\\]+)"\s*:/).prefix(5).map { String($0.1) }.joined(separator: ", ")
            texts.append(
                "JSON with keys that no layout knows (\(keys)), read as plain text: name those of time and message in a "
                    + "layout of your own (--formats, see docs/formats.md)")
        }
        if builder.leftOutDamage { texts.append("bytes that are not text left out") }
        if builder.cutLines > 0 {
            let (count, size) = (builder.cutLines, ByteCount.text(options.entryBytes))
            let (lines, entry) =
                count == 1 ? ("1 line reaches", "its entry") : ("\(count) lines reach", "their entries")
            texts.append("\(lines) beyond the first \(size) of \(entry): the rest was not examined")
        }
        return texts
    }

    /// The zone that was assumed for times without one; `nil` when the log states its zones itself.
    package var timezone: String? {
        let context = builder.context
        return context.assumedZone ? context.zone.name : nil
    }

    /// The fingerprint of all bytes read so far.
    package var fingerprint: SourceFingerprint { content.content.fingerprint }

    /// What a later reading needs to go on from ``position``.
    package var state: ReadingState {
        ReadingState(
            position: position, beginning: beginning, content: content.content, assumed: builder.context.assumed)
    }

    /// Whether a plain file still begins with what was read, as far as its length and first bytes show. False: it was
    /// cut back or written anew meanwhile, and what was read may be of both.
    package var isStillThere: Bool {
        guard let file, let size = file.size else { return true }
        let fingerprint = fingerprint
        guard size >= fingerprint.length else { return false }
        var head = RunningFingerprint()
        let bytes = try? file.bytes(in: 0..<min(fingerprint.length, Int64(SourceFingerprint.headLength)))
        bytes?.withUnsafeBytes { head.add($0) }
        return head.fingerprint.head == fingerprint.head
    }

    /// Opens a source.
    ///
    /// - Parameter state: what an earlier reading left; `nil` begins at the first line.
    /// - Throws: ``ReadingError`` when it cannot be opened; of code `changed` when its first bytes now say something else
    ///   about all of it than they did.
    package convenience init(
        _ source: SourceDescription, catalog: LayoutCatalog, options: ReadingOptions = ReadingOptions(),
        resuming state: ReadingState? = nil
    ) throws(ReadingError) {
        let stream = try StreamOpener.open(source, options: options)
        var options = options
        // A small file needs no large storage.
        if let size = source.size, source.isSeekable {
            options.chunkBytes = min(options.chunkBytes, max(Int(clamping: size), 16 << 10))
        }
        let log = stream as? UnifiedLogStream
        if log == nil, source.isOnce, options.format == UnifiedLogStream.format {
            throw StreamOpener.unifiedLogInPipe(source.path)
        }
        if log != nil { options.format = nil }
        try self.init(stream, catalog: log == nil ? catalog : catalog.ofUnifiedLog, options: options, resuming: state)
        if source.isOnce {
            switch FileKind(beginningBytes) {
            case .packed: throw StreamOpener.archiveInPipe(source.path)
            case .unifiedLog: throw StreamOpener.unifiedLogInPipe(source.path)
            // A gap of NUL bytes may come before text.
            case .binary
            where options.format == nil && SourceBeginning(beginningBytes.drop { $0 == 0 }.map(\.self)).isBinary:
                throw ReadingError(
                    code: .unsuitable, path: source.path,
                    message: "\(FileKind.binaryNote); `ingest --format NAME` reads it anyway")
            default: break
            }
        }
        if source.isSeekable { file = stream as? FileStream }
        unifiedLog = log
    }

    /// Reads a stream of bytes from its beginning; what an earlier reading has dealt with is left out.
    init(
        _ stream: any ByteStream, catalog: LayoutCatalog, options: ReadingOptions, resuming state: ReadingState? = nil
    ) throws(ReadingError) {
        self.options = options
        var catalog = catalog
        if let format = options.format {
            guard let only = catalog.only(format) else {
                let names = catalog.layouts.map(\.name).joined(separator: ", ")
                throw ReadingError(
                    code: .unknown, path: "",
                    message: format == UnifiedLogStream.format
                        ? "is not a file of a binary unified log: leave out --format \(format)"
                        : "unknown format '\(format)'; the formats are \(names)")
            }
            catalog = only
        }
        self.catalog = catalog
        stream.patience = options.patience ?? -1
        content = FingerprintStream(stream, after: state?.content ?? RunningFingerprint())
        var (head, beginning) = try SourceBeginning.read(from: content, options: options)
        var matcher = catalog.matcher
        beginning.lookForTimes(in: head, isLive: stream.isLive || options.isFollowing, &matcher)
        self.beginning = beginning
        if let state, state.beginning != beginning {
            throw ReadingError(
                code: .changed, path: "",
                message:
                    "its first bytes have changed, so its text must be decoded differently: read it again as a whole"
            )
        }
        beginningBytes = Array(head.prefix(FileKind.size))
        self.stream = beginning.text(head, then: content)
        position = state?.position ?? SourcePosition()
        endPosition = position
        scanner = EntryScanner(
            catalog: catalog, matcher: matcher, options: options, position: position, beginning: beginning)
        if position.byteOffset > 0 { try self.stream.skip(position.byteOffset) }
    }

    /// The next batch; `nil` when there is nothing more to read at present. See ``next(into:)``.
    package func next() throws(ReadingError) -> EntryBatch? {
        var batch = EntryBatch()
        return try next(into: &batch) ? batch : nil
    }

    /// Fills `batch` with what comes next, in its storage; false when there is nothing more at present. A source that
    /// grows can be asked again: the first entry is then the provisional one, completed.
    ///
    /// The storage may be longer than what was read: only the ranges of the entries mean something.
    ///
    /// - Throws: ``ReadingError`` when reading fails; what was delivered before stays good.
    package func next(into batch: inout EntryBatch) throws(ReadingError) -> Bool {
        var bytes = batch.bytes
        scanner.builder.entries = batch.entries
        batch = EntryBatch()
        defer { batch.bytes = bytes }
        if let failure {
            self.failure = nil
            throw failure
        }
        while true {
            let filled = try fill(&bytes)
            let atEnd = filled == carried.count
            let isPause = atEnd && stream.isLive && !stream.hasEnded && failure == nil
            if delivered == .all && atEnd || delivered == .whatIsComplete && isPause { return false }
            delivered = !atEnd ? .none : isPause ? .whatIsComplete : .all
            scannerAtEnd = nil
            scanner.builder.beginChunk(filled, openEntry: openEntry)
            let scanned = Self.scan(&scanner, &bytes, from: lineStart, filled, isEnd: false)
            position = scanner.builder.stablePosition
            if isPause {
                if deliverOpenEntry(bytes, scanned, filled, into: &batch) { return true }
                continue
            }
            if atEnd { return deliverEnd(&bytes, scanned, filled, into: &batch) }
            keep(bytes, scanned, filled)
            Self.append(scanner.builder.extra, to: &bytes, at: filled)
            if scanner.builder.entries.isEmpty && scanner.builder.rejects.isEmpty { continue }
            endPosition = position
            handOver(&scanner.builder, bytes, into: &batch)
            if !batch.entries.isEmpty || !batch.rejects.isEmpty { return true }
            swap(&scanner.builder.entries, &batch.entries)
        }
    }

    private static func scan(
        _ scanner: inout EntryScanner, _ bytes: inout [UInt8], from start: Int, _ filled: Int, isEnd: Bool
    ) -> Int {
        bytes.withUnsafeMutableBufferPointer {
            scanner.scan(UnsafeMutableBufferPointer(rebasing: $0[..<filled]), from: start, isEnd: isEnd)
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
        // What was read before the failure is delivered first.
        if let failure {
            if delivered == .all || carried.isEmpty { throw failure }
            self.failure = failure
        }
        return filled
    }

    /// Keeps what the next chunk must begin with.
    private func keep(_ bytes: [UInt8], _ scanned: Int, _ filled: Int) {
        carried.removeAll(keepingCapacity: true)
        openEntry = nil
        if let (range, entry) = scanner.builder.takeOpenEntry(scannedTo: scanned) {
            carried.append(contentsOf: bytes[range])
            openEntry = entry
        }
        lineStart = carried.count
        carried.append(contentsOf: bytes[scanned..<filled])
    }

    /// The last batch: with the open entry, and with what would need more bytes to be certain.
    private func deliverEnd(
        _ bytes: inout [UInt8], _ scanned: Int, _ filled: Int, into batch: inout EntryBatch
    ) -> Bool {
        var beyond = scanner
        keep(bytes, scanned, filled)
        scanner.builder.entries = []
        scanner.builder.rejects = []
        if scanned < filled { _ = Self.scan(&beyond, &bytes, from: scanned, filled, isEnd: true) }
        Self.append(beyond.builder.extra, to: &bytes, at: filled)
        for damage in unifiedLog?.damage ?? [] {
            beyond.builder.reject("\(damage.file), byte \(damage.offset)", at: Int64(damage.offset), damage.reason)
        }
        endPosition = beyond.builder.endPosition
        handOver(&beyond.builder, bytes, into: &batch)
        scannerAtEnd = beyond
        return !(batch.entries.isEmpty && batch.rejects.isEmpty)
    }

    /// The entry that is open while a live source is silent. A line that is not complete waits for the rest of it: what
    /// was handed over of a pipe cannot be taken back.
    private func deliverOpenEntry(_ bytes: [UInt8], _ scanned: Int, _ filled: Int, into batch: inout EntryBatch) -> Bool
    {
        endPosition = scanner.builder.endPosition
        var closed = scanner.builder
        let open = closed.isOpen ? closed.entries.last : nil
        keep(bytes, scanned, filled)
        handOver(&closed, bytes, into: &batch)
        scanner.builder.entries = []
        scanner.builder.rejects = []
        if let open { given = open.line...open.line + Int64(open.lineCount) - 1 }
        return !(batch.entries.isEmpty && batch.rejects.isEmpty)
    }

    private func handOver(_ builder: inout EntryBuilder, _ bytes: [UInt8], into batch: inout EntryBatch) {
        batch.entries = builder.entries
        batch.rejects = builder.rejects
        batch.position = position
        builder.entries = []
        builder.rejects = []
        leaveOutGiven(&batch, bytes)
    }

    /// Records from now on how every entry is matched, and forgets what was recorded before, except for the last entry: it is
    /// handed over with the next batch when a line could still continue it.
    package func recordMatches() {
        let last = scanner.builder.matches?.max { $0.key < $1.key }
        scanner.builder.matches = last.map { [$0.key: $0.value] } ?? [:]
    }

    /// What was recorded of an entry of the last batch; `nil` where nothing was.
    package func details(of entry: Entry, in batch: EntryBatch) -> EntryDetails? {
        guard let found = builder.matches?[entry.line] else { return nil }
        let name = found.layout < catalog.layouts.count ? catalog.layouts[found.layout].name : Self.bareFormat
        var details = EntryDetails(layout: name)
        guard let fields = found.fields, !entry.message.isEmpty else { return details }
        // The bytes of an entry may have moved since its line was matched.
        let start = Int(entry.message.offset) - Int(fields.message.start)
        func text(_ field: LineMatch.Field) -> String? {
            field.isEmpty || start < 0 ? nil : batch.text(field.range(start))
        }
        details.thread = text(fields.thread)
        details.activity = text(fields.activity)
        details.library = text(fields.library)
        details.category = text(fields.category)
        details.level = text(fields.level)
        return details
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

    /// Puts texts after the bytes of the source.
    private static func append(_ extra: [UInt8], to bytes: inout [UInt8], at place: Int) {
        guard !extra.isEmpty else { return }
        if bytes.count < place + extra.count {
            bytes.append(contentsOf: repeatElement(0, count: place + extra.count - bytes.count))
        }
        bytes.replaceSubrange(place..<place + extra.count, with: extra)
    }
}

/// What a reading leaves for the one that goes on, to be stored with the source.
package struct ReadingState: Sendable, Hashable, Codable {
    /// Where to go on.
    package var position: SourcePosition
    /// How the text is encoded.
    package var beginning: SourceBeginning
    /// The bytes that were read, the provisional part included.
    package var content: RunningFingerprint
    /// What had to be assumed about times.
    package var assumed: AssumedTimes
}

/// Sizes as users read them.
private enum ByteCount {
    static func text(_ bytes: Int) -> String { bytes % 1024 == 0 ? "\(bytes >> 10) KiB" : "\(bytes) bytes" }
}

/// What a line says beside the fields of its entry, which nothing depends on.
package struct EntryDetails: Sendable, Hashable {
    /// Name of the layout; ``SourceReader/bareFormat`` for a line without one.
    package var layout: String
    package var thread: String?
    package var activity: String?
    package var library: String?
    package var category: String?
    package var level: String?

    package init(layout: String) { self.layout = layout }
}
