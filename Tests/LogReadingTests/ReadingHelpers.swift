import TraceRecords

@testable import LogReading

/// An entry with its texts, to compare with.
struct ReadEntry: Equatable, CustomStringConvertible {
    var line: Int64
    var lines: Int32 = 1
    var time: String?
    var process: String?
    var pid: Int32?
    var device: String?
    var subsystem: String?
    var message: String

    var description: String {
        "\(line)(\(lines)) \(time ?? "-") \(process ?? "-")[\(pid.map(String.init) ?? "-")] "
            + "\(device ?? "-") \(subsystem ?? "-"): \(message)"
    }
}

/// Everything that reading a text gives.
struct ReadResult: Equatable {
    var entries: [ReadEntry] = []
    var rejects: [Reject] = []
    var counts = LineCounts()
    var firstTime: String?
    var lastTime: String?
    var formats: [String] = []
    var assumptions: [String] = []
    var bytes: Int64 = 0
}

/// The layouts of the program, read once.
let builtInCatalog = Result { try LayoutCatalog.builtIn() }

/// Reads a text as a file that is read `chunk` bytes at a time.
func read(
    _ bytes: [UInt8], options: ReadingOptions = ReadingOptions(), resumeAt: SourcePosition? = nil
) throws -> (result: ReadResult, position: SourcePosition) {
    let catalog = try builtInCatalog.get()
    let state = try resumeAt.map { position in
        let beginning = try SourceBeginning.read(from: MemoryStream(bytes), options: options).1
        return ReadingState(
            position: position, beginning: beginning, content: RunningFingerprint(), assumed: AssumedTimes())
    }
    let reader = try SourceReader(MemoryStream(bytes), catalog: catalog, options: options, resuming: state)
    var result = ReadResult()
    while let batch = try reader.next() {
        result.entries += batch.entries.map { entry in
            func text(_ range: ByteRange) -> String? { range.isEmpty ? nil : batch.text(range) }
            return ReadEntry(
                line: entry.line, lines: entry.lineCount, time: entry.time.map(CivilTime.shortISO),
                process: text(entry.process), pid: entry.pid, device: text(entry.device),
                subsystem: text(entry.subsystem), message: batch.text(entry.message))
        }
        result.rejects += batch.rejects
    }
    result.counts = reader.endPosition.counts
    result.firstTime = reader.endPosition.firstTime.map(CivilTime.shortISO)
    result.lastTime = reader.endPosition.lastTime.map(CivilTime.shortISO)
    result.bytes = reader.endPosition.byteOffset
    result.formats = reader.formats
    result.assumptions = reader.assumptions
    return (result, reader.position)
}

func read(_ text: String, options: ReadingOptions = ReadingOptions()) throws -> ReadResult {
    try read(Array(text.utf8), options: options).result
}

extension SourceFingerprint {
    /// The fingerprint of everything that a source holds now.
    static func of(
        _ source: SourceDescription, options: ReadingOptions = ReadingOptions()
    ) throws(ReadingError) -> SourceFingerprint {
        try beginnings(of: source, lengths: [.max], options: options)[0]
    }
}
