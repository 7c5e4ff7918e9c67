import Foundation

/// Lines of a device's log on 2026-03-09, timed in seconds after 10:00.
enum DeviceLines {
    static func line(_ second: Int, _ process: String, _ pid: Int, _ message: String) -> String {
        "\(time(second)) \(process)[\(pid):1] \(message)\n"
    }

    /// A line without a process id, as a record.
    static func record(_ second: Int, _ process: String, _ message: String) -> String {
        #"{"timestamp": "\#(time(second))Z", "process": "\#(process)", "message": "\#(message)"}"# + "\n"
    }

    private static func time(_ second: Int) -> String {
        "2026-03-09 " + String(format: "%02d:%02d:%02d.000", 10 + second / 3600, second / 60 % 60, second % 60)
    }

    /// The system suspends the process of a bundle.
    static func suspended(_ second: Int, _ bundle: String, _ pid: Int) -> String {
        line(second, "runningboardd", 33, "[app<\(bundle)(0F0E0D0C)>:\(pid)] Suspending task.")
    }

    /// Processes that become active and end, one behind the other.
    static func lives(_ count: Int, _ name: String, from second: Int, pid: Int) -> String {
        (1...count).map {
            line(second + 2 * $0, "\(name)\($0)", pid + $0, "applicationDidBecomeActive")
                + line(second + 2 * $0 + 1, "\(name)\($0)", pid + $0, "applicationWillTerminate:")
        }.joined()
    }
}
