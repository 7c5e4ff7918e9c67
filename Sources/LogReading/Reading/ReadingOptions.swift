/// What the user supplies that logs do not contain.
package struct ReadingOptions: Sendable {
    /// A calendar date.
    package struct Day: Sendable, Hashable, Codable {
        package var year: Int
        package var month: Int
        package var day: Int

        package init(year: Int, month: Int, day: Int) {
            self.year = year
            self.month = month
            self.day = day
        }
    }

    /// Where clocks without a date begin: an obvious placeholder, so that the same lines always give the same times.
    static let placeholderDate = Day(year: 1970, month: 1, day: 1)
    /// Where dates without a year begin: the first leap year after 1970, so that 29 February exists.
    static let placeholderYear = 1972

    /// Name of the only layout to read with; `nil`: every line decides.
    package var format: String?
    /// Zone of times that state none.
    package var timezone: any ZoneRule
    /// Year of the first line, for layouts without a year.
    package var year: Int?
    /// Date of the first line, for layouts without a date.
    package var date: Day?
    /// Bytes read at a time. Batches are about as large.
    package var chunkBytes: Int
    /// Bytes of an entry that are kept, and looked at for its layout; the rest is counted but not kept.
    package var entryBytes: Int
    /// How long a pipe is waited for before what there is gets delivered, in milliseconds; `nil`: until more comes.
    package var patience: Int32?
    /// Whether what is appended is shown at once: the first line of a file then decides like that of a pipe.
    package var isFollowing = false
    /// Whether reading was cancelled; asked while a pipe is silent before its first bytes, with
    /// ``patience``.
    package var isStopped: @Sendable () -> Bool = { false }
    /// How often the input may be larger than the archive that it comes from, and how large it may be at least.
    package var archiveLimits: ArchiveLimits

    package init(
        format: String? = nil, timezone: any ZoneRule = FixedZone.utc, year: Int? = nil, date: Day? = nil,
        chunkBytes: Int = 256 << 10, entryBytes: Int = 256 << 10, patience: Int32? = nil,
        archiveLimits: ArchiveLimits = ArchiveLimits()
    ) {
        self.format = format
        self.timezone = timezone
        self.year = year
        self.date = date
        self.chunkBytes = chunkBytes
        self.entryBytes = entryBytes
        self.patience = patience
        self.archiveLimits = archiveLimits
    }
}

/// What had to be assumed about the times of a log, and what the user supplied.
package struct AssumedTimes: Sendable, Hashable, Codable {
    /// The zone of times without one; `nil`: none was needed.
    package var zone: String?
    /// Whether a year or a date was needed, and the ones that the user gave.
    package var needsYear = false
    package var year: Int?
    package var needsDate = false
    package var date: ReadingOptions.Day?

    package init() {}
}

/// Lines of a source, unchanged, by their numbers.
package enum SourceLines {
    /// Bytes of a line that are kept.
    private static let longest = 4096
    private static let size = 256 << 10

    /// The lines of a range that the source has.
    ///
    /// - Parameter range: numbers of lines, counted from 1.
    package static func lines(
        _ range: ClosedRange<Int64>, of source: SourceDescription
    ) throws(ReadingError) -> [(number: Int64, text: String)] {
        let options = ReadingOptions()
        let stream = try StreamOpener.open(source, options: options)
        let (head, beginning) = try SourceBeginning.read(from: stream, options: options)
        let text = beginning.text(head, then: stream)
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 1)
        defer { room.deallocate() }
        var found: [(number: Int64, text: String)] = []
        var number: Int64 = 1
        var line: [UInt8] = []
        var hasBegun = false
        while number <= range.upperBound {
            let count = try text.read(into: room)
            if count == 0 { break }
            for byte in room[..<count] where number <= range.upperBound {
                guard byte == 0x0A else {
                    hasBegun = true
                    if range.contains(number), line.count < longest { line.append(byte) }
                    continue
                }
                if range.contains(number) { found.append((number, Self.text(line))) }
                number += 1
                hasBegun = false
                line.removeAll(keepingCapacity: true)
            }
        }
        if hasBegun, range.contains(number) { found.append((number, Self.text(line))) }
        return found
    }

    private static func text(_ line: [UInt8]) -> String {
        String(decoding: line.last == 0x0D ? line.dropLast() : line[...], as: UTF8.self)
    }
}
