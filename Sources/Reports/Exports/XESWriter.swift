internal import TraceRecords

/// A named value of something that is exported; NULL leaves it out.
package typealias Attribute = (key: String, value: Cell)

/// Writes an event log in XES (IEEE 1849), which process mining tools read: one trace per instance, one event per
/// callback.
///
/// Call ``begin()``, then for each trace ``beginTrace(name:attributes:)``, ``write(event:time:attributes:)`` and
/// ``endTrace()``, and ``finish()`` last.
package struct XESWriter {
    private var buffer: [UInt8] = []
    private let output: ([UInt8]) throws -> Void

    /// - Parameter output: Receives the bytes in pieces; every method rethrows what it throws.
    package init(output: @escaping ([UInt8]) throws -> Void) { self.output = output }

    package mutating func begin() throws {
        buffer.append(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <log xes.version="1849.2016" xes.features="">
              <extension name="Concept" prefix="concept" uri="http://www.xes-standard.org/concept.xesext"/>
              <extension name="Time" prefix="time" uri="http://www.xes-standard.org/time.xesext"/>
              <extension name="Lifecycle" prefix="lifecycle" uri="http://www.xes-standard.org/lifecycle.xesext"/>
              <global scope="trace">
                <string key="concept:name" value=""/>
              </global>
              <global scope="event">
                <string key="concept:name" value=""/>
                <string key="lifecycle:transition" value="complete"/>
              </global>
              <classifier name="Activity" keys="concept:name"/>
              <classifier name="ActivityAndStep" keys="concept:name lifecycle:transition"/>
              <string key="lifecycle:model" value="standard"/>

            """)
    }

    package mutating func beginTrace(name: String, attributes: [Attribute] = []) throws {
        buffer.append("  <trace>\n")
        append([("concept:name", .text(name))] + attributes, indentation: "    ")
    }

    /// - Parameters:
    ///   - name: the activity, which is complete.
    ///   - time: nanoseconds since 1970 UTC; `nil` leaves the time out.
    package mutating func write(event name: String, time: Int64?, attributes: [Attribute] = []) throws {
        buffer.append("    <event>\n")
        append([("concept:name", .text(name)), ("lifecycle:transition", .text("complete"))], indentation: "      ")
        if let time {
            let text = CivilTime.iso(nanoseconds: time)
            buffer.append("      <date key=\"time:timestamp\" value=\"\(text)\"/>\n")
        }
        append(attributes, indentation: "      ")
        buffer.append("    </event>\n")
        if buffer.count >= 1 << 16 { try flush() }
    }

    package mutating func endTrace() throws { buffer.append("  </trace>\n") }

    package mutating func finish() throws {
        buffer.append("</log>\n")
        try flush()
    }

    private mutating func append(_ attributes: [Attribute], indentation: String) {
        for attribute in attributes {
            let type: String
            let value: String
            switch attribute.value {
            case .null: continue
            case .integer(let number): (type, value) = ("int", String(number))
            case .real(let number): (type, value) = ("float", NumberText.exact(number))
            case .text(let text): (type, value) = ("string", text)
            case .blob(let bytes): (type, value) = ("string", HexadecimalText.blob(bytes))
            }
            let key = XMLText.escaped(attribute.key)
            buffer.append("\(indentation)<\(type) key=\"\(key)\" value=\"\(XMLText.escaped(value))\"/>\n")
        }
    }

    private mutating func flush() throws {
        try output(buffer)
        buffer.removeAll(keepingCapacity: true)
    }
}
