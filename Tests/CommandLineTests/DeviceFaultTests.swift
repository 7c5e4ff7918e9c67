import Foundation
import Testing

/// Devices that fail in the middle: the system's own calls of the real program give an error from some point on.
@Suite("Failing devices")
struct DeviceFaultTests {
    /// Stands before the C library, and lets one kind of call fail for one file.
    static let injector = #"""
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <errno.h>
        #include <fcntl.h>
        #include <limits.h>
        #include <poll.h>
        #include <signal.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <unistd.h>

        /* Whether a fault is due: FAULTY_CALL names it, and FAULTY_AFTER bytes of FAULTY_FILE have passed. */
        static int is_due(const char *call, int fd, long passed) {
            const char *name = getenv("FAULTY_CALL"), *file = getenv("FAULTY_FILE"), *after = getenv("FAULTY_AFTER");
            char link[64], path[4096];
            if (!name || !file || !after || strcmp(name, call)) return 0;
            snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
            ssize_t length = readlink(link, path, sizeof path - 1);
            if (length < (ssize_t)strlen(file)) return 0;
            path[length] = 0;
            return !strcmp(path + length - strlen(file), file) && passed >= atol(after);
        }

        /* Whether a call is to fail. */
        static int fails(const char *call, int fd, long passed) {
            if (!is_due(call, fd, passed)) return 0;
            errno = strcmp(call, "full") ? EIO : ENOSPC;
            return 1;
        }

        static long passed_read, passed_write, ends, has_grown;

        /* With FAULTY_CALL=grow the file gets FAULTY_MORE right behind the read that has met its end for the
           FAULTY_AFTERth time. */
        static void grow(int fd) {
            const char *more = getenv("FAULTY_MORE");
            char link[64];
            if (has_grown || !more || !is_due("grow", fd, LONG_MAX) || ++ends < atol(getenv("FAULTY_AFTER"))) return;
            has_grown = 1;
            snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
            int log = open(link, O_WRONLY | O_APPEND);
            if (log < 0 || write(log, more, strlen(more)) < 0) abort();
            close(log);
        }

