import Reports

/// Known findings that a check accepts, as a text file with one line each: rule, app, layer and message. Numbers in
/// messages are ignored, so that the same deviation is recognised in another log. Each line accepts one finding, so that
/// a deviation that becomes more frequent is reported.
struct Baseline {
    private var counts: [String: Int] = [:]

    init(text: String) throws {
        for (number, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated()
        where !line.isEmpty && !line.hasPrefix("#") {
            guard line.count(where: { $0 == "\t" }) == 3 else {
                throw LifeStatsError(
                    "line \(number + 1) of the baseline is not a finding (rule, app, layer and message, separated by tabs)",
                    remedy: "write the file again with --write-baseline")
            }
            counts[String(line), default: 0] += 1
        }
    }

    init(findings: [LocatedFinding]) {
        for finding in findings { counts[Self.key(finding), default: 0] += 1 }
    }

    /// Marks accepted findings: of equal ones, as many as the file lists.
    func accept(_ findings: inout [LocatedFinding]) {
        var left = counts
        for index in findings.indices {
            let key = Self.key(findings[index])
            guard let count = left[key], count > 0 else { continue }
            left[key] = count - 1
            findings[index].isAccepted = true
        }
    }

    /// The text of the file, sorted, so that its changes are easy to review.
    var text: String {
        "# Findings that `lifestats check --baseline` accepts: rule, app, layer, message; one line each.\n"
            + counts.sorted { $0.key < $1.key }.map { String(repeating: $0.key + "\n", count: $0.value) }.joined()
    }

    private static func key(_ finding: LocatedFinding) -> String {
        let message = finding.message.replacing(/[0-9]+/, with: "#").replacing(/[\t\r\n]+/, with: " ")
        return [finding.rule, finding.app ?? "", finding.layer, message].joined(separator: "\t")
    }
}
