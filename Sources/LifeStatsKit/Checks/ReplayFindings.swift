/// The findings that no rule of a model states, because the replay itself notices them, and the classes of deviations.
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
        A line names a callback that the platform does not have: a slip of the pen such as \
        applicationDidEnterForeground, or another name that begins like those of an application or scene delegate \
        (applicationDid…, sceneWill…, scene(_:did…) and is none of UIKit's. It changes nothing, and counts as a \
        deviation. The names are data: `lifestats model show app`, callbacks with `unknown` and `beginnings`.
        """,
        "missing-callback": """
        A callback came that is documented only after another one, which is not logged. The state is the one that it \
        proves; the repair names the callback that is missing before the line.
        """,
        "duplicate": """
        A callback came again while the instance was already in the state that it leads to. It changes nothing; the \
        log conforms without the line.
        """,
        "reordered-tie": """
        Two lines of one time stand the other way round than documented. Nothing is moved, and no fitness is lost: a \
        clock that is too coarse, or two threads, explain it. The state of the later callback stays.
        """,
        "truncation": """
        The log of a process begins after its launch: its first lines are missing, or logging began late (R-APP-01). \
        What the first callback seems to begin may have begun before, so that it completes no stay.
        """,
        "limit-overrun": """
        Something took longer than a documented limit, or something that had to come never came: the rules TL-01 to \
        TL-11. The thresholds are data, and an overlay (--model FILE) changes them.
        """,
        "rule-violation": """
        Every step is documented, but their order, their number, or how the process ended breaks a rule of the model.
        """,
        "clock-regression": """
        A line carries an earlier time than the line before it. Nothing is reordered; the stay across the step \
        has no dwell. Info up to one second, a warning above.
        """,
    ]

    /// Their names.
    static var ids: [String] { texts.keys.sorted() }

    /// What such a finding means; `nil` when there is none of that name.
    static func explanation(of id: String) -> String? { texts[id.lowercased()].map { "\(id)\n  \($0)\n" } }
}
