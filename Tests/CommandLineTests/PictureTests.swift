import Foundation
import Testing

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// Diagrams, timelines and reports of real databases, as the program writes them.
@Suite("Pictures of databases")
struct PictureTests {
    private static func samples(_ names: String...) -> [String] {
        names.map { Program.project.appendingPathComponent("samples/\($0)").path }
    }

    /// A program with a database of samples.
    private static func program(_ names: String..., options: [String] = []) throws -> Program {
        let program = try Program()
        let paths = names.map { Program.project.appendingPathComponent("samples/\($0)").path }
        let outcome = try program.run(["ingest"] + paths + options)
        #expect(outcome.status == 0, "\(outcome.errors)")
        return program
    }

    /// The texts of an SVG.
    private func texts(_ svg: String) -> [String] {
        svg.components(separatedBy: "</text>").dropLast().compactMap { $0.components(separatedBy: ">").last }
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

    @Test("A time span includes its first nanosecond, even if given in whole seconds")
    func span() throws {
        let program = try Program()
        let lines = ["didFinishLaunchingWithOptions:", "applicationDidBecomeActive:", "applicationWillResignActive:"]
            .enumerated().map { "2026-05-04 07:10:0\($0.offset).500 MyApp[1:1] -[AppDelegate \($0.element)]" }
        try program.write(lines.joined(separator: "\n") + "\n", to: "a.log")
        try program.run("ingest", "a.log")
        func visits(since: String) throws -> Int {
            let rows = try program.run("query", "dwell_times", "--param", "since=\(since)", "--format", "csv").text
                .split(whereSeparator: \.isNewline).dropFirst()
            return rows.compactMap { Int($0.split(separator: ",", omittingEmptySubsequences: false)[2]) }.reduce(0, +)
        }
        // The visits begin half a second after each full one.
        let all = try visits(since: "2026-05-04T07:10:00Z")
        #expect(all >= 2)
        #expect(try visits(since: "2026-05-04T07:10:00.500Z") == all)
        #expect(try visits(since: "2026-05-04T07:10:02Z") == 1)
        #expect(try visits(since: "2026-05-04T07:10:02.501Z") == 0)
    }

    @Test("A censored visit is drawn for its known minimum duration")
    func cutStays() throws {
        let program = try Self.program("scenes")
        try program.run("timeline", "-o", "t.svg")
        let svg = try String(contentsOf: program.folder.url.appendingPathComponent("t.svg"), encoding: .utf8)
        #expect(texts(svg).contains("PlaceListViewController 0x108c40"))
        // On the screen from line 159 of the log on, when the app is swiped away in line 163.
        let lane = try #require(svg.components(separatedBy: "<g class=\"lane ").first { $0.contains("0x108c40\">") })
        #expect(lane.contains("2026-05-13 10:31:26 – 2026-05-13 10:31:59") && lane.contains("≥ 32.6\u{A0}s"))
        #expect(!texts(svg).contains { $0.hasSuffix("…") })
        #expect(try program.run("timeline").text.contains("  PlaceListViewController 0x108c40  "))
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
        #expect(none.status == 2 && none.errors.contains("has no such scenario"), "\(none.errors)")
    }

    @Test("The app layer shows estimated suspensions, marked as estimated")
    func estimated() throws {
        let program = try Self.program("day")
        let answer = try program.run(
            "query", "select count(*) from suspensions where evidence = 'inferred'", "--format", "csv"
        ).text.split(whereSeparator: \.isNewline).last.map(String.init)
        let estimates = try #require(answer)
        let svg = try program.run("diagram").text
        #expect(texts(svg).contains { $0.hasPrefix("\(estimates) estimated · ") })
        #expect(texts(svg).contains("\(estimates) estimated"))
        // The documented side has what the model has, whatever is estimated.
        let documented = try program.run("diagram", "--view", "documented").text
        let count = try #require(texts(documented).first { $0.hasSuffix(" edges") })
        #expect(texts(svg).contains(count))
        #expect(texts(svg).contains("hatched: estimated from silence"))
    }

    @Test("A model of the user is drawn, even without its file", arguments: [true, false])
    func ownModel(withFile: Bool) throws {
        let model = try #require(Self.samples("models/player.yaml").first)
        let program = try Self.program("models/player.log", options: ["--model", model])
        let options = withFile ? ["--model", model] : []
        let diagram = try program.run(["diagram", "--layer", "player"] + options)
        #expect(diagram.status == 0 && texts(diagram.text).contains("Stalled"))
        _ = try program.run(["timeline", "-o", "t.svg"] + options)
        let timeline = try String(contentsOf: program.folder.url.appendingPathComponent("t.svg"), encoding: .utf8)
        #expect(texts(timeline).contains { $0.hasPrefix("Playing") })
        #expect(try program.run(["timeline"] + options).text.contains("Playing"))
        let report = try program.run(["report"] + options).text
        #expect(report.contains("id=\"diagram-player\"") && report.contains("id=\"chart-player-dwell\""))
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
                // Documented states and edges cite their source.
                if lines[0].hasSuffix("(documented, occurred)") {
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
