/// What an event's line says, as a number that only lines of the same text, time and process share.
public struct CopyKey: Sendable, Hashable {
    public var source: Int32
    /// Number of the line in its source, from 1.
    public var line: Int64
    /// Its ``Event/copyKey``.
    public var key: UInt64

    public init(source: Int32, line: Int64, key: UInt64) {
        self.source = source
        self.line = line
        self.key = key
    }
}
