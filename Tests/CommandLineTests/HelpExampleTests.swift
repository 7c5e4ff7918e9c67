import Foundation
import Testing

/// The examples of help texts, run as they are written, on logs of `samples/` that have the names in them.
@Suite("Examples of help texts")
struct HelpExampleTests {
    /// Help texts with examples; `show` needs ids, which no text can know.
    private static let commands = [
        [], ["check"], ["compare"], ["diagram"], ["report"], ["export"], ["formats", "entries"], ["formats", "test"],
        ["ingest"], ["watch"], ["merge"], ["replay"], ["forget"], ["query"], ["schema"], ["simulate"], ["timeline"],
    ]

    /// Everything that the examples name: logs, databases, cohorts, a layout; and commands that print a log.
    private static let everything = """
        set -e
        mkdir logs bin
        ln -s "$LIFESTATS" bin/lifestats
        printf '#!/bin/sh\\ncat "$OLDPWD/app.log" 2>/dev/null || cat app.log\\n' >bin/idevicesyslog
        cp bin/idevicesyslog bin/xcrun
        command -v jq >/dev/null || printf '#!/bin/sh\\ncat >/dev/null\\n' >bin/jq
        chmod +x bin/*
        cp "$SAMPLES"/day/*.log "$SAMPLES"/deviations/*.log "$SAMPLES"/scenes/*.log logs
        cp "$SAMPLES"/day/harbour.log app.log
        cp app.log console.txt
        head -12 app.log >app.log.1
        head -6 app.log | gzip >app.log.2.gz
        cp "$SAMPLES"/day/tidebook.log logs/app.log.3
        cp -r logs system_logs.logarchive
        cp "$SAMPLES"/models/session.yaml model.yaml
        lifestats help formats | sed -n '/^Example:/,/pid: 412/p' | sed -n 's/^  //p' >kettle.yaml
        echo '2024-03-09 07:30:00Z Tea[412]: viewDidLoad' >kettle.log
        echo 'applicationDidBecomeActive: [woke up]' >words.yaml
        lifestats simulate --devices 8 --callbacks 3000 -o cohorts
        lifestats ingest cohorts/a --app-version 4.1 --os-version 17.5 --db base.db
        lifestats ingest cohorts/b --app-version 4.2 --os-version 18.1 --db new.db
        cp base.db old.db
        lifestats merge lifestats.db base.db new.db
        lifestats ingest logs
        lifestats ingest app.log --db monday.db
        lifestats ingest logs --db tuesday.db
        """

    private static let prepared = Result {
        let program = try Program()
        let outcome = try script(everything, in: program)
        return (program, outcome)
    }

    private static func script(_ text: String, in program: Program) throws -> Program.Outcome {
        try program.shell(
            "export PATH=\"$PWD/bin:$PATH\" SAMPLES='\(Program.project.path)/samples'\nexport PATH=\"${LIFESTATS%/*}:$PATH\"\n"
                + "set -o pipefail\n" + text)
    }

    @Test(
        "Options come in one order: the result, what is special, the language, the source, its limits",
        arguments: ["diagram", "timeline", "report", "check", "compare", "query", "show", "export"])
    func order(of command: String) throws {
        let help = try Program().run("help", command).text.components(separatedBy: "\nOPTIONS:\n").last ?? ""
        let all = help.matches(of: /(?m)^  (?:-o, )?--([a-z-]+)/).map { String($0.1) }
        let order = ["output", "format", "lang", "from", "db", "timeout", "model", "version"]
        let found = all.filter(order.contains)
        #expect(found == order.filter(found.contains), "\(all)")
        #expect(all.drop { $0 != "db" }.allSatisfy(order.contains), "\(all)")
    }

    @Test("they work, and fit a line", arguments: commands)
    func examples(command: [String]) throws {
        let (prepared, setting) = try Self.prepared.get()
        #expect(setting.status == 0, "\(setting.errors)")
        let program = try Program()
        let text = try program.run(["help"] + command).text
        let lines = text.split(separator: "\n").filter { $0.hasPrefix("  ") }.map { $0.dropFirst(2) }
        let examples = lines.filter { $0.contains(#/^(?:.* \| )?lifestats /#) }
        #expect(!examples.isEmpty, "\(text)")
        let copy = try program.shell("cp -r '\(prepared.folder.url.path)'/[!.]* .")
        #expect(copy.status == 0, "\(copy.errors)")
        for example in examples {
            // What it is for stands beside it.
            let line = example.replacing(/\ {2,}.*/, with: "")
            let limit = line.hasPrefix("lifestats watch") ? "timeout -s INT 2 " : ""
            let outcome = try Self.script(limit + line, in: program)
            let findsSomething = line.contains(#/lifestats (check|compare)/#) && outcome.status == 1
            let isStopped = !limit.isEmpty && outcome.status != 64
            #expect(outcome.status == 0 || findsSomething || isStopped, "\(line)\n\(outcome.errors)")
        }
    }
}
