import Reports
import TraceRecords
import TraceStore

/// Changes and findings as lines of text, each once: where there is no terminal, and while `ingest` follows a log.
struct LiveLines {
    /// How many lines are remembered, because the last entry of a file is stored again when the file has grown.
    private static let mostKnown = 4_096

    let style: TextStyle
    private var last: (change: Int64, finding: Int64) = (0, 0)
    private var known: Set<String> = []
    private var order: [String] = []

    init(style: TextStyle) { self.style = style }

    /// What is new in the database since the last call.
    mutating func next(_ reader: DatabaseReading) throws -> [String] {
        let new = try LiveSnapshot(reader, since: last)
        last.change = max(last.change, new.changes.last?.id ?? 0)
        last.finding = max(last.finding, new.findings.last?.id ?? 0)
        var lines: [String] = []
        for change in new.changes where remember("\(change.place) \(change.subject) \(change.to)") {
            lines.append(Self.text(change, style) + "  " + style.dim(VisibleText.neutralised(change.place)))
        }
        for finding in new.findings where remember("\(finding.place) \(finding.rule) \(finding.message)") {
            lines += Self.lines(finding, style)
        }
        return lines
    }

    private mutating func remember(_ key: String) -> Bool {
        guard known.insert(key).inserted else { return false }
        order.append(key)
        if order.count > Self.mostKnown { known.remove(order.removeFirst()) }
        return true
    }

    /// `12:00:01.123  Postbox app  inactive → active  applicationDidBecomeActive`.
    static func text(_ change: LiveSnapshot.Change, _ style: TextStyle) -> String {
        let time = change.time.map { CivilTime.clock(nanoseconds: $0, step: 1) } ?? "--:--:--.---"
        let move = "\(change.from) → \(change.to)"
        let subject = VisibleText.neutralised(change.subject)
        let callback = change.callback.map { "  " + VisibleText.neutralised($0) } ?? ""
        return "\(style.dim(time))  \(subject)  \(change.isDocumented ? style.green(move) : style.red(move))\(callback)"
            + (change.isDocumented ? "" : style.red("  undocumented"))
    }

    /// A finding with its place, and how the log would conform.
    static func lines(_ finding: LiveSnapshot.Finding, _ style: TextStyle) -> [String] {
        let severity =
            switch finding.severity {
            case "error": style.red("error")
            case "warning": style.yellow("warning")
            default: style.blue("remark")
            }
        let message = VisibleText.neutralised(finding.message)
        let place = style.dim(VisibleText.neutralised(finding.place))
        return ["\(severity)  \(style.bold(finding.rule))  \(message)  \(place)"]
            + (finding.repair.map { ["  \(style.green("would conform")) \(VisibleText.neutralised($0))"] } ?? [])
    }
}
