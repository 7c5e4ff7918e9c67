/// Writes a timeline as trace events (JSON) for Perfetto and Chrome's tracing: a process per run, a thread per instance,
/// a slice per visit, a mark per finding.
package struct TraceEventWriter {
    private var buffer: [UInt8] = []
    private var isFirst = true
    private let output: ([UInt8]) throws -> Void

    /// - Parameter output: Receives the bytes in pieces; every method rethrows what it throws.
    package init(output: @escaping ([UInt8]) throws -> Void) {
        self.output = output
        buffer.append("{\"displayTimeUnit\":\"ms\",\"traceEvents\":[")
    }

    /// Names a run.
    package mutating func process(_ id: Int64, name: String) throws {
        try setName("process_name", process: id, thread: 0, to: name)
    }

    /// Names an instance of a run.
    package mutating func thread(_ id: Int64, process: Int64, name: String) throws {
        try setName("thread_name", process: process, thread: id, to: name)
    }

    private mutating func setName(_ kind: String, process: Int64, thread: Int64, to name: String) throws {
        try write([
            "ph": .string("M"), "name": .string(kind), "pid": .integer(process), "tid": .integer(thread),
            "args": .members(["name": .string(name)]),
        ])
    }

    /// A visit. Times in nanoseconds since 1970 UTC.
    package mutating func slice(
        _ name: String, category: String, process: Int64, thread: Int64, from: Int64, until: Int64,
        details: [(name: String, value: Cell)] = []
    ) throws {
        try write([
            "ph": .string("X"), "name": .string(name), "cat": .string(category), "pid": .integer(process),
            "tid": .integer(thread), "ts": Self.microseconds(from), "dur": Self.microseconds(until &- from),
            "args": Self.arguments(details),
        ])
    }

    /// A finding, or anything else without a length.
    package mutating func mark(
        _ name: String, category: String, process: Int64, thread: Int64, at time: Int64,
        details: [(name: String, value: Cell)] = []
    ) throws {
        try write([
            "ph": .string("i"), "s": .string("t"), "name": .string(name), "cat": .string(category),
            "pid": .integer(process), "tid": .integer(thread), "ts": Self.microseconds(time),
            "args": Self.arguments(details),
        ])
    }

    package mutating func finish() throws {
        buffer.append("\n]}\n")
        try flush()
    }

    private mutating func write(_ members: KeyValuePairs<String, JSONValue?>) throws {
        buffer.append(isFirst ? "\n" : ",\n")
        isFirst = false
        JSONValue.members(members).appendCompact(to: &buffer)
        if buffer.count >= 1 << 16 { try flush() }
    }

    private mutating func flush() throws {
        try output(buffer)
        buffer.removeAll(keepingCapacity: true)
    }

    /// The format counts in microseconds; three decimals keep the nanoseconds exact.
    private static func microseconds(_ nanoseconds: Int64) -> JSONValue {
        let (whole, rest) = nanoseconds.magnitude.quotientAndRemainder(dividingBy: 1_000)
        let digits = String(rest)
        let fraction = rest == 0 ? "" : "." + String(repeating: "0", count: 3 - digits.count) + digits
        return .literal((nanoseconds < 0 ? "-" : "") + String(whole) + fraction)
    }

    private static func arguments(_ details: [(name: String, value: Cell)]) -> JSONValue? {
        let members = details.compactMap { name, value -> JSONValue.Member? in
            switch value {
            case .null: nil
            case .integer(let number): .init(name: name, value: .integer(number))
            case .real(let number): .init(name: name, value: .number(number))
            case .text(let text): .init(name: name, value: .string(text))
            case .blob(let bytes): .init(name: name, value: .string(HexadecimalText.blob(bytes)))
            }
        }
        return members.isEmpty ? nil : .object(members)
    }
}
