import Foundation
import Testing

@testable import Reports

@Suite("Files for other tools")
struct ExportTests {
    @Test("XES is well-formed, typed, and leaves out what is unknown")
    func xes() throws {
        var bytes: [UInt8] = []
        var writer = XESWriter { bytes += $0 }
        try writer.begin()
        try writer.beginTrace(
            name: "run <1> & \"2\"", attributes: [("pid", .integer(7)), ("device", .null)])
        try writer.write(event: "active", time: 1_700_000_000_123_000_000, attributes: [("dwell_s", .real(4.5))])
        try writer.write(event: "a\u{0}\nb", time: nil)
        try writer.endTrace()
        try writer.finish()
        let text = String(decoding: bytes, as: UTF8.self)
        let expected = """
              <trace>
                <string key="concept:name" value="run &lt;1&gt; &amp; &quot;2&quot;"/>
                <int key="pid" value="7"/>
                <event>
                  <string key="concept:name" value="active"/>
                  <string key="lifecycle:transition" value="complete"/>
                  <date key="time:timestamp" value="2023-11-14T22:13:20.123Z"/>
                  <float key="dwell_s" value="4.5"/>
                </event>
                <event>
                  <string key="concept:name" value="a␀&#10;b"/>
                  <string key="lifecycle:transition" value="complete"/>
                </event>
              </trace>
            </log>

            """
        #expect(text.hasSuffix(expected))
    }

    @Test("Small numbers are packed as in the example of Parquet's specification")
    func packedBits() {
        // The numbers 0 to 7 of three bits each are the bytes 88 C6 FA, after a header of one packed group.
        var bytes: [UInt8] = []
        RunLengths.append([0, 1, 2, 3, 4, 5, 6, 7], width: 3, to: &bytes)
        #expect(bytes == [0b11, 0x88, 0xC6, 0xFA])
        // A hundred equal numbers are one run: the count, doubled, as a varint of two bytes, then the number.
        bytes = []
        RunLengths.append(Array(repeating: 1, count: 100), width: 1, to: &bytes)
        #expect(bytes == [0xC8, 0x01, 0x01])
    }

    @Test("Thrift's compact protocol: deltas of fields, zigzag numbers, ends of structures")
    func thrift() {
        let bytes = ThriftCompact.bytes { thrift in
            thrift.number(1, -1)
            thrift.text(2, "ab".utf8)
            thrift.structure(30) { $0.flag(1, true) }
        }
        #expect(bytes == [0x15, 0x01, 0x18, 0x02, 0x61, 0x62, 0x0C, 0x3C, 0x11, 0x00, 0x00])
    }

    @Test("A message in the example of Protocol Buffers' documentation")
    func protobuf() {
        var message = Protobuf()
        message.number(1, 150)
        message.text(2, "testing")
        #expect(message.bytes == [0x08, 0x96, 0x01, 0x12, 0x07] + Array("testing".utf8))
    }

    @Test("A Parquet file begins and ends with its mark, and its footer has the length it says")
    func parquet() throws {
        var bytes: [UInt8] = []
        let writer = ParquetWriter(
            columns: [TableColumn("n", .integer), TableColumn("t", .text)], purpose: "a table", program: "test"
        ) { bytes += $0 }
        for number in 0..<3 {
            writer.integer(Int64(number), 0)
            writer.null(1)
            try writer.endRow()
        }
        try writer.finish()
        #expect(bytes.prefix(4).elementsEqual("PAR1".utf8))
        #expect(bytes.suffix(4).elementsEqual("PAR1".utf8))
        let length = bytes.suffix(8).prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        #expect(length > 0 && length < bytes.count - 12)
    }
}
