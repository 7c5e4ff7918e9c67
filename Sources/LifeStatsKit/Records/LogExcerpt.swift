import Foundation
import LogReading
import Reports
import TraceRecords

/// Lines of a log, if there is still a file with the content that was ingested.
enum LogExcerpt {
    /// The result.
    enum Outcome {
        /// The file that now has the content, and the lines with their numbers.
        case found(path: String, lines: [(number: Int64, text: String)])
        /// The file is gone or cannot be read.
        case gone
        /// The file has other content now, and no file next to it has the ingested content.
        case replaced
    }

    /// The lines around one as text, that one marked; or why they cannot be shown.
    static func text(
        of path: String, around line: Int64, context: Int, style: TextStyle, _ reader: DatabaseReading
    ) throws -> [String] {
        let fingerprint = try Rows.all(
            reader, "SELECT fingerprint FROM sources WHERE path = $path ORDER BY source_id DESC LIMIT 1",
            ["path": .text(path)]
        ).first?.text("fingerprint")
        switch lines(of: path, fingerprint: fingerprint, around: line, context: context) {
        case .gone: return ["\(path):\(line) can no longer be read"]
        case .replaced: return ["\(path):\(line) is not shown: the file no longer has the content that was ingested"]
        case .found(let present, let found):
            let width = String(line + Int64(context)).count
            let moved = present == path ? "" : ", now in \(present)"
            return ["\(path):\(line)\(moved)"]
                + found.map { number, text in
                    let padding = String(repeating: " ", count: width - String(number).count)
                    let shown = "\(padding)\(number)  \(VisibleText.neutralised(text))"
                    return number == line ? style.bold("> " + shown) : style.dim("  " + shown)
                }
        }
    }

    /// The lines around one.
    ///
    /// - Parameters:
    ///   - path: the file that was read.
    ///   - fingerprint: `sources.fingerprint` of what was read.
    ///   - line: the line in the middle.
    ///   - context: how many lines before and after.
    static func lines(of path: String, fingerprint: String?, around line: Int64, context: Int) -> Outcome {
        let wanted = max(1, line - Int64(context))...(line + Int64(context))
        let mark = fingerprint.flatMap(SourceFingerprint.init(text:))
        func read(_ source: SourceDescription) -> Outcome? {
            if let mark {
                guard let relation = try? FingerprintCache(options: ReadingOptions()).relation(of: mark, to: source),
                    relation != .replaced
                else {
                    return nil
                }
            }
            guard let lines = try? SourceLines.lines(wanted, of: source), !lines.isEmpty else { return nil }
            return .found(path: source.path, lines: lines)
        }
        let own = InputFinder.find([path]).sources.first { $0.path == path && !$0.isOnce }
        if let own, let outcome = read(own) { return outcome }
        // A rotated log has another name in the same folder.
        if mark != nil {
            for name in neighbours(of: path) {
                for other in InputFinder.find([name]).sources where !other.isOnce {
                    if let outcome = read(other) { return outcome }
                }
            }
        }
        return own == nil ? .gone : .replaced
    }

    /// The files in the same folder whose names begin with the name of this one.
    private static func neighbours(of path: String) -> [String] {
        let url = URL(fileURLWithPath: path)
        let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        let names = try? FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path)
        return (names ?? []).sorted()
            .filter { $0.hasPrefix(url.lastPathComponent) && $0 != url.lastPathComponent }
            .map { path.contains("/") ? "\(folder)/\($0)" : $0 }
    }
}
