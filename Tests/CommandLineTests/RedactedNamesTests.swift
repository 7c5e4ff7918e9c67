import Foundation
import Testing

/// With `--redact`, what stands where a name belongs, and is none, gets no further than any other private text.
@Suite("Private text in the place of names")
struct RedactedNamesTests {
    private let key = ["LIFESTATS_REDACTION_KEY": "a key of the tests"]

    private func redacted(_ lines: [String], named name: String = "app.log") throws -> Program {
        let program = try Program()
        try program.write(RepeatedIngestTests.text(lines), to: name)
        let ingest = try program.run(["ingest", name, "--redact", "--year", "2026"], environment: key)
        #expect(ingest.status == 0, "\(ingest.errors)")
        return program
    }

    /// What the database holds of texts, or a person is told; letters count as the same, large or small.
    private func expect(_ program: Program, hidesAll secrets: [String], _ note: String = "") throws {
        let again = try program.run(["ingest", "app.log", "--redact", "--year", "2026"], environment: key)
        let database = try Data(contentsOf: program.folder.url.appendingPathComponent("lifestats.db"))
        let summary = try program.run("report", "-o", "-").text + again.text + again.errors
        for secret in secrets {
            #expect(database.range(of: Data(secret.utf8)) == nil, "\(secret) \(note)")
            #expect(!summary.contains(secret), "\(secret) \(note)")
        }
    }

    private func answer(_ program: Program, _ query: String) throws -> [String] {
        try program.run("query", query, "--format", "csv").text.split(whereSeparator: \.isNewline).dropFirst()
            .map(String.init)
    }

    private func instances(of program: Program) throws -> [String] {
        try answer(program, "select distinct instance from events where instance is not null")
    }

    /// Ingests the log at once and line by line, and compares.
    private func expectSameInPieces(_ lines: [String]) throws {
        let whole = try redacted(lines)
        let grown = try Program()
        for count in 1...lines.count {
            try grown.write(RepeatedIngestTests.text(lines[..<count]), to: "app.log")
            _ = try grown.run(["ingest", "app.log", "--redact", "--year", "2026"], environment: key)
        }
        #expect(try RepeatedIngestTests.digest(grown) == RepeatedIngestTests.digest(whole))
    }

