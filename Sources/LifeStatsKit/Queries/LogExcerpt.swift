import LogReading
import TraceRecords

/// A few lines of a log, read again with the layouts that it was read with.
struct LogExcerpt {
    private let catalog: LayoutCatalog
    /// Layouts of the log that are known no more: their lines are shown as they stand.
    let unknownLayouts: [String]

    /// - Parameters:
    ///   - format: how the log was read, as `sources.format` says; `nil` tries every layout.
    ///   - files: the user's layouts, beside those of the configuration folder.
    /// - Throws: ``LifeStatsError`` or `LayoutError` when a file of layouts cannot be read or is no good.
    init(format: String?, files: [String]) throws {
        let known = try LayoutLoading.catalog(with: files)
        guard let format else {
            catalog = known
            unknownLayouts = []
            return
        }
        let names = format.split(separator: ",").map { $0.drop { $0 == " " } }.map(String.init)
        catalog = known.keeping(Set(names))
        unknownLayouts = names.filter { $0 != SourceReader.bareFormat && known.layout(named: $0) == nil }
    }

    /// The lines around one, with their numbers; empty when the log is gone.
    ///
    /// - Throws: `ReadingError` when the log cannot be read.
    func lines(of path: String, around line: Int64, context: Int) throws -> [(Int64, String)] {
        let sources = InputFinder.find([path]).sources
        guard let source = sources.first(where: { $0.path == path && !$0.isOnce }) else { return [] }
        let reader = try SourceReader(source, catalog: catalog)
        var found: [(Int64, String)] = []
        let wanted = (line - Int64(context))...(line + Int64(context))
        while let batch = try reader.next() {
            for entry in batch.entries {
                let lines = entry.line...entry.line + Int64(entry.lineCount) - 1
                guard wanted.overlaps(lines) else { continue }
                let texts = batch.text(entry.message).split(
                    omittingEmptySubsequences: false, whereSeparator: \.isNewline)
                if texts.count == lines.count {
                    found += zip(lines, texts.map(String.init)).filter { wanted.contains($0.0) }
                } else {
                    found.append((lines.contains(line) ? line : entry.line, texts.first.map(String.init) ?? ""))
                }
            }
            if let last = batch.entries.last?.line, last > wanted.upperBound { break }
        }
        return found
    }
}
