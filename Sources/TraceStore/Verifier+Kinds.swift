import TraceRecords

extension Verifier {
    /// The columns of `raw_kinds` that are hashed, in their order.
    private static let words = [
        "role", "model", "layer", "kind", "callback", "proves", "state_before", "state_after", "verdict", "evidence",
        "closed_evidence", "closed_censoring",
    ]

    /// Reads the kinds, and checks what is stored of each against what follows from it.
    mutating func readKinds() throws {
        var kinds: [Int64: KindFacts] = [:]
        var table = KindTable()
        let sql = """
            SELECT kind_id, \(Self.words.joined(separator: ", ")), naming, is_event, is_visit, is_transition, is_timed,
                is_complete, group_id, callback_id
            FROM raw_kinds ORDER BY kind_id
            """
        try each(sql) { result, row in
            let id = row.integer(0) ?? 0
            var hash = RowHash("kind")
            for column in 1...12 { hash.add(row.text(column)) }
            kinds[id] = KindFacts(
                hash: hash, layer: row.text(3), stateBefore: row.text(7), stateAfter: row.text(8),
                transition: [3, 7, 8, 5, 9, 10].map(row.text), isVisit: row.integer(15) == 1,
                isTransition: row.integer(16) == 1, isInferred: row.text(10) == "inferred",
                closesInferred: row.text(11) == "inferred", censoring: row.text(12) ?? "",
                isFolded: row.text(1) == "folded", callback: row.integer(20))
            let texts = Dictionary(uniqueKeysWithValues: zip(Self.words, (1...12).map(row.text)))
            guard let naming = row.integer(13).flatMap(UInt8.init(exactly:)),
                let key = try? KindTable.Key(naming: Naming(rawValue: naming), text: { texts[$0] ?? nil })
            else {
                return result.report("kinds", "kind \(id) has words or numbers that no step can have")
            }
            table.note(key, id)
            let kept = KindTraits(
                isEvent: row.integer(14) == 1, isVisit: row.integer(15) == 1, isTransition: row.integer(16) == 1,
                isTimed: row.integer(17) == 1, isComplete: row.integer(18) == 1, group: row.integer(19) ?? 0,
                callback: row.integer(20))
            if table.traits(of: [id]) != [kept] {
                result.report("kinds", "the flags of kind \(id) are not those that follow from its other columns")
            }
        }
        self.kinds = kinds
    }
}
