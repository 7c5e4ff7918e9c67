import Foundation
import Testing

/// The effects of files of the user: severities, thresholds, profiles, configuration keys, and whole models.
@Suite("A file of the user's own")
struct UserFileTests {
    private static let rules = Program.project.appendingPathComponent("Tests/LifeStatsKitTests/rules")

    /// Rule and severity of each finding of a log of the folder `rules`, judged with an overlay.
    private func findings(of log: String, overlay: String? = nil) throws -> Set<String> {
        let program = try Program()
        var arguments = ["ingest", Self.rules.appendingPathComponent("\(log).log").path]
        if let overlay {
            try program.write("overlay: mine\n\(overlay)\n", to: "mine.yaml")
            let valid = try program.run("model", "validate", "mine.yaml")
            #expect(valid.status == 0, "\(valid.text)")
            arguments += ["--model", "mine.yaml"]
        }
        let outcome = try program.run(arguments)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let rows = try program.run("query", "select rule, severity from findings", "--format", "csv").text
        return Set(rows.split(whereSeparator: \.isNewline).dropFirst().map(String.init))
    }

    @Test(
        "tunes rules and limits without copying the model",
        arguments: [
            // log, overlay, finding that disappears, finding that appears
            ("R-APP-10.violated", "rules: {R-APP-10: error}", "R-APP-10,warning", "R-APP-10,error"),
            ("R-APP-17.violated", "rules: {R-APP-17: off}", "R-APP-17,warning", nil),
            ("R-APP-16.violated", "rules: {R-APP-16: off}", "R-APP-16,info", nil),
            ("TL-01.violated", "limits: {TL-01: {warning: 3, error: 4}}", "TL-01,warning", "TL-01,error"),
            ("TL-01.violated", "limits: {TL-01: off}", "TL-01,warning", nil),
            ("TL-11.kept", "limits: {TL-11: {info: 0.01}}", nil, "TL-11,info"),
            ("TL-01.violated-2", "options: {watchdog-active: no}", "TL-01,error", nil),
            ("TL-06.violated", "options: {background-modes: yes}", "TL-06,warning", nil),
            ("TL-06.violated", "options: {os-version: \"12.4\"}", "TL-06,warning", nil),
            ("R-APP-19.violated", "options: {exits-on-suspend: yes}", nil, "R-APP-19,error"),
            ("R-APP-20.violated", "options: {exits-on-suspend: no}", nil, "R-APP-20,info"),
            ("R-SCN-15.violated", "options: {os-version: \"12.4\"}", nil, "R-SCN-15,error"),
            ("R-VC-07.violated", "options: {platform-profile: seed-strict}", "R-VC-07,info", "R-VC-07,error"),
            ("R-VC-07.violated", "profiles: [seed-strict]", "R-VC-07,info", "R-VC-07,error"),
            ("R-APP-17.violated", "profiles: [dev-build]", "R-APP-17,warning", "R-APP-17,info"),
        ] as [(String, String, String?, String?)])
    func tuning(log: String, overlay: String, gone: String?, new: String?) throws {
        let before = try findings(of: log)
        let after = try findings(of: log, overlay: overlay)
        var expected = before
        if let gone {
            #expect(before.contains(gone), "\(before)")
            expected.remove(gone)
        }
        if let new { expected.insert(new) }
        #expect(after.contains(new ?? "") || new == nil, "\(after)")
        if let gone { #expect(!after.contains(gone), "\(after)") }
        // Whole profiles and keys may change more than one thing; a rule or limit by name changes itself alone.
        if overlay.hasPrefix("rules") || overlay.hasPrefix("limits") { #expect(after == expected) }
    }

    @Test(
        "is refused with file and line when it is invalid",
        arguments: [
            ("rules: {R-APP-99: error}", "there is no rule 'R-APP-99'"),
            ("rules: {R-APP-10: fatal}", "it must be one of info, warning, error"),
            ("limits: {TL-01: {warning: -3}}", "must be a number of seconds"),
            ("limits: {TL-01: {error: 1e30}}", "must be a number of seconds"),
            ("limits: {TL-01: {warning: soon}}", "must be a number of seconds"),
            ("limits: {TL-01: {warning: 30}}", "already error above 20.0 s"),
            ("limits: {TL-01: {fatal: 30}}", "use one of info, warning, error"),
            ("limits: {TL-99: off}", "there is no time limit 'TL-99'"),
            ("options: {watchdog-active: maybe}", "only yes, no"),
            ("options: {max-gap: 1e30}", "only seconds"), ("options: {prewarm-after: -1}", "only seconds"),
            ("options: {os-version: new}", "only a version"), ("options: {edge-time: exit}", "the key is fixed"),
            ("options: {lang: es}", "use the command line option --lang"),
            ("options: {suspend-grace: 3}", "use the command line option --suspend-grace"),
            ("options: {colour: red}", "there is no configuration key 'colour'"),
            ("profiles: [ios99]", "there is no profile 'ios99'"),
            ("spellings: {applicationDidSleep: [zzz]}", "there is no callback 'applicationDidSleep'"),
            ("rule: {}", "unknown key 'rule'"),
        ])
    func refused(overlay: String, message: String) throws {
        let program = try Program()
        try program.write("overlay: mine\n\(overlay)\n", to: "mine.yaml")
        let found = try program.run("model", "validate", "mine.yaml")
        #expect(found.status == 1)
        #expect(found.text.hasPrefix("mine.yaml:2: error: "), "\(found.text)")
        #expect(found.text.contains(message), "\(found.text)")
        let log = Self.rules.appendingPathComponent("TL-01.kept.log").path
        let refused = try program.run("ingest", log, "--model", "mine.yaml")
        #expect(refused.status == 2)
        #expect(refused.errors.contains("mine.yaml:2: ") && refused.errors.contains(message), "\(refused.errors)")
    }

    @Test("of layouts reads the lines that `show` prints, from the configuration folder or named")
    func layout() throws {
        let program = try Program()
        try program.write(
            """
            name: tea-log
            title: The kettle's own log
            patterns: ["<{time:yyyy-MM-dd HH:mm:ss}> ~{process}~{pid}~ {message}"]
            samples:
              - {line: "<2024-03-09 07:30:00> ~Tea~412~ on", time: "2024-03-09T07:30:00Z", process: Tea, pid: 412, message: on}
            """, to: "config/lifestats/formats/tea.yaml")
        try program.write(
            """
            <2024-03-09 07:30:00> ~Tea~412~ applicationDidBecomeActive
            <2024-03-09 07:30:09> ~Tea~412~ applicationWillResignActive

            """, to: "app.log")
        let home = ["XDG_CONFIG_HOME": program.folder.url.appendingPathComponent("config").path]
        #expect(try program.run("ingest", "app.log", environment: home).status == 0)
        let pid = try program.run("query", "select distinct app, pid from runs", "--format", "csv").text
        #expect(pid.split(whereSeparator: \.isNewline).last == "Tea,412")
        let lines = "> 1  <2024-03-09 07:30:00> ~Tea~412~ applicationDidBecomeActive\n  2  <2024-03-09 07:30:09> "
        let event = try program.run("query", "select min(event_id) from events", "--format", "csv").figure
        #expect(try program.run("show", "event:\(event)").text.contains(lines))
    }

    @Test("has no effect on findings that were made before, and check says so")
    func stored() throws {
        let program = try Program()
        try program.write("overlay: mine\nrules: {R-APP-10: error}\n", to: "mine.yaml")
        #expect(try program.run("ingest", Self.rules.appendingPathComponent("R-APP-10.violated.log").path).status == 0)
        let before = try program.run("check", "--model", "mine.yaml")
        #expect(before.status == 0 && before.errors.contains("lifestats replay --model mine.yaml"))
        #expect(try program.run("replay", "--model", "mine.yaml").status == 0)
        #expect(try program.run("check").status == 1)
    }

    @Test("that holds a model with errors is not used")
    func broken() throws {
        let program = try Program()
        try program.write(
            """
            model: door
            initial: shut
            final: [shut]
            states: {shut: {citation: d}, open: {citation: d}}
            callbacks: {opens: {spellings: [opens], citation: d}}
            transitions:
              D1: {from: shut, to: opne, callbacks: opens, citation: d}
              D2: {from: open, to: shut, callbacks: slams, citation: d}

            """, to: "door.yaml")
        let log = Self.rules.appendingPathComponent("TL-01.kept.log").path
        let refused = try program.run("ingest", log, "--model", "door.yaml")
        #expect(refused.status == 2)
        #expect(refused.errors.contains("door.yaml:7: transition D1 names the state 'opne'"), "\(refused.errors)")
        #expect(refused.errors.contains("lifestats model validate door.yaml"))
    }

    @Test("may change and explain the rules of another file")
    func overOwnModel() throws {
        let program = try Program()
        let session = Program.project.appendingPathComponent("samples/models/session.yaml").path
        try program.write("overlay: mine\nrules: {SE-R1: error}\n", to: "mine.yaml")
        #expect(try program.run("model", "validate", "mine.yaml").status == 1)
        #expect(try program.run("model", "validate", "mine.yaml", "--model", session).status == 0)
        let text = try program.run("check", "--explain", "se-r1", "--model", session, "--model", "mine.yaml").text
        #expect(text.contains("SE-R1 (session)") && text.contains("severity   error"), "\(text)")
    }

    @Test("works as the documentation of models shows, command by command")
    func examples() throws {
        let program = try Program()
        try FileManager.default.createSymbolicLink(
            at: program.folder.url.appendingPathComponent("samples"),
            withDestinationURL: Program.project.appendingPathComponent("samples"))
        let page = Program.project.appendingPathComponent("samples/models/README.md")
        let lines = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
        let player = lines.filter { $0.hasPrefix("    lifestats ") }.map { $0.dropFirst(4) }
        #expect(player.count >= 6)
        let session = try String(
            contentsOf: Program.project.appendingPathComponent("samples/models/session.yaml"), encoding: .utf8
        ).split(separator: "\n").filter { $0.hasPrefix("#   lifestats ") }.map { $0.dropFirst(4) }
        #expect(session.count >= 4)
        for command in player + session {
            var words: [String] = []
            for (place, part) in command.split(separator: "\"", omittingEmptySubsequences: false).enumerated() {
                words += place % 2 == 1 ? [String(part)] : part.split(separator: " ").map(String.init)
            }
            let outcome = try program.run(Array(words.dropFirst()))
            // The player breaks one of its own rules, which is an error.
            #expect(outcome.status == (words[1] == "check" ? 1 : 0), "\(command): \(outcome.errors)")
        }
        for (picture, names) in [("player.svg", ["Playing", "Stalled"]), ("session.svg", ["Shopping", "Expired"])] {
            let drawn = try String(
                contentsOf: program.folder.url.appendingPathComponent(picture), encoding: .utf8)
            for name in names { #expect(drawn.contains(">\(name)<"), "\(name) in \(picture)") }
        }
    }

    @Test("what is missing, or has another ending, leads to what can be done in that command")
    func advice() throws {
        let program = try Program()
        for (command, advice) in [
            ("merge o.db a.db b.db", "or name another."), ("compare a.db b.db", "or name another."),
            ("check app.log --aliases spellings.yaml", "check its name"),
            ("model export app -o app.xyz", "use .yaml"),
        ] {
            let outcome = try program.run(command.split(separator: " ").map(String.init))
            #expect(outcome.status != 0 && outcome.errors.contains(advice), "\(command): \(outcome.errors)")
        }
    }
}
