import Foundation
import Testing

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// Diagrams and reports of real databases, as the program writes them.
@Suite("Pictures of databases")
struct PictureTests {
    private static func sample(_ name: String) -> String {
        Program.project.appendingPathComponent("samples/\(name)").path
    }

    /// A program with a database of samples.
    static func program(_ names: String..., options: [String] = []) throws -> Program {
        let program = try Program()
        let outcome = try program.run(["ingest"] + names.map(sample) + options)
        #expect(outcome.status == 0, "\(outcome.errors)")
        return program
    }

    /// The texts of an SVG.
    func texts(_ svg: String) -> [String] {
        svg.components(separatedBy: "</text>").dropLast().compactMap { $0.components(separatedBy: ">").last }
    }

    @Test("What was over before its process ended is not drawn as ended with it")
    func finalStates() throws {
        let program = try Self.program("today")
        let picture = texts(try program.run("diagram", "--layer", "background-task").text)
        #expect(picture.contains("Finished") && picture.contains("1 visit"), "\(picture)")
        #expect(!picture.contains { $0.contains("killed in background") }, "\(picture)")
        // The app itself ended so.
        #expect(texts(try program.run("diagram").text).contains { $0.contains("killed in background") })
    }

    @Test("A crash ends the visits of scenes and controllers, which the pictures of both say")
    func crashInLayers() throws {
        let program = try Program()
        let crash =
            ["scene:willConnectToSession:options:", "sceneWillEnterForeground:", "sceneDidBecomeActive:"]
            .map { "-[Delegate \($0)]" } + ["ShopViewController viewDidAppear", "Fatal error: Index out of range"]
        try program.write(
            crash.enumerated().map { "2026-05-04 07:10:\(10 + $0).000 Tea[100:1] \($1)\n" }.joined(), to: "tea.log")
        for layer in ["scene", "view"] {
            let picture = texts(try program.run("diagram", "tea.log", "--layer", layer).text)
            #expect(picture.contains { $0.contains("1 crashed") }, "\(picture)")
            #expect(!picture.contains { $0.contains("through its scenes") }, "\(picture)")
        }
    }

    @Test("A finding about the clock marks no edge")
    func clockOnEdges() throws {
        let program = try Program()
        let steps = [("10", "didFinishLaunchingWithOptions:"), ("11", "DidBecomeActive:"), ("05", "WillResignActive:")]
        try program.write(
            steps.map { "2026-05-04 07:10:\($0.0).000 Tea[100:1] -[AppDelegate application\($0.1)]\n" }.joined()
                .replacing("applicationdid", with: "application:did"), to: "tea.log")
        #expect(try program.run("check", "tea.log").text.contains("clock-regression"))
        #expect(try !program.run("diagram", "tea.log").text.contains("clock-regression"))
    }

    @Test("A filter that excludes nothing gives the same picture from the visits as from the summaries")
    func bothWays() throws {
        let program = try Self.program("day", "deviations")
        for metrics in [["count", "probability"], ["median", "p90", "total"], ["share"]] {
            let arguments =
                ["diagram", "--edge-metric"] + metrics + ["--state-metric", "count", "median", "p90", "total"]
            let kept = try program.run(arguments).text
            let made = try program.run(arguments + ["--since", "1990-01-01T00:00:00Z"]).text
            #expect(texts(kept).count > 30)
            #expect(texts(made).map { $0.replacing(" · since 1990-01-01 00:00:00", with: "") } == texts(kept))
        }
    }

    @Test("A filter restricts counts, findings and ends, and is shown in the subtitle")
    func filtered() throws {
        let program = try Self.program("day", "deviations")
        func ask(_ sql: String) throws -> String {
            try program.run("query", sql, "--format", "csv").text.split(whereSeparator: \.isNewline).last.map(
                String.init)
                ?? ""
        }
        let svg = try program.run("diagram", "--app", "Outbox").text
        let runs = try ask("select count(*) from runs where app = 'Outbox'")
        let events = try ask("select count(*) from events where app = 'Outbox'")
        #expect(texts(svg).contains("Outbox · \(runs) runs · \(events) events"))
        let moves = try ask("select count(*) from transitions where app = 'Outbox' and layer = 'app'")
        #expect(texts(svg).contains("\(moves) transitions · \(runs) runs"))
        #expect(svg.contains("Finding: "))
        #expect(!(try program.run("diagram", "--app", "Postbox").text).contains("day/tidebook.log"))
        // Every run ends once: the ends of the states add up to the runs of the app.
        let json = try JSONSerialization.jsonObject(
            with: program.run("diagram", "--app", "Outbox", "--format", "json").output)
        let graph = try #require((json as? [String: Any])?["graph"] as? [String: Any])
        let states = try #require(graph["states"] as? [[String: Any]])
        let ends = states.flatMap { $0["endings"] as? [[String: Any]] ?? [] }.compactMap { $0["count"] as? Int }
        #expect(String(ends.reduce(0, +)) == runs)
    }

