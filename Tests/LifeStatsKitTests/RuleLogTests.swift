import Foundation
import Testing

@testable import LifeStatsKit

/// Every rule and limit has a log that breaks it and one that keeps it; both give exactly the findings that the table
/// beside them lists, with line and severity.
@Suite("Every rule and limit")
struct RuleLogTests {
    /// A log of the folder `rules`, as its table has it.
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var findings: [String]
        var overlay: String?

        var rule: String { String(name.prefix { $0 != "." }) }
        /// The rules that the findings name.
        var rules: [String] {
            findings.flatMap { $0.prefix { $0 != ":" }.split(separator: "+").map(String.init) }
        }
        var isViolated: Bool { name.contains(".violated") }
        var testDescription: String { name }
    }

    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("rules")

    static let cases: [Case] = {
        let table = (try? String(contentsOf: folder.appendingPathComponent("expected.txt"), encoding: .utf8)) ?? ""
        return table.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
            let words = line.split(separator: " ").map(String.init)
            return Case(
                name: words[0], findings: words.dropFirst().filter { $0 != "-" && !$0.hasPrefix("[") }.sorted(),
                overlay: words.first { $0.hasPrefix("[") }.map { String($0.dropFirst().dropLast()) })
        }
    }()

    /// R-VC-14 permits something, and TL-08 is the grace time of suspensions: no log can break them.
    private static let unbreakable: Set<String> = ["R-VC-14", "TL-08"]

    /// Ids of the specification's tables D.1 to D.4.
    private static let documented: [String] = {
        func numbered(_ prefix: String, _ last: Int) -> [String] {
            (1...last).map { "\(prefix)\($0 < 10 ? "0" : "")\($0)" }
        }
        return numbered("R-APP-", 23) + numbered("R-SCN-", 15) + numbered("R-VC-", 14) + numbered("TL-", 11)
            + ["TL-01b", "R-MIG-01", "R-MIG-02", "R-MIG-10", "R-MIG-12", "R-MIG-14", "TL-BG-02", "TL-BG-08"]
            + ["01", "02", "03", "04", "05", "05a", "05b", "05c", "07", "08", "10", "10a"].map { "R-BG-\($0)" }
            + numbered("R-SUI-", 4)
    }()

    @Test("has a log that breaks it and one that keeps it")
    func everyRule() throws {
        for id in Self.documented where !Self.unbreakable.contains(id) {
            let own = Self.cases.filter { $0.rule == id }
            #expect(
                own.contains { $0.isViolated && $0.rules.contains(id) }, "\(id) is not broken")
            #expect(
                own.contains { !$0.isViolated && !$0.rules.contains(id) }, "\(id) is not kept")
        }
        let logs = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).filter { $0.hasSuffix(".log") }
        #expect(
            Set(logs) == Set(Self.cases.map { "\($0.name).log" }), "a log without a row, or a row without a log")
    }

    /// A finding as the table has it.
    private static func told(_ row: String) -> String {
        let words = row.split(separator: ",", maxSplits: 3).map(String.init)
        let others = words[3].firstMatch(of: /\(also ([^)]*)\)/)?.1.replacing(", ", with: "+") ?? ""
        return "\(words[0])\(others.isEmpty ? "" : "+")\(others):\(words[1]):\(words[2])"
    }

    @Test("gives exactly the listed findings, each at its file and line", arguments: cases)
    func findings(of one: Case) throws {
        let log = Self.folder.appendingPathComponent("\(one.name).log").path
        let overlays = one.overlay.map { [Self.folder.appendingPathComponent("\($0).yaml").path] } ?? []
        let ingested = try Ingested(log, models: overlays)
        #expect(
            try ingested.rows("SELECT rule, line, severity, message FROM findings").map(Self.told).sorted()
                == one.findings)
        let elsewhere = try ingested.rows("SELECT DISTINCT source FROM findings").filter { $0 != log }
        #expect(elsewhere == [])
    }
}
