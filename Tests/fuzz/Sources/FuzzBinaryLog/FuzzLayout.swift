import FuzzDriver
import FuzzProbes

@_cdecl("LLVMFuzzerTestOneInput")
func test(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
    BinaryLogProbe.run(Array(UnsafeRawBufferPointer(start: start, count: count)))
    return 0
}

@_cdecl("FuzzBinaryLog_main")
func main(_ count: CInt, _ arguments: FuzzDriver.Arguments) -> CInt {
    FuzzDriver.run(count, arguments) { test($0, $1) }
}
