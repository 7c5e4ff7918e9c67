import Testing

@testable import StateDiagrams

struct StateDiagramTests {
    @Test func documentedIsOnTheLeftAndObservedOnTheRight() throws {
        let panels = try read(Samples.app).all("g", class: "panel")
        #expect(panels.map(\.classes) == [["panel", "documented"], ["panel", "observed"]])
        let (left, right) = (try #require(panels[0].frame), try #require(panels[1].frame))
        #expect(left.x + left.width < right.x)
        #expect(left.y == right.y && left.width == right.width && left.height == right.height)
    }

    @Test func everyStateHasTheSamePlaceInBothPanels() throws {
        let panels = try read(Samples.app).all("g", class: "panel")
        let places = try panels.map { panel -> [String: Frame] in
            let origin = try #require(panel.frame)
            var places: [String: Frame] = [:]
            for state in panel.all("g", class: "state") {
                var frame = try #require(state.frame)
                frame.x = ((frame.x - origin.x) * 100).rounded() / 100
                frame.y = ((frame.y - origin.y) * 100).rounded() / 100
                places[state.attributes["data-state"] ?? ""] = frame
            }
            return places
        }
        #expect(places[0].count == 5)
        #expect(places[0] == places[1])
    }

    @Test func differencesHaveColourWidthMarkAndLegend() throws {
        var graph = Samples.app
        let seen = graph.edges.indices.filter { graph.edges[$0].seen != nil }
        // However large, what may be chance has no colour.
        for index in seen { graph.edges[index].change = .init(a: 0.9, b: 0.1, isSignificant: false) }
        let changed = try #require(seen.first { graph.edges[$0].isDocumented })
        graph.edges[changed].change = .init(a: 0.2, b: 0.6, isSignificant: true)
        let root = try read(graph) { $0.view = .overlay }
        let legend = try #require(root.all("g", class: "legend").first).all("text").map(\.text)
        #expect(legend.contains("more in B") && legend.contains("beyond chance"))
        // Nothing is less frequent in B.
        #expect(!legend.contains("less in B") && legend.contains("within chance, or too few to tell"))
        let texts = root.all("text").map(\.text)
        #expect(
            texts.contains("20.0% → 60.0%") && texts.contains("1 of \(seen.count) figures beyond chance"), "\(texts)")
        // Counts of both cohorts together say so.
        #expect(texts.contains { $0.hasPrefix("A + B: 3 starts") })
        let lines = root.all("g", class: "edge").compactMap { $0.all("path").first?.attributes }
        let widest = lines.max { Double($0["stroke-width"] ?? "") ?? 0 < Double($1["stroke-width"] ?? "") ?? 0 }
        #expect(lines.count { $0["stroke"] == widest?["stroke"] } == 1)
        #expect(
            widest?["stroke"] == Ink.more.colours.light && !lines.contains { $0["stroke"] == Ink.less.colours.light })
    }

    @Test(
        arguments: [Samples.app, Samples.hostile, Samples.chinese, Samples.large], PictureView.allCases)
    func nothingOverlapsAndNothingLeavesThePanel(graph: StateGraph, view: PictureView) throws {
        let root = try read(graph) { $0.view = view }
        for panel in root.all("g", class: "panel") {
            let frame = try #require(panel.frame)
            let labels = panel.all("g", class: "label").compactMap(\.frame)
            let states = panel.all("g", class: "state").compactMap(\.frame)
            for (place, label) in labels.enumerated() {
                #expect(frame.contains(label))
                #expect(!states.contains { $0.overlaps(label) })
                #expect(!labels[(place + 1)...].contains { $0.overlaps(label) })
            }
            for (place, state) in states.enumerated() {
                #expect(frame.contains(state))
                #expect(!states[(place + 1)...].contains { $0.overlaps(state) })
            }
        }
    }

    @Test(arguments: [Samples.app, Samples.hostile, Samples.chinese, Samples.large])
    func everyTextFitsIntoItsFrame(graph: StateGraph) throws {
        let root = try read(graph)
        for group in root.all("g", class: "state") + root.all("g", class: "label") {
            let frame = try #require(group.frame)
            for text in group.all("text") {
                let face = try #require(text.classes.first.flatMap(Typeface.init))
                let width = TextMeasure.width(text.text, size: text.number("font-size"), face: face)
                #expect(width <= frame.width)
            }
        }
    }

    @Test func namesFromLogsAppearAsTextAndNothingElse() throws {
        let root = try read(Samples.hostile)
        #expect(root.all("script").isEmpty)
        let states = root.all("g", class: "state")
        let labels = states.compactMap { $0.attributes["aria-label"] }
        #expect(labels.contains { $0.contains("<script>alert(1)</script>") })
        #expect(labels.contains { $0.contains("a \"quoted\" & 'single' name") })
        #expect(root.all("text").contains { $0.text == "]]>" })
        #expect(!root.all.contains { $0.text.unicodeScalars.contains { $0.value == 0x202E || $0.value == 0x1B } })
    }

    @Test func aScreenReaderFindsTitleDescriptionAndRoles() throws {
        let root = try read(Samples.app)
        #expect(root.attributes["role"] == "graphics-document")
        let named = (root.attributes["aria-labelledby"] ?? "").split(separator: " ")
        #expect(root.children.prefix(2).map(\.name) == ["title", "desc"])
        #expect(root.children.prefix(2).map { $0.attributes["id"] ?? "" } == named.map(String.init))
        #expect(root.children[0].text == "App lifecycle")
        #expect(root.children[1].text.contains("Active → Inactive (documented, observed)"))
        for group in root.all("g", class: "state") + root.all("g", class: "edge") {
            #expect(group.attributes["role"] == "img")
            #expect(!(group.attributes["aria-label"] ?? "").isEmpty)
        }
    }

    @Test func theOrderOfTheInputDoesNotMatter() throws {
        var shuffled = Samples.app
        shuffled.edges.reverse()
        #expect(StateDiagram(Samples.app).svg() == StateDiagram(shuffled).svg())
        #expect(Samples.app.dot() == shuffled.dot())
        #expect(try StateDiagram(Samples.app).bytes(.json) == StateDiagram(shuffled).bytes(.json))
    }

    @Test func colourSchemesComeFromTheSystemAndPaperStaysWhite() throws {
        let style = try #require(try read(Samples.app).all("style").first).text
        #expect(style.contains("@media screen and (prefers-color-scheme: dark)"))
        #expect(style.contains("'DejaVu Sans', sans-serif"))
    }

    @Test func aComparisonColoursStatesAndSaysWhatItDoesNotCompare() throws {
        var graph = Samples.app
        graph.states[3].change = .init(a: 1e9, b: 2e9, isSignificant: true)
        graph.states[3].shareChange = .init(a: 0.25, b: 0.5, isSignificant: false)
        graph.states[2].change = .init(a: 2e9, b: 1e9, isSignificant: false)
        let root = try read(graph) { $0.view = .overlay }
        func boxes(_ state: String) -> [SVGElement] {
            root.all("g", class: "state").first { $0.attributes["data-state"] == state }?.all("rect") ?? []
        }
        #expect(boxes("background").count == boxes("inactive").count + 1, "a tint")
        // Both shares, and a sign on the figure that differs beyond chance.
        let background = root.all("g", class: "state").first { $0.attributes["data-state"] == "background" }
        #expect(
            background?.all("text").map(\.text)
                == ["Background", "◆ 1\u{A0}s → 2\u{A0}s", "25.0% → 50.0%"])
        let suspended = try #require(root.all("g", class: "state").first { $0.attributes["data-state"] == "suspended" })
        #expect(suspended.all("text").map(\.text) == ["Suspended", "not compared"])
        let legend = root.all("g", class: "legend")[0].all("text").map(\.text)
        #expect(legend.contains("documented, not compared") && legend.contains("beyond chance"))
        // What may be chance has no colour, and the legend has no key that is not drawn.
        #expect(boxes("active").count == boxes("inactive").count)
        let keys = root.all("g", class: "legend")[0].all("rect").compactMap {
            $0.attributes["opacity"] ?? $0.attributes["fill-opacity"]
        }
        #expect(keys == ["0.2"] && legend.contains("more in B") && !legend.contains("less in B"), "\(keys)")
        #expect(!root.all("text").contains { $0.text.contains("never") })
    }

    @Test func pngAndPdfHaveTheirSignatures() throws {
        let png = try StateDiagram(Samples.app).bytes(.png)
        #expect(png.starts(with: [0x89, 0x50, 0x4E, 0x47]))
        #expect(try StateDiagram(Samples.app).bytes(.png) == png)
        #expect(try StateDiagram(Samples.app).bytes(.pdf).starts(with: Array("%PDF".utf8)))
        #expect(try StateDiagram(Samples.hostile).bytes(.png).count > 1_000)
    }

    @Test("What comes after an empty text is in a PNG as well")
    func emptyTextInPNG() throws {
        func png(_ shapes: [Picture.Shape]) throws -> [UInt8] {
            try Picture(
                width: 60, height: 40, title: "", description: "", language: .english, idPrefix: "p", shapes: shapes
            ).bytes(.png)
        }
        let box = Picture.Shape.box(.init(x: 10, y: 10, width: 30, height: 20, fill: .text))
        let empty = Picture.Shape.label("", at: Point(5, 5), size: 11, ink: .text)
        #expect(try png([empty, box]) == png([box]))
        #expect(try png([box]) != png([]))
    }

    @Test func theDocumentedViewSaysNothingOfWhatWasSeen() throws {
        let root = try read(Samples.app) { $0.view = .documented }
        #expect(!root.all("text").contains { $0.text.contains("three runs") })
        #expect(!root.all("g").contains { $0.attributes["aria-label"]?.contains("visits") == true })
        #expect(root.all("g", class: "state").count == 5)
        // One look for what is silent, and one for what a callback shows.
        let looks = Set(
            root.all("g", class: "edge").map {
                "\($0.classes.last ?? "") \($0.all("path")[0].attributes["stroke-dasharray"] ?? "")"
            })
        #expect(looks.count == 2)
    }

    @Test func aPartOfAPageLeavesColoursToThePageAndShowsTheSame() throws {
        let (whole, part) = (StateDiagram(Samples.app).svg(), StateDiagram(Samples.app).svg(isPart: true))
        #expect(part.hasPrefix("<svg") && !part.contains("<style") && !part.contains("fill=\"#"))
        #expect(part.utf8.count < whole.utf8.count * 4 / 5)
        let (a, b) = (try #require(SVGElement.read(whole)), try #require(SVGElement.read(part)))
        #expect(a.all("text").map(\.text) == b.all("text").map(\.text))
        // Tooltips of labels are those of their lines: the script of the page repeats them.
        let tips = Set(b.all("g", class: "edge").flatMap { $0.all("title").map(\.text) })
        #expect(a.all("g", class: "label").flatMap { $0.all("title").map(\.text) }.allSatisfy(tips.contains))
        #expect(b.all("g", class: "label").allSatisfy { $0.all("title").isEmpty })
        // Every class with a colour is in the style sheet of the page, once for light screens and once for dark ones.
        let used = Set(part.matches(of: /class="([^"]*)"/).flatMap { $0.1.split(separator: " ") })
            .filter { $0.hasPrefix("f-") || $0.hasPrefix("s-") }
        #expect(used.count > 5)
        for name in used {
            #expect(PictureStyle.page.components(separatedBy: ".lifestats .\(name) {").count == 3, "\(name)")
        }
    }

    @Test(arguments: [PictureView.sideBySide, .documented])
    func theDocumentedSideIsTheSameWhateverWasSeen(view: PictureView) throws {
        func documented(_ graph: StateGraph) throws -> [[String]] {
            let panel = try #require(try read(graph) { $0.view = view }.all("g", class: "documented").first)
            return panel.all("g", class: "edge").map { edge in
                let path = edge.all("path")[0].attributes
                return [
                    edge.classes.last ?? "", edge.attributes["data-from"] ?? "", edge.attributes["data-to"] ?? "",
                    path["stroke"] ?? "", path["stroke-dasharray"] ?? "",
                ]
            }
        }
        var seen = Samples.app
        // An abnormal end, which the model has but does not draw, and a documented change that was only inferred.
        var end = StateGraph.Edge(
            from: "inactive", to: "not_running", isDocumented: true, isInferred: true, seen: .init(count: 4))
        end.isModelled = false
        var inferred = StateGraph.Edge(
            from: "suspended", to: "not_running", isDocumented: true, isInferred: true, seen: .init(count: 4))
        inferred.isModelled = false
        seen.edges += [end, inferred]
        let lines = try documented(seen)
        #expect(try lines == documented(Samples.app))
        // One colour for all; a dash for the three changes without a callback.
        #expect(lines.count == 11 && Set(lines.map { $0[3] }).count == 1)
        #expect(lines.count { !$0[4].isEmpty } == 3 && lines.allSatisfy { $0[4].isEmpty == ($0[0] == "documented") })
    }

    @Test func aNarrowGraphHasRoomForItsHeading() throws {
        let graph = StateGraph(title: "t", states: [.init(id: "a", title: "A")], edges: [], runs: 2)
        let texts = try read(graph) { $0.view = .overlay }.all("text")
        let name = try #require(texts.first { $0.text == "Observed over documented" })
        let summary = try #require(texts.first { $0.text == "0 transitions · 2 runs" })
        let left = (Double(name.attributes["x"] ?? "") ?? 0) + TextMeasure.width(name.text, size: 16, face: .bold)
        let right =
            (Double(summary.attributes["x"] ?? "") ?? 0) - TextMeasure.width(summary.text, size: 12.5, face: .text)
        #expect(left + 10 < right)
    }

    @Test func everyWordHasATextInEveryLanguage() {
        for word in Word.allCases {
            let texts = Word.texts[word.rawValue] ?? []
            #expect(texts.filter { !$0.isEmpty }.count == PictureLanguage.allCases.count, "\(word)")
        }
        #expect(Word.texts.count == Word.allCases.count)
    }

    @Test func percentagesSayWhatTheyAreOfAndAreAllAsPrecise() throws {
        var graph = Samples.app
        let note = "Percentages on edges: of the observed transitions out of the state."
        #expect(try read(graph).all("text").map(\.text).contains { $0.hasPrefix(note) })
        #expect(try !read(graph) { $0.edgeMetrics = [.count] }.all("text").map(\.text).contains { $0.hasPrefix(note) })
        // 121,000 transitions out of one state, and 3 out of another.
        for place in graph.edges.indices where graph.edges[place].from == "inactive" {
            graph.edges[place].seen?.count *= 1_000
        }
        let texts = try read(graph).all("g", class: "label").flatMap { $0.all("text") }.map(\.text)
        #expect(texts.contains { $0.contains("53%") } && !texts.contains { $0.contains(/\.\d%/) }, "\(texts)")
    }

    @Test func aStateThatNothingLeadsToSaysThatItBeginsThere() throws {
        var graph = Samples.app
        graph.edges.removeAll { $0.to == "background" }
        let state = try #require(
            try read(graph) { $0.view = .observed }.all("g", class: "state").first {
                $0.attributes["data-state"] == "background"
            })
        #expect(state.all("text").map(\.text).contains { $0.contains("58 begin here") }, "\(state)")
    }

    @Test func severalRunsEndInThePlural() {
        let words = Words(.spanish)
        #expect(words.endReason("killed_in_background", count: 5) == "eliminadas en segundo plano")
        #expect(words.endReason("terminated", count: 1) == "terminada")
        #expect(words.endReason("abnormal_in_foreground", count: 2) == "acabaron en uso")
    }

    @Test func aStateStaysWhereItIsWhateverWasObserved() throws {
        var quiet = Samples.app
        for place in quiet.edges.indices { quiet.edges[place].seen = nil }
        quiet.edges.removeAll { !$0.isDocumented }
        func heights(_ graph: StateGraph) throws -> [Double] {
            let panel = try #require(try read(graph).all("g", class: "documented").first)
            return panel.all("g", class: "state").compactMap(\.frame).map { $0.x + $0.width / 2 }
        }
        // One column: every state has the same middle, with and without deviations.
        #expect(Set(try heights(Samples.app).map { ($0 * 10).rounded() }).count == 1)
        #expect(Set(try heights(quiet).map { ($0 * 10).rounded() }).count == 1)
    }

    @Test func estimatedVisitsAreHatchedLabelledAndNotCounted() throws {
        var graph = Samples.app
        graph.states[4].estimate = .init(count: 50, median: 161 * second)
        for place in graph.edges.indices
        where graph.edges[place].from == "background" && graph.edges[place].to == "suspended" {
            graph.edges[place].estimated = 50
        }
        let observed = try #require(try read(graph).all("g", class: "observed").first)
        let state = try #require(
            observed.all("g", class: "state").first { $0.attributes["data-state"] == "suspended" })
        #expect(state.all("text").map(\.text) == ["Suspended", "50 estimated", "median 2\u{A0}min 41\u{A0}s"])
        #expect(state.all("path").count == 1)
        #expect(state.all("rect").first?.attributes["stroke-dasharray"] != nil)
        let label = observed.all("g", class: "label").first { $0.attributes["data-to"] == "suspended" }
        #expect(label?.all("text").map(\.text) == ["50 estimated"])
        #expect(observed.all("text").contains { $0.text == "243 transitions · 3 runs" })
        #expect(
            try read(graph).all("text").contains {
                $0.text == "hatched: estimated from silence, and part of background visits"
            })
    }

    @Test func endsAreListedByReasonAndTheEndOfTheLogSeparately() throws {
        var graph = Samples.app
        graph.states[3].endings = [
            .init(reason: "killed_in_background", count: 7), .init(reason: "jetsam", count: 2),
            .init(reason: "crash", count: 1), .init(reason: "watchdog", count: 1), .init(reason: "log_end", count: 9),
        ]
        let state = try #require(
            try read(graph) { $0.view = .observed }.all("g", class: "state").first {
                $0.attributes["data-state"] == "background"
            })
        let texts = state.all("text").map(\.text)
        #expect(texts.last == "9 at the end of the log")
        #expect(
            texts.dropFirst(2).dropLast().joined(separator: " · ")
                == "7 killed in background · 2 out of memory · 1 crashed · 1 watchdog")
        let all =
            "20 runs ended: 7 killed in background · 2 out of memory · 1 crashed · 1 watchdog · 9 at the end of the log"
        #expect(state.attributes["aria-label"]?.contains(all) == true)
    }

    @Test func panelsStandBelowEachOtherWhereTextBesideEachOtherWouldBeTooSmall() throws {
        func panels(states: Int) throws -> [Frame] {
            let names = (0..<states).map { "s\($0)" }
            let edges = names.flatMap { from in
                names.filter { $0 != from }.map {
                    StateGraph.Edge(from: from, to: $0, callbacks: ["go"], isDocumented: true)
                }
            }
            let graph = StateGraph(
                title: "t", states: names.map { StateGraph.State(id: $0, title: $0) }, edges: edges)
            return try read(graph).all("g", class: "panel").compactMap(\.frame)
        }
        let few = try panels(states: 4)
        #expect(few[0].y == few[1].y && few[0].x + few[0].width < few[1].x)
        let many = try panels(states: 9)
        #expect(many[0].x == many[1].x && many[0].y + many[0].height < many[1].y)
    }

    @Test func onAPhoneStatesBecomeNarrowerBeforeThePictureBecomesWider() throws {
        var graph = Samples.app
        graph.states[1].title = "Foreground inactive, for a moment"
        let states = graph.states.map(\.id)
        // Lines around the states on both sides.
        for (from, to) in zip(states.dropLast(2), states.dropFirst(2)) {
            graph.edges.append(.init(from: to, to: from, isDocumented: false, seen: .init(count: 3)))
        }
        let narrow = try read(graph) { ($0.view, $0.hasHeading, $0.width) = (.overlay, false, 414) }
        // The page shows it in 390 points, with text of 10 points at least.
        #expect(narrow.number("width") <= 430)
        // Titles are whole: "Background" is one word, the long one has several lines.
        let texts = narrow.all("g", class: "state").flatMap { $0.all("text").map(\.text) }
        #expect(texts.contains("Background") && !texts.contains { $0.hasSuffix("…") })
        #expect(texts.joined(separator: " ").contains("Foreground inactive, for a moment"))
    }

    @Test func anEmptyGraphIsAPictureToo() throws {
        let root = try read(StateGraph(title: "Nothing", states: [], edges: []))
        #expect(root.all("g", class: "panel").count == 2)
    }

    @Test func anOnlyWayOutTakesNoDecimalsFromOthers() throws {
        func shares(_ ways: [(from: String, to: String, count: Int, share: Double)]) throws -> [String] {
            let edges = ways.map { way in
                StateGraph.Edge(
                    from: way.from, to: way.to, isDocumented: true, seen: .init(count: way.count),
                    probability: way.share)
            }
            let root = try read(StateGraph(title: "t", states: [], edges: edges)) { $0.view = .overlay }
            return root.all("g", class: "label").flatMap { $0.all("text") }.map(\.text).filter { $0.contains("%") }
        }
        let often = [("b", "a", 937, 0.937), ("b", "c", 63, 0.063)]
        #expect(try shares([("a", "b", 1, 1)] + often).contains { $0.contains("93.7%") })
        #expect(try shares([("a", "b", 1, 0.5), ("a", "c", 1, 0.5)] + often).contains { $0.contains("94%") })
    }
}
