package import TraceRecords

/// How the beginning of a source is read: for `lifestats formats explain FILE`.
package struct FormatExplanation: Sendable {
    /// One layout, and what it did.
    package struct Attempt: Sendable, Hashable {
        /// Name of the layout; `bare` for lines without one.
        package var layout: String
        package var title: String
        /// Entries that it matched.
        package var entries: Int
        /// The first of them, with the line that each begins on.
        package var samples: [Sample]
    }

    /// An entry with its fields.
    package struct Sample: Sendable, Hashable {
        package var line: Int64
        package var reading: LineReading
    }

    /// How many samples are kept of each layout.
    private static let sampleCount = 3

    package var path: String
    /// Every layout that was tried: those that matched first, by the number of their entries.
    package var attempts: [Attempt]
    /// The line accounting of the part that was read.
    package var counts: LineCounts
    /// Whether that part is the whole source.
    package var isWhole: Bool
    package var rejects: [Reject]
    /// What was assumed about year, date, zone and encoding.
    package var assumptions: [String]
    /// Why it could not be read further.
    package var damage: String?

    /// Reads the beginning of a source.
    ///
    /// - Parameter bytes: how much of it, about.
    /// - Throws: ``ReadingError`` when it cannot be opened or read.
    package static func explain(
        _ source: SourceDescription, catalog: LayoutCatalog, options: ReadingOptions = ReadingOptions(),
        bytes: Int64 = 4 << 20
    ) throws(ReadingError) -> FormatExplanation {
        let reader = try SourceReader(source, catalog: catalog, options: options)
        reader.recordMatches()
        var found: [String: Attempt] = [:]
        var rejects: [Reject] = []
        var isWhole = false
        var damage: String?
        while reader.position.byteOffset < bytes {
            let batch: EntryBatch
            do throws(ReadingError) {
                guard let next = try reader.next() else {
                    isWhole = true
                    break
                }
                batch = next
            } catch {
                guard error.code == .damaged else { throw error }
                damage = error.message
                break
            }
            rejects += batch.rejects.prefix(max(0, 20 - rejects.count))
            for entry in batch.entries {
                let layout = reader.details(of: entry, in: batch)?.layout ?? SourceReader.bareFormat
                let title = reader.catalog.layout(named: layout)?.title ?? "Lines without a layout"
                var attempt =
                    found[layout] ?? Attempt(layout: layout, title: title, entries: 0, samples: [])
                attempt.entries += 1
                if attempt.samples.count < sampleCount {
                    let reading = LineReading(layout: layout, entry: entry, in: batch)
                    attempt.samples.append(Sample(line: entry.line, reading: reading))
                }
                found[layout] = attempt
            }
        }
        let matched = found.values.sorted { ($1.entries, $0.layout) < ($0.entries, $1.layout) }
        let others = catalog.layouts.filter { found[$0.name] == nil }
            .map { Attempt(layout: $0.name, title: $0.title, entries: 0, samples: []) }
        return FormatExplanation(
            path: source.path, attempts: matched + others, counts: reader.endPosition.counts, isWhole: isWhole,
            rejects: rejects, assumptions: reader.assumptions, damage: damage)
    }
}

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
    /// What its layout names of a JSON record.
    package var instance: String?
    package var appVersion: String?
    package var systemVersion: String?

    /// Reads the first record of a text by itself; `nil` when no layout matches it.
    package static func read(
        _ text: String, catalog: LayoutCatalog, options: ReadingOptions = ReadingOptions()
    ) -> LineReading? {
        let stream = MemoryStream(Array(text.utf8))
        guard let reader = try? SourceReader(stream, catalog: catalog, options: options),
            let batch = try? reader.next(), let entry = batch.entries.first, let layout = reader.formats.first,
            layout != SourceReader.bareFormat
        else { return nil }
        return LineReading(layout: layout, entry: entry, in: batch)
    }

    init(layout: String, entry: Entry, in batch: EntryBatch) {
        func text(_ range: ByteRange) -> String? { range.isEmpty ? nil : batch.text(range) }
        self.layout = layout
        time = entry.time.map(CivilTime.shortISO)
        process = text(entry.process)
        pid = entry.pid
        device = text(entry.device)
        subsystem = text(entry.subsystem)
        message = batch.text(entry.message)
        func told(_ key: [UInt8]) -> String? {
            batch.bytes.withUnsafeBufferPointer { bytes in
                let record = entry.record.indices
                guard let base = bytes.baseAddress, !record.isEmpty,
                    let value = JSONWalker(base: base).value(key, record.lowerBound, record.upperBound)
                else { return nil }
                switch JSONText.string(base, value) {
                case nil: return batch.text(ByteRange(offset: value.lowerBound, length: value.count))
                case .plain(let range)?: return batch.text(ByteRange(offset: range.lowerBound, length: range.count))
                case .unescaped(let text)?: return String(decoding: text, as: UTF8.self)
                }
            }
        }
        instance = told(RecordKey.instance)
        appVersion = told(RecordKey.appVersion)
        systemVersion = told(RecordKey.systemVersion)
    }
}
