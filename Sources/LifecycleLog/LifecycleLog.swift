public import Foundation

/// Logs the lifecycle of an app: one JSON line for each callback, with its number, wall and
/// monotonic time, launch, boot, process, versions and instance. `lifestats` reads it as the format `lifecycle-log`.
///
///     func application(_ application: UIApplication, didFinishLaunchingWithOptions …) -> Bool {
///         LifecycleLog.start()
///         return true
///     }
///
/// App and scenes are observed by their notifications. View controllers inherit from ``LoggedViewController`` or call
/// ``log(_:of:phase:via:)``; SwiftUI scenes use `View.logsScenePhase(_:)`.
///
/// Lines are written on a queue of their own, in the order of the calls. Each is handed to the system as a whole, so that it
/// survives when the process is killed.
///
/// Unchecked, because iOS 15 has no `Mutex`: `lock` guards `number`; the rest is set once, before the log is shared.
public final class LifecycleLog: @unchecked Sendable {
    /// Where in a callback a line was written.
    public enum Phase: String, Sendable {
        /// The callback as a whole.
        case call
        case begin
        case end
    }

    /// How the callback became known.
    public enum Channel: String, Sendable {
        case notification, delegate, swiftui
    }

    /// A file of a megabyte or more is moved aside at a start, to the same name with `.1`.
    private static let mostBytes: Int64 = 1 << 20

    /// The log that ``start(file:)`` began; read and written under the static `lock` only.
    private nonisolated(unsafe) static var started: LifecycleLog?
    private static let lock = NSLock()

    private let lock = NSLock()
    private var number: Int64 = 0
    private let facts: ProcessFacts
    private let writer: LineWriter
    private var observers: [any NSObjectProtocol] = []

    /// A log in a file of its own, which observes nothing by itself.
    ///
    /// - Parameter file: created where it does not exist, else appended to.
    public init(file: URL) {
        facts = ProcessFacts()
        writer = LineWriter(file: file, rotatingAt: Self.mostBytes)
    }

    deinit { for observer in observers { NotificationCenter.default.removeObserver(observer) } }

    /// Begins to log what the app and its scenes do, once per process.
    ///
    /// - Parameter file: the log; `nil` for `lifecycle.jsonl` in the documents folder.
    @discardableResult
    public static func start(file: URL? = nil) -> LifecycleLog {
        lock.lock()
        defer { lock.unlock() }
        if let started { return started }
        let folder = FileManager.default.urls(for: .documentDirectory, in: .userDomainMask).first
        let log = LifecycleLog(
            file: file ?? (folder ?? FileManager.default.temporaryDirectory).appendingPathComponent("lifecycle.jsonl"))
        started = log
        #if canImport(UIKit)
            log.observers = UIKitObserver.observe(log)
        #endif
        return log
    }

    /// Logs a callback in the log that ``start(file:)`` began.
    ///
    /// - Parameters:
    ///   - callback: its name, as the platform spells it: `viewDidAppear`.
    ///   - instance: the scene or view controller that it belongs to; `nil` for the app.
    public static func log(
        _ callback: String, of instance: String? = nil, phase: Phase = .call, via channel: Channel = .delegate
    ) {
        lock.lock()
        let log = started
        lock.unlock()
        log?.log(callback, of: instance, phase: phase, via: channel)
    }

    /// Logs a callback.
    public func log(
        _ callback: String, of instance: String? = nil, phase: Phase = .call, via channel: Channel = .delegate
    ) {
        // Numbers and lines must have one order.
        lock.lock()
        defer { lock.unlock() }
        number += 1
        writer.write(
            LogLine(
                number: number, time: ProcessFacts.wallTime, monotonic: ProcessFacts.monotonicTime, callback: callback,
                instance: instance, phase: phase, channel: channel
            ).text(facts))
    }

    /// Waits until everything logged so far is written: before the process may be suspended or ended.
    public func flush() { writer.flush() }
}
