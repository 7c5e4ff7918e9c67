/// The files of `queries/`, as they were when the program was built.
public enum NamedQueries {
    /// All queries, by name.
    public static let all: [NamedQuery] = files.map { name, bytes in
        NamedQuery(name: name, sql: String(decoding: bytes, as: UTF8.self))
    }

    /// The query of a name; `nil` when there is none.
    public static func query(named name: String) -> NamedQuery? {
        all.first { $0.name == name }
    }

    private static var files: [(String, [UInt8])] {
        [
            ("dwell_times", PackageResources.dwell_times_sql),
            ("transition_counts", PackageResources.transition_counts_sql),
        ]
    }
}
