import LogReading
import TraceRecords

/// The lines that come nearest to a lifecycle event, of logs in which none was recognised.
enum NearLines {
    private static let (mostLines, mostFiles, mostEntries) = (3, 8, 100_000)

    /// Up to three lines that hold words of the lifecycle, as `FILE:LINE  TEXT`, those with the most such words first.
    static func find(in sources: [SourceDescription], _ parts: IngestMaterial.Parts, _ options: ReadingOptions)
        -> [String]
    {
        var found: [(words: Int, text: String)] = []
        for source in sources.prefix(mostFiles) where !source.isOnce {
            var entries = 0
            try? RecognisedEntries.each(of: source, parts, options) { entry in
                let line = entry.message.prefix { !$0.isNewline }.prefix(400)
                let words = words(of: line)
                if words > 0, found.count < mostLines || words > found[found.count - 1].words {
                    found.append(
                        (words, "\(source.path):\(entry.entry.line)  \(VisibleText.shortened(String(line), to: 90))"))
                    found = Array(found.sorted { $0.words > $1.words }.prefix(mostLines))
                }
                entries += 1
                return entries < mostEntries
            }
        }
        return found.map(\.text)
    }

    private static func words(of line: Substring) -> Int {
        let line = line.lowercased()
        return stems.count { line.contains($0) }
    }

    private static let stems = [
        "active", "appear", "background", "deinit", "enter", "exit", "foreground", "kill", "launch", "lifecycle",
        "on stop", "onstop", "resign", "resum", "scene", "suspend", "terminat", "viewdid", "viewwill",
    ]
}
