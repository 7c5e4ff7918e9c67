import Foundation

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

    /// Nanoseconds of a clock that nobody sets, and that goes on while the device sleeps.
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
