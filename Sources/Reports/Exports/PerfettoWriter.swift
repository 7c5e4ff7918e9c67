internal import TraceRecords

/// A message in the wire format of Protocol Buffers.
struct Protobuf {
    private(set) var bytes: [UInt8] = []

    mutating func number(_ field: Int, _ value: UInt64) {
        bytes.append(varint: UInt64(field) << 3)
        bytes.append(varint: value)
    }

    mutating func fixed(_ field: Int, _ value: UInt64) {
        bytes.append(varint: UInt64(field) << 3 | 1)
        bytes.append(littleEndian: value)
    }

    mutating func text(_ field: Int, _ value: String) { append(field, Array(value.utf8)) }

    mutating func message(_ field: Int, _ body: (inout Protobuf) -> Void) {
        var inner = Protobuf()
        body(&inner)
        append(field, inner.bytes)
    }

    private mutating func append(_ field: Int, _ value: [UInt8]) {
        bytes.append(varint: UInt64(field) << 3 | 2)
        bytes.append(varint: UInt64(value.count))
        bytes += value
    }
}

/// Writes a trace for Perfetto (`perfetto.protos.Trace`): tracks with slices, marks and counters, and arrows between marks.
///
/// Times are nanoseconds since 1970 UTC; earlier ones count as 1970. Numbers in the calls are those of Perfetto's
/// `.proto` files.
package struct PerfettoWriter {
    private let output: ([UInt8]) throws -> Void
    private var buffer: [UInt8] = []
    private static let (boottime, realtime): (UInt64, UInt64) = (6, 1)

    /// - Parameter output: receives the bytes in pieces; every method rethrows what it throws.
    package init(output: @escaping ([UInt8]) throws -> Void) throws {
        self.output = output
        try packet { packet in
            packet.number(13, 1)
            // The clock of the trace shows the time of day, so that the viewer can show it as well.
            packet.message(6) { snapshot in
                for clock in [Self.boottime, Self.realtime] {
                    snapshot.message(1) {
                        $0.number(1, clock)
                        $0.number(2, 1)
                    }
                }
                snapshot.number(2, Self.boottime)
            }
        }
    }

    /// Declares a track, under another one or at the top.
    ///
    /// - Parameter unit: of a counter, what it counts; `nil` for a track of slices.
    package mutating func track(_ id: UInt64, in parent: UInt64?, name: String, unit: String? = nil) throws {
        try packet { packet in
            packet.message(60) { track in
                track.number(1, id)
                track.text(2, name)
                if let parent { track.number(5, parent) }
                if let unit { track.message(8) { $0.text(6, unit) } }
            }
        }
    }

    /// Begins a slice. What is still open when the trace ends goes on to its end.
    package mutating func begin(
        _ name: String, category: String, track: UInt64, at time: Int64, details: [(name: String, value: Cell)] = []
    ) throws {
        try event(1, track, time) { event in
            event.text(22, category)
            event.text(23, name)
            Self.append(details, to: &event)
        }
    }

    /// Ends the slice of a track that was begun last.
    package mutating func end(track: UInt64, at time: Int64) throws { try event(2, track, time) { _ in } }

    /// Anything without a length.
    ///
    /// - Parameter flow: marks with the same number are joined by an arrow.
    package mutating func mark(
        _ name: String, category: String, track: UInt64, at time: Int64, flow: UInt64? = nil,
        details: [(name: String, value: Cell)] = []
    ) throws {
        try event(3, track, time) { event in
            event.text(22, category)
            event.text(23, name)
            if let flow { event.fixed(47, flow) }
            Self.append(details, to: &event)
        }
    }

    /// The value of a counter from a time on.
    package mutating func count(_ value: Int64, track: UInt64, at time: Int64) throws {
        try event(4, track, time) { $0.number(30, UInt64(bitPattern: value)) }
    }

    package mutating func finish() throws {
        try output(buffer)
        buffer = []
    }

    private mutating func event(
        _ type: UInt64, _ track: UInt64, _ time: Int64, _ body: (inout Protobuf) -> Void
    ) throws {
        try packet { packet in
            packet.number(8, UInt64(max(0, time)))
            packet.number(58, Self.boottime)
            packet.message(11) { event in
                event.number(9, type)
                event.number(11, track)
                body(&event)
            }
        }
    }

    private mutating func packet(_ body: (inout Protobuf) -> Void) throws {
        var trace = Protobuf()
        trace.message(1) { packet in
            packet.number(10, 1)
            body(&packet)
        }
        buffer += trace.bytes
        if buffer.count >= 1 << 16 { try finish() }
    }

    private static func append(_ details: [(name: String, value: Cell)], to event: inout Protobuf) {
        for (name, value) in details where value != .null {
            event.message(4) { annotation in
                switch value {
                case .null: break
                case .integer(let number): annotation.number(4, UInt64(bitPattern: number))
                case .real(let number): annotation.fixed(5, number.bitPattern)
                case .text(let text): annotation.text(6, text)
                case .blob(let bytes): annotation.text(6, HexadecimalText.blob(bytes))
                }
                annotation.text(10, name)
            }
        }
    }
}
