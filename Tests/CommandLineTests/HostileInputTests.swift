import Foundation
import Testing

/// Inputs that are no logs, or that somebody made to do harm.
@Suite("Hostile input")
struct HostileInputTests {
    private static let events = "select count(*) from events"

    /// Every file of the folder with its size, but those of the program's own outcome.
    private func census(_ program: Program) throws -> String {
        try program.shell("find . -not -name '.std*' -not -name 'lifestats.db*' -printf '%p %s\\n' | sort").text
    }

    @Test("sockets, pipes and devices in a folder are left out with a word each", .enabled(if: FaultTests.mayMount))
    func specialFilesInFolder() throws {
        let program = try Program()
        try program.write(RepeatedIngestTests.text(RepeatedIngestTests.log), to: "logs/app.log")
        try program.shell(
            """
            cd logs && mkfifo pipe && mknod character c 1 5 && mknod block b 7 0 &&
                python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind("socket")'
            """
        ).expectSuccess()
        let ingest = try program.run("ingest", "logs")
        #expect(ingest.status == 0, "\(ingest.errors)")
        for (name, kind) in [("pipe", "pipe"), ("character", "device"), ("block", "device"), ("socket", "socket")] {
            #expect(ingest.errors.contains("logs/\(name): is not a file but a \(kind)"), "\(ingest.errors)")
        }
        #expect(try program.run("query", Self.events, "--format", "csv").figure == "17")
    }

    @Test("a socket or device that is named is an error; what else was named is read")
    func namedSpecialFiles() throws {
        let program = try Program()
        try program.write(RepeatedIngestTests.text(RepeatedIngestTests.log), to: "app.log")
        try program.shell("python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind(\"socket\")'").expectSuccess()
        for (name, kind) in [("socket", "socket"), ("/dev/null", "device"), ("/dev/zero", "device")] {
            let ingest = try program.run("ingest", name, "app.log", "--db", "\(kind).db")
            #expect(ingest.status == 2)
            #expect(ingest.errors.contains("\(name)"), "\(ingest.errors)")
            #expect(ingest.errors.contains("is not a file but a \(kind)"), "\(ingest.errors)")
            #expect(try program.run("query", Self.events, "--format", "csv", "--db", "\(kind).db").figure == "17")
        }
    }

    @Test("a named pipe is read to the end of its writer")
    func namedPipe() throws {
        let program = try Program()
        try program.write(RepeatedIngestTests.text(RepeatedIngestTests.log), to: "app.log")
        let ingest = try program.shell(
            "mkfifo pipe; cat app.log > pipe & timeout -s KILL 60 $LIFESTATS ingest pipe; wait")
        #expect(ingest.errors.contains("17 events"), "\(ingest.errors)")
    }

    @Test("a file name that is not UTF-8 is found when it is named, too")
    func bytesOfNames() throws {
        let program = try Program()
        try program.write(RepeatedIngestTests.text(RepeatedIngestTests.log), to: "app.log")
        let ingest = try program.shell(#"cp app.log $'Gr\xfcn.log' && $LIFESTATS ingest $'Gr\xfcn.log'"#)
        // Some file systems take no such names.
        if ingest.errors.hasPrefix("cp:") { return }
        #expect(ingest.status == 0 && ingest.errors.contains("17 events"), "\(ingest.errors)")
        #expect(try program.run("query", "select path from sources").text.contains("Gr%FCn.log"))
        #expect(try program.run("check", "Gr%FCn.log", "--fail-on", "never").status == 0)
    }

    @Test("a pipe gives what the file gives, also in colours and in other encodings")
    func encodedPipe() throws {
        let program = try Program()
        try program.write(RepeatedIngestTests.text(RepeatedIngestTests.log), to: "app.log")
        try program.run("ingest", "app.log", "--db", "plain.db")
        let digest = try program.run("verify", "--db", "plain.db").text
        for (number, change) in ["sed 's/.*/\\x1b[32m&\\x1b[0m/'", "iconv -t UTF-16", "gzip"].enumerated() {
            let ingest = try program.shell("\(change) < app.log | $LIFESTATS ingest - --db \(number).db")
            #expect(ingest.status == 0, "\(ingest.errors)")
            #expect(try program.run("verify", "--db", "\(number).db").text == digest, "\(change)")
        }
    }

    @Test("what another program writes into a pipe that stands for a file is read whole")
    func processSubstitution() throws {
        let program = try Program()
        try program.write(RepeatedIngestTests.text(RepeatedIngestTests.log), to: "app.log")
        let ingest = try program.shell("timeout -s KILL 60 $LIFESTATS ingest <(cat app.log)")
        #expect(ingest.status == 0, "\(ingest.errors)")
        #expect(ingest.errors.contains("17 events"), "\(ingest.errors)")
    }

    @Test("while nothing has come yet, a signal ends the wait", arguments: ["pipe", "-"], ["INT", "TERM"])
    func silentPipe(input: String, signal: String) throws {
        let program = try Program()
        try program.write(RepeatedIngestTests.text(RepeatedIngestTests.log), to: "+.log")
        // Once the file before it is stored, the pipe is waited for. One that missed the signal is killed in the end.
        let ingest = try program.shell(
            """
            mkfifo pipe silence; exec 9<> silence
            timeout -s KILL 60 $LIFESTATS ingest +.log \(input) < silence & A=$!
            until $LIFESTATS query '\(Self.events)' --format csv 2> /dev/null | grep -q 17; do
                kill -0 $A || break
            done
            pkill -\(signal) -P $A; wait $A
            """)
        #expect(ingest.status == 2, "\(ingest.errors)")
        #expect(ingest.errors.contains("interrupted"), "\(ingest.errors)")
        #expect(try program.run("query", Self.events, "--format", "csv").figure == "17")
    }

    @Test("members of an archive that lead out of it are read under harmless names, told, and unpacked nowhere")
    func pathTraversal() throws {
        let program = try Program()
        try program.write(RepeatedIngestTests.text(RepeatedIngestTests.log), to: "app.log")
        try program.shell(
            """
            mkdir -p work/deep && python3 - <<'END'
            import io, os, tarfile, zipfile
            lines = open("app.log", "rb").read().splitlines(keepends=True)
            outside = os.path.abspath("absolute.log")
            names = ["plain.log", "../plain.log", "../../outside.log", outside, "a/../../b/../c.log", "link/out.log"]
            with tarfile.open("work/deep/evil.tar", "w") as tar:
                link = tarfile.TarInfo("link")
                link.type, link.linkname = tarfile.SYMTYPE, "../.."
                tar.addfile(link)
                for number, name in enumerate(names):
                    member = tarfile.TarInfo(name)
                    data = b"".join(lines[2 * number:2 * number + 2])
                    member.size = len(data)
                    tar.addfile(member, io.BytesIO(data))
            with zipfile.ZipFile("work/deep/evil.zip", "w") as packed:
                packed.writestr("../../../outside.log", b"".join(lines[12:]))
            END
            """
        ).expectSuccess()
        let before = try census(program)
        let ingest = try program.run("ingest", "work")
        #expect(ingest.status == 0, "\(ingest.errors)")
        #expect(
            ingest.errors.contains("evil.tar: names 4 members outside itself ('../plain.log')"), "\(ingest.errors)")
        #expect(ingest.errors.contains("evil.zip: names a member outside itself"), "\(ingest.errors)")
        #expect(ingest.errors.contains("nothing is unpacked"), "\(ingest.errors)")
        #expect(try census(program) == before)
        let lines = try program.run("query", "select sum(lines) from sources", "--format", "csv")
        #expect(lines.figure == "\(RepeatedIngestTests.log.count)")
        // Two members have one name now; each is known again.
        let digest = try program.run("verify").text
        let again = try program.run("ingest", "work")
        #expect(again.status == 0, "\(again.errors)")
        #expect(try program.run("query", "select sum(lines) from sources", "--format", "csv").figure == lines.figure)
        #expect(try program.run("verify").text == digest)
    }

