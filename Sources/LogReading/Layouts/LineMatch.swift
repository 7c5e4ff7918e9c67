import TraceRecords

/// What a layout found in one line: positions relative to the line's first byte. Plain, for the hot path.
struct LineMatch {
    /// A field of the line.
    struct Field {
        var start: Int32 = 0
        var end: Int32 = 0

        var isEmpty: Bool { start == end }

        @inline(__always)
        func range(_ shift: Int) -> ByteRange {
            isEmpty ? .none : ByteRange(offset: shift &+ Int(start), length: Int(end &- start))
        }

        @inline(__always)
        mutating func move(by shift: Int32) {
            guard !isEmpty else { return }
            start &+= shift
            end &+= shift
        }
    }

    var time = RawTime()
    var hasTime = false
    var pid: Int32 = 0
    var hasPid = false
    var process = Field()
    var device = Field()
    var subsystem = Field()
    var level = Field()
    var message = Field()
    /// Where the bytes end whose meaning can be remembered; 0 when there are none.
    var headerEnd: Int32 = 0

    /// Moves all fields, when the line turns out to begin elsewhere.
    @inline(__always)
    mutating func move(by shift: Int32) {
        process.move(by: shift)
        device.move(by: shift)
        subsystem.move(by: shift)
        level.move(by: shift)
        message.move(by: shift)
    }

    /// Empties the fields that end behind a position.
    mutating func forget(beyond end: Int32) {
        if process.end > end { process = Field() }
        if device.end > end { device = Field() }
        if subsystem.end > end { subsystem = Field() }
        if level.end > end { level = Field() }
    }

    /// The entry that the fields mean, without its time, when the line begins at `shift`.
    @inline(__always)
    func entry(line: Int64, shift: Int) -> Entry {
        Entry(
            line: line, pid: hasPid ? pid : nil, process: process.range(shift), device: device.range(shift),
            subsystem: subsystem.range(shift), message: message.range(shift))
    }
}
