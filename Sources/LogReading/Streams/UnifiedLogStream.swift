import UnifiedLog

/// Apple's binary unified log as the text that `log show` prints: the layout `log-show` reads it, with nine digits of a second.
final class UnifiedLogStream: ByteStream {
    private var log: MergedLog
    /// Text that was made and not yet read.
    private var waiting: [UInt8] = []
    private var given = 0
    /// Times of one second share their beginning.
    private var second: Int64 = .min
    private var secondText: [UInt8] = []

    /// Opens the files of an archive.
    ///
    /// - Parameters:
    ///   - folder: where `timesync` and the format strings are.
    init(_ traces: [String], in folder: String) throws(ReadingError) {
        let strings = ArchiveFolder(folder)
        var clock = TimeSync()
        for file in strings.timeSyncFiles { clock.add(ArchiveFolder.bytes(of: file) ?? []) }
        var files: [any TraceBytes] = []
        for path in traces { files.append(TraceFileBytes(name: path, stream: try FileStream(path: path))) }
        log = MergedLog(files, strings: StringCatalog(strings), timeSync: clock)
    }

    /// The account of what is not a log message, and what was damaged, in words; empty when there is nothing to mention.
    var remarks: [String] {
        let counts = log.counts
        let skipped = [
            (counts.activities, "activities"), (counts.traces, "traces"), (counts.signposts, "signposts"),
            (counts.stateDumps, "state dumps"), (counts.losses, "records of loss"),
            (counts.otherChunks, "unknown chunks"),
        ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        var remarks: [String] = []
        if !skipped.isEmpty { remarks.append("not log messages: " + skipped.joined(separator: ", ")) }
        if counts.unresolved > 0 { remarks.append("\(counts.unresolved) messages without their format string") }
        for problem in log.problems.prefix(3) {
            remarks.append("\(problem.file), byte \(problem.offset): \(problem.reason)")
        }
        return remarks
    }

    func read(into room: UnsafeMutableRawBufferPointer) throws(ReadingError) -> Int {
        if given == waiting.count {
            waiting.removeAll(keepingCapacity: true)
            given = 0
            while waiting.count < room.count, let entry = log.next() { append(entry) }
        }
        let count = min(room.count, waiting.count - given)
        guard count > 0 else { return 0 }
        waiting.withUnsafeBytes { all in
            room.copyMemory(from: UnsafeRawBufferPointer(rebasing: all[given..<given + count]))
        }
        given += count
        return count
    }

    /// Appends a line of `log show`.
    private func append(_ entry: LogEntry) {
        appendTime(entry.time)
        waiting += " 0x\(String(entry.thread, radix: 16)) \(Self.name(ofLevel: entry.level)) ".utf8
        waiting +=
            "0x\(String(entry.activity, radix: 16)) \(entry.processID) 0 \(Self.name(of: entry.processPath)): ".utf8
        if !entry.senderPath.isEmpty, entry.senderPath != entry.processPath {
            waiting += "(\(Self.name(of: entry.senderPath))) ".utf8
        }
        if !entry.subsystem.isEmpty { waiting += "[\(entry.subsystem):\(entry.category)] ".utf8 }
        waiting += entry.message
        waiting.append(0x0A)
    }

    private func appendTime(_ nanoseconds: Int64) {
        let fraction = (nanoseconds % 1_000_000_000 + 1_000_000_000) % 1_000_000_000
        let seconds = (nanoseconds - fraction) / 1_000_000_000
        if seconds != second {
            second = seconds
            let iso = TimeText.iso(seconds * 1_000_000_000)
            secondText = Array((iso.prefix(10) + " " + iso.dropFirst(11).prefix(8) + ".").utf8)
        }
        waiting += secondText
        var unit: Int64 = 100_000_000
        while unit > 0 {
            waiting.append(0x30 + UInt8(fraction / unit % 10))
            unit /= 10
        }
        waiting += "+0000".utf8
    }

    private static func name(ofLevel level: UInt8) -> String {
        switch level {
        case 0x01: "Info"
        case 0x02: "Debug"
        case 0x10: "Error"
        case 0x11: "Fault"
        default: "Default"
        }
    }

    /// The last part of a path.
    private static func name(of path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? "unknown"
    }
}

/// The bytes of one tracev3 file.
private struct TraceFileBytes: TraceBytes {
    let name: String
    let stream: FileStream

    mutating func read(_ count: Int) throws -> [UInt8] {
        var failure: ReadingError?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { room, filled in
            do throws(ReadingError) {
                while filled < count {
                    let rest = UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: room[filled..<count]))
                    let got = try stream.read(into: rest)
                    if got == 0 { break }
                    filled += got
                }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }
}

/// A folder with the files that belong to tracev3 files: a `.logarchive`, or `diagnostics` beside `uuidtext`.
struct ArchiveFolder: StringFiles {
    /// The largest file of strings that is read.
    private static let mostBytes: Int64 = 512 << 20
    private static let traceFolders: Set<String> = ["Persist", "Special", "Signpost", "HighVolume"]

    private let folder: String
    private let stringFolders: [String]

    init(_ folder: String) {
        self.folder = folder
        stringFolders = [folder, folder + "/uuidtext", folder + "/../uuidtext"]
    }

    var timeSyncFiles: [String] { Self.files(in: folder + "/timesync", ending: ".timesync") }

    func uuidText(_ uuid: LogUUID) -> [UInt8]? {
        let digits = uuid.digits
        return first(of: "\(digits.prefix(2))/\(digits.dropFirst(2))")
    }

    func sharedCache(_ uuid: LogUUID) -> [UInt8]? { first(of: "dsc/\(uuid.digits)") }

    private func first(of name: String) -> [UInt8]? {
        for folder in stringFolders { if let bytes = Self.bytes(of: "\(folder)/\(name)") { return bytes } }
        return nil
    }

    /// A whole file; `nil` when it is not there, or larger than any is.
    static func bytes(of path: String) -> [UInt8]? {
        guard case .success(let status) = SystemCalls.status(path), status.kind == .file, status.size <= mostBytes,
            let stream = try? FileStream(path: path)
        else { return nil }
        var file = TraceFileBytes(name: path, stream: stream)
        return try? file.read(Int(status.size))
    }

    /// The tracev3 files of a folder that is a log archive; `nil` when it is none.
    static func traces(in folder: String) -> [String]? {
        guard case .success(let names) = SystemCalls.names(in: folder),
            folder.hasSuffix(".logarchive") || folder.hasSuffix(".logarchive/")
                || names.contains("timesync") && !traceFolders.isDisjoint(with: names)
        else { return nil }
        let traces =
            files(in: folder, ending: ".tracev3")
            + names.filter(traceFolders.contains).flatMap { files(in: "\(folder)/\($0)", ending: ".tracev3") }
        return traces.isEmpty ? nil : traces
    }

    /// Where the files that belong to a tracev3 file are: beside it or above.
    static func folder(ofTrace path: String) -> String {
        var folder = path
        for _ in 0..<3 {
            guard let slash = folder.lastIndex(of: "/") else { return "." }
            folder = String(folder[..<slash])
            if case .success(let names) = SystemCalls.names(in: folder.isEmpty ? "/" : folder),
                !Set(names).isDisjoint(with: ["timesync", "uuidtext", "dsc"])
            {
                return folder
            }
        }
        return String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    }

    private static func files(in folder: String, ending: String) -> [String] {
        guard case .success(let names) = SystemCalls.names(in: folder) else { return [] }
        return names.filter { $0.hasSuffix(ending) }.map { "\(folder)/\($0)" }
    }
}
