import Foundation

#if canImport(os)
    import os
#endif

/// Appends lines to a file on a queue of its own, and hands them to the unified log where there is one. Unchecked, because
/// only the queue uses what changes.
final class LineWriter: @unchecked Sendable {
    private let queue = DispatchQueue(label: "lifecycle-log", qos: .utility)
    private let file: URL
    /// Used on the queue only; -1 while the file is not open.
    private var descriptor: Int32 = -1
    #if canImport(os)
        private let logger = Logger(subsystem: "lifecycle-log", category: "callbacks")
    #endif

    /// - Parameter size: a file that is larger is moved aside first.
    init(file: URL, rotatingAt size: Int64) {
        self.file = file
        queue.async { self.open(rotatingAt: size) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    func write(_ line: String) {
        queue.async { self.append(line) }
    }

    func flush() { queue.sync {} }

    private func open(rotatingAt size: Int64) {
        var status = stat()
        if stat(file.path, &status) == 0, Int64(status.st_size) >= size { rename(file.path, file.path + ".1") }
        descriptor = Self.opened(file.path)
    }

    private static func opened(_ path: String) -> Int32 {
        #if canImport(Darwin)
            Darwin.open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o644)
        #else
            Glibc.open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o644)
        #endif
    }

    /// One call for the whole line: a kill cannot cut it in two.
    private func append(_ line: String) {
        #if canImport(os)
            logger.log("\(line.dropLast(), privacy: .public)")
        #endif
        var rest = Array(line.utf8)[...]
        while !rest.isEmpty, descriptor >= 0 {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
