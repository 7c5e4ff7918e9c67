import Foundation
import Testing

@testable import LifeStatsKit

/// Times in a trace for Perfetto.
@Suite("Traces for Perfetto")
struct PerfettoTests {
    /// The fields of a message in the wire format of Protocol Buffers.
    private struct Message {
        var numbers: [UInt64: UInt64] = [:]
        var texts: [UInt64: String] = [:]
        var messages: [UInt64: [Message]] = [:]

        init(_ bytes: ArraySlice<UInt8>, messages nested: [UInt64]) {
            var rest = bytes
            func varint() -> UInt64 {
                var (value, shift): (UInt64, UInt64) = (0, 0)
                while let byte = rest.popFirst() {
                    value |= UInt64(byte & 0x7F) << shift
                    if byte < 0x80 { break }
                    shift += 7
                }
                return value
            }
            while !rest.isEmpty {
                let tag = varint()
                let field = tag >> 3
                switch tag & 7 {
                case 0: numbers[field] = varint()
                case 1: rest = rest.dropFirst(8)
                default:
                    let length = Int(varint())
                    let content = rest.prefix(length)
                    rest = rest.dropFirst(length)
                    texts[field] = String(decoding: content, as: UTF8.self)
                    if nested.first == field {
                        messages[field, default: []].append(Message(content, messages: Array(nested.dropFirst())))
                    }
                }
            }
        }
    }

    /// Slices as `state from–to`, and counts as `value at`, in seconds after the beginning.
    private func trace(_ log: String) throws -> (slices: [String], counts: [String]) {
        let ingested = try Ingested(text: log)
        var bytes: [UInt8] = []
        try DatabaseReading.run(ingested.database) { reader in
            try PerfettoExport(reader: reader, filter: .none).write { bytes += $0 }
        }
        let packets = Message(bytes[...], messages: [1, 11]).messages[1] ?? []
        let start = packets.compactMap { $0.numbers[8] }.min() ?? 0
        var (slices, counts, open): ([String], [String], [UInt64: [String]]) = ([], [], [:])
        for packet in packets {
            guard let event = packet.messages[11]?.first, let track = event.numbers[11] else { continue }
            let time = ((packet.numbers[8] ?? 0) - start) / 1_000_000_000
            switch event.numbers[9] {
            case 1: open[track, default: []].append("\(event.texts[23] ?? "") \(time)")
            case 2: slices.append((open[track]?.popLast() ?? "?") + "–\(time)")
            case 4: counts.append("\(event.numbers[30] ?? 0) \(time)")
            default: break
            }
        }
        return (slices + open.values.joined().map { $0 + "–" }, counts)
    }

    private static let killed = """
        2026-05-12 08:00:00.000 Tea[5:1] -[AppDelegate application:didFinishLaunchingWithOptions:]
        2026-05-12 08:00:01.000 Tea[5:1] -[AppDelegate applicationDidBecomeActive:]
        2026-05-12 08:00:08.000 Tea[5:1] -[AppDelegate applicationWillResignActive:]
        2026-05-12 08:00:09.000 Tea[5:1] -[AppDelegate applicationDidEnterBackground:]

        """

    @Test("an app that is killed in the background runs, suspended, until it is launched again")
    func killed() throws {
        let again = "2026-05-12 08:10:00.000 Tea[9:1] -[AppDelegate application:didFinishLaunchingWithOptions:]\n"
        let trace = try trace(Self.killed + again)
        #expect(trace.slices.contains("suspended 14–600"), "\(trace)")
        #expect(trace.slices.allSatisfy { !$0.hasSuffix("–") }, "\(trace)")
        #expect(trace.counts.contains { $0.hasSuffix(" 600") } && !trace.counts.contains("0 9"), "\(trace)")
    }

    @Test("an app that is in the background when the log ends runs until then")
    func logEnd() throws {
        let trace = try trace(Self.killed + "2026-05-12 08:20:00.000 Mail[7:1] something else\n")
        #expect(trace.slices.contains("suspended 14–1200"), "\(trace)")
        #expect(trace.counts == ["1 0", "0 1200"], "\(trace)")
    }
}
