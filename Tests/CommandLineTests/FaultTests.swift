import Foundation
import Testing

/// Faults of the system, injected for real: what the person is told, the exit code, and that nothing is lost.
@Suite("Faults")
struct FaultTests {
    /// A program with three logs in `logs`, their database `whole.db`, and its digest.
    private static func prepared(callbacks: Int) throws -> (program: Program, digest: String) {
        let program = try simulated(callbacks)
        #expect(try program.run("ingest", "logs", "--db", "whole.db").status == 0)
        return (program, try program.run("verify", "--db", "whole.db").text)
    }

    private static func simulated(_ callbacks: Int) throws -> Program {
        let program = try Program()
        #expect(try program.run("simulate", "--callbacks", "\(callbacks)", "--files", "3", "-o", "logs").status == 0)
        return program
    }

    /// The digest of an ingest of 20,000 callbacks that nothing disturbed.
    private static let digest = Result { try prepared(callbacks: 20000).digest }

    /// The digest of the log that is changed while it is read, as it was before.
    private static let digestOfTour = Result {
        let program = try Program()
        try program.write(tour(tourLines), to: "app.log")
        #expect(try program.run("ingest", "app.log").status == 0)
        return try program.run("verify").text
    }

    /// So many that the first part is handed over long before the last line is read.
    private static let tourLines = 60_000
    private static let tourBytes = tour(tourLines).utf8.count

    /// Whether file systems can be mounted here: they need the right to.
    static let mayMount: Bool = {
        guard let program = try? Program() else { return false }
        return (try? program.shell("mkdir m && mount -t tmpfs -o size=1m tmpfs m && umount m"))?.status == 0
    }()

    @Test("a full disk: the message says so, and with room again the next ingest completes it", .enabled(if: mayMount))
    func fullDisk() throws {
        let program = try Self.simulated(20000)
        #expect(try program.shell("mkdir disk && mount -t tmpfs -o size=1m tmpfs disk").status == 0)
        defer { _ = try? program.shell("umount disk") }
        let full = try program.run("ingest", "logs", "--db", "disk/a.db")
        #expect(full.status == 2)
        #expect(full.errors.contains("disk/a.db: the disk is full"), "\(full.errors)")
        #expect(full.errors.contains("make room"))
        #expect(try program.shell("mount -o remount,size=64m disk").status == 0)
        #expect(try program.run("ingest", "logs", "--db", "disk/a.db").status == 0)
        #expect(try program.run("verify", "--db", "disk/a.db").text == Self.digest.get())
    }

    @Test("a disk that fills up in the middle keeps what was stored before", .enabled(if: mayMount))
    func fullDiskLater() throws {
        let program = try Self.simulated(20000)
        #expect(try program.shell("mkdir disk && mount -t tmpfs -o size=6m tmpfs disk").status == 0)
        defer { _ = try? program.shell("umount disk") }
        try program.write(RepeatedIngestTests.text(RepeatedIngestTests.log), to: "tour.log")
        #expect(try program.run("ingest", "tour.log", "--db", "disk/a.db").status == 0)
        let before = try program.run("verify", "--db", "disk/a.db").text
        #expect(try program.shell("head -c 5500000 /dev/zero > disk/ballast; true").status == 0)
        let full = try program.run("ingest", "logs", "--db", "disk/a.db")
        #expect(full.status == 2)
        #expect(full.errors.contains("disk/a.db: the disk is full"), "\(full.errors)")
        #expect(try program.shell("rm disk/ballast").status == 0)
        #expect(try program.run("verify", "--db", "disk/a.db").text == before)
    }

    @Test("a file that may not grow further, as with a quota: told like a full disk, and nothing is lost")
    func limitedFile() throws {
        let program = try Self.simulated(20000)
        let limited = try program.shell("ulimit -f 900; $LIFESTATS ingest logs")
        #expect(limited.status == 2)
        #expect(limited.errors.contains("lifestats.db: "), "\(limited.errors)")
        #expect(limited.errors.contains("make room"), "\(limited.errors)")
        #expect(try program.shell("[ -z \"$(ls | grep lifestats.db)\" ]").status == 0)
        #expect(try program.run("ingest", "logs").status == 0)
        #expect(try program.run("verify").text == Self.digest.get())
        // The thread sanitizer begins with a file in the folder for temporary ones, and dies where that may not grow.
        let report = try program.shell(
            """
            before=$(ls -A); (ulimit -f 20; TMPDIR=/nowhere $LIFESTATS report -o report.html); status=$?
            [ "$before" = "$(ls -A)" ] || echo something is left; exit $status
            """)
        #expect(report.status == 2)
        #expect(report.errors.contains("cannot write report.html"), "\(report.errors)")
        #expect(report.text.isEmpty)
        let made = try program.shell(
            "(ulimit -f 20; $LIFESTATS simulate -o made --callbacks 20000); status=$?; ls made; exit $status")
        #expect(made.status == 2 && made.text.isEmpty, "\(made.text)")
    }

