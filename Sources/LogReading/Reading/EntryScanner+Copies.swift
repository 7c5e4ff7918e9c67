import TraceRecords

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Lines that stand twice: an app that prints what it logs writes each text once as it is, and once with time and
/// process. The bare line next to the other one is a copy: it belongs to no entry.
extension EntryScanner {
    /// Whether the open entry is a line without a layout.
    var hasOpenBareLine: Bool { isOpen && openLayout == layouts.count }

    /// Whether a line without a layout repeats the line with a time directly before it.
    func isCopyOfOpenEntry(_ base: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Bool {
        guard isOpen, !afterBlank, openLayout < layouts.count, let open = entries.last, open.time != nil,
            open.lineCount == 1
        else { return false }
        return Self.areSame(base, open.message, ByteRange(offset: start, length: end - start))
    }

    /// Takes the open entry back when it is a line without a layout, and the line with a time directly behind it has
    /// the same message.
    mutating func takeBackCopy(_ base: UnsafePointer<UInt8>, of message: ByteRange) {
        guard hasOpenBareLine, !afterBlank, let open = entries.last, Self.areSame(base, open.message, message) else {
            return
        }
        entries.removeLast()
        isOpen = false
        counts.entry -= 1
        counts.other += 1
        entriesByLayout[openLayout] -= 1
        layoutOfLine?[open.line] = nil
    }

    private static func areSame(_ base: UnsafePointer<UInt8>, _ one: ByteRange, _ other: ByteRange) -> Bool {
        one.length > 0 && one.length == other.length
            && memcmp(base + Int(one.offset), base + Int(other.offset), Int(one.length)) == 0
    }
}