        ssize_t read(int fd, void *bytes, size_t count) {
            ssize_t (*real)(int, void *, size_t) = dlsym(RTLD_NEXT, "read");
            if (fails("read", fd, passed_read)) return -1;
            /* With these two the program is told to end. */
            if (is_due("INT", fd, passed_read)) kill(getpid(), SIGINT);
            if (is_due("TERM", fd, passed_read)) kill(getpid(), SIGTERM);
            ssize_t got = real(fd, bytes, count);
            if (got > 100000) passed_read += got;
            if (got == 0) grow(fd);
            return got;
        }

        ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t at) {
            ssize_t (*real)(int, const void *, size_t, off64_t) = dlsym(RTLD_NEXT, "pwrite64");
            if (fails("write", fd, passed_write) || fails("full", fd, passed_write)) return -1;
            passed_write += count;
            return real(fd, bytes, count, at);
        }

        ssize_t pwrite(int fd, const void *bytes, size_t count, off_t at) { return pwrite64(fd, bytes, count, at); }

        /* With FAULTY_CALL=poll nothing is ever silent: whoever waits for a while waits until something comes. */
        int poll(struct pollfd *descriptors, nfds_t count, int milliseconds) {
            int (*real)(struct pollfd *, nfds_t, int) = dlsym(RTLD_NEXT, "poll");
            const char *name = getenv("FAULTY_CALL");
            return real(descriptors, count, name && !strcmp(name, "poll") && milliseconds > 0 ? -1 : milliseconds);
        }

        int fsync(int fd) {
            int (*real)(int) = dlsym(RTLD_NEXT, "fsync");
            return fails("sync", fd, 0) ? -1 : real(fd);
        }

        int fdatasync(int fd) {
            int (*real)(int) = dlsym(RTLD_NEXT, "fdatasync");
            return fails("sync", fd, 0) ? -1 : real(fd);
        }
        """#

    /// Whether calls can be injected here.
    static let mayInject: Bool = {
        #if os(Linux)
            return (try? Program())?.compiled == true
        #else
            return false
        #endif
    }()

    /// A program with a log whose lines are events, and the digest of an ingest that nothing disturbed.
    ///
    /// - Parameter isNew: whether there is no database; else it has another log.
    private func prepared(lines: Int = 10_000, isNew: Bool = true) throws -> (program: Program, digest: String) {
        let program = try Program()
        try #require(program.compiled)
        if !isNew {
            try program.write("2026-02-01 08:00:00.000 Milk[5:1] applicationDidBecomeActive\n", to: "other.log")
            for database in ["lifestats.db", "whole.db"] { try program.run("ingest", "other.log", "--db", database) }
        }
        try program.write(FaultTests.tour(lines), to: "app.log")
        try program.run("ingest", "app.log", "--db", "whole.db")
        return (program, try program.run("verify", "--db", "whole.db").text)
    }

    private func ingest(_ program: Program, _ call: String, of file: String, after bytes: Int) throws -> Program.Outcome
    {
        let injector = program.folder.url.appendingPathComponent("faulty.so").path
        return try program.run(
            ["ingest", "app.log"],
            environment: [
                "LD_PRELOAD": injector, "FAULTY_CALL": call, "FAULTY_FILE": "/" + file, "FAULTY_AFTER": "\(bytes)",
            ])
    }

    @Test(
        "a log that cannot be read from some place on: what came before is kept, and the next ingest goes on",
        .enabled(if: mayInject))
    func reading() throws {
        let (program, digest) = try prepared()
        let outcome = try ingest(program, "read", of: "app.log", after: 300_000)
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("app.log: cannot be read: Input/output error"), "\(outcome.errors)")
        let kept = try program.run(
            "query", "select count(*) between 1000 and 9999 and count(*) = max(line) from events", "--format", "csv")
        #expect(kept.figure == "1")
        #expect(try program.run("verify").status == 0)
        #expect(try program.run("ingest", "app.log").status == 0)
        #expect(try program.run("verify").text == digest)
    }

    @Test(
        "a disk that is full when all is stored but for its last place: the person is told where it is",
        .enabled(if: mayInject))
    func fullAtTheEnd() throws {
        let (program, digest) = try prepared(isNew: false)
        let outcome = try ingest(program, "full", of: "lifestats.db", after: 300_000)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(
            outcome.errors.contains("lifestats.db-wal, because the disk is full; a copy needs both files"),
            "\(outcome.errors)")
        #expect(outcome.text.contains("10,000 lines") || outcome.errors.contains("10,000 lines"), "\(outcome.errors)")
        #expect(try program.run("verify").text == digest)
        #expect(try program.run("ingest", "app.log").status == 0)
        #expect(try program.shell("[ ! -e lifestats.db-wal ]").status == 0)
    }

    @Test(
        "a record that is completed right behind the read that has met its half is not rejected as well",
        .enabled(if: mayInject), arguments: 1...4)
    func growing(ends: Int) throws {
        let program = try Program()
        try #require(program.compiled)
        let half =
            #"{"time": "2026-03-22T19:24:10Z", "msg": "applicationDidBecomeActive", "pid": 5}"# + "\n"
            + #"{"time": "2026-03-22T19:24:20Z", "msg": "applicationWillRes"#
        let rest = #"ignActive", "pid": 5}"# + "\n"
        try program.write(half + rest, to: "app.log")
        #expect(try program.run("ingest", "app.log", "--db", "whole.db").status == 0)
        try program.write(half, to: "app.log")
        let injector = program.folder.url.appendingPathComponent("faulty.so").path
        let outcome = try program.run(
            ["ingest", "app.log"],
            environment: [
                "LD_PRELOAD": injector, "FAULTY_CALL": "grow", "FAULTY_FILE": "/app.log", "FAULTY_AFTER": "\(ends)",
                "FAULTY_MORE": rest,
            ])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try program.run("verify").status == 0)
        try program.write(half + rest, to: "app.log")
        #expect(try program.run("ingest", "app.log").status == 0)
        #expect(try program.run("verify").text == program.run("verify", "--db", "whole.db").text)
    }

    @Test(
        "an interruption ends with a whole batch, and says what is kept", .enabled(if: mayInject),
        arguments: ["INT", "TERM"])
    func interruption(signal: String) throws {
        // So many that the end is far when the signal comes.
        let (program, digest) = try prepared(lines: 20_000)
        let outcome = try ingest(program, signal, of: "app.log", after: 200_000)
        #expect(outcome.status == 2)
        #expect(
            outcome.errors.contains("interrupted: what was read so far is stored; run the command again to continue"),
            "\(outcome.errors)")
        let kept = try program.run(
            "query", "select events > 1000 and events < 20000 from sources", "--format", "csv")
        #expect(kept.figure == "1")
        #expect(try program.run("verify").status == 0)
        #expect(try program.run("ingest", "app.log").status == 0)
        #expect(try program.run("verify").text == digest)
    }

    @Test(
        "a database that cannot be written: told with what to do, and the next ingest completes it",
        .enabled(if: mayInject),
        arguments: [
            ("write", "lifestats.db-loading", 200_000, "cannot be written (disk I/O error)"),
            ("write", "lifestats.db-loading", 0, "cannot be written (disk I/O error)"),
            ("sync", "lifestats.db-loading", 0, "the disk, or the connection to it, is failing (Input/output error)"),
            ("write", "lifestats.db-wal", 200_000, "cannot be written (disk I/O error)"),
            ("write", "lifestats.db", 0, "cannot be written (disk I/O error)"),
            ("sync", "lifestats.db-wal", 0, "the disk, or the connection to it, is failing (disk I/O error)"),
            ("sync", "lifestats.db", 0, "the disk, or the connection to it, is failing (disk I/O error)"),
        ])
    func writing(call: String, file: String, bytes: Int, message: String) throws {
        let isNew = file.hasSuffix("-loading")
        let (program, digest) = try prepared(isNew: isNew)
        let before = try program.run("verify").text
        let outcome = try ingest(program, call, of: file, after: bytes)
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("lifestats.db: \(message)"), "\(outcome.errors)")
        #expect(outcome.errors.contains("What was stored before is intact"), "\(outcome.errors)")
        #expect(try program.run("verify").text == before)
        #expect(try program.shell("[ ! -e lifestats.db-loading ]").status == 0)
        #expect(try program.run("ingest", "app.log").status == 0)
        #expect(try program.run("verify").text == digest)
    }
}

extension Program {
    /// Makes `faulty.so` in the folder; false where there is no compiler of C, or it makes something else.
    var compiled: Bool {
        guard (try? write(DeviceFaultTests.injector, to: "faulty.c")) != nil else { return false }
        return (try? shell("cc -shared -fPIC -o faulty.so faulty.c -ldl"))?.status == 0
    }
}