    @Test("tens of thousands of labels, of which some come again, are told apart like a few")
    func manyLabels() throws {
        let program = try Program()
        var text = ""
        for number in 0..<40_000 {
            // A line a second. Every tenth address was there nine lines before; every hundredth line is of one of two
            // scenes that live all the time.
            let clock = [number / 3600 + 7, number / 60 % 60, number % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
            let time = "2024-03-09 \(clock.joined(separator: ":")).000000+0000"
            let address = String((number % 10 == 9 ? number - 9 : number) * 64 + 0x7f00_0000, radix: 16)
            text +=
                number % 100 == 55
                ? "\(time) Sole[7:1f0a] sceneDidBecomeActive persistentIdentifier=A\(number % 200)\n"
                : "\(time) Tour[\(100 + number / 400):1f0a] -[HomeViewController viewDidLoad] "
                    + "<HomeViewController: 0x\(address)>\n"
        }
        try program.write(text, to: "app.log")
        #expect(try program.run("ingest", "app.log", "--db", "whole.db").status == 0)
        let ask =
            "select count(*), count(distinct run_id || instance), sum(instance like '%#2') from instances "
            + "where layer = 'view'"
        let whole = try program.run("query", ask, "--db", "whole.db", "--format", "csv").text
        #expect(whole.contains("39600,39600,4000"), "\(whole)")
        #expect(try program.run("verify", "--db", "whole.db").status == 0)
    }

    @Test(
        "a report, picture or export that finds no room says so, and leaves what was there",
        arguments: [
            "report -o out", "diagram -o out", "simulate -o many --truth out",
        ])
    func noRoom(command: String) throws {
        let program = try Program()
        try program.write(RepeatedIngestTests.text(RepeatedIngestTests.log), to: "app.log")
        try program.run("ingest", "app.log")
        // Without a folder for temporary files, because the thread sanitizer makes a file there that may not grow.
        let outcome = try program.shell(
            "echo before > out; (ulimit -f 1; TMPDIR=/nowhere $LIFESTATS \(command)); status=$?; ls -A; cat out; exit $status"
        )
        #expect(outcome.status == 2, "\(outcome.errors)")
        #expect(outcome.errors.contains("File too large"), "\(outcome.errors)")
        #expect(!outcome.errors.contains("NSCocoa"), "\(outcome.errors)")
        #expect(outcome.text.hasSuffix("before\n"), "\(outcome.text)")
        #expect(!outcome.text.contains("out."), "\(outcome.text)")
    }

    @Test("on a full disk they say so, too", .enabled(if: FaultTests.mayMount))
    func fullDisk() throws {
        let program = try Program()
        try program.write(RepeatedIngestTests.text(RepeatedIngestTests.log), to: "app.log")
        try program.run("ingest", "app.log")
        try program.shell("mkdir disk && mount -t tmpfs -o size=16k tmpfs disk && echo before > disk/out")
            .expectSuccess()
        defer { _ = try? program.shell("umount disk") }
        for command in [["report"], ["diagram"]] {
            let outcome = try program.run(command + ["-o", "disk/out"])
            #expect(outcome.status == 2)
            #expect(outcome.errors.contains("cannot write disk/out: No space left on device"), "\(outcome.errors)")
            #expect(try program.shell("cat disk/out; ls -A disk").text == "before\nout\n")
        }
    }
}
