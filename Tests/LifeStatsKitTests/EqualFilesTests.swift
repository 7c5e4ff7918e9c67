import Foundation
import Testing

@testable import LifeStatsKit

/// Which of several equal files counts follows from the files, not from the order in which they came.
@Suite("Equal files")
struct EqualFilesTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// The parts of the log that files hold, by the name of the file.
        var files: [String: [[String]]]
        /// How many runs one ingest of all of them finds.
        var runs: Int
    }

    private static func line(_ minute: Int, _ message: String, _ process: String = "Tea[5:1]") -> String {
        "2026-03-09 18:\(minute):00.000 \(process) \(message)"
    }

    private static let launch = [line(10, "didFinishLaunchingWithOptions"), line(11, "applicationDidBecomeActive")]
    private static let leave = [line(20, "applicationWillResignActive"), line(21, "applicationDidEnterBackground")]
    private static let comeBack = [line(30, "applicationWillEnterForeground"), line(31, "applicationDidBecomeActive")]
    /// Lines that say neither process nor date: the rotation before tells both.
    private static let unnamed = [
        "-> applicationWillResignActive", "18:32:00.000 Tea[5:1] applicationDidEnterBackground",
    ]

    private static let named = ["Mar  9 18:40:00 Phone Tea[5] <Notice>: applicationWillResignActive"]
    private static let suspended = [
        "Mar  9 18:41:00 Phone runningboardd[33] <Notice>: [application<com.example.tea>:5] Suspending task."
    ]

    static let cases = [
        Case(
            testDescription: "a rotation stands beside the first",
            files: ["a/app.log.1": [launch], "a/app.log": [leave], "b/app.log": [leave]], runs: 1),
        Case(
            testDescription: "a rotation stands beside the second",
            files: ["b/app.log.1": [launch], "a/app.log": [leave], "b/app.log": [leave]], runs: 2),
        Case(
            testDescription: "the equal files are older than the rotation beside one of them",
            files: ["a/app.log.1": [launch], "b/app.log.1": [launch], "b/app.log": [leave]], runs: 2),
        Case(
            testDescription: "rotations stand on both sides of the first",
            files: [
                "a/app.log.2": [launch], "a/app.log.1": [leave], "a/app.log": [comeBack], "b/app.log.3": [leave],
            ], runs: 1),
        Case(
            testDescription: "rotations stand on both sides of the second",
            files: [
                "b/app.log.2": [launch], "b/app.log.1": [leave], "b/app.log": [comeBack], "a/app.log.3": [leave],
            ], runs: 2),
        Case(
            testDescription: "each has a rotation of its own",
            files: [
                "a/app.log.1": [launch], "a/app.log": [leave], "b/app.log": [leave], "b/app.log.1": [comeBack],
            ], runs: 2),
        Case(
            testDescription: "three are equal, and a rotation stands beside the second",
            files: [
                "b/app.log.1": [launch], "a/app.log": [leave], "b/app.log": [leave], "c/app.log": [leave],
            ], runs: 2),
        Case(
            testDescription: "three are equal, and a rotation stands beside the last",
            files: [
                "c/app.log.1": [launch], "a/app.log": [leave], "b/app.log": [leave], "c/app.log": [leave],
            ], runs: 2),
        Case(
            testDescription: "a log is copied whole, with its rotation",
            files: [
                "a/app.log.1": [launch], "a/app.log": [leave], "b/app.log": [leave], "b/app.log.1": [launch],
            ], runs: 1),
        Case(
            testDescription: "a log is copied whole, and in its place there is one more rotation",
            files: [
                "a/app.log.1": [leave], "a/app.log": [comeBack], "b/app.log": [comeBack], "b/app.log.1": [leave],
                "a/app.log.2": [launch],
            ], runs: 1),
        Case(
            testDescription: "a log is copied whole, and beside the copy there is one more rotation",
            files: [
                "a/app.log.1": [leave], "a/app.log": [comeBack], "b/app.log": [comeBack], "b/app.log.1": [leave],
                "b/app.log.2": [launch],
            ], runs: 2),
        Case(
            testDescription: "the last lines of one rotation tell process and date of the next one",
            files: [
                "a/app.log": [unnamed], "b/app.log.1": [comeBack], "b/app.log": [unnamed], "b/app.log.2": [launch],
            ], runs: 2),
        Case(
            testDescription: "the equal file tells process and date of the next one",
            files: [
                "a/app.log": [comeBack], "b/app.log.2": [[line(29, "hello", "Other[7:1]")]], "b/app.log.1": [comeBack],
                "b/app.log": [unnamed],
            ], runs: 3),
        Case(
            testDescription: "the equal file names the device of the one before it",
            files: ["a/app.log": [named], "b/app.log.1": [launch], "b/app.log": [named]], runs: 2),
        Case(
            testDescription: "another log of the device shows the callbacks of the process",
            files: ["a/system.log": [suspended], "b/system.log": [suspended], "b/app.log": [named]], runs: 1),
        Case(
            testDescription: "another rotation of the log stands between the equal ones",
            files: ["a/app.log.2": [launch], "a/app.log.1": [leave], "a/app.log": [launch]], runs: 1),
        Case(
            testDescription: "a copy is compressed, and a rotation stands beside it",
            files: ["a/app.log.gz": [leave], "a/app.log.1": [launch], "b/app.log": [leave]], runs: 1),
        Case(
            testDescription: "a copy is compressed, and a rotation stands beside the other",
            files: ["a/app.log.gz": [leave], "b/app.log.1": [launch], "b/app.log": [leave]], runs: 2),
    ]

    @Test("which of equal files counts does not depend on the order of the ingests", arguments: cases)
    func orders(example: Case) throws {
        let folder = try Logs(example.files)
        let names = example.files.keys.sorted()
        let clean = try folder.digest(of: [names])
        #expect(try folder.rows("SELECT count(*) FROM runs") == ["\(example.runs)"])
        for order in Self.orders(of: names) {
            #expect(try folder.digest(of: order.map { [$0] }) == clean, "\(order)")
        }
        for name in names { #expect(try folder.digest(of: [[name], names]) == clean, "\(name), then all") }
        for first in Self.parts(of: names) {
            let rest = names.filter { !first.contains($0) }
            #expect(try folder.digest(of: [first, rest]) == clean, "\(first), then \(rest)")
        }
    }

    @Test("files that grow until they are equal count once", arguments: [["a/app.log"], ["b/app.log"], []])
    func grown(alone: [String]) throws {
        let (half, whole) = ([Self.launch], [Self.launch, Self.leave])
        let folder = try Logs(["a/app.log": half, "b/app.log": whole, "b/app.log.1": [Self.comeBack]])
        let names = ["a/app.log", "b/app.log", "b/app.log.1"]
        _ = try folder.digest(of: [names])
        try folder.write(whole, to: "a/app.log")
        if !alone.isEmpty { _ = try folder.ingest(alone) }
        let grown = try folder.digestAfter(names)
        #expect(try folder.digest(of: [names]) == grown)
        #expect(try folder.rows("SELECT count(*) FROM sources") == ["2"])
    }

    @Test("a file that has moved into another log is no part of the one before any more")
    func moved() throws {
        let folder = try Logs([
            "a/app.log.1": [Self.launch], "a/app.log": [Self.leave], "b/app.log.1": [Self.unnamed],
        ])
        _ = try folder.digest(of: [["a/app.log.1", "a/app.log", "b/app.log.1"]])
        try folder.move("a/app.log", to: "b/app.log.2")
        let all = ["a/app.log.1", "b/app.log.1", "b/app.log.2"]
        // Those of the file that has moved. Those of the one behind it are read again, and are not new.
        #expect(try folder.ingest(all).summary.contains("2 events"))
        let grown = try folder.digestAfter(all)
        #expect(try folder.digest(of: [["a/app.log.1", "b/app.log.1", "b/app.log.2"]]) == grown)
    }

    @Test("a file that is renumbered in its log takes up what the one before it leaves there, once it is at hand")
    func renumbered() throws {
        let folder = try Logs([
            "app.log.2": [Self.launch], "app.log.1": [["18:32:00.000 Milk[6:1] applicationDidBecomeActive"]],
            "app.log": [["-> applicationWillResignActive"]],
        ])
        _ = try folder.digest(of: [["app.log.2", "app.log.1", "app.log"]])
        try folder.move("app.log.1", to: "app.log.3")
        try folder.move("app.log", to: "elsewhere")
        let without = try folder.digestAfter(["app.log.2", "app.log.3"])
        try folder.move("elsewhere", to: "app.log")
        let all = try folder.digestAfter(["app.log.2", "app.log.3", "app.log"])
        #expect(without != all)
        #expect(try folder.digest(of: [["app.log.2", "app.log.3", "app.log"]]) == all)
        #expect(try folder.ingest(["app.log.2", "app.log.3", "app.log"]).files == 0)
    }

    @Test("a file that is named in another way stays in its log")
    func otherSpelling() throws {
        let folder = try Logs(["a/app.log.1": [Self.launch], "a/app.log": [Self.leave]])
        let clean = try folder.digest(of: [["a/app.log.1", "a/app.log"]])
        #expect(try folder.digestAfter(["./a/app.log"]) == clean)
        #expect(try folder.rows("SELECT count(DISTINCT stream) FROM sources") == ["1"])
    }

    @Test("of a log that is copied whole nothing is read again, and the person is told which files count")
    func copiedWhole() throws {
        let folder = try Logs([
            "a/app.log.1": [Self.launch], "a/app.log": [Self.leave], "b/app.log.1": [Self.launch],
            "b/app.log": [Self.leave],
        ])
        let (first, second) = (["a/app.log.1", "a/app.log"], ["b/app.log.1", "b/app.log"])
        _ = try folder.digest(of: [first])
        let skipped = try folder.ingest(second)
        #expect(skipped.files == 0)
        #expect(skipped.summary.contains("b/app.log.1 holds what was read as"))
        _ = try folder.digest(of: [second])
        let supplanted = try folder.ingest(first)
        #expect(supplanted.files == 0)
        #expect(supplanted.summary.contains("b/app.log.1, and counts in its place"), "\(supplanted.summary)")
        #expect(try folder.rows("SELECT count(*) FROM sources WHERE path LIKE '%a/app.log%'") == ["2"])
    }

    /// All orders of three; of more those in which each is once the first, forwards and backwards.
    private static func orders(of names: [String]) -> [[String]] {
        [names, names.reversed()].flatMap { names in
            names.indices.map { Array(names[$0...] + names[..<$0]) }
        }
    }

    /// All that is neither empty nor the whole.
    private static func parts(of names: [String]) -> [[String]] {
        (1..<(1 << names.count) - 1).map { mask in names.indices.filter { mask >> $0 & 1 == 1 }.map { names[$0] } }
    }
}