    @Test("The picture of a layer counts the runs that have it")
    func runsOfTheLayer() throws {
        let program = try Self.program("today")
        let picture = texts(try program.run("diagram", "--layer", "scene").text)
        // Two of the four runs adopt scenes: Larder of October, and Pantry of nine o'clock.
        #expect(picture.contains("Larder, Pantry · 2 of 4 runs"), "\(picture)")
        #expect(picture.contains { $0.hasSuffix(" · 2 runs") }, "\(picture)")
        #expect(texts(try program.run("diagram").text).contains { $0.hasSuffix(" · 4 runs") })
    }

    @Test("Of logs without an event there is no picture")
    func nothing() throws {
        let program = try Program()
        try program.write("hello\nworld\n", to: "app.log")
        for command in ["diagram", "timeline"] {
            let outcome = try program.run(command, "app.log", "-o", "app.svg")
            #expect(outcome.status == 2 && !outcome.errors.contains("wrote"))
            #expect(outcome.errors.contains("nothing to draw: no runs in"), "\(outcome.errors)")
            #expect(outcome.errors.contains("no line of the ingested logs was recognised as a lifecycle event"))
        }
        #expect(try program.run("diagram", "app.log", "--view", "documented", "-o", "app.svg").status == 0)
    }

    @Test("A picture of all samples is no wider than a page; what has no room is in a numbered list below it")
    func width() throws {
        let program = try Self.program("scenarios", "deviations", "day", "scenes", "today")
        for layer in ["app", "scene", "view"] {
            let svg = try program.run("diagram", "--layer", layer).text
            let head = try #require(svg.firstMatch(of: /<svg[^>]* width="([0-9.]+)"/)?.1)
            #expect(try #require(Double(head)) <= 890, "\(layer)")
        }
        for language in ["en", "zh-Hans", "zh-Hant", "es"] {
            let svg = try program.run("diagram", "--view", "side-by-side", "--lang", language).text
            let head = try #require(svg.firstMatch(of: /<svg[^>]* width="([0-9.]+)"/)?.1)
            let sizes = svg.matches(of: /font-size="([0-9.]+)"/).compactMap { Double($0.1) }
            // The smallest text, where the picture is shown 890 points wide.
            #expect(try #require(sizes.min()) * 890 / max(890, try #require(Double(head))) >= 9, "\(language)")
        }
        let svg = try program.run("diagram").text
        let list = try #require(svg.components(separatedBy: "class=\"numbers\"").dropFirst().first)
        // The most frequent transition around other states keeps its figures on the line.
        #expect(texts(svg.components(separatedBy: "class=\"numbers\"")[0]).contains("49× · 37%"))
        #expect(texts(list).contains("Not running → Background"))
        #expect(texts(list).contains("1") && texts(list).contains("2"))
    }

