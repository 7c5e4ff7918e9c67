import Foundation
import LifeStatsKit
import Testing

@Suite("The library, as another package uses it")
struct LibraryExampleTests {
    private static let project = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private static let log = """
        2024-03-09 10:00:00.000 Shop[7:1] application:didFinishLaunchingWithOptions:
        2024-03-09 10:00:01.000 Shop[7:1] applicationDidBecomeActive:
        2024-03-09 10:00:05.000 Shop[7:1] applicationWillResignActive:
        2024-03-09 10:00:06.000 Shop[7:1] applicationDidEnterBackground:
        2024-03-09 10:00:08.000 Shop[7:1] applicationWillTerminate:

        """

    /// Runs something in a folder with the log.
    private func inFolder<T>(_ body: (String) throws -> T) throws -> T {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(Self.log.utf8).write(to: folder.appendingPathComponent("shop.log"))
        return try body(folder.path)
    }

    @Test("The example ingests, asks, checks and draws")
    func runs() throws {
        let result = try inFolder { try example(logs: "\($0)/shop.log", database: "\($0)/shop.db") }
        let active = try #require(result.dwells.first { $0.state == "active" })
        #expect(active.complete == 1)
        #expect(active.p50_s == 4)
        #expect(result.endings.map(\.app) == ["Shop"])
        #expect(result.endings.map(\.runs) == [1])
        #expect(String(decoding: result.picture, as: UTF8.self).contains("<svg"))
    }

    @Test("docs/library.md shows the example as it is compiled")
    func documented() throws {
        let page = try String(contentsOf: Self.project.appendingPathComponent("docs/library.md"), encoding: .utf8)
        let code = try String(
            contentsOf: Self.project.appendingPathComponent("Tests/LibraryExampleTests/LibraryExample.swift"),
            encoding: .utf8)
        #expect(page.contains(code.drop { $0 != "\n" }.dropFirst()))
    }

    @Test("A row that does not fit is an error that names the column")
    func misfit() throws {
        struct Wrong: Decodable { var state: Int }
        struct Missing: Decodable { var nothing: String }
        try inFolder { folder in
            let database = LifecycleDatabase("\(folder)/shop.db")
            #expect(throws: LifeStatsError.self) { try database.check() }
            try database.ingest(["\(folder)/shop.log"])
            let query = "SELECT state FROM visits WHERE state = 'active'"
            #expect(throws: DecodingError.self) { try database.rows(Wrong.self, of: query) }
            #expect(throws: DecodingError.self) { try database.rows(Missing.self, of: query) }
            #expect(throws: LifeStatsError.self) { try database.rows(Wrong.self, of: "no_such_query") }
            #expect(try database.rows(String.self, of: query) == ["active"])
        }
    }
}
