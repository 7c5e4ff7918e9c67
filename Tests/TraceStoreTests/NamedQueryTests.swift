import Foundation
import NamedQueries
import Testing
import TraceRecords

@testable import TraceStore

@Suite("The named queries")
struct NamedQueryTests {
    @Test("Every file of queries/ is there, and nothing else")
    func complete() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../queries").standardized
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path())
            .filter { $0.hasSuffix(".sql") }.map { String($0.dropLast(4)) }
        #expect(NamedQueries.all.map(\.name) == files.sorted())
        #expect(NamedQueries.all.count >= 24)
    }

    @Test("The header says what the query takes and gives", arguments: NamedQueries.all)
    func header(_ query: NamedQuery) throws {
        let folder = try TemporaryFolder()
        try store(smallRun(), at: folder.file("t.db"))
        let reader = try TraceReader(path: folder.file("t.db"))
        #expect(query.purpose.hasSuffix("."))
        #expect(query.columns.allSatisfy { !$0.purpose.isEmpty })
        #expect(query.parameters.allSatisfy { ["text", "integer", "real", "time"].contains($0.type) })
        #expect(query.parameters.allSatisfy { !$0.purpose.isEmpty })
        #expect(Set(try reader.parameterNames(of: query.sql)) == Set(query.parameters.map(\.name)))
        try reader.query(query.sql, columns: { #expect($0 == query.columns.map(\.name)) }, row: { _ in })
        if query.sql.contains("row_number") && query.columns.contains(where: { $0.name.hasPrefix("p50") }) {
            // A survival estimate has no percentiles of a sample; it says so instead.
            #expect(query.purpose.contains("R type 7") || query.purpose.contains("Kaplan-Meier"))
        }
    }

    @Test(
        "Every query can be narrowed to an app, its version and a device, by parameters of the same names and order",
        arguments: NamedQueries.all.filter { !["source_accounting", "daily_totals_compared"].contains($0.name) })
    func restrictions(_ query: NamedQuery) throws {
        let names = query.parameters.map(\.name)
        let usual = ["app", "app_version", "device", "run", "layer"]
        #expect(Set(names).isSuperset(of: usual.prefix(3)))
        #expect(names.filter(usual.contains) == usual.filter(names.contains))
        #expect(names.contains("since") == names.contains("until"))
        // A value that nothing has leaves nothing; of the model, what is never seen.
        let folder = try TemporaryFolder()
        let path = folder.file("t.db")
        try store(smallRun(), at: path)
        for name in names where usual.contains(name) {
            let value = SQLValue.text("nothing")
            let answer = try rows(path, query.sql, [name: name == "run" ? .integer(-1) : value])
            let isOfModel = ["coverage", "transition_matrix"].contains(query.name)
            #expect(isOfModel || answer.isEmpty, "\(name): \(answer)")
        }
    }

    @Test(
        "A time with fewer decimals than those that are stored means the same",
        arguments: NamedQueries.all.filter { $0.parameters.contains { $0.name == "since" } })
    func decimals(_ query: NamedQuery) throws {
        let folder = try TemporaryFolder()
        let path = folder.file("t.db")
        try store(smallRun(), at: path)
        for (short, long) in [("02Z", "02.000000000Z"), ("33.5Z", "33.500000000Z")] {
            for name in ["since", "until"] {
                let answers = try [short, long].map {
                    try rows(path, query.sql, [name: .text("2026-03-01T08:00:\($0)")])
                }
                #expect(answers[0] == answers[1], "\(name) \(short)")
            }
        }
    }

    @Test("The stock shell gives the same answer", arguments: NamedQueries.all)
    func shell(_ query: NamedQuery) throws {
        let folder = try TemporaryFolder()
        let path = folder.file("t.db")
        try store(smallRun(), at: path)
        let shell = Process()
        let (input, output) = (Pipe(), Pipe())
        shell.executableURL = URL(filePath: "/usr/bin/env")
        shell.arguments = ["sqlite3", "-readonly", "-batch", "-nullvalue", "-", path]
        shell.standardInput = input
        shell.standardOutput = output
        try shell.run()
        input.fileHandleForWriting.write(Data(query.sql.utf8))
        try input.fileHandleForWriting.close()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        shell.waitUntilExit()
        #expect(shell.terminationStatus == 0)
        #expect(text.split(separator: "\n").map(String.init) == (try rows(path, query.sql)))
    }
}