    @Test("a folder that cannot be written: the message names it, and nothing is left there", .enabled(if: mayMount))
    func readOnlyFolder() throws {
        let program = try Program()
        try program.write(RepeatedIngestTests.text(RepeatedIngestTests.log), to: "tour.log")
        #expect(try program.shell("mkdir locked && mount -t tmpfs -o ro tmpfs locked").status == 0)
        defer { _ = try? program.shell("umount locked") }
        let ingest = try program.run("ingest", "tour.log", "--db", "locked/a.db")
        #expect(ingest.status == 2)
        #expect(ingest.errors.contains("locked/a.db"), "\(ingest.errors)")
        #expect(ingest.errors.contains("Read-only file system"), "\(ingest.errors)")
        let report = try program.run("simulate", "-o", "locked/logs")
        #expect(report.status == 2)
        #expect(report.errors.contains("locked/logs"), "\(report.errors)")
    }

    @Test("a read-only medium is no hindrance to questions", .enabled(if: mayMount))
    func readOnlyDatabase() throws {
        let program = try Program()
        try program.write(RepeatedIngestTests.text(RepeatedIngestTests.log), to: "tour.log")
        #expect(try program.shell("mkdir cd && mount -t tmpfs tmpfs cd").status == 0)
        defer { _ = try? program.shell("umount cd") }
        try program.run("ingest", "tour.log", "--db", "cd/a.db")
        #expect(try program.shell("mount -o remount,ro cd").status == 0)
        let query = try program.run("query", "select count(*) from runs", "--db", "cd/a.db", "--format", "csv")
        #expect(query.figure == "3", "\(query.errors)")
    }

    @Test(
        "a journal that a read-only medium holds without what belongs to it is no reason to answer without it",
        .enabled(if: mayMount), arguments: ["cd/a.db", "link.db"])
    func readOnlyJournal(path: String) throws {
        let program = try Program()
        try program.write(RepeatedIngestTests.text(RepeatedIngestTests.log), to: "tour.log")
        let made = try program.shell(
            """
            ln -s cd/a.db link.db; mkdir cd; mount -t tmpfs tmpfs cd
            head -5 tour.log > some.log; $LIFESTATS ingest some.log --db a.db
            python3 - <<'END'
            import os, sqlite3
            database = sqlite3.connect("a.db")
            database.execute("PRAGMA journal_mode = WAL")
            database.execute("DELETE FROM raw_findings")
            database.commit()
            os._exit(0)
            END
            cp a.db a.db-wal cd; mount -o remount,ro cd
            """)
        defer { _ = try? program.shell("umount cd") }
        #expect(made.status == 0, "\(made.errors)")
        let query = try program.run("query", "select count(*) from runs", "--db", path)
        #expect(query.status == 2, "\(query.text)")
        #expect(query.errors.contains("\(path): the database cannot be opened"), "\(query.errors)")
    }

