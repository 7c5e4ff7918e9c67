/// A process of a device that a stream says something of.
package struct DeviceProcess: Sendable, Hashable {
    package var stream: String
    package var device: String
    /// Process name; `nil` when the log names none.
    package var app: String?
    package var pid: Int32?
    /// Whether the stream has callbacks of it that name the process id, and not only evidence or signs of life.
    package var hasCallbacks: Bool
}
