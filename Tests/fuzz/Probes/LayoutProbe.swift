@testable import LogReading

/// Any text as a file of layouts, and the same text as a log that is read with them.
public enum LayoutProbe {
    private static let builtIn = try? LayoutCatalog.builtIn()

    public static func run(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let builtIn else { preconditionFailure("the built-in layouts cannot be read") }
        guard let catalog = try? builtIn.adding(yaml: text, file: "fuzz.yaml") else { return }
        guard
            let reader = try? SourceReader(
                MemoryStream(Array(text.utf8)), catalog: catalog,
                options: ReadingOptions(chunkBytes: 512, entryBytes: 4096))
        else { return }
        while (try? reader.next()) != nil {}
        precondition(reader.endPosition.counts.isBalanced, "every line must be accounted for")
    }
}
