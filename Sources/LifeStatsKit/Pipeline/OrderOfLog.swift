import TraceStore

extension [SourceRecord] {
    /// The sources of one log, from the oldest rotation to the newest.
    var inOrderOfLog: [SourceRecord] {
        sorted { ($0.ordinal, $0.path, $0.id) < ($1.ordinal, $1.path, $1.id) }
    }

    /// The source before each one that has one in its log.
    var predecessors: [Int32: Int32] {
        var result: [Int32: Int32] = [:]
        for log in Dictionary(grouping: self, by: \.stream).values {
            let order = log.inOrderOfLog
            for (source, next) in zip(order, order.dropFirst()) { result[next.id] = source.id }
        }
        return result
    }
}
