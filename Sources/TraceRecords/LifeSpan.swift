/// A stretch of time in which a process wrote lines that are no events, never silent for longer than
/// ``LifeSpan/resolution``: proof that it ran.
///
/// A span lies between two events of its process: an event ends it, so that spans and events come in one order.
public struct LifeSpan: Sendable, Hashable {
    /// The longest silence inside a span, in nanoseconds: 1 s. A grace time cannot be shorter.
    public static let resolution: Int64 = 1_000_000_000

    /// Process name; ``Symbol/none`` when the lines name none.
    public var process: Symbol
    /// Process id; `nil` when unknown.
    public var pid: Int32?
    /// Host or device name.
    public var device: Symbol
    /// Time of the first line and the latest time of any, in nanoseconds since 1970 UTC; `nil` when the lines carry no
    /// time.
    public var from: Int64?
    public var until: Int64?
    /// First and last line of the source.
    public var firstLine: Int64
    public var lastLine: Int64

    public init(
        process: Symbol, pid: Int32?, device: Symbol, from: Int64?, until: Int64?, firstLine: Int64, lastLine: Int64
    ) {
        self.process = process
        self.pid = pid
        self.device = device
        self.from = from
        self.until = until
        self.firstLine = firstLine
        self.lastLine = lastLine
    }
}
