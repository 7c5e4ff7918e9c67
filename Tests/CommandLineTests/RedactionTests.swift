import Foundation
import Testing

/// With `--redact`, nothing that tells about a person gets into the database or out of it.
@Suite("Redaction")
struct RedactionTests {
    static let secrets = [
        "Annas-iPhone", "Berta-iPad", "anna.meier", "00008101-000A1B2C3D4E001E", "8F3C2A10-1B2C-4D5E-8F90",
        "0x7fa3c2b1d0e0", "very private note", "Zugersee", "customer4711",
    ]

    static let log = [
        "Mar  9 07:30:00 Annas-iPhone Tour[412] <Notice>: didFinishLaunchingWithOptions",
        "Mar  9 07:30:00 Annas-iPhone Tour[412] <Notice>: applicationDidBecomeActive very private note by anna.meier@example.com",
        "Mar  9 07:30:01 Annas-iPhone Tour[412] <Notice>: -[HomeViewController viewDidLoad] <HomeViewController: 0x7fa3c2b1d0e0>",
        "Mar  9 07:30:02 Annas-iPhone Tour[412] <Notice>: sceneDidBecomeActive persistentIdentifier=8F3C2A10-1B2C-4D5E-8F90-A1B2C3D4E5F6",
        "Mar 39 07:30:03 Annas-iPhone Tour[412] <Notice>: Zugersee customer4711",
        "Mar  9 07:31:12 Annas-iPhone Tour[412] <Notice>: applicationDidEnterBackground /var/mobile/anna.meier/notes",
        "Mar  9 07:31:13 Berta-iPad Tour[99] <Notice>: applicationDidEnterBackground 00008101-000A1B2C3D4E001E",
    ]

    private func program() throws -> Program {
        let program = try Program()
        try program.write(RepeatedIngestTests.text(Self.log), to: "Annas-iPhone/customer4711.log")
        return program
    }

    private let key = ["LIFESTATS_REDACTION_KEY": "a key of the tests"]

    private func found(in data: Data) -> [String] { Self.secrets.filter { data.range(of: Data($0.utf8)) != nil } }

    @Test("no private text is in the database, the answers, the report, the exports or the summary")
    func nothingLeaves() throws {
        let program = try program()
        let folder = program.folder.url
        let ingest = try program.run(
            ["ingest", "Annas-iPhone", "--year", "2024", "--keep-messages", "--redact"], environment: key)
        #expect(ingest.status == 0, "\(ingest.errors)")
        #expect(ingest.errors.contains("6 events"), "\(ingest.errors)")
        #expect(found(in: Data(ingest.errors.utf8)) == [])
        let database = try Data(contentsOf: folder.appendingPathComponent("lifestats.db"))
        #expect(found(in: database) == [])
        #expect(database.range(of: Data("HomeViewController".utf8)) != nil)
        #expect(try program.run("report", "-o", "report.html").status == 0)
        #expect(found(in: try Data(contentsOf: folder.appendingPathComponent("report.html"))) == [])
        for format in ["ocel", "xes", "perfetto", "datasette"] {
            let export = try program.run("export", format)
            #expect(export.status == 0, "\(export.errors)")
            #expect(found(in: export.output) == [])
        }
        let check = try program.run("check", "--format", "sarif", "--fail-on", "never")
        #expect(check.status == 0, "\(check.errors)")
        #expect(found(in: check.output) == [])
        try program.run("diagram", "-o", "app.svg")
        try program.run("timeline", "-o", "timeline.svg")
        let events = try program.run("query", "select device, instance, message, source from events", "--format", "csv")
        #expect(found(in: events.output) == [])
        #expect(events.text.contains("device-"))
        // Whatever was written, wherever: the logs themselves are all that holds a secret.
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) where !name.hasPrefix("Annas-") {
            #expect(found(in: Data(name.utf8)) == [])
            if let content = FileManager.default.contents(atPath: folder.path + "/" + name) {
                #expect(found(in: content) == [], "\(name)")
            }
        }

