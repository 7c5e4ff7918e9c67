import Foundation
import LifecycleModel
import TraceStore

/// The looks at one planned comparison, kept in the settings of the database: each may spend its part of alpha once.
struct LookLedger {
    /// One look that was taken.
    struct Look {
        var number: Int
        /// What the cohorts contained; see ``CohortUnits/fingerprint``.
        var content: String
        var p: Double
        var isFired: Bool
    }

    private let name: String
    private let plan: String
    private(set) var looks: [Look] = []

    /// Reads the ledger.
    ///
    /// - Parameter name: the comparison: its cohorts as typed.
    /// - Throws: ``LifeStatsError`` when the comparison was begun with another plan.
    init(_ name: String, alpha: Double, planned: Int, _ reader: DatabaseReading) throws {
        self.name = "looks: \(name)"
        plan = "alpha \(alpha) looks \(planned)"
        let sql = "SELECT value FROM raw_settings WHERE name = $name"
        guard let text = try Rows.all(reader, sql, ["name": .text(self.name)]).first?.text("value") else { return }
        let lines = text.split(separator: "\n")
        guard lines.first.map(String.init) == plan else {
            throw LifeStatsError(
                "this comparison was planned with \(lines.first ?? "another plan"), not with \(plan)",
                why: "a plan that changes after a look would spend more than alpha",
                remedy: "go on with the same --alpha and --looks")
        }
        looks = lines.dropFirst().compactMap { line in
            let words = line.split(separator: " ")
            guard words.count == 4, let number = Int(words[0]), let p = Double(words[2]) else { return nil }
            return Look(number: number, content: String(words[1]), p: p, isFired: words[3] == "fired")
        }
    }

    /// The number of a look at this content: that of an earlier one when nothing is new, else the next.
    func number(of content: String, planned: Int) throws -> Int {
        if let known = looks.first(where: { $0.content == content }) { return known.number }
        guard looks.count < planned else {
            throw LifeStatsError(
                "all \(planned) planned looks at this comparison are taken",
                why: "another look would spend more than alpha",
                remedy: "compare other cohorts, or look at the numbers without a gate: --fail-on never without --looks")
        }
        return looks.count + 1
    }

    /// Stores a look; one that is known stays as it is.
    mutating func add(_ look: Look, to database: String) throws {
        guard !looks.contains(where: { $0.content == look.content }) else { return }
        looks.append(look)
        let lines = looks.map { "\($0.number) \($0.content) \($0.p) \($0.isFired ? "fired" : "quiet")" }
        let writer = try TraceWriter(path: database, callbacks: [])
        try writer.set(name, to: ([plan] + lines).joined(separator: "\n"))
        try writer.close()
    }
}