    @Test("The documented side is the same for every log, and names its documents by their titles")
    func documentedSide() throws {
        var sides: Set<[String]> = []
        for logs in [["day"], ["scenarios", "deviations", "scenes", "today"]] {
            let program = try Program()
            _ = try program.run(["ingest"] + logs.map { Program.project.appendingPathComponent("samples/\($0)").path })
            for view in ["side-by-side", "documented"] {
                let svg = try program.run("diagram", "--view", view).text
                let panel = try #require(
                    svg.components(separatedBy: "class=\"panel ").first { $0.hasPrefix("documented") })
                sides.insert(
                    panel.matches(of: /class="edge ([a-z-]+)"[^>]* data-from="([a-z_]+)" data-to="([a-z_]+)"/).map {
                        "\($0.1) \($0.2) \($0.3)"
                    })
                #expect(!svg.contains("S0:") && svg.contains("An article in Chinese on the lifecycle of an iOS app"))
            }
        }
        #expect(sides.count == 1 && sides.first?.count == 11, "\(sides)")
    }

    @Test("Where no run has a layer, the picture says so and shows the documentation")
    func emptyLayer() throws {
        let program = try Self.program("day")
        let outcome = try program.run("diagram", "--layer", "scene", "-o", "scene.svg")
        #expect(outcome.errors.contains("None of the 9 runs logs scene callbacks; there are callbacks of: app"))
        let svg = try program.run("diagram", "--layer", "scene").text
        #expect(texts(svg).contains("None of the 9 runs logs scene callbacks"))
        #expect(svg.contains("class=\"panel documented\"") && !svg.contains("class=\"panel overlay\""))
        let spanish = try program.run("diagram", "--layer", "scene", "--lang", "es", "--app", "Postbox", "--run", "1")
        #expect(
            spanish.status != 0 || texts(spanish.text).contains { $0.hasPrefix("La única ejecución no registra") })
    }

    @Test("A scenario restricts a picture to the runs in which it occurs")
    func scenario() throws {
        let program = try Self.program("day", "deviations")
        let list = try program.run("query", "select distinct scenario from scenarios order by 1", "--format", "csv")
            .text
        let first = try #require(list.split(whereSeparator: \.isNewline).dropFirst().first.map(String.init))
        let count = try program.run(
            "query", "select count(distinct run_id) from scenarios where scenario = '\(first)'", "--format", "csv"
        ).text.split(whereSeparator: \.isNewline).last.map(String.init)
        let runs = try #require(count)
        let svg = try program.run("diagram", "--scenario", first).text
        #expect(texts(svg).contains { $0.contains(" · \(runs) run") && $0.hasSuffix(" · with \(first)") })
        let none = try program.run("diagram", "--scenario", "SC-NONE")
        #expect(none.status == 2 && none.errors.contains("there is no such scenario"), "\(none.errors)")
    }

    @Test("The app layer shows estimated suspensions, marked as estimated")
    func estimated() throws {
        let program = try Self.program("day")
        let answer = try program.run(
            "query", "select count(*) from suspensions where evidence = 'inferred'", "--format", "csv"
        ).text.split(whereSeparator: \.isNewline).last.map(String.init)
        let estimates = try #require(answer)
        let svg = try program.run("diagram", "--view", "side-by-side").text
        // On the state, and on the edge to it.
        #expect(texts(svg).count { $0 == "\(estimates) estimated" } >= 2)
        // The documented view is the picture of the model, whatever was seen or estimated.
        let documented = try program.run("diagram", "--view", "documented").text
        #expect(try documented == program.run("model", "export", "app", "--format", "svg").text)
        #expect(texts(svg).contains("hatched: estimated from silence, and part of background visits"))
        // Every process of the day went on or ended: as many suspensions end as begin.
        struct Drawing: Decodable {
            struct Graph: Decodable { var edges: [Edge] }
            struct Edge: Decodable {
                var from: String, to: String
                var estimated: Int?
            }
            var graph: Graph
        }
        let json = try program.run("diagram", "--format", "json").text
        let edges = try JSONDecoder().decode(Drawing.self, from: Data(json.utf8)).graph.edges
        let left = edges.filter { $0.from == "suspended" }.reduce(into: [:]) { $0[$1.to] = $1.estimated }
        #expect(left["not_running"] == 4, "the four that were killed in the background")
        #expect(left.values.reduce(0, +) == Int(estimates))
    }

    @Test("Every finding of a report has a rule, a source to open and a fix, and so has what it says of transitions")
    func findingsAreComplete() throws {
        let program = try Self.program("deviations", "day", "formats", "today")
        let html = try program.run("report", "-o", "-").text
        let groups = html.components(separatedBy: "<details class=\"finding ").dropFirst()
        #expect(groups.count > 8)
        for group in groups {
            let rule = group.components(separatedBy: "<code>").dropFirst().first?.prefix { $0 != "<" } ?? ""
            for part in ["<strong>Fix</strong>", "Sources: <a href=\"https://"] {
                #expect(group.contains(part), "\(rule) lacks \(part)")
            }
            // Above several places the rule is the heading.
            #expect(group.contains("<strong>Rule</strong>") || group.contains("class=\"happened\""), "\(rule)")
        }
        let folded = html.components(separatedBy: " more rule").dropFirst().first?.components(
            separatedBy: "</section>")[0]
        #expect(folded?.contains(/class="finding (error|warning)"/) != true)
        let transitions = html.components(separatedBy: " are not documented").dropFirst().first ?? ""
        #expect(transitions.prefix(400).contains("#finding-"), "\(transitions.prefix(400))")
        // A change that a system line shows breaks no rule.
        let today = try Self.program("today").run("report", "-o", "-").text
        #expect(today.contains("as several steps, of which the log shows only the last."))
    }

    @Test("Undocumented changes come first in the table of transitions, and none of them is folded")
    func undocumentedFirst() throws {
        let html = try Self.program("deviations", "day", "formats").run("report", "-o", "-").text
        let section = html.components(separatedBy: "<section id=\"section-transitions\"").last ?? ""
        var undocumented = 0
        for table in section.components(separatedBy: "</section>")[0].components(separatedBy: "<tbody>").dropFirst() {
            let rows = table.matches(of: /<tr class="entry( open)?".*class="badge (undocumented|documented|in steps)"/)
            let first = rows.prefix { $0.2 == "undocumented" }
            #expect(!rows.isEmpty && rows.allSatisfy { ($0.2 == "undocumented") == ($0.1 != nil) })
            #expect(first.count == rows.count { $0.2 == "undocumented" })
            undocumented += first.count
        }
        #expect(undocumented > 2)
    }

    @Test(
        "Changes of an app that its scenes decide say so, with a filter and without",
        arguments: [[], ["--app", "Atlas"]])
    func changesByScenes(filter: [String]) throws {
        let picture = texts(try Self.program("scenes").run(["diagram"] + filter).text)
        #expect(picture.count { $0 == "through its scenes" } == 4 && !picture.contains("no callback"), "\(picture)")
    }

    @Test("A model of the user is drawn, even without its file", arguments: [true, false])
    func ownModel(withFile: Bool) throws {
        let model = Self.sample("models/player.yaml")
        let program = try Self.program("models/player.log", options: ["--model", model])
        let options = withFile ? ["--model", model] : []
        let diagram = try program.run(["diagram", "--layer", "player"] + options)
        #expect(diagram.status == 0 && texts(diagram.text).contains("Stalled"))
        _ = try program.run(["timeline", "-o", "t.svg"] + options)
        let timeline = try String(contentsOf: program.folder.url.appendingPathComponent("t.svg"), encoding: .utf8)
        #expect(texts(timeline).contains { $0.hasPrefix("Playing") })
        // A state of one's own has no colour of iOS.
        let bars = timeline.matches(of: /<g class="visit ([a-z0-9]+)"[^>]*data-state="(\w+)"/).map {
            ("\($0.2)", "\($0.1)")
        }
        let own = ["loading", "playing", "paused", "stalled"]
        #expect(Set(bars.filter { own.contains($0.0) }.map(\.1)).count == 4)
        #expect(bars.allSatisfy { own.contains($0.0) == $0.1.hasPrefix("own") })
        #expect(try program.run(["timeline"] + options).text.contains("Playing"))
        let report = try program.run(["report"] + options).text
        #expect(report.contains("id=\"diagram-player-observed\"") && report.contains("id=\"chart-player-dwell\""))
    }

    @Test(
        "Every picture is the same twice, in every language, and says what it is",
        arguments: ["en", "zh-Hans", "zh-Hant", "es"])
    func languages(language: String) throws {
        let program = try Self.program("day", "formats", options: ["--year", "2024", "--date", "2024-03-09"])
        for arguments in [
            ["diagram"], ["diagram", "--layer", "scene", "--view", "overlay"], ["diagram", "--layer", "view"],
            ["diagram", "--format", "dot"], ["diagram", "--format", "png"], ["diagram", "--format", "json"],
            ["timeline"], ["report"],
        ] {
            let once = try program.run(arguments + ["--lang", language])
            #expect(once.status == 0, "\(arguments): \(once.errors)")
            #expect(try program.run(arguments + ["--lang", language]).output == once.output, "\(arguments)")
        }
        let svg = try program.run("diagram", "--lang", language).text
        #expect(svg.contains("xml:lang=\"\(language)\"") && svg.contains("role=\"graphics-document\""))
        #expect(svg.contains("<title id=\"d-title\">") && svg.contains("<desc id=\"d-desc\">"))
        #expect(try program.run("report", "--lang", "tlh").status == 2)
        #expect(try program.run("timeline", "--lang", "tlh").status == 2)
    }

    @Test("Every picture is well-formed and has a title, a description and a role for a screen reader")
    func screenReaders() throws {
        let program = try Self.program("scenes", "deviations")
        var pictures: [String] = []
        for layer in ["app", "scene", "view"] {
            for view in ["side-by-side", "overlay", "observed", "documented"] {
                pictures.append(try program.run("diagram", "--layer", layer, "--view", view).text)
            }
        }
        try program.run("timeline", "-o", "t.svg")
        pictures.append(
            try String(contentsOf: program.folder.url.appendingPathComponent("t.svg"), encoding: .utf8))
        let report = try program.run("report").text
        let inside = report.components(separatedBy: "<svg ").dropFirst().compactMap {
            $0.components(separatedBy: "</svg>").first.map { "<svg \($0)</svg>" }
        }
        // Three diagrams, the timeline, and at least dwell, survival, moves and runs of each layer.
        #expect(inside.count >= 3 + 1 + 3 * 4)
        for svg in pictures + inside {
            let parser = XMLParser(data: Data(svg.utf8))
            #expect(parser.parse(), "\(String(describing: parser.parserError)): \(svg.prefix(300))")
            let head = svg.components(separatedBy: "<style>").first ?? ""
            #expect(head.contains("role=\"graphics-document\"") && head.contains("aria-labelledby="), "\(head)")
            #expect(head.contains("</title>") && head.contains("</desc>"), "\(head)")
            #expect(!head.contains("></title>") && !head.contains("></desc>"), "\(head)")
            #expect(svg.contains("role=\"img\""))
            // Tooltips do not repeat themselves.
            for tip in svg.components(separatedBy: "<title>").dropFirst() {
                let lines = (tip.components(separatedBy: "</title>").first ?? "").components(separatedBy: "&#10;")
                #expect(Set(lines).count == lines.count, "\(lines)")
                // Documented states and edges cite their source, except where no pointer could rest on them.
                if lines[0].hasSuffix("(documented, observed)"), !head.contains("-narrow\"") {
                    #expect(lines.contains { $0.hasPrefix("Source: ") }, "\(lines)")
                }
            }
        }
    }

    @Test("Names with markup, bidirectional marks or control characters appear as plain text everywhere")
    func hostile() throws {
        let names = [
            "<script>alert(1)</script>", "]]>", "%n%s", "a\"b'c", "مرحبا", "\u{202E}evil", "👩‍👩‍👧",
            String(repeating: "x", count: 10_000),
        ]
        let program = try Program()
        for (number, name) in names.enumerated() {
            let lines = [
                "application:didFinishLaunchingWithOptions:", "applicationDidBecomeActive:",
                "applicationDidEnterBackground:",
            ].enumerated().map {
                "2026-05-04 07:1\(number):0\($0.offset).000 \(name)[\(100 + number):1] -[AppDelegate \($0.element)]"
            }
            try program.write(lines.joined(separator: "\n") + "\n", to: "logs/\(number).log")
        }
        try program.run("ingest", "logs")
        let pages = try [["diagram"], ["diagram", "--format", "dot"], ["timeline"], ["report"]].map {
            try program.run($0).text
        }
        try program.run("timeline", "-o", "t.svg")
        let timeline = try String(contentsOf: program.folder.url.appendingPathComponent("t.svg"), encoding: .utf8)
        for page in pages + [timeline] {
            #expect(!page.unicodeScalars.contains { $0.value == 0x1B || $0.value == 0x202E })
        }
        for page in [pages[0], pages[3], timeline] { #expect(!page.contains("<script>alert")) }
        #expect(pages[2].contains("]]>") && pages[2].contains("%n%s") && pages[2].contains("مرحبا"))
        #expect(timeline.contains("]]&gt;") && timeline.contains("%n%s"))
        for svg in [pages[0], timeline] {
            let parser = XMLParser(data: Data(svg.utf8))
            #expect(parser.parse(), "\(String(describing: parser.parserError))")
        }
    }
}