    @Test(
        "a file that vanishes or is replaced while it is read is read to its end", .enabled(if: Program.tellsOfReading),
        arguments: ["rm $F", "mv other $F"])
    func goneWhileRead(change: String) throws {
        let (program, outcome) = try changed(change)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try program.run("verify").text == Self.digestOfTour.get())
        // What is there now is read next.
        let next = try program.run("ingest", "logs")
        #expect(next.errors.contains(change == "rm $F" ? "0 files read" : "12 lines"), "\(next.errors)")
        #expect(try program.run("verify").status == 0)
    }

    @Test(
        "of a file that is cut or overwritten while it is read, what was stored is kept, and what there is now is read",
        .enabled(if: Program.tellsOfReading), arguments: [(": > $F", 0), ("cp other $F", 12)])
    func cutWhileRead(change: String, lines: Int) throws {
        let (program, outcome) = try changed(change)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try program.run("verify").status == 0)
        // Every line of the log is an event, but for one that was cut in two: those that are kept are its first ones.
        let kept = try program.run(
            "query", "select events > 10000 and lines - events < 2 from sources where source_id = 1", "--format", "csv")
        #expect(kept.figure == "1")
        let now = try program.run(
            "query", "select coalesce(sum(lines), 0) from sources where source_id > 1", "--format", "csv")
        #expect(now.figure == "\(lines)")
        let next = try program.run("ingest", "logs")
        #expect(next.errors.contains("Nothing new in 1 file"), "\(next.errors)")
    }

    @Test(
        "a file that is cut back to its beginning while it is read is read again", .enabled(if: Program.tellsOfReading))
    func cutBackWhileRead() throws {
        let (program, outcome) = try changed("truncate -s 0 $F; head -12 app.log > $F")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errors.contains("Read 1 file, 12 lines"), "\(outcome.errors)")
        #expect(
            outcome.errors.contains("logs/app.log was rewritten or cut back: its log was read again"),
            "\(outcome.errors)")
        #expect(try program.run("verify").status == 0)
        #expect(try program.run("query", "select sum(lines) from sources", "--format", "csv").figure == "12")
        #expect(try program.run("ingest", "logs").errors.contains("Nothing new in 1 file"))
    }

    /// A log of so many lines, every one of them an event.
    static func tour(_ lines: Int) -> String {
        (0..<lines).map { line in
            let clock = [line / 3600, line / 60 % 60, line % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
            return "2026-03-01 \(clock.joined(separator: ":")).000 Tour[500:1] "
                + (line % 2 == 0 ? "applicationDidBecomeActive\n" : "applicationWillResignActive\n")
        }.joined()
    }

    /// Ingests a large log as `logs/app.log` (`$F`), with a change as soon as the half of it is read. The log is still
    /// there as `app.log`, and its first twelve lines in another order as `other`.
    private func changed(_ change: String) throws -> (Program, Program.Outcome) {
        let program = try Program()
        try program.write(Self.tour(Self.tourLines), to: "app.log")
        try program.shell("mkdir logs; cp app.log logs; head -12 app.log | tac > other").expectSuccess()
        let outcome = try program.shell(
            """
            \(Program.untilRead)
            F=logs/app.log; $LIFESTATS ingest $F & A=$!
            until_read $F \(Self.tourBytes * 3 / 5); \(change); wait $A
            """)
        return (program, outcome)
    }

    @Test("a file that may not be read is named with what to do", .enabled(if: mayMount))
    func denied() throws {
        let program = try Program()
        try program.write("secret\n", to: "logs/app.log")
        let outcome = try program.shell(
            """
            chmod 777 . && chmod 755 logs && chmod 000 logs/app.log && cp $LIFESTATS ./tool && chmod 755 tool
            setpriv --reuid=65534 --regid=65534 --clear-groups ./tool ingest logs/app.log
            """)
        try #require(!outcome.errors.contains("setpriv:") && !outcome.errors.contains("not found"), "\(outcome.errors)")
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("logs/app.log"), "\(outcome.errors)")
        #expect(outcome.errors.contains("chmod +r"), "\(outcome.errors)")
        // Permission that is lost after a first ingest: what was stored stays, and later the rest is read.
        try program.write(RepeatedIngestTests.text(RepeatedIngestTests.log.prefix(9)), to: "logs/app.log")
        let lost = try program.shell(
            """
            tool() { setpriv --reuid=65534 --regid=65534 --clear-groups ./tool "$@"; }
            chmod 644 logs/app.log && tool ingest logs && tool verify > before
            echo '\(RepeatedIngestTests.log[9])' >> logs/app.log && chmod 000 logs/app.log
            tool ingest logs/app.log; status=$?; tool verify | cmp - before && exit $status
            """)
        #expect(lost.status == 2, "\(lost.errors)")
        #expect(lost.errors.contains("logs/app.log: reading it is not allowed"), "\(lost.errors)")
        #expect(try program.shell("chmod 644 logs/app.log; ./tool ingest logs").status == 0)
        #expect(try program.run("query", "select sum(lines) from sources", "--format", "csv").figure == "10")
    }

    @Test("a reader that goes away ends the program quietly")
    func brokenPipe() throws {
        let (program, _) = try Self.prepared(callbacks: 5000)
        let outcome = try program.shell(
            "set -o pipefail; $LIFESTATS query 'select * from events' --db whole.db --format csv | head -1")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errors.isEmpty, "\(outcome.errors)")
    }

    @Test("a reader that goes away does not change a verdict", arguments: ["text", "json", "github", "junit"])
    func unreadVerdict(format: String) throws {
        let program = try Program()
        try program.write(
            "2024-02-09 23:00:00 Tea[41:1] application:didFinishLaunchingWithOptions:\n"
                + "2024-02-09 23:00:10 Tea[41:1] applicationWillEnterForeground:\n"
                + "2024-02-09 23:00:20 Tea[41:1] applicationDidEnterBackground:\n"
                + "2024-02-09 23:00:30 Tea[41:1] applicationDidBecomeActive:\n",
            to: "tea.log")
        #expect(try program.run("check", "tea.log").status == 1)
        for reader in ["true", "head -c 1"] {
            let check = "$LIFESTATS check tea.log --all --format \(format) 2>/dev/null"
            let outcome = try program.shell("set -o pipefail; \(check) | \(reader) > /dev/null")
            #expect(outcome.status == 1, "\(reader)")
        }
    }

    @Test("an output that cannot be written is an error")
    func fullOutput() throws {
        let (program, _) = try Self.prepared(callbacks: 100)
        let outcome = try program.shell("$LIFESTATS query dwell_times --db whole.db > /dev/full")
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("No space left"), "\(outcome.errors)")
        // A link to it: a program that renames a file into its place must replace neither the device nor the link.
        let picture = try program.shell("ln -s /dev/full full; $LIFESTATS diagram --db whole.db -o full; test -L full")
        #expect(picture.status == 0)
        #expect(picture.errors.contains("cannot write full: No space left on device"), "\(picture.errors)")
        let linked = try program.shell("ln -s real.svg link; $LIFESTATS diagram --db whole.db -o link && test -L link")
        #expect(linked.status == 0, "\(linked.errors)")
        #expect(try program.shell("$LIFESTATS diagram --db whole.db -o /dev/stdout | head -c 5").text == "<?xml")
    }

    @Test("closed standard output and standard error do no harm")
    func closedOutputs() throws {
        let (program, digest) = try Self.prepared(callbacks: 100)
        #expect(try program.shell("$LIFESTATS ingest logs --db a.db >&- 2>&-").status == 0)
        #expect(try program.run("verify", "--db", "a.db").text == digest)
        #expect(try program.shell("$LIFESTATS query dwell_times --db a.db >&-").status == 2)
    }

    @Test("damaged databases are told, not believed")
    func damagedDatabase() throws {
        let (program, _) = try Self.prepared(callbacks: 2000)
        try program.shell(
            "cp whole.db cut.db && truncate -s 40000 cut.db; cp whole.db torn.db && dd if=/dev/urandom of=torn.db "
                + "bs=16384 seek=2 count=3 conv=notrunc status=none"
        ).expectSuccess()
        let length = try program.shell("stat -c %s whole.db 2>/dev/null || stat -f %z whole.db").text
            .trimmingCharacters(in: .whitespacesAndNewlines)
        let damage = ["cut.db": "(it was cut off: it has 40000 of \(length) bytes)", "torn.db": ""]
        for (name, words) in damage {
            let verify = try program.run("verify", "--db", name)
            #expect(verify.status == 2, "\(name)")
            #expect(verify.errors.contains(name) || verify.errors.contains("integrity"), "\(verify.errors)")
            let before = try program.shell("cksum < \(name)").text
            let ingest = try program.run("ingest", "logs", "--db", name)
            #expect(ingest.status == 2)
            #expect(ingest.errors.contains("\(name): this lifestats database is damaged \(words)"), "\(ingest.errors)")
            #expect(ingest.errors.contains("It was left as it is"), "\(ingest.errors)")
            #expect(try program.shell("cksum < \(name)").text == before)
        }
        let query = try program.run("query", "dwell_times", "--db", "cut.db")
        #expect(query.status == 2 && query.errors.contains("database is damaged (it was cut off"), "\(query.errors)")
    }

    @Test(
        "only of a damaged database of which not a byte was changed the message says so",
        arguments: ["raw_logs", "raw_settings", "raw_instances_by_run", "raw_suspension_kinds"])
    func damagedPage(table: String) throws {
        let (program, _) = try Self.prepared(callbacks: 2000)
        let root = try program.run(
            "query", "select rootpage from sqlite_master where name = '\(table)'", "--db", "whole.db", "--format", "csv"
        )
        try program.shell(
            """
            cat logs/*.log > more.log && cp whole.db torn.db &&
            dd if=/dev/urandom of=torn.db bs=16384 seek=$((\(root.figure) - 1)) count=1 conv=notrunc status=none
            """
        ).expectSuccess()
        let before = try program.shell("cksum < torn.db").text
        let ingest = try program.run("ingest", "more.log", "--db", "torn.db")
        #expect(ingest.status == 2)
        let isUnchanged = try program.shell("cksum < torn.db").text == before
        #expect(
            ingest.errors.contains(
                isUnchanged ? "torn.db: this lifestats database is damaged" : "torn.db: the database is damaged"),
            "\(ingest.errors)")
        #expect(ingest.errors.contains("left as it is") == isUnchanged, "\(ingest.errors)")
        #expect(try program.run("verify", "--db", "torn.db").status == 2)
    }

    @Test("of damaged compressed data everything before the damage is kept, and the damage is told")
    func damagedArchive() throws {
        let program = try Program()
        try program.run("simulate", "--callbacks", "5000", "-o", "made")
        try program.shell("cat made/*.log | gzip > all.gz; head -c 20000 all.gz > app.log.gz").expectSuccess()
        let ingest = try program.run("ingest", "app.log.gz")
        #expect(ingest.status == 2)
        #expect(ingest.errors.contains("damaged or cut off"), "\(ingest.errors)")
        let events = try program.run("query", "select count(*) > 100 from events", "--format", "csv")
        #expect(events.figure == "1")
        #expect(try program.run("verify").status == 0)
        // It is no less damaged the second time; and once it is whole, the rest is read.
        #expect(try program.run("ingest", "app.log.gz").errors.contains("damaged or cut off"))
        try program.shell("cp all.gz app.log.gz").expectSuccess()
        #expect(try program.run("ingest", "app.log.gz").status == 0)
        try program.shell("zcat all.gz > app.log").expectSuccess()
        #expect(try program.run("ingest", "app.log", "--db", "whole.db").status == 0)
        #expect(try program.run("verify").text == program.run("verify", "--db", "whole.db").text)
    }

    @Test("an archive bomb is stopped with a message")
    func bomb() throws {
        let program = try Program()
        // 100 streams of bzip2, a million blanks each: 20,000 times smaller than what comes out.
        try program.shell(
            "head -c 1000000 /dev/zero | tr '\\0' ' ' | bzip2 > one; for i in $(seq 100); do cat one; done > a.bz2"
        )
        .expectSuccess()
        try program.write(RepeatedIngestTests.text(RepeatedIngestTests.log), to: "app.log")
        let ingest = try program.run("ingest", "a.bz2", "app.log")
        #expect(ingest.status == 2)
        #expect(ingest.errors.contains("archive bomb"), "\(ingest.errors)")
        // What else was named is read.
        #expect(ingest.errors.contains("17 events"), "\(ingest.errors)")
        #expect(try program.run("verify").status == 0)
    }

    @Test("links in a circle, sockets, pipes and devices among the inputs are left out with a word")
    func strangeInputs() throws {
        let program = try Program()
        try program.write(RepeatedIngestTests.text(RepeatedIngestTests.log), to: "logs/app.log")
        try program.shell("cd logs && ln -s . loop && ln -s nowhere broken && mkfifo pipe && ln -s /dev/zero zero")
            .expectSuccess()
        let ingest = try program.run("ingest", "logs")
        #expect(ingest.status == 0, "\(ingest.errors)")
        #expect(ingest.errors.contains("17 events"), "\(ingest.errors)")
        for name in ["logs/loop", "logs/broken", "logs/pipe", "logs/zero"] { #expect(ingest.errors.contains(name)) }
        let device = try program.run("ingest", "/dev/zero", "--db", "b.db")
        #expect(device.status == 2)
        #expect(device.errors.contains("device"))
    }
}

extension Program.Outcome {
    /// The last field of the last line: the answer to a question for one number.
    var figure: String {
        let line = text.split(whereSeparator: \.isNewline).last ?? ""
        return String(line.split(separator: ",").last ?? "")
    }

    /// Expects that a step of the preparation worked.
    func expectSuccess() { #expect(status == 0, "\(errors)") }
}
