#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Searching and comparing bytes in place.
enum Bytes {
    /// The first place of a byte in `start..<end`.
    @inline(__always)
    static func find(_ byte: UInt8, _ base: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Int? {
        guard start < end else { return nil }
        return memchr(base + start, Int32(byte), end - start).map { UnsafeRawPointer($0) - UnsafeRawPointer(base) }
    }

    @inline(__always)
    static func areEqual(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, _ count: Int) -> Bool { memcmp(a, b, count) == 0 }
}
