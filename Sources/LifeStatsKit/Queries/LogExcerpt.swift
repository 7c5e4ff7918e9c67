import Foundation
import LogReading

/// A few lines of a log as they stand in its file, if a file still has the content that was read.
enum LogExcerpt {
    /// What there is to show.
    enum Outcome {
        /// The file that has the content now, and the lines with their numbers.
        case found(path: String, lines: [(number: Int64, text: String)])
        /// There is no such file any more, or it can't be read.
        case gone
        /// The file holds something else now, and none beside it holds what was read.
        case replaced
    }

    /// The lines around one.
    ///
    /// - Parameters:
    ///   - path: the file that was read.
    ///   - fingerprint: the mark of what was read, as `sources.fingerprint` has it.
    ///   - line: the line in the middle.
    ///   - context: how many lines before and after.
    static func lines(of path: String, fingerprint: String?, around line: Int64, context: Int) -> Outcome {
        let wanted = max(1, line - Int64(context))...(line + Int64(context))
        let mark = fingerprint.flatMap(SourceFingerprint.init(text:))
        func read(_ source: SourceDescription) -> Outcome? {
            if let mark {
                guard let relation = try? SourceLooks().relation(of: mark, to: source), relation != .replaced else {
                    return nil
                }
            }
            guard let lines = try? SourceLines.lines(wanted, of: source), !lines.isEmpty else { return nil }
            return .found(path: source.path, lines: lines)
        }
        let own = InputFinder.find([path]).sources.first { $0.path == path && !$0.isOnce }
        if let own, let outcome = read(own) { return outcome }
        // A log that was rotated has another name now, beside the old one.
        if mark != nil {
            for name in neighbours(of: path) {
                for other in InputFinder.find([name]).sources where !other.isOnce {
                    if let outcome = read(other) { return outcome }
                }
            }
        }
        return own == nil ? .gone : .replaced
    }

    /// The files beside one whose names begin as its does.
    private static func neighbours(of path: String) -> [String] {
        let url = URL(fileURLWithPath: path)
        let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        let names = try? FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path)
        return (names ?? []).sorted()
            .filter { $0.hasPrefix(url.lastPathComponent) && $0 != url.lastPathComponent }
            .map { path.contains("/") ? "\(folder)/\($0)" : $0 }
    }
}
