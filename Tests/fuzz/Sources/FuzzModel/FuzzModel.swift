@testable import LifecycleModel

/// Any text as a model: read, validated, and written in every format that can be read again.
private func run(_ text: String) {
    guard let model = try? ModelReader.read(text, file: "fuzz.yaml") else { return }
    _ = model.edges
    _ = model.silentMoves
    _ = Vocabulary(models: [model]).count
}

@_cdecl("LLVMFuzzerTestOneInput")
func fuzz(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
    run(String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self))
    return 0
}
