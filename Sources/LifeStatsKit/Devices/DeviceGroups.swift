import TraceStore

/// Streams of one device that tell of the same processes, one by callbacks and the other by evidence or signs of life:
/// they are derived together.
struct DeviceGroups {
    /// The processes that are told of in both ways.
    private(set) var shared: Set<ProcessKey> = []
    private var neighbours: [String: Set<String>] = [:]

    /// - Parameters:
    ///   - processes: what the streams of devices tell of.
    ///   - links: pairs of streams that were derived together before.
    init(_ processes: [DeviceProcess], links: [(stream: String, other: String)]) {
        var streams: [ProcessKey: (told: [String], others: [String])] = [:]
        for process in processes {
            guard let key = ProcessKey(device: process.device, app: process.app, pid: process.pid) else { continue }
            if process.hasCallbacks {
                streams[key, default: ([], [])].told.append(process.stream)
            } else {
                streams[key, default: ([], [])].others.append(process.stream)
            }
        }
        for (key, streams) in streams {
            let others = streams.others.filter { !streams.told.contains($0) }
            guard let first = streams.told.first, !others.isEmpty else { continue }
            shared.insert(key)
            for other in streams.told + others { link(first, other) }
        }
        for (stream, other) in links { link(stream, other) }
    }

    private mutating func link(_ stream: String, _ other: String) {
        guard stream != other else { return }
        neighbours[stream, default: []].insert(other)
        neighbours[other, default: []].insert(stream)
    }

    /// A stream with all that are derived together with it, in order of their names.
    func group(of stream: String) -> [String] {
        var group: Set<String> = [stream]
        var open = [stream]
        while let next = open.popLast() {
            for other in neighbours[next] ?? [] where group.insert(other).inserted { open.append(other) }
        }
        return group.sorted()
    }
}
