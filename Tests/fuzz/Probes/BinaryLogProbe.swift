@testable import UnifiedLog

/// Any bytes as the files of a binary unified log.
///
/// Three lengths of two bytes divide the input into a tracev3 file, a timesync file, the strings of every executable, and those
/// of every shared cache. Two readings must agree, one of them of the file twice.
public enum BinaryLogProbe {
    private struct Part: StringBytes {
        let all: ArraySlice<UInt8>
        var count: Int { all.count }

        func bytes(at offset: Int, count: Int) -> ArraySlice<UInt8> {
            precondition(offset >= 0 && count >= 0, "a file is read inside its bounds")
            return all.dropFirst(offset).prefix(count)
        }
    }

    private struct Strings: StringFiles {
        let executable: Part
        let cache: Part

        func uuidText(_ uuid: LogUUID) -> (any StringBytes)? { executable }
        func sharedCache(_ uuid: LogUUID) -> (any StringBytes)? { cache }
    }

    private struct Trace: TraceBytes {
        let name = "fuzz.tracev3"
        let all: ArraySlice<UInt8>

        func bytes(at offset: Int, count: Int) -> [UInt8] {
            precondition(offset >= 0 && count >= 0, "a file is read inside its bounds")
            return Array(all.dropFirst(offset).prefix(count))
        }
    }

    public static func run(_ bytes: [UInt8]) {
        guard bytes.count >= 6 else { return }
        var rest = bytes[6...]
        func part(_ place: Int) -> ArraySlice<UInt8> {
            let length = Int(bytes[place]) | Int(bytes[place + 1]) << 8
            defer { rest = rest.dropFirst(length) }
            return rest.prefix(length)
        }
        let trace = part(0)
        var clock = TimeSync()
        clock.add(Array(part(2)))
        let executable = Part(all: part(4))
        let strings = Strings(executable: executable, cache: Part(all: rest))
        func read(times: Int) -> (entries: Int, bytes: Int, counts: LogCounts) {
            var log = MergedLog(
                (0..<times).map { _ in Trace(all: trace) }, strings: StringCatalog(strings), timeSync: clock)
            var entries = 0
            var bytes = 0
            while let entry = log.next() {
                entries += 1
                bytes += entry.message.count
            }
            return (entries, bytes, log.counts)
        }
        let once = read(times: 1)
        let twice = read(times: 2)
        let all = once.entries + once.counts.copies
        precondition(twice.entries + twice.counts.copies == 2 * all, "two readings differ")
        precondition(
            all <= once.counts.logs + once.counts.simpleDumps, "every entry must be in the account")
        // What both files hold comes once, unless so much waits that copies are not looked for.
        precondition(
            twice.bytes >= once.bytes && (twice.entries != once.entries || twice.bytes == once.bytes), "copies differ")
    }
}
