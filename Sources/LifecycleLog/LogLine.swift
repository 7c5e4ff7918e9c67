import Foundation

#if canImport(os)
    import os
#endif

/// One line of the log.
struct LogLine {
    var number: Int64
    /// Nanoseconds since 1970 UTC, and of the clock that nobody sets.
    var time: Int64
    var monotonic: Int64
    var callback: String
    var instance: String?
    var phase: LifecycleLog.Phase
    var channel: LifecycleLog.Channel

    /// The line as JSON, with its keys in a fixed order, and a line end.
    func text(_ facts: ProcessFacts) -> String {
        var members = [
            "\"lifecycle_log\":1", "\"launch\":\(Self.quoted(facts.launch))", "\"number\":\(number)",
            "\"time_ns\":\(time)", "\"mono_ns\":\(monotonic)", "\"boot\":\(Self.quoted(facts.boot))",
            "\"process\":\(Self.quoted(facts.process))", "\"pid\":\(facts.pid)",
        ]
        for (key, value) in [("bundle", facts.bundle), ("version", facts.version), ("os", facts.system)] {
            if let value { members.append("\"\(key)\":\(Self.quoted(value))") }
        }
        members += [
            "\"callback\":\(Self.quoted(callback))", "\"phase\":\"\(phase.rawValue)\"",
            "\"via\":\"\(channel.rawValue)\"",
        ]
        if let instance { members.append("\"instance\":\(Self.quoted(instance))") }
        members.append("\"message\":\(Self.quoted(message))")
        return "{" + members.joined(separator: ",") + "}\n"
    }

    /// The callback in words that any reader of logs understands.
    private var message: String {
        let ending = phase == .end ? " end" : ""
        guard let instance else { return callback + ending }
        return callback.hasPrefix("scene")
            ? "\(callback)\(ending) session=\(instance)" : "<\(instance)> \(callback)\(ending)"
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\u{0}"..<"\u{20}":
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}

/// What the lines of one process have in common.
struct ProcessFacts: Sendable {
    /// Distinguishes this launch from all others.
    let launch = UUID().uuidString
    let boot = Self.bootSession
    let process = ProcessInfo.processInfo.processName
    let pid = ProcessInfo.processInfo.processIdentifier
    let bundle = Bundle.main.bundleIdentifier
    let version = Bundle.main.infoDictionary?["CFBundleShortVersionString"] as? String
    let system: String? = {
        let version = ProcessInfo.processInfo.operatingSystemVersion
        return "\(version.majorVersion).\(version.minorVersion).\(version.patchVersion)"
    }()

    /// Nanoseconds since 1970 UTC.
    static var wallTime: Int64 { read(CLOCK_REALTIME) }

    /// Nanoseconds of a monotonic clock, which continues while the device sleeps.
    static var monotonicTime: Int64 {
        #if canImport(Darwin)
            read(CLOCK_MONOTONIC)
        #else
            read(CLOCK_BOOTTIME)
        #endif
    }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// Identifies the boot that the monotonic clock belongs to; empty where the system does not say.
    private static var bootSession: String {
        #if canImport(Darwin)
            var bytes = [CChar](repeating: 0, count: 64)
            var size = bytes.count
            guard sysctlbyname("kern.bootsessionuuid", &bytes, &size, nil, 0) == 0 else { return "" }
            return String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        #else
            let text = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
            return (text ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
        #endif
    }
}

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
        descriptor = Self.opened(file.path)
        // Not by stat, for which an app has to declare a reason in its privacy manifest.
        guard descriptor >= 0, lseek(descriptor, 0, SEEK_END) >= size else { return }
        close(descriptor)
        rename(file.path, file.path + ".1")
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
