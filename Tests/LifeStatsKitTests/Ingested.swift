import Foundation

@testable import LifeStatsKit

/// A database of a test's own, in a folder that goes when the test ends.
final class Ingested {
    private let folder: URL
    let database: String

    /// Reads one log, with further models or overlays.
    init(_ log: String, models: [String] = []) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("lifestats-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        database = folder.appendingPathComponent("test.db").path
        var options = IngestOptions(paths: [log], database: database)
        options.models = models
        _ = try IngestPipeline(options: options).run()
    }

    /// Writes a log and reads it, and reads on when it has grown.
    convenience init(text: String, thenAppending further: String? = nil, models: [String] = []) throws {
        try self.init(pieces: [text, further].compactMap { $0.map { Array($0.utf8) } }, models: models)
    }

    /// Writes the first piece of a log and reads it, and reads on after each further piece.
    convenience init(pieces: [[UInt8]], models: [String] = []) throws {
        let log = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).log")
        var written = Data(pieces.first ?? [])
        try written.write(to: log)
        defer { try? FileManager.default.removeItem(at: log) }
        try self.init(log.path, models: models)
        for piece in pieces.dropFirst() {
            written += piece
            try written.write(to: log)
            _ = try IngestPipeline(options: IngestOptions(paths: [log.path], database: database)).run()
        }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// The rows of a statement, their values joined by commas.
    func rows(_ sql: String) throws -> [String] { try Self.rows(sql, in: database) }

    /// The rows of a statement on a database, their values joined by commas.
    static func rows(_ sql: String, in database: String) throws -> [String] {
        var request = QueryRequest(database: database, question: .sql(sql))
        request.format = .csv
        let collected = Collected()
        _ = try QueryRunner.run(request) { collected.bytes += $0 }
        return String(decoding: collected.bytes, as: UTF8.self).split(whereSeparator: \.isNewline).dropFirst()
            .map(String.init)
    }

    private final class Collected { var bytes: [UInt8] = [] }
}
