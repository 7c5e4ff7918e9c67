import FuzzDriver

@testable import LogReading

/// Any text as a file of layouts, and the same text as a log that is read with them.
private enum Layouts {
    static let builtIn = try? LayoutCatalog.builtIn()

    static func run(_ text: String) {
        guard let builtIn else { preconditionFailure("the built-in layouts cannot be read") }
        guard let catalog = try? builtIn.adding(yaml: text, file: "fuzz.yaml") else { return }
        guard
            let reader = try? SourceReader(
                MemoryStream(Array(text.utf8)), path: "fuzz.log", catalog: catalog,
                options: ReadingOptions(chunkBytes: 512, entryBytes: 4096), resumeAt: nil)
        else { return }
        while (try? reader.next()) != nil {}
        precondition(reader.endPosition.counts.isBalanced, "every line must be accounted for")
    }
}

@_cdecl("LLVMFuzzerTestOneInput")
func test(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
    Layouts.run(String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self))
    return 0
}

@_cdecl("FuzzLayout_main")
func main(_ count: CInt, _ arguments: FuzzDriver.Arguments) -> CInt {
    FuzzDriver.run(count, arguments) { test($0, $1) }
}
