/// The findings that no rule of a model states: what the replay itself notices.
enum ReplayFindings {
    private static let texts = [
        "illegal-transition": """
        A callback came in a state in which the model does not document it, and proves another state. The change \
        is stored as undocumented, with the shortest documented way as its repair.
        """,
        "illegal-callback": """
        A callback came in a state in which the model does not document it, and proves the state that the \
        instance is in. It changes nothing.
        """,
        "undocumented-transition": """
        A callback or a line of the system shows a state to which no documented way leads from the state before. \
        The change is stored as undocumented.
        """,
        "unknown-callback": """
        A line names a callback that the platform does not have, a slip of the pen such as \
        applicationDidEnterForeground. It changes nothing, and counts as a deviation.
        """,
        "clock-regression": """
        A line carries an earlier time than the line before it. Nothing is reordered; the stay across the step \
        has no dwell. Info up to one second, a warning above.
        """,
    ]

    /// What such a finding means; `nil` when there is none of that name.
    static func explanation(of id: String) -> String? { texts[id.lowercased()].map { "\(id)\n  \($0)\n" } }
}
