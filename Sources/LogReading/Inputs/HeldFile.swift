#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A file that is kept open, so that it can be read although no path leads to it any more.
package final class HeldFile: Sendable, Hashable {
    let descriptor: Int32

    /// Opens a file; `nil` where another one lies there by now, or no more can be open.
    init?(path: String, identity: FileIdentity) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard descriptor >= 0, let status, FileIdentity(status) == identity else { return nil }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// What the file system says of it by now.
    var status: SystemCalls.Status? { try? SystemCalls.status(descriptor: descriptor, path: "").get() }

    package static func == (a: HeldFile, b: HeldFile) -> Bool { a === b }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