        // The same log without the option shows that the secrets are there to be found.
        try program.run("ingest", "Annas-iPhone", "--year", "2024", "--keep-messages", "--db", "open.db")
        let open = try Data(contentsOf: folder.appendingPathComponent("open.db"))
        #expect(Set(found(in: open)) == Set(Self.secrets))
    }

    @Test("equal values have equal pseudonyms, in whatever pieces the log is ingested")
    func stable() throws {
        let whole = try program()
        _ = try whole.run(["ingest", "Annas-iPhone", "--year", "2024", "--redact"], environment: key)
        let grown = try Program()
        for count in 1...Self.log.count {
            try grown.write(RepeatedIngestTests.text(Self.log[..<count]), to: "Annas-iPhone/customer4711.log")
            // Once redacted, always redacted.
            let option = count == 1 ? ["--redact"] : []
            let ingest = try grown.run(["ingest", "Annas-iPhone", "--year", "2024"] + option, environment: key)
            #expect(ingest.status == 0, "\(ingest.errors)")
        }
        #expect(try RepeatedIngestTests.digest(grown) == RepeatedIngestTests.digest(whole))
        let devices = try whole.run("query", "select count(distinct device) from runs", "--format", "csv")
        #expect(devices.figure == "2")
    }

    @Test("a device whose name the system's log escapes has one pseudonym, in whatever pieces the log is ingested")
    func escapedDevice() throws {
        let log = [
            #"Mar  9 07:30:00 Ren\M-C\M-)s-iPhone Tour[412] <Notice>: applicationDidBecomeActive"#,
            "2024-03-09 07:31:00.000 Tour[413:1] applicationDidBecomeActive",
            "2024-03-09 07:32:00.000 Tour[414:1] applicationDidBecomeActive",
        ]
        let ask = ["query", "select distinct device from runs", "--format", "csv"]
        let whole = try Program()
        try whole.write(RepeatedIngestTests.text(log), to: "app.log")
        _ = try whole.run(["ingest", "app.log", "--year", "2024", "--redact"], environment: key)
        let devices = try whole.run(ask).text
        #expect(devices.split(whereSeparator: \.isNewline).count == 2, "\(devices)")
        let grown = try Program()
        for count in 1...log.count {
            try grown.write(RepeatedIngestTests.text(log[..<count]), to: "app.log")
            _ = try grown.run(["ingest", "app.log", "--year", "2024", "--redact"], environment: key)
        }
        #expect(try grown.run(ask).text == devices)
        #expect(try RepeatedIngestTests.digest(grown) == RepeatedIngestTests.digest(whole))
        // Who types the name means the same device.
        try whole.write("2024-03-09 07:40:00.000 Tour[415:1] applicationDidBecomeActive\n", to: "other.log")
        _ = try whole.run(["ingest", "other.log", "--device", "Renés-iPhone"], environment: key)
        #expect(try whole.run(ask).text == devices)
    }

    @Test("a source of a redacted database is forgotten by the path of its file, by whoever has the key")
    func forgotten() throws {
        let program = try program()
        let path = "Annas-iPhone/customer4711.log"
        try program.write(RepeatedIngestTests.text(Self.log), to: "\(path).1")
        _ = try program.run(["ingest", "\(path).1", "--year", "2024", "--redact"], environment: key)
        let before = try RepeatedIngestTests.digest(program)
        try program.write("Mar  9 07:40:00 Annas-iPhone Tour[412] <Notice>: applicationWillTerminate\n", to: path)
        _ = try program.run(["ingest", "Annas-iPhone", "--year", "2024"], environment: key)
        let stranger = try program.run(["forget", path], environment: ["LIFESTATS_REDACTION_KEY": "another"])
        #expect(stranger.status == 2)
        #expect(try RepeatedIngestTests.digest(program) != before)
        let forget = try program.run(["forget", path], environment: key)
        #expect(forget.status == 0, "\(forget.errors)")
        #expect(found(in: Data(forget.errors.utf8) + forget.output) == [])
        #expect(try RepeatedIngestTests.digest(program) == before)
    }

    @Test("bundle identifiers stay, as the names of processes do: they name the app, and nobody")
    func bundles() throws {
        let program = try Program()
        try program.write(
            "2024-03-09 07:30:00.000 runningboardd[33:1] [app<com.example.tour(0F0E0D0C)>:412] Suspending task.\n"
                + "2024-03-09 07:30:01.000 Tour[412:1] applicationDidEnterBackground\n", to: "app.log")
        _ = try program.run(["ingest", "app.log", "--redact"], environment: key)
        let database = try Data(contentsOf: program.folder.url.appendingPathComponent("lifestats.db"))
        #expect(database.range(of: Data("com.example.tour".utf8)) != nil)
        #expect(database.range(of: Data("0F0E0D0C".utf8)) == nil)
    }

    @Test("copies of lines are recognised in a redacted log, also when it has grown")
    func copies() throws {
        let whole = try Program()
        let grown = try Program()
        let pasted = Self.log + Self.log
        try whole.write(RepeatedIngestTests.text(pasted), to: "app.log")
        for text in [Self.log, pasted] {
            try grown.write(RepeatedIngestTests.text(text), to: "app.log")
            _ = try grown.run(["ingest", "app.log", "--year", "2024", "--redact"], environment: key)
        }
        _ = try whole.run(["ingest", "app.log", "--year", "2024", "--redact"], environment: key)
        #expect(try grown.run("query", "select count(*) from events", "--format", "csv").figure == "6")
        #expect(try RepeatedIngestTests.digest(grown) == RepeatedIngestTests.digest(whole))
    }

    @Test("a redacted database takes no other key, and one that is not redacted is not half redacted")
    func mixing() throws {
        let program = try program()
        _ = try program.run(["ingest", "Annas-iPhone", "--redact"], environment: key)
        let other = try program.run(["ingest", "Annas-iPhone"], environment: ["LIFESTATS_REDACTION_KEY": "another"])
        #expect(other.status == 2)
        #expect(other.errors.contains("LIFESTATS_REDACTION_KEY"))
        try program.run("ingest", "Annas-iPhone", "--db", "open.db")
        let late = try program.run(["ingest", "Annas-iPhone", "--redact", "--db", "open.db"], environment: key)
        #expect(late.status == 2)
        #expect(late.errors.contains("another database"))
    }

    @Test("without a key of the user one is made up, readable by nobody else, and used again")
    func ownKey() throws {
        let program = try program()
        let home = ["XDG_CONFIG_HOME": program.folder.url.appendingPathComponent("config").path]
        let ask = ["query", "select distinct device from runs order by 1", "--format", "csv"]
        _ = try program.run(["ingest", "Annas-iPhone", "--redact", "--db", "one.db"], environment: home)
        _ = try program.run(["ingest", "Annas-iPhone", "--redact", "--db", "two.db"], environment: home)
        let devices = try program.run(ask + ["--db", "one.db"]).text
        #expect(devices.contains("device-"))
        #expect(try program.run(ask + ["--db", "two.db"]).text == devices)
        let path = program.folder.url.appendingPathComponent("config/lifestats/redaction-key").path
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }
}