    @Test("figures that are none are told by a pseudonym, as are names and versions of a payload that are none")
    func figures() throws {
        let payload = [
            "{", #"  "timeStampBegin" : "2024-03-09 00:00:00 +0000","#,
            #"  "appVersion" : "1.2.3.4 anna.gasse@example.org","#,
            #"  "metaData" : { "bundleIdentifier" : "com.example.8F3C2A10-1B2C-4D5E-8F90-A1B2C3D4E5F6" },"#,
            #"  "cumulativeBackgroundTime" : "anna.gasse@example.org","#,
            #"  "cumulativeForegroundTime" : "12 annagasse","#, #"  "cumulative/Users/annagasse/Time" : "3 sec","#,
        ]
        // Without its end, the payload waits in what is remembered of the log.
        for lines in [payload, payload + [#"  "timeStampEnd" : "2024-03-09 23:59:00 +0000""#, "}"]] {
            let program = try redacted(lines)
            try expect(program, hidesAll: ["anna.gasse", "annagasse", "8F3C2A10-1B2C"])
            let assumptions = try answer(program, "select assumptions from sources").joined()
            #expect(assumptions.contains("cumulativeBackgroundTime of line 5 left out, 'text-"), "\(assumptions)")
        }
    }

    @Test(
        "a process named by a path is called by the last part of it, whatever wrote the line",
        arguments: [
            "2026-05-12 10:00:09.000 /Users/annagasse/Library/Tour[12:1] applicationDidBecomeActive",
            "May 12 10:00:16 host /Users/annagasse/bin/Tour[99]: applicationDidBecomeActive",
            "2026-05-12 10:00:09.000 Df /Users/annagasse/Library/Tour[12:1] applicationDidBecomeActive",
            "2026-05-12 10:00:09.000000+0000 0x7a1 Default 0x0 12 0 /Users/annagasse/Tour: applicationDidBecomeActive",
            #"{"timestamp":"2026-05-12T10:00:09Z","process":"~/annagasse/Tour","message":"applicationDidBecomeActive"}"#,
            "Process:               /Users/annagasse/Tour [412]",
        ])
    func paths(line: String) throws {
        var lines = [line]
        if line.hasPrefix("Process:") {
            let sample = Program.project.appendingPathComponent("samples/formats/14-crash-report.log")
            lines = try String(contentsOf: sample, encoding: .utf8).split(separator: "\n").map(String.init)
            lines = lines.map { $0.hasPrefix("Process:") ? line : $0 }
        }
        let program = try redacted(lines)
        try expect(program, hidesAll: ["annagasse"], line)
        #expect(try answer(program, "select distinct app from runs") == ["Tour"], "\(line)")
        // Nobody's folders are part of a name, whether it is redacted or not.
        try program.run("ingest", "app.log", "--year", "2026", "--db", "open.db")
        let open = try program.run("query", "select distinct app from runs", "--format", "csv", "--db", "open.db")
        #expect(open.text.split(whereSeparator: \.isNewline).last == "Tour", "\(line)")
    }

    @Test(
        "an address or an identifier in the place of a process is a pseudonym; what only looks odd is a name",
        arguments: [
            ("192.168.7.8", false), ("fe80::1c2d:7", false), ("8F3C2A10-1B2C-4D5E-8F90-A1B2C3D4E5F6", false),
            ("annagasse10@host Tour", false), ("00008101-000A1B2C3D4E001E", false), ("Users/annagasse/Tour", false),
            ("/Users/annagasse/", false), ("Tour (4917612345678)", false), ("Tea Timer 2.0.1", true),
            ("com.apple.WebKit", true), ("Tour2026", true),
        ])
    func identifiers(name: String, stays: Bool) throws {
        let program = try redacted(["2026-05-12 10:00:09.000 \(name)[12:1] applicationDidBecomeActive"])
        if !stays { try expect(program, hidesAll: [name, "annagasse"]) }
        let app = try #require(try answer(program, "select distinct app from runs").first)
        #expect(stays ? app == name : app.hasPrefix("name-") && app.count == 17, "\(app)")
    }

    @Test("the version that a person says is no way around it either")
    func saidVersion() throws {
        let program = try Program()
        try program.write("2026-05-12 10:00:09.000 Tour[12:1] applicationDidBecomeActive\n", to: "app.log")
        let said = ["--redact", "--app-version", "/Users/annagasse/2.1"]
        #expect(try program.run(["ingest", "app.log"] + said, environment: key).status == 0)
        try expect(program, hidesAll: ["annagasse"])
        #expect(try answer(program, "select app_version like 'version-%' from runs") == ["1"])
        let plain = try program.run(["ingest", "app.log", "--app-version", "/Users/annagasse/2.1", "--db", "x.db"])
        #expect(plain.status == 0)
    }

    @Test("parts of addresses and of users' paths are no classes, whatever letters they have")
    func people() throws {
        let line = "2026-05-12 10:00:09.000 Tour[12:1] "
        let messages = [
            "[ludovca.gasse@example.org] viewDidLoad", "[LudovcaGasse@example.org] viewDidLoad",
            "/Users/LudovcaGasse viewDidLoad", "--AnnaGasse@example.org-- viewDidLoad",
            "-[HomeViewController viewDidLoad]",
        ]
        let program = try redacted(messages.map { line + $0 })
        try expect(program, hidesAll: ["ludovca", "Ludovca", "AnnaGasse"])
        let instances = try instances(of: program)
        // A view without a name has a number.
        #expect(instances.contains("HomeViewController"), "\(instances)")
        #expect(instances.allSatisfy { $0 == "HomeViewController" || $0.hasPrefix("view") }, "\(instances)")
    }

    @Test("lines of a process that has a pseudonym belong together, in whatever pieces the log is ingested")
    func stable() throws {
        try expectSameInPieces([
            "2026-05-12 10:00:09.000 annagasse10@host[12:1] applicationDidBecomeActive",
            "10:00:10 sceneDidBecomeActive session: annagasse",
            "2026-05-12 10:00:11.000 applicationWillResignActive",
            "2026-05-12 10:00:12.000 /Users/annagasse/Tour[13:1] applicationDidBecomeActive",
            "2026-05-12 10:00:13.000 applicationWillResignActive",
            "2026-05-12 10:00:13.000 applicationWillResignActive",
        ])
    }

    @Test("the label of a scene is the identifier of a session, even where it is a plain word; a class stays")
    func scenes() throws {
        let line = "2026-05-12 10:00:09.000 Tour[12:1] "
        let lines = [
            "scene willConnectTo session annagasse5", "sceneDidBecomeActive session: annagasse",
            "scene(annagasse7) sceneDidBecomeActive", "-[HomeViewController viewDidLoad]",
        ].map { line + $0 }
        let program = try redacted(lines)
        try expect(program, hidesAll: ["annagasse"])
        let instances = try instances(of: program)
        #expect(instances.count { $0.hasPrefix("id-") } == 3, "\(instances)")
        #expect(instances.contains("HomeViewController"), "\(instances)")
        try expectSameInPieces(lines)
    }
}
