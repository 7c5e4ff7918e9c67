import TraceStore

/// The sources that the database knows, and those that are planned, in order of their numbers.
struct KnownSources {
    private(set) var records: [SourceRecord] = []
    private var placesOfPath: [String: [Int]] = [:]
    private var placesOfContent: [String: [Int]] = [:]
    private var placesOfStream: [String: [Int]] = [:]

    subscript(place: Int) -> SourceRecord { records[place] }

    /// Places of the sources that were read at a path; the last one came there last.
    func places(ofPath path: String) -> [Int] { placesOfPath[path] ?? [] }

    /// Places of the sources with a fingerprint.
    func places(ofContent fingerprint: String) -> [Int] { placesOfContent[fingerprint] ?? [] }

    /// Places of the sources of a log.
    func places(ofStream stream: String) -> [Int] { placesOfStream[stream] ?? [] }

    mutating func add(_ record: SourceRecord) {
        records.append(record)
        find(records.count - 1)
    }

    mutating func replace(_ place: Int, by record: SourceRecord) {
        let old = records[place]
        placesOfPath[old.path]?.removeAll { $0 == place }
        placesOfContent[old.fingerprint]?.removeAll { $0 == place }
        placesOfStream[old.stream]?.removeAll { $0 == place }
        records[place] = record
        find(place)
    }

    private mutating func find(_ place: Int) {
        placesOfPath[records[place].path, default: []].append(place)
        placesOfContent[records[place].fingerprint, default: []].append(place)
        placesOfStream[records[place].stream, default: []].append(place)
    }
}
