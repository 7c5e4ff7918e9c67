import Foundation
import Testing

/// One writer at a time; readers are never kept waiting, and never see half of what an ingest
/// writes at a time: it is a state in which the ingest could also have been stopped.
@Suite("Concurrency")
struct ConcurrencyTests {
    @Test("of two ingests that begin together the second waits and says so; both end right")
    func twoWriters() throws {
        let program = try Program()
        try program.run("simulate", "--callbacks", "20000", "--files", "4", "-o", "logs")
        try program.run("ingest", "logs", "--db", "whole.db")
        let outcome = try program.shell(
            """
            $LIFESTATS ingest logs 2> one.txt & A=$!; $LIFESTATS ingest logs 2> two.txt & B=$!
            wait $A || exit 3; wait $B || exit 4; cat one.txt two.txt >&2
            """)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(
            outcome.errors.contains("another process is writing to lifestats.db; waiting for it"), "\(outcome.errors)")
        #expect(try program.run("verify").text == program.run("verify", "--db", "whole.db").text)
    }

    @Test("while an ingest is under way, answers come at once and agree in themselves")
    func readers() throws {
        let program = try Program()
        try program.run("simulate", "--callbacks", "60000", "--files", "3", "-o", "logs")
        let outcome = try program.shell(
            """
            $LIFESTATS ingest logs & A=$!
            until [ -s lifestats.db ] || ! kill -0 $A; do :; done
            while kill -0 $A 2>/dev/null; do
                $LIFESTATS query "select (select sum(events) from sources) - count(*) from events" --format csv --timeout 20 \\
                    >> answers.txt 2>> refusals.txt
            done
            wait $A
            """)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let answers =
            (try? String(contentsOf: program.folder.url.appendingPathComponent("answers.txt"), encoding: .utf8)) ?? ""
        let figures = Set(answers.split(separator: "\n").compactMap { Int($0) })
        // Without a first batch there are no sources yet: then the sum is NULL.
        #expect(figures.isSubset(of: [0]), "\(answers)")
        let refusals =
            (try? String(contentsOf: program.folder.url.appendingPathComponent("refusals.txt"), encoding: .utf8)) ?? ""
        #expect(!refusals.contains("locked"), "\(refusals)")
    }
}
