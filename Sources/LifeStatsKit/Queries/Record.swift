import Foundation
import LogReading
import Reports
import TraceStore

/// One row of a view, with the log lines around it.
public enum Record {
    /// Describes a run, visit, event or finding.
    ///
    /// - Parameters:
    ///   - id: `run:3`, `visit:12`, `event:9`, `finding:4` (or `r3`, `v12`, `e9`, `f4`).
    ///   - context: lines of the log shown before and after.
    /// - Throws: ``LifeStatsError`` when the id is invalid, or there is no such row.
    public static func text(
        of id: String, in database: String, context: Int, limit: ReadingLimit = ReadingLimit()
    ) throws -> String {
        try DatabaseReading.run(database, limit: limit) { reader in
            guard let match = id.wholeMatch(of: /(run|visit|event|finding|r|v|e|f):?(-?\d+)/),
                let number = Int64(match.2), let kind = kinds[match.1.prefix(1).description]
            else {
                throw LifeStatsError(
                    "\(id): not an id", remedy: "write run:3, visit:12, event:9 or finding:4")
            }
            var names: [String] = []
            var values: [Cell] = []
            let sql = "SELECT * FROM \(kind.view) WHERE \(kind.column) = $id"
            try reader.query(sql, ["id": .integer(number)]) {
                names = $0.map(\.name)
            } row: { row in
                values = (0..<row.count).map { Cell(row[$0]) }
            }
            guard !values.isEmpty else { throw LifeStatsError("\(database) has no \(kind.name) \(number)") }
            var lines = ["\(kind.name) \(number)"]
            let width = names.map(\.count).max() ?? 0
            for (name, value) in zip(names, values) where value != .null {
                let text = ResultWriter.text(.csv, columns: [Column(name)], rows: [[value]])
                let shown = text.split(whereSeparator: \.isNewline).dropFirst().joined(separator: " ")
                lines.append(
                    "  \(name)\(String(repeating: " ", count: width - name.count))  "
                        + VisibleText.neutralised(shown))
            }
            lines += try excerpt(kind: kind, number: number, reader: reader, context: context)
            return TerminalText.safe(lines.map { $0 + "\n" }.joined())
        }
    }

    private struct Kind {
        var name: String
        var view: String
        var column: String
    }

    private static let kinds = [
        "r": Kind(name: "run", view: "runs", column: "run_id"),
        "v": Kind(name: "visit", view: "visits", column: "visit_id"),
        "e": Kind(name: "event", view: "events", column: "event_id"),
        "f": Kind(name: "finding", view: "findings", column: "finding_id"),
    ]

    /// The log lines around the record, or why they cannot be shown.
    private static func excerpt(
        kind: Kind, number: Int64, reader: DatabaseReading, context: Int
    ) throws -> [String] {
        let place =
            kind.name == "run"
            ? "SELECT source, line FROM events WHERE run_id = $id ORDER BY seq LIMIT 1"
            : "SELECT source, line FROM \(kind.view) WHERE \(kind.column) = $id"
        guard let row = try? Rows.all(reader, place, ["id": .integer(number)]).first,
            let path = row.text("source"), let line = row.integer("line")
        else { return [] }
        let fingerprint = try Rows.all(
            reader, "SELECT fingerprint FROM sources WHERE path = $path ORDER BY source_id DESC LIMIT 1",
            ["path": .text(path)]
        ).first?.text("fingerprint")
        switch LogExcerpt.lines(of: path, fingerprint: fingerprint, around: line, context: context) {
        case .gone: return ["", "\(path):\(line) can no longer be read"]
        case .replaced:
            return ["", "\(path):\(line) is not shown: the file no longer has the content that was ingested"]
        case .found(let present, let found):
            let width = String(line + Int64(context)).count
            let moved = present == path ? "" : ", now in \(present)"
            return ["", "\(path):\(line)\(moved)"]
                + found.map { number, text in
                    let padding = String(repeating: " ", count: width - String(number).count)
                    return "\(number == line ? ">" : " ") \(padding)\(number)  \(VisibleText.neutralised(text))"
                }
        }
    }
}

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
