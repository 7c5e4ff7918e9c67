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

    /// Writes a log and reads it.
    convenience init(text: String, models: [String] = []) throws {
        let log = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).log")
        try Data(text.utf8).write(to: log)
        defer { try? FileManager.default.removeItem(at: log) }
        try self.init(log.path, models: models)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// The rows of a statement, their values joined by commas.
    func rows(_ sql: String) throws -> [String] {
        var request = QueryRequest(database: database, question: .sql(sql))
        request.format = .csv
        let collected = Collected()
        _ = try QueryRunner.run(request) { collected.bytes += $0 }
        return String(decoding: collected.bytes, as: UTF8.self).split(whereSeparator: \.isNewline).dropFirst()
            .map(String.init)
    }

    private final class Collected { var bytes: [UInt8] = [] }
}
