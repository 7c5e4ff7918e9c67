import LogReading
import TraceRecords

/// A few lines of a log, read again.
enum LogExcerpt {
    /// The lines around one, with their numbers; empty when the log is gone.
    ///
    /// - Throws: `ReadingError` when the log cannot be read.
    static func lines(of path: String, around line: Int64, context: Int) throws -> [(Int64, String)] {
        guard let source = InputFinder.find([path]).sources.first(where: { $0.path == path }) else { return [] }
        let reader = try SourceReader(source, catalog: try LayoutCatalog.builtIn())
        var found: [(Int64, String)] = []
        let wanted = (line - Int64(context))...(line + Int64(context))
        while let batch = try reader.next() {
            for entry in batch.entries where wanted.contains(entry.line) {
                let text = batch.text(entry.message).split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
                found.append((entry.line, text))
            }
            if let last = batch.entries.last?.line, last > wanted.upperBound { break }
        }
        return found
    }
}
