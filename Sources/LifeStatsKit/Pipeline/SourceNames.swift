import Foundation
import LogReading
import TraceStore

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
