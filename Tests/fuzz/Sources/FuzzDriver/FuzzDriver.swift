/// Hands the inputs of libFuzzer to a target.
///
/// Swift's build gives every executable a `main` of its own in place of libFuzzer's; it comes here, under the name of
/// the target with `_main` behind it, and from here to where libFuzzer's `main` goes.
public enum FuzzDriver {
    public typealias Arguments = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

    /// Runs a target until libFuzzer has enough.
    public static func run(
        _ count: CInt, _ arguments: Arguments, _ target: @convention(c) (UnsafeRawPointer?, Int) -> CInt
    ) -> CInt {
        var count = count
        var arguments = arguments
        return runDriver(&count, &arguments, target)
    }
}

@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>, _ arguments: UnsafeMutablePointer<FuzzDriver.Arguments>,
    _ target: @convention(c) (UnsafeRawPointer?, Int) -> CInt
) -> CInt
