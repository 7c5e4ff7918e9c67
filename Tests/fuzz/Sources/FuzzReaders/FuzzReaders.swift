import FuzzDriver
import FuzzReading

/// Any bytes as lines of text, in every format that has them.
private enum Readers {
    static let probe = ReadingProbe(json: false)

    static func run(_ bytes: UnsafeRawBufferPointer) {
        guard let probe else { preconditionFailure("the built-in layouts cannot be read") }
        probe.run(bytes)
    }
}

@_cdecl("LLVMFuzzerTestOneInput")
func test(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
    Readers.run(UnsafeRawBufferPointer(start: start, count: count))
    return 0
}

@_cdecl("FuzzReaders_main")
func main(_ count: CInt, _ arguments: FuzzDriver.Arguments) -> CInt {
    FuzzDriver.run(count, arguments) { test($0, $1) }
}
