import Foundation
import Testing

/// Following logs that grow, as a user watches them: what is written shows up, and in the end the database is that of
/// an ingest at once.
@Suite("Following a log", .serialized)
struct FollowTests {
    private static func line(_ number: Int) -> String {
        let callback = number % 2 == 0 ? "applicationDidBecomeActive:" : "applicationWillResignActive:"
        return
            "2024-03-09 07:\(10 + number / 60):\(10 + number % 50).000000+0000 Tea[412:1f0a] -[AppDelegate \(callback)]\n"
    }

    private func start(
        _ program: Program, _ arguments: [String], input: Pipe? = nil, environment: [String: String] = [:]
    ) throws -> Process {
        let process = Process()
        process.executableURL = Program.executable
        process.arguments = ["ingest", "--no-progress", "--db", "followed.db"] + arguments
        process.currentDirectoryURL = program.folder.url
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        if let input { process.standardInput = input }
        try process.run()
        return process
    }

    /// Asks until the database shows so many events; three minutes are the limit, as for the slowest sanitizer on the
    /// busiest machine.
    private func sees(_ count: Int, _ program: Program) throws -> Bool {
        let limit = Date().addingTimeInterval(180)
        while Date() < limit {
            let answer = try program.run(
                "query", "select count(*) from events", "--format", "csv", "--db", "followed.db")
            if answer.text.split(whereSeparator: \.isNewline).last == "\(count)" { return true }
        }
        return false
    }

