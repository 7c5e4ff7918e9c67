import TraceRecords

/// What the codes say with which the system ends processes (`dialects/endings.yaml`).
struct EndingTable: Sendable {
    /// What a code says.
    struct Ending: Sendable {
        var proof: Proof
        /// Who says so; empty where that follows from the line.
        var origin: String
    }

    private struct Group: Sendable {
        var namespaces: WordList
        var domains: Set<UInt64>
        /// The codes that are meant; `nil` for all.
        var codes: Set<UInt64>?
        var ending: Ending
    }

    private let groups: [Group]
    /// Codes that mean the same in every namespace.
    private let everywhere: [UInt64: Ending]

    init(_ file: DialectFile) throws(DialectError) {
        var groups: [Group] = []
        var everywhere: [UInt64: Ending] = [:]
        for node in try file.list("endings") {
            let rule = file.rule(node)
            let ending = Ending(proof: try rule.proof(), origin: try rule.texts("origin").first ?? "")
            let names = try rule.texts("namespaces")
            let codes = try rule.texts("codes").map(Self.number)
            if names.isEmpty {
                for code in codes { everywhere[code] = ending }
            } else {
                groups.append(
                    Group(
                        namespaces: WordList(names), domains: Set(names.compactMap { UInt64($0) }),
                        codes: codes.isEmpty ? nil : Set(codes), ending: ending))
            }
        }
        self.groups = groups
        self.everywhere = everywhere
    }

    private static func number(_ text: String) -> UInt64 {
        (text.hasPrefix("0x") ? UInt64(text.dropFirst(2), radix: 16) : UInt64(text)) ?? 0
    }

    /// What a finding with a code says; `nil` when the code is not known, and neither is who uses it.
    func ending(_ finding: TextPattern.Finding, _ bytes: RawSpan) -> Ending? {
        guard let code = finding.code else { return nil }
        if let ending = everywhere[code] { return ending }
        return groups.first { group in
            let isMeant =
                finding.domain.map(group.domains.contains) ?? group.namespaces.contains(bytes, finding.namespace)
            return isMeant && group.codes?.contains(code) ?? true
        }?.ending
    }
}
