/// What a JSON record says, as texts of their own or ranges of the line's bytes.
struct JSONRecord {
    var time: RawTime?
    /// Times that are written as a number of seconds, milliseconds, microseconds or nanoseconds since 1970.
    var epoch: Int64?
    var pid: Int32?
    var process: JSONText.Value?
    var device: JSONText.Value?
    var subsystem: JSONText.Value?
    /// `nil`: the record as it stands.
    var message: JSONText.Value?
    /// Text that is to be read with the other layouts.
    var wrapped: JSONText.Value?
}
