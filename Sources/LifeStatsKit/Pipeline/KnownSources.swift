import EventRecognition
import Foundation
import LogReading
import TraceStore

/// What the next ingest needs to know of a source: kept in `SourceRecord.resume`.
struct SourceMemory {
    /// Whether the source was read as far as it went.
    var isComplete = false
    var beginning = Beginning([])
    /// Time of the first entry that has one, in nanoseconds since 1970 UTC.
    var firstTime: Int64?
    /// Whether the user named the device, so that the lines need not.
    var namesDevice = false
    /// Whether the messages of its events are kept.
    var keepsMessages = false
    /// What the user said of its text; `nil` where nothing.
    var reading: ReadingAssumptions?
    /// Version of the system, as the user said.
    var systemVersion: String?
    /// Where to read on; `nil` for small logs, which are read again from their beginning.
    var state: State?

    /// Where the reading and the recognition of a source go on. A class, since ten thousand small files have none.
    final class State: Codable, Sendable {
        let reading: ReadingState
        let recognition: RecognitionContext

        init(reading: ReadingState, recognition: RecognitionContext) {
            (self.reading, self.recognition) = (reading, recognition)
        }
    }
}

/// What the user says of a text that does not say it itself. A source that is read on, or again because it is small, is
/// read as it was the first time.
struct ReadingAssumptions: Codable, Equatable {
    var format: String?
    var timezone = "UTC"
    var year: Int?
    /// As `yyyy-mm-dd`.
    var date: String?
}

/// As text: three flags and numbers, then what is long or seldom there. Of ten thousand small files nothing more than the
/// short part is stored.
extension SourceMemory {
    private struct Rest: Codable {
        var reading: ReadingAssumptions?
        var systemVersion: String?
        var state: State?
    }

    var text: String {
        var text = (isComplete ? "c" : "-") + (namesDevice ? "d" : "-") + (keepsMessages ? "m" : "-")
        text += " \(firstTime.map(String.init) ?? "-") \(beginning.text)"
        guard reading != nil || systemVersion != nil || state != nil else { return text }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let rest = (try? encoder.encode(Rest(reading: reading, systemVersion: systemVersion, state: state))) ?? Data()
        return text + " " + String(decoding: rest, as: UTF8.self)
    }

    /// The memory of a source; one that knows nothing where the text cannot be read.
    init(text: String?) {
        self.init()
        let parts = (text ?? "").split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count >= 3 else { return }
        isComplete = parts[0].hasPrefix("c")
        namesDevice = parts[0].contains("d")
        keepsMessages = parts[0].contains("m")
        firstTime = Int64(parts[1])
        beginning = Beginning(text: String(parts[2]))
        guard parts.count == 4, let rest = try? JSONDecoder().decode(Rest.self, from: Data(parts[3].utf8)) else {
            return
        }
        reading = rest.reading
        systemVersion = rest.systemVersion
        state = rest.state
    }
}

extension KnownFile {
    /// - Returns: `nil` for what came through a pipe: it cannot be looked at again.
    init?(_ record: SourceRecord) {
        guard let content = SourceFingerprint(text: record.fingerprint) else { return nil }
        let memory = SourceMemory(text: record.resume)
        self.init(
            id: record.id, path: record.path, rank: SourceDescription(file: record.path).rank, content: content,
            beginning: memory.beginning, firstTime: memory.firstTime, isComplete: memory.isComplete)
    }
}

/// The names under which a database knows its logs. A log keeps the name by which it was read first, however it is named
/// later: `logs/app.log`, `./logs/app.log`, or its path from the root. A redacted database knows pseudonyms of whole paths.
struct SourceNames {
    private let streams: [String: String]
    private let redaction: Redaction?
    private let root = FileManager.default.currentDirectoryPath

    init(known: [SourceRecord], redaction: Redaction?) {
        self.redaction = redaction
        let names = redaction == nil ? Set(known.map(\.stream)) : []
        streams = Dictionary(
            names.sorted().map { [root] in (Self.resolved($0, root), $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// A source under the name that the database has for it.
    func known(_ source: SourceDescription) -> SourceDescription {
        if source.isOnce, source.path == "-" { return source }
        var source = source
        if let redaction {
            rename(&source, to: Self.resolved(source.stream, root))
            return redaction.source(source)
        }
        if !streams.isEmpty, let known = streams[Self.resolved(source.stream, root)] { rename(&source, to: known) }
        return source
    }

    /// Gives a source another stream; its path keeps what tells which rotation it is.
    private func rename(_ source: inout SourceDescription, to stream: String) {
        let folder = Self.folder(of: source.stream)
        guard stream != source.stream, source.path.hasPrefix(folder) else { return }
        source.path = String(Self.folder(of: stream)) + source.path.dropFirst(folder.count)
        source.stream = stream
    }

    private static func folder(of stream: String) -> Substring {
        stream.lastIndex(of: "/").map { stream[...$0] } ?? ""
    }

    /// A path from the root, without `.` and `..`.
    private static func resolved(_ path: String, _ root: String) -> String {
        let whole = path.hasPrefix("/") ? path : root + "/" + path
        guard whole.contains("//") || whole.contains("/.") else { return whole }
        var parts: [Substring] = []
        for part in whole.split(separator: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        return "/" + parts.joined(separator: "/")
    }
}
