import Reports

/// Findings that are known and accepted, as a text file: one a line, told by rule, app, layer and message. Numbers in
/// messages do not count, so that the same deviation in tomorrow's log is recognised; but each line accepts one finding
/// only, so that what happens more often than it did is told.
struct Baseline {
    private var counts: [String: Int] = [:]

    init(text: String) throws {
        for (number, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated()
        where !line.isEmpty && !line.hasPrefix("#") {
            guard line.count(where: { $0 == "\t" }) == 3 else {
                throw LifeStatsError(
                    "line \(number + 1) of the baseline is no finding: rule, app, layer and message, parted by tabs",
                    remedy: "write the file anew with --write-baseline")
            }
            counts[String(line), default: 0] += 1
        }
    }

    init(findings: [LocatedFinding]) {
        for finding in findings { counts[Self.key(finding), default: 0] += 1 }
    }

    /// Marks the findings that are accepted: of equal ones as many as the file has, in their order.
    func accept(_ findings: inout [LocatedFinding]) {
        var left = counts
        for index in findings.indices {
            let key = Self.key(findings[index])
            guard let count = left[key], count > 0 else { continue }
            left[key] = count - 1
            findings[index].isAccepted = true
        }
    }

    /// The file's text, sorted, so that a change of it reads well.
    var text: String {
        "# Findings that `lifestats check --baseline` accepts: rule, app, layer, message; one line for each.\n"
            + counts.sorted { $0.key < $1.key }.map { String(repeating: $0.key + "\n", count: $0.value) }.joined()
    }

    private static func key(_ finding: LocatedFinding) -> String {
        let message = finding.message.replacing(/[0-9]+/, with: "#").replacing(/[\t\r\n]+/, with: " ")
        return [finding.rule, finding.app ?? "", finding.layer, message].joined(separator: "\t")
    }
}
