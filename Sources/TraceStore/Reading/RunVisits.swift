/// A visit of a run, as timelines and dotted charts need it.
package struct RunVisit: Sendable, Hashable {
    package var id: Int64
    package var instance: Int64
    package var layer: String
    package var label: String
    package var state: String
    package var entered: Int64?
    package var left: Int64?
    /// How long a censored visit lasted at least.
    package var atLeast: Int64?
    package var isInferred: Bool
    /// `left`, `right`, `both`, or empty.
    package var censoring: String
    /// `app.log:12`.
    package var place: String?
}

extension TraceReader {
    /// The visits of one run, instance by instance in the order of a life, found by the ids of their steps: the time
    /// it takes depends on the run and not on the database.
    ///
    /// - Parameters:
    ///   - layer: the only layer wanted; `nil` for all.
    ///   - most: visits handed over at most.
    package func visits(ofRun run: Int64, layer: String? = nil, most: Int = 200_000) throws -> [RunVisit] {
        let columns = """
            coalesce(s.step_id - s.to_opener, -i.instance_id), i.instance_id, i.layer, i.label, k.state_before, entered_of(s), s.time,
            k.closed_evidence, k.closed_censoring,
            path_of(coalesce(s.step_id - s.to_opener, s.step_id)) || ':' || begin_line_of(s),
            CASE WHEN k.closed_censoring <> '' THEN s.dwell END
            """
        let sql = """
            SELECT \(Schema.expand(columns)), s.step_id < 0, s.step_id
            FROM raw_instances AS i CROSS JOIN raw_steps AS s JOIN raw_kinds AS k ON k.kind_id = s.kind
            WHERE i.run = $run AND ($layer IS NULL OR i.layer = $layer) AND s.instance = i.instance_id
                AND s.step_id BETWEEN i.first_step AND i.last_step AND k.is_visit
            UNION ALL
            SELECT \(Schema.expand(columns)), s.step_id < 0, s.step_id
            FROM raw_instances AS i CROSS JOIN raw_steps AS s ON s.step_id = -i.instance_id
            JOIN raw_kinds AS k ON k.kind_id = s.kind
            WHERE i.run = $run AND ($layer IS NULL OR i.layer = $layer) AND k.is_visit
            ORDER BY 2, 12, 13
            LIMIT $most
            """
        var values: [String: SQLValue] = ["run": .integer(run), "most": .integer(Int64(most))]
        values["layer"] = layer.map(SQLValue.text)
        var visits: [RunVisit] = []
        try query(sql, parameters: values, limits: .scan) { row in
            visits.append(
                RunVisit(
                    id: row.integer(0) ?? 0, instance: row.integer(1) ?? 0, layer: row.text(2) ?? "",
                    label: row.text(3) ?? "", state: row.text(4) ?? "", entered: row.integer(5).map(DrawnTime.bounded),
                    left: row.integer(6).map(DrawnTime.bounded), atLeast: row.integer(10).map(DrawnTime.bounded),
                    isInferred: row.text(7) == "inferred", censoring: row.text(8) ?? "",
                    place: row.text(9)))
        }
        return visits
    }

    /// The suspensions of one run: visit, begin, end, and whether silence is their only basis.
    package func suspensions(
        ofRun run: Int64
    ) throws -> [(visit: Int64, from: Int64, until: Int64?, isInferred: Bool)] {
        let sql = """
            SELECT coalesce(s.step_id - s.to_opener, -i.instance_id) AS visit, s.time - s.dwell + b.after_ns AS from_ns, s.time,
                b.evidence = 'inferred'
            FROM raw_instances AS i CROSS JOIN raw_silences AS q ON q.step_id BETWEEN i.first_step AND i.last_step
            JOIN raw_steps AS s ON s.step_id = q.step_id AND s.instance = i.instance_id
            JOIN raw_suspension_kinds AS b ON b.kind_id = q.kind
            WHERE i.run = $run AND i.own_run IS NULL AND b.role = 'own'
            UNION ALL
            SELECT p.visit, p.from_ns, p.until_ns, b.evidence = 'inferred'
            FROM raw_instances AS i JOIN raw_suspensions AS p
                ON p.visit = -i.instance_id OR p.visit BETWEEN i.first_step AND i.last_step
            JOIN raw_suspension_kinds AS b ON b.kind_id = p.kind
            WHERE i.run = $run AND i.own_run IS NULL AND p.instance = i.instance_id AND b.role <> 'hidden'
            ORDER BY visit, from_ns
            """
        var found: [(visit: Int64, from: Int64, until: Int64?, isInferred: Bool)] = []
        try query(sql, parameters: ["run": .integer(run)], limits: .scan) { row in
            found.append(
                (
                    row.integer(0) ?? 0, DrawnTime.bounded(row.integer(1) ?? 0),
                    row.integer(2).map(DrawnTime.bounded), row.integer(3) == 1
                ))
        }
        return found
    }
}

/// Times of pictures, in nanoseconds since 1970 UTC.
package enum DrawnTime {
    /// A time from 1823 to 2116: the difference of any two fits 64 bits, whatever a damaged database contains.
    package static func bounded(_ time: Int64) -> Int64 {
        let most: Int64 = 1 << 62 - 1
        return min(max(time, -most), most)
    }
}
