@testable import LogReading

/// Any text as a file of layouts.
private enum Layouts {
    static let builtIn = try? LayoutCatalog.builtIn()

    static func run(_ text: String) {
        guard let builtIn else { preconditionFailure("the built-in layouts cannot be read") }
        _ = try? builtIn.adding(yaml: text, file: "fuzz.yaml")
    }
}

@_cdecl("LLVMFuzzerTestOneInput")
func fuzz(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
    Layouts.run(String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self))
    return 0
}