/// A folder with logs, which are read into new databases.
private final class Logs {
    private let folder: URL
    private var databases = 0
    private var database: String { folder.appendingPathComponent("\(databases).db").path }

    init(_ files: [String: [[String]]]) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("lifestats-\(UUID().uuidString)")
        for (name, parts) in files {
            let isPacked = name.hasSuffix(".gz")
            let file = try write(parts, to: isPacked ? String(name.dropLast(3)) : name)
            guard isPacked else { continue }
            let gzip = Process()
            gzip.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            gzip.arguments = ["gzip", file.path]
            try gzip.run()
            gzip.waitUntilExit()
        }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    @discardableResult
    func write(_ parts: [[String]], to name: String) throws -> URL {
        let file = folder.appendingPathComponent(name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(parts.joined().map { $0 + "\n" }.joined().utf8).write(to: file)
        return file
    }

    /// The digest of a new database after several ingests, each of some files.
    func digest(of ingests: [[String]]) throws -> String {
        databases += 1
        for names in ingests.dropLast() { _ = try ingest(names) }
        return try digestAfter(ingests.last ?? [])
    }

    /// The digest of the database made last, after a further ingest.
    func digestAfter(_ names: [String]) throws -> String {
        _ = try ingest(names)
        let found = try DatabaseCheck.verify(database)
        #expect(found.problems == [], "\(names)")
        return found.digest
    }

    /// Reads files into the database made last.
    func ingest(_ names: [String]) throws -> IngestReport {
        let paths = names.map { "\(folder.path)/\($0)" }
        return try IngestPipeline(options: IngestOptions(paths: paths, database: database)).run()
    }

    func move(_ name: String, to other: String) throws {
        try FileManager.default.moveItem(
            at: folder.appendingPathComponent(name), to: folder.appendingPathComponent(other))
    }

    /// The rows of a statement on the database made last.
    func rows(_ sql: String) throws -> [String] { try Ingested.rows(sql, in: database) }
}
