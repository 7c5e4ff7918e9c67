import Foundation
import Testing

@testable import LifeStatsKit

/// A folder with logs, which are read into new databases.
final class Logs {
    let folder: URL
    private var databases = 0
    var database: String { folder.appendingPathComponent("\(databases).db").path }
    /// How many logs are read side by side, and which ones keep the state of their replay.
    var lanes = 2
    /// The device whose logs these are, as `--device` says it.
    var device: String?
    /// The year of times without one, as `--year` says it.
    var year: Int?
    var mostFactsOfSmallLog = IngestOptions.usualSmallLog

    /// - Parameter files: the lines that files hold; a name that ends in `.gz` makes a compressed file.
    init(_ files: [String: [String]] = [:]) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("lifestats-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, lines) in files { try write(lines, to: name) }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func write(_ lines: [String], to name: String) throws {
        let isPacked = name.hasSuffix(".gz")
        let plain = isPacked ? String(name.dropLast(3)) : name
        try write(Data(lines.map { $0 + "\n" }.joined().utf8), to: plain)
        guard isPacked else { return }
        let gzip = Process()
        gzip.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        gzip.arguments = ["gzip", "-f", path(plain)]
        try gzip.run()
        gzip.waitUntilExit()
    }

    func write(_ bytes: Data, to name: String) throws {
        let file = folder.appendingPathComponent(name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try bytes.write(to: file)
    }

    func move(_ name: String, to other: String) throws {
        try FileManager.default.moveItem(atPath: path(name), toPath: path(other))
    }

    func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: path(name)) }

    func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    /// Reads files into the database made last; all of a folder with its name alone.
    @discardableResult
    func ingest(_ names: String...) throws -> IngestReport { try ingest(names) }

    func ingest(_ names: [String]) throws -> IngestReport {
        var options = IngestOptions(paths: names.map(path), database: database)
        options.lanes = lanes
        options.device = device
        options.year = year
        options.mostFactsOfSmallLog = mostFactsOfSmallLog
        return try IngestPipeline(options: options).run()
    }

    /// The digest of the database made last; it is well.
    func digest() throws -> String {
        let found = try DatabaseCheck.verify(database)
        #expect(found.problems == [])
        return found.digest
    }

    /// The digest of one clean ingest of files, in a new database.
    func cleanDigest(_ names: String...) throws -> String {
        let before = databases
        databases = 1_000 + before
        defer { databases = before }
        try? remove("\(databases).db")
        _ = try ingest(names)
        return try digest()
    }

    /// The rows of a statement on the database made last.
    func rows(_ sql: String) throws -> [String] { try Ingested.rows(sql, in: database) }

    /// How many events, runs and sources the database made last has.
    func counts() throws -> String {
        try rows(
            "SELECT (SELECT count(*) FROM events) || ' ' || (SELECT count(*) FROM runs) || ' ' || count(*) FROM sources"
        )
        .joined()
    }
}
