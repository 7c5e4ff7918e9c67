import Reports

/// Findings that are known and accepted, as a text file: one a line, told by rule, app, layer and message. Numbers in
/// messages do not count, so that the same deviation in tomorrow's log is recognised.
struct Baseline {
    private var keys: Set<String>

    init(text: String) {
        keys = Set(text.split(whereSeparator: \.isNewline).map(String.init).filter { !$0.hasPrefix("#") })
    }

    init(findings: [LocatedFinding]) { keys = Set(findings.map(Self.key)) }

    func contains(_ finding: LocatedFinding) -> Bool { keys.contains(Self.key(finding)) }

    /// The file's text, sorted, so that a change of it reads well.
    var text: String {
        "# Findings that `lifestats check --baseline` accepts: rule, app, layer, message.\n"
            + keys.sorted().map { $0 + "\n" }.joined()
    }

    private static func key(_ finding: LocatedFinding) -> String {
        let message = finding.message.replacing(/[0-9]+/, with: "#").replacing(/[\t\r\n]+/, with: " ")
        return [finding.rule, finding.app ?? "", finding.layer, message].joined(separator: "\t")
    }
}
