import FuzzDriver
import FuzzReading

/// Any bytes as records of JSON, in every format that has them.
private enum JSON {
    static let probe = ReadingProbe(json: true)

    static func run(_ bytes: UnsafeRawBufferPointer) {
        guard let probe else { preconditionFailure("the built-in layouts cannot be read") }
        probe.run(bytes)
    }
}

@_cdecl("LLVMFuzzerTestOneInput")
func test(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
    JSON.run(UnsafeRawBufferPointer(start: start, count: count))
    return 0
}

@_cdecl("FuzzJSON_main")
func main(_ count: CInt, _ arguments: FuzzDriver.Arguments) -> CInt {
    FuzzDriver.run(count, arguments) { test($0, $1) }
}
