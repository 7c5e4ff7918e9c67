import Foundation
import Testing

/// One writer at a time; readers are never kept waiting, and never see half an ingest.
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

    @Test(
        "who waited for another writer and then fails leaves what that one wrote, by whatever name",
        arguments: ["a.db", "link.db"])
    func secondFails(name: String) throws {
        let program = try Program()
        try program.write(RepeatedIngestTests.text(RepeatedIngestTests.log), to: "tour.log")
        try program.run("ingest", "tour.log", "--db", "whole.db")
        // The thread sanitizer begins with a file in the folder for temporary ones, and dies where that may not grow.
        let outcome = try program.shell(
            """
            ln -s a.db link.db; TMPDIR=/nowhere python3 - <<'END'
            import fcntl, os, resource, shutil, subprocess
            with open("a.db-writer", "w") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                second = subprocess.Popen(
                    [os.environ["LIFESTATS"], "ingest", "tour.log", "--db", "\(name)"], stderr=subprocess.PIPE, text=True,
                    preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (16384, 16384)))
                print(second.stderr.readline())
                shutil.copy("whole.db", "a.db")
                os.unlink("a.db-writer")
            print(second.communicate()[1])
            exit(second.returncode)
            END
            """)
        #expect(outcome.status == 2, "\(outcome.text)")
        #expect(outcome.text.contains("another process is writing to \(name); waiting for it"), "\(outcome.text)")
        let digest = try program.run("verify", "--db", "whole.db").text
        #expect(try program.run("verify", "--db", name).text == digest)
    }

    @Test("a database that has several names is not written, because each would have a journal of its own")
    func hardLink() throws {
        let program = try Program()
        try program.write(RepeatedIngestTests.text(RepeatedIngestTests.log), to: "tour.log")
        try program.run("ingest", "tour.log", "--db", "a.db")
        #expect(try program.shell("ln a.db b.db").status == 0)
        let ingest = try program.run("ingest", "tour.log", "--db", "b.db")
        #expect(ingest.status == 2)
        #expect(ingest.errors.contains("b.db: the database cannot be opened (its file has 2 names"), "\(ingest.errors)")
        #expect(try program.run("verify", "--db", "b.db").text == program.run("verify", "--db", "a.db").text)
    }

    @Test("what stays in the journal, because somebody reads at the end, is told")
    func readerAtTheEnd() throws {
        let program = try Program()
        try program.run("simulate", "--callbacks", "20000", "--files", "1", "-o", "logs")
        try program.run("ingest", "logs")
        try program.write(RepeatedIngestTests.text(RepeatedIngestTests.log), to: "tour.log")
        let outcome = try program.shell(
            """
            mkfifo lines answer; $LIFESTATS ingest - < lines 2> report.txt & A=$!
            exec 3> lines; cat tour.log >&3
            until [ -e lifestats.db-wal ]; do :; done
            $LIFESTATS query "select * from events" --format csv > answer 3>&- & R=$!
            exec 4< answer; read -r first <&4
            exec 3>&-; wait $A || exit 3
            exec 4<&-; wait $R
            cat report.txt >&2
            """)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(
            outcome.errors.contains(
                "lifestats.db-wal, because another process is still reading; a copy needs both files"),
            "\(outcome.errors)")
        let count = "select count(*) from events"
        #expect(try program.run("query", count, "--format", "csv").figure == "20017")
        // The next one makes them one file again.
        try program.run("ingest", "tour.log")
        #expect(try program.shell("[ ! -e lifestats.db-wal ]").status == 0)
    }

    @Test("what another program was stopped in the middle of is no part of any answer")
    func cutOffTransaction() throws {
        let program = try Program()
        try program.run("simulate", "--callbacks", "20000", "--files", "1", "-o", "logs")
        try program.run("ingest", "logs")
        let digest = try program.run("verify").text
        let stopped = try program.shell(
            """
            python3 - <<'END'
            import os, sqlite3
            database = sqlite3.connect("lifestats.db", isolation_level=None)
            database.execute("PRAGMA cache_size = 2")
            database.execute("BEGIN")
            database.execute("UPDATE raw_steps SET kind = (SELECT max(kind) FROM raw_steps)")
            os._exit(0)
            END
            [ -e lifestats.db-journal ]
            """)
        #expect(stopped.status == 0)
        #expect(try program.run("query", "select count(*) from events", "--format", "csv").figure == "20000")
        #expect(try program.run("verify").text == digest)
    }

    @Test("a replay is seen as a whole, or not at all")
    func readersOfReplay() throws {
        let program = try Program()
        try program.run("simulate", "--callbacks", "20000", "--files", "3", "-o", "logs")
        try program.run("ingest", "logs")
        let off = "$LIFESTATS replay --suspend-grace off"
        let outcome = try program.shell(
            """
            $LIFESTATS verify > digests.txt
            \(off) 2> /dev/null & A=$!
            while kill -0 $A 2> /dev/null; do $LIFESTATS verify >> digests.txt; done
            wait $A; $LIFESTATS verify >> digests.txt; sort -u digests.txt
            """)
        #expect(outcome.text.split(separator: "\n").count == 2, "\(outcome.text) \(outcome.errors)")
    }

    @Test("while an ingest is under way, answers come at once, and are those of before", arguments: [false, true])
    func readers(isNew: Bool) throws {
        let program = try Program()
        try program.run("simulate", "--callbacks", "20000", "--files", "3", "-o", "logs")
        try program.write(RepeatedIngestTests.text(RepeatedIngestTests.log), to: "tour.log")
        if !isNew { try program.run("ingest", "tour.log") }
        let (figures, refusals) = try answers(
            to: "select count(*) from events", while: "$LIFESTATS ingest logs", in: program)
        let (before, after) = isNew ? (0, 20000) : (17, 20017)
        // What was asked between the end of the writing and that of the program may tell of it.
        #expect(figures.isSubset(of: [before, after]), "\(figures)")
        #expect(isNew || figures.contains(before), "\(figures) \(refusals)")
        #expect(!refusals.contains("locked"), "\(refusals)")
        let count = try program.run("query", "select count(*) from events", "--format", "csv")
        #expect(count.figure == "\(after)")
    }

    @Test("who reads a database at rest for long is waited for, with a word, and keeps nobody else from reading")
    func longReader() throws {
        let program = try Program()
        try program.run("simulate", "--callbacks", "20000", "--files", "1", "-o", "logs")
        try program.run("ingest", "logs")
        try program.write(RepeatedIngestTests.text(RepeatedIngestTests.log), to: "tour.log")
        let outcome = try program.shell(
            """
            mkfifo answer; $LIFESTATS query "select * from events" --format csv > answer & R=$!
            exec 3< answer; read -r first <&3
            $LIFESTATS ingest tour.log 2> report.txt 3<&- & A=$!
            until grep -q 'another process is reading lifestats.db' report.txt || ! kill -0 $A; do :; done
            $LIFESTATS query "select count(*) from events" --format csv --timeout 5 3<&-
            exec 3<&-; wait $R; wait $A
            """)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.figure == "20000")
        #expect(
            try program.run("query", "select count(*) from events", "--format", "csv").figure == "20017")
    }

    @Test("what comes through a pipe is seen as it comes, with all that follows from it")
    func readersOfPipe() throws {
        let program = try Program()
        try program.run("simulate", "--callbacks", "20000", "--files", "1", "-o", "logs")
        let (figures, refusals) = try answers(
            to: "select (select sum(events) from sources) - count(*) from events",
            while: "(cat logs/*; sleep 1) | $LIFESTATS ingest -", in: program)
        #expect(figures == [0], "\(figures) \(refusals)")
        #expect(!refusals.contains("locked"), "\(refusals)")
    }

    /// The figures that a question gives, and what it is refused with, while a command runs that writes.
    private func answers(to question: String, while command: String, in program: Program) throws -> (Set<Int>, String) {
        let outcome = try program.shell(
            """
            touch answers.txt refusals.txt
            (\(command); echo $? > status.txt) 2> /dev/null & A=$!
            until [ -s lifestats.db ] || ! kill -0 $A; do :; done
            while kill -0 $A 2>/dev/null; do
                $LIFESTATS query "\(question)" --format csv --timeout 20 >> answers.txt 2>> refusals.txt
            done
            wait $A; cat refusals.txt >&2; cat answers.txt; exit $(cat status.txt)
            """)
        #expect(outcome.status == 0, "\(outcome.errors)")
        return (Set(outcome.text.split(whereSeparator: \.isNewline).compactMap { Int($0) }), outcome.errors)
    }
}