    private func append(_ text: String, to name: String, _ program: Program) throws {
        let handle = try FileHandle(forWritingTo: program.folder.url.appendingPathComponent(name))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(text.utf8))
        try handle.close()
    }

    private func log(_ name: String, _ program: Program) -> URL {
        program.folder.url.appendingPathComponent("logs/\(name)")
    }

    private func digest(_ database: String, _ program: Program) throws -> Substring? {
        let outcome = try program.run("verify", "--db", database)
        #expect(outcome.status == 0, "\(outcome.text)\(outcome.errors)")
        return outcome.text.split(separator: "\n").first { $0.contains("digest") }
    }

    private func stop(_ process: Process) {
        process.interrupt()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    @Test(
        "a file or folder that is rotated, by renaming or by copying, loses no line",
        arguments: ["logs/app.log", "logs"])
    func rotation(path: String) throws {
        let program = try Program()
        let files = FileManager.default
        try program.write(Self.line(0) + Self.line(1), to: "logs/app.log")
        let process = try start(program, [path, "--follow"])
        try #require(try sees(2, program))
        try append(Self.line(2), to: "logs/app.log", program)
        try #require(try sees(3, program))

        // The last line before the renaming has not been seen.
        try append(Self.line(3), to: "logs/app.log", program)
        try files.moveItem(at: log("app.log", program), to: log("app.log.1", program))
        try program.write(Self.line(4), to: "logs/app.log")
        try #require(try sees(5, program))

        try append(Self.line(5), to: "logs/app.log", program)
        try files.moveItem(at: log("app.log.1", program), to: log("app.log.2", program))
        try files.copyItem(at: log("app.log", program), to: log("app.log.1", program))
        let handle = try FileHandle(forWritingTo: log("app.log", program))
        try handle.truncate(atOffset: 0)
        try handle.write(contentsOf: Data(Self.line(6).utf8))
        try handle.close()
        try #require(try sees(7, program))
        stop(process)
        try program.run("ingest", "logs", "--db", "whole.db")
        #expect(try digest("followed.db", program) == digest("whole.db", program))
    }

    @Test(
        "what was written to a file that is deleted or moved away before the next look is read",
        arguments: [
            "cat line >> logs/app.log; rm logs/app.log",
            "cat line >> logs/app.log; mv logs/app.log elsewhere",
            "exec 3>> logs/app.log; rm logs/app.log; cat other > logs/app.log; cat line >&3",
            "exec 3>> logs/app.log; mv logs/app.log elsewhere; cat line >&3",
        ])
    func gone(change: String) throws {
        let program = try Program()
        try program.write(Self.line(0), to: "logs/app.log")
        try program.write(Self.line(1), to: "line")
        try program.write(Self.line(2), to: "other")
        let process = try start(program, ["logs", "--follow"])
        try #require(try sees(1, program))
        try program.shell(change).expectSuccess()
        #expect(try sees(change.contains("other") ? 3 : 2, program))
        stop(process)
        #expect(try digest("followed.db", program) != nil)
    }

    @Test("a log that is copied slowly before it is cut is counted once")
    func slowCopy() throws {
        let program = try Program()
        let files = FileManager.default
        try program.write(Self.line(0) + Self.line(1), to: "logs/app.log")
        let process = try start(program, ["logs", "--follow"])
        try #require(try sees(2, program))
        try program.write(Self.line(0) + String(Self.line(1).prefix(9)), to: "logs/app.log.1")
        // The look that sees this line sees the beginning of the copy, too.
        try append(Self.line(2), to: "logs/app.log", program)
        try #require(try sees(3, program))
        try files.removeItem(at: log("app.log.1", program))
        try files.copyItem(at: log("app.log", program), to: log("app.log.1", program))
        try program.write(Self.line(3), to: "logs/app.log")
        try #require(try sees(4, program))
        stop(process)
        try program.run("ingest", "logs", "--db", "whole.db")
        #expect(try digest("followed.db", program) == digest("whole.db", program))
    }

    @Test("a log that is rotated faster than it is looked at loses no line, and gives none to another file")
    func fastRotation() throws {
        let program = try Program()
        try program.write(Self.line(0), to: "logs/app.log")
        let process = try start(program, ["logs", "--follow", "--device", "Phone"])
        try #require(try sees(1, program))
        let rotated = try program.shell(
            """
            cd logs; line=1
            while [ $line -le 900 ]; do
                stamp=$(printf '2024-03-09 %02d:%02d:%02d' $((8 + line / 3600)) $((line / 60 % 60)) $((line % 60)))
                printf '%s Tea[412:1f0a] -[AppDelegate ' "$stamp" >> app.log
                [ $((line % 2)) = 0 ] && echo 'applicationDidBecomeActive:]' >> app.log ||
                    echo 'applicationWillResignActive:]' >> app.log
                line=$((line + 1))
                if [ $((line % 20)) = 0 ]; then
                    for file in $(ls app.log.* 2> /dev/null | sort -t . -k 3 -rn); do
                        mv $file app.log.$((${file##*.} + 1))
                    done
                    mv app.log app.log.1; : > app.log
                fi
            done
            """)
        #expect(rotated.status == 0, "\(rotated.errors)")
        try #require(try sees(901, program))
        stop(process)
        try program.run("ingest", "logs", "--db", "whole.db", "--device", "Phone")
        #expect(try digest("followed.db", program) == digest("whole.db", program))
    }

    @Test("a clock that is set back while the log is followed changes the order of nothing, and is told")
    func clockBack() throws {
        let program = try Program()
        try program.write(Self.line(9) + Self.line(10), to: "app.log")
        let process = try start(program, ["app.log", "--follow"])
        try #require(try sees(2, program))
        try append(Self.line(3) + Self.line(4), to: "app.log", program)
        try #require(try sees(4, program))
        stop(process)
        try program.run("ingest", "app.log", "--db", "whole.db")
        #expect(try digest("followed.db", program) == digest("whole.db", program))
        let order = try program.run(
            "query", "select line from events order by event_id", "--format", "csv", "--db", "followed.db")
        #expect(order.text.split(whereSeparator: \.isNewline).dropFirst() == ["1", "2", "3", "4"])
        let check = try program.run("check", "--db", "followed.db", "--fail-on", "never")
        #expect(check.text.contains("clock"), "\(check.text)")
    }

    @Test("a pipe shows each complete line while it stays open, in whatever pieces the lines come")
    func pipe() throws {
        let program = try Program()
        let pipe = Pipe()
        let out = pipe.fileHandleForWriting
        let process = try start(program, ["-"], input: pipe)
        try out.write(contentsOf: Data(Self.line(0).utf8))
        try #require(try sees(1, program))
        try out.write(contentsOf: Data((Self.line(1) + Self.line(2).prefix(30)).utf8))
        try #require(try sees(2, program))
        try out.write(contentsOf: Data(Self.line(2).dropFirst(30).utf8))
        try #require(try sees(3, program))
        try out.close()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        try program.run("ingest", "-", "--db", "whole.db", input: (0..<3).map(Self.line).joined())
        #expect(try digest("followed.db", program) == digest("whole.db", program))
    }

    @Test("a pipe that never falls silent is seen while it goes on", .enabled(if: DeviceFaultTests.mayInject))
    func busyPipe() throws {
        let program = try Program()
        try #require(program.compiled)
        try program.write((0..<1_000).map(Self.line).joined(), to: "lines.txt")
        let pipe = Pipe()
        let device = Process()
        // A program that starts another one for each line would fall silent now and then on a busy machine.
        device.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        device.arguments = [
            "python3", "-uc",
            "import sys, time\nfor line in sys.stdin: print(line, end=''); time.sleep(0.01)\ntime.sleep(600)",
        ]
        device.currentDirectoryURL = program.folder.url
        device.standardInput = try FileHandle(
            forReadingFrom: program.folder.url.appendingPathComponent("lines.txt"))
        device.standardOutput = pipe
        try device.run()
        // A busy machine makes pauses that the device does not: to the program there are none.
        let busy = ["LD_PRELOAD": program.folder.url.appendingPathComponent("faulty.so").path, "FAULTY_CALL": "poll"]
        let process = try start(program, ["-"], input: pipe, environment: busy)
        // Were it seen at a pause only, some of a thousand lines would never be seen without the rest.
        let limit = Date().addingTimeInterval(60)
        var seen = 0
        while seen < 10, Date() < limit {
            let answer = try program.run(
                "query", "select count(*) from events", "--format", "csv", "--db", "followed.db")
            seen = answer.text.split(whereSeparator: \.isNewline).last.flatMap { Int($0) } ?? 0
        }
        #expect(seen >= 10 && seen < 990)
        device.terminate()
        device.waitUntilExit()
        process.interrupt()
        process.waitUntilExit()
    }

    @Test("a pipe, with a name or without, is read also where what it gives is compressed")
    func compressedPipe() throws {
        let program = try Program()
        try program.write((0..<9).map(Self.line).joined(), to: "app.log")
        try program.run("ingest", "app.log", "--db", "whole.db")
        for (number, tool) in ["cat", "gzip -c", "xz -c", "bzip2 -c", "zstd -cq"].enumerated() {
            let outcome = try program.shell(
                """
                type \(tool) > /dev/null 2>&1 || exit 9
                \(tool) app.log | $LIFESTATS ingest - --db piped\(number).db &&
                mkfifo \(number).fifo && (\(tool) app.log > \(number).fifo & \
                $LIFESTATS ingest \(number).fifo --db named\(number).db; wait)
                """)
            if outcome.status == 9 { continue }
            #expect(outcome.status == 0, "\(tool): \(outcome.errors)")
            #expect(try digest("piped\(number).db", program) == digest("whole.db", program), "\(tool)")
            #expect(try digest("named\(number).db", program) == digest("whole.db", program), "\(tool)")
        }
        let archive = try program.shell("tar c app.log | gzip | $LIFESTATS ingest - --db archive.db")
        #expect(archive.status == 2 && archive.errors.contains("the pipe has an archive"), "\(archive.errors)")
    }

    @Test("a payload, a rejected line and lines without a process that grow byte by byte are stored once")
    func growth() throws {
        let program = try Program()
        let text =
            "2024-03-09 07:30:00.000 Tea[1:2] -[AppDelegate applicationDidBecomeActive:]\n"
            + "02-09 14:23:39.660  5103  5104 I am_on_resume_called: [0,com.example.Tea,RESUME_ACTIVITY]\n"
            + "2024-13-09 07:30:00.000 Tea[1:2] no such month\n"
            + "{\n  \"timeStampBegin\" : \"2024-03-09 00:00:00\",\n  \"applicationTimeMetrics\" : {\n"
            + "    \"cumulativeForegroundTime\" : \"700 sec\",\n    \"cumulativeBackgroundTime\" : \"40 sec\"\n  },\n"
            + "  \"timeStampEnd\" : \"2024-03-09 23:59:00\"\n}\n"
            + "applicationWillResignActive:\n"
        let bytes = Array(text.utf8)
        for end in Array(stride(from: 20, to: bytes.count, by: 37)) + [bytes.count] {
            try program.write(Data(bytes[..<end]), to: "grown.log")
            try program.run("ingest", "grown.log", "--db", "followed.db")
        }
        try program.run("ingest", "grown.log", "--db", "whole.db")
        #expect(try digest("followed.db", program) == digest("whole.db", program))
        let totals = try program.run(
            "query", "select count(*) from daily_totals", "--format", "csv", "--db", "followed.db")
        #expect(totals.text.split(whereSeparator: \.isNewline).last == "2")
    }
}
