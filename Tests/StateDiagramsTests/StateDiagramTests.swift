import Testing

@testable import StateDiagrams

struct StateDiagramTests {
    private func read(_ graph: StateGraph, _ edit: (inout DiagramOptions) -> Void = { _ in }) throws -> SVGElement {
        var options = DiagramOptions()
        edit(&options)
        return try #require(SVGElement.read(StateDiagram(graph, options: options).svg()))
    }

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
        for index in seen { graph.edges[index].change = .init(a: 0.5, b: 0.5, isSignificant: false) }
        let changed = try #require(seen.first { graph.edges[$0].isDocumented })
        graph.edges[changed].change = .init(a: 0.2, b: 0.6, isSignificant: true)
        let root = try read(graph) { $0.view = .overlay }
        let legend = try #require(root.all("g", class: "legend").first).all("text").map(\.text)
        #expect(legend.contains("more in B") && legend.contains("beyond chance"))
        // Nothing is less frequent in B, and no difference may be chance.
        #expect(!legend.contains("less in B") && !legend.contains("pale: may be chance"))
        let texts = root.all("text").map(\.text)
        #expect(texts.contains("20.0% → 60.0%") && texts.contains("1 difference beyond chance in this picture"))
        // Counts of both cohorts together say so.
        #expect(texts.contains { $0.hasPrefix("A + B: 3 starts") })
        let lines = root.all("g", class: "edge").compactMap { $0.all("path").first?.attributes }
        let widest = lines.max { Double($0["stroke-width"] ?? "") ?? 0 < Double($1["stroke-width"] ?? "") ?? 0 }
        #expect(lines.count { $0["stroke"] == widest?["stroke"] } == 1)
    }

    @Test func kindsOfEdgesDifferInColourOrDashAndAreInTheLegend() throws {
        let root = try read(Samples.app) { $0.view = .overlay }
        let drawn = Set(root.all("g", class: "edge").compactMap { $0.classes.last })
        #expect(drawn == ["documented", "undocumented", "undocumented-inferred", "never-occurred", "silent"])
        var looks: Set<[String]> = []
        for kind in drawn {
            let edge = try #require(root.all("g", class: "edge").first { $0.classes.contains(kind) })
            let line = try #require(edge.all("path").first)
            looks.insert([line.attributes["stroke"] ?? "", line.attributes["stroke-dasharray"] ?? "solid"])
        }
        #expect(looks.count == 5)
        // The colour shows the verdict; without colour every kind still has its own dash.
        #expect(Set(looks.map(\.[0])).count == 4)
        #expect(Set(looks.map(\.[1])).count == 5)
        let legend = try #require(root.all("g", class: "legend").first).all("text").map(\.text)
        #expect(legend.contains("documented, observed"))
        #expect(legend.contains("undocumented, observed"))
        #expect(legend.contains("undocumented, inferred"))
        #expect(legend.contains("documented, never occurred"))
        #expect(legend.contains("silent: leaves no line in a log"))
        #expect(legend.contains("error") && !legend.contains("warning"))
        // The legend explains only what the picture contains.
        let documented = try read(Samples.app) { $0.view = .documented }.all("g", class: "legend")[0].all("text")
        #expect(!documented.map(\.text).contains { $0.contains("observed") || $0.contains("never") || $0 == "error" })
        #expect(documented.map(\.text).contains("documented"))
        let shaded = try read(Samples.app) { $0.colouring = .performance }.all("g", class: "legend")[0].all("text")
        #expect(shaded.map(\.text).contains("shade: median duration"))
        #expect(!legend.contains { $0.hasPrefix("shade") })
    }

    @Test func labelsCarryCountProbabilityAndMedianDwell() throws {
        let observed = try #require(try read(Samples.app).all("g", class: "observed").first)
        let active = try #require(observed.all("g", class: "state").first { $0.attributes["data-state"] == "active" })
        #expect(active.all("text").map(\.text).starts(with: ["Active", "64 visits · median 42.2\u{A0}s"]))
        let leave = try #require(
            observed.all("g", class: "label").first {
                $0.attributes["data-from"] == "active" && $0.attributes["data-to"] == "inactive"
            })
        #expect(leave.all("text").map(\.text) == ["60× · 94%"])
        // Beside a long edge the figures are below each other.
        let enter = try #require(
            observed.all("g", class: "label").first {
                $0.attributes["data-from"] == "inactive" && $0.attributes["data-to"] == "background"
            })
        #expect(enter.all("text").map(\.text) == ["57× · 47%"])
    }

    @Test func frequentEdgesAreThicker() throws {
        let observed = try #require(try read(Samples.app).all("g", class: "observed").first)
        func width(_ from: String, _ to: String) -> Double {
            observed.all("g", class: "edge").first {
                $0.attributes["data-from"] == from && $0.attributes["data-to"] == to
            }?.all("path").first?.number("stroke-width") ?? .nan
        }
        #expect(width("inactive", "active") > width("active", "inactive"))
        #expect(width("active", "inactive") > width("active", "background"))
        #expect(width("active", "background") > width("background", "not_running"))
    }

    @Test func aDocumentedEdgeThatNeverOccurredIsOnlyOnTheLeft() throws {
        let root = try read(Samples.app)
        func drawn(_ side: String) -> Int {
            root.all("g", class: side)[0].all("g", class: "edge").filter {
                $0.attributes["data-from"] == "not_running" && $0.attributes["data-to"] == "background"
            }.count
        }
        #expect(drawn("documented") == 1)
        #expect(drawn("observed") == 0)
    }

    @Test(
        arguments: [Samples.app, Samples.hostile, Samples.chinese, Samples.large], DiagramOptions.View.allCases)
    func nothingOverlapsAndNothingLeavesThePanel(graph: StateGraph, view: DiagramOptions.View) throws {
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

    @Test func aTooltipCarriesCitationExampleAndFinding() throws {
        let edge = try #require(
            try read(Samples.app).all("g", class: "observed").first?.all("g", class: "edge").first {
                $0.classes.contains("undocumented")
            })
        let title = try #require(edge.all("title").first).text
        #expect(title.contains("Active → Background (undocumented, observed)"))
        #expect(title.contains("applicationDidEnterBackground"))
        #expect(title.contains("Finding: R-APP-15 (error, 3×) no resign-active before it"))
        #expect(title.contains("Example: day.log:214"))
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

    @Test func foldingHidesRareEdgesButNeverUndocumentedOnes() throws {
        let root = try read(Samples.app) { $0.foldBelow = 0.05 }
        let texts = root.all("text").map(\.text)
        // 1 of 243 transitions: background→not_running. Active→background is as rare, but undocumented.
        #expect(texts.contains { $0.contains("1 rare edge with 0.4% of all transitions is hidden") })
        // What is hidden stays counted: 3 + 64 + 60 + 57 + 54 + 1 + 3 + 1.
        #expect(texts.contains("243 transitions · 3 runs"))
        #expect(root.all("g", class: "edge").contains { $0.classes.contains("undocumented") })
        func isDrawn(_ side: String) -> Bool {
            root.all("g", class: side)[0].all("g", class: "edge").contains {
                $0.attributes["data-from"] == "background" && $0.attributes["data-to"] == "not_running"
            }
        }
        #expect(isDrawn("documented") && !isDrawn("observed"))
    }

    @Test func aFoldedEdgeLooksLikeTheModelInAnOverlay() throws {
        let root = try read(Samples.app) { ($0.view, $0.foldBelow) = (.overlay, 0.05) }
        let edge = try #require(
            root.all("g", class: "edge").first {
                $0.attributes["data-from"] == "background" && $0.attributes["data-to"] == "not_running"
            })
        // The colour of the model's lines and a legend entry of its own: not that of what was observed.
        #expect(edge.all("path").allSatisfy { !$0.classes.contains("documented") })
        #expect(root.all("g", class: "legend")[0].all("text").map(\.text).contains("documented"))
        #expect(root.all("text").contains { $0.text.contains("is hidden, or drawn only as documented") })
    }

    @Test func callbacksThatNeverCameAreNamedInTheList() throws {
        var graph = Samples.app
        graph.edges[1].callbacks = ["didFinishLaunching", "willFinishLaunching", "didFinishLaunchingWithOptions"]
        let root = try read(graph) { $0.view = .overlay }
        let label = try #require(
            root.all("g", class: "label").first { label in label.all("text").contains { $0.text == "3 callbacks" } })
        let list = try #require(root.all("g", class: "numbers").first).all("text").map(\.text)
        for name in graph.edges[1].callbacks { #expect(list.contains(name)) }
        // A number leads from the label to the list.
        #expect(label.all("text").map(\.text) == ["1", "3 callbacks"] && list.first == "1")
    }

    @Test func aComparisonColoursStatesAndSaysWhatItDoesNotCompare() throws {
        var graph = Samples.app
        graph.states[3].change = .init(a: 1e9, b: 2e9, isSignificant: true)
        graph.states[2].change = .init(a: 2e9, b: 1e9, isSignificant: false)
        let root = try read(graph) { $0.view = .overlay }
        func boxes(_ state: String) -> [SVGElement] {
            root.all("g", class: "state").first { $0.attributes["data-state"] == state }?.all("rect") ?? []
        }
        #expect(boxes("background").count == boxes("inactive").count + 1, "a tint")
        let suspended = try #require(root.all("g", class: "state").first { $0.attributes["data-state"] == "suspended" })
        #expect(suspended.all("text").map(\.text) == ["Suspended", "not compared"])
        let legend = root.all("g", class: "legend")[0].all("text").map(\.text)
        #expect(legend.contains("documented, not compared") && legend.contains("beyond chance"))
        // The keys are those of states: two fills and a pale one, and no line that is not drawn.
        let keys = root.all("g", class: "legend")[0].all("rect").compactMap {
            $0.attributes["opacity"] ?? $0.attributes["fill-opacity"]
        }
        #expect(keys == ["0.2", "0.2", "0.08"] && legend.contains("more in B"), "\(keys)")
        #expect(!root.all("text").contains { $0.text.contains("never") })
    }

    @Test func pngAndPdfHaveTheirSignatures() throws {
        let png = try StateDiagram(Samples.app).bytes(.png)
        #expect(png.starts(with: [0x89, 0x50, 0x4E, 0x47]))
        #expect(try StateDiagram(Samples.app).bytes(.png) == png)
        #expect(try StateDiagram(Samples.app).bytes(.pdf).starts(with: Array("%PDF".utf8)))
        #expect(try StateDiagram(Samples.hostile).bytes(.png).count > 1_000)
    }

    @Test func inferredChangesAreCountedOnTheEdgeOfTheObservedOnes() throws {
        var graph = Samples.app
        graph.edges.append(
            .init(from: "background", to: "not_running", isDocumented: true, isInferred: true, seen: .init(count: 2)))
        let root = try read(graph)
        func drawn(_ side: String) -> [[String]] {
            root.all("g", class: side)[0].all("g", class: "edge").filter {
                $0.attributes["data-from"] == "background" && $0.attributes["data-to"] == "not_running"
            }.map(\.classes)
        }
        #expect(drawn("documented") == [["edge", "documented"]])
        #expect(drawn("observed") == [["edge", "documented"]])
        let labels = try read(graph) { $0.view = .observed }.all("g", class: "label").filter {
            $0.attributes["data-from"] == "background" && $0.attributes["data-to"] == "not_running"
        }
        #expect(labels.flatMap { $0.all("text").map(\.text) }.contains("+2 inferred"))
    }

    @Test func everyCallbackIsNamed() throws {
        var graph = StateGraph(title: "t", states: [], edges: [])
        graph.edges = [.init(from: "a", to: "b", callbacks: (1...9).map { "callback\($0)" }, isDocumented: true)]
        let label = try #require(try read(graph).all("g", class: "label").first)
        #expect(label.all("text").map(\.text) == ["callback1", "callback2", "callback3", "1", "+6 more"])
        let list = try #require(try read(graph).all("g", class: "numbers").first).all("text").map(\.text)
        #expect(list == ["1", "a → b"] + (1...9).map { "callback\($0)" })
    }

    @Test func anObservedEdgeNamesTheCallbacksThatWereSeen() throws {
        var graph = StateGraph(title: "t", states: [], edges: [])
        graph.edges = [
            .init(
                from: "a", to: "b", callbacks: ["willFinish", "didFinish"], isDocumented: true, seen: .init(count: 2))
        ]
        graph.edges[0].seenCallbacks = ["didFinish"]
        let root = try read(graph) { $0.view = .overlay }
        #expect(root.all("g", class: "label")[0].all("text").map(\.text) == ["2×", "didFinish"])
        // The tooltip and the documented side know all of them.
        #expect(root.all("g", class: "edge")[0].attributes["aria-label"]?.contains("willFinish, didFinish") == true)
        let documented = try read(graph) { $0.view = .documented }
        #expect(documented.all("g", class: "label")[0].all("text").map(\.text) == ["willFinish", "didFinish"])
        // What the callback did not mark is not credited to it.
        graph.edges[0].withoutCallback = 1
        let credited = try read(graph) { $0.view = .overlay }
        #expect(credited.all("g", class: "label")[0].all("text").map(\.text).last == "1 without a callback")
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

    @Test(arguments: [DiagramOptions.View.sideBySide, .documented])
    func theDocumentedSideIsTheSameWhateverWasSeen(view: DiagramOptions.View) throws {
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

    @Test func anEstimatedChangeThatACallbackMarksIsNotSilent() throws {
        var graph = Samples.app
        let place = try #require(graph.edges.firstIndex { ($0.from, $0.to) == ("suspended", "inactive") })
        graph.edges[place].estimated = 15
        var foreign = StateGraph.Edge(from: "suspended", to: "active", isDocumented: false, isSilent: true)
        foreign.estimated = 3
        graph.edges.append(foreign)
        let edges = try read(graph) { $0.view = .overlay }.all("g", class: "edge").filter {
            $0.attributes["data-from"] == "suspended"
        }
        let kinds = edges.map { [$0.attributes["data-to"] ?? "", $0.classes.last ?? ""] }
        #expect(kinds.contains(["inactive", "inferred"]) && kinds.contains(["active", "undocumented-inferred"]))
        #expect(kinds.contains(["not_running", "silent"]))
    }

    @Test func theListBelowHasCallbacksThenFigures() throws {
        let graph = Samples.large
        let list = try #require(try read(graph).all("g", class: "numbers").first).all("text").map(\.text)
        let place = try #require(list.firstIndex(of: "Stage 0 → Stage 1"))
        #expect(list[place...].dropFirst().prefix(2) == ["didMoveFrom0To1", "1× · 50%"])
    }

    @Test(
        arguments: [
            (0.9999, 999, "en", ">99%"), (1, 27, "en", "100%"), (0.001, 400, "en", "<1%"), (0.9375, 64, "en", "94%"),
            (0.9375, 1_000, "en", "93.8%"), (0.924, 1_000, "es", "92,4\u{A0}%"),
        ] as [(Double, Int, String, String)])
    func fewThingsHaveWholePercentages(share: Double, whole: Int, language: String, expected: String) throws {
        let words = Words(try #require(PictureLanguage(rawValue: language)))
        #expect(words.percent(share, of: whole) == expected)
    }

    @Test func twoVerdictsOnOneCallbackAreExplained() throws {
        var graph = Samples.app
        let terminate = StateGraph.Edge(
            from: "background", to: "not_running", callbacks: ["applicationWillTerminate"], isDocumented: false,
            seen: .init(count: 1))
        graph.edges.append(terminate)
        for place in graph.edges.indices where graph.edges[place].to == "not_running" {
            graph.edges[place].seenCallbacks = graph.edges[place].callbacks
        }
        let notes = { (graph: StateGraph) in
            try read(graph).all("text").filter { $0.text.contains("Two edges with one callback") }.count
        }
        #expect(try notes(graph) == 1)
        #expect(try notes(Samples.app) == 0)
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

    @Test func aLineTakesNoRoomInAPanelThatDoesNotShowIt() throws {
        let both = try #require(try read(Samples.app).all("g", class: "panel").first?.frame)
        var many = Samples.app
        for place in many.edges.indices {
            many.edges[place].callbacks = many.edges[place].callbacks.map { $0 + "Again" }
        }
        let alone = try #require(try read(many) { $0.view = .overlay }.all("g", class: "panel").first?.frame)
        #expect(both.width < alone.width)
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

    @Test func aNarrowPictureNumbersItsEdgesAndListsTheirCallbacks() throws {
        let wide = try read(Samples.app) { ($0.view, $0.hasHeading) = (.overlay, false) }
        let narrow = try read(Samples.app) { ($0.view, $0.hasHeading, $0.width) = (.overlay, false, 414) }
        #expect(narrow.number("width") <= 414 && wide.number("width") > 700)
        let panel = try #require(narrow.all("g", class: "panel").first)
        let list = try #require(narrow.all("g", class: "numbers").first).all("text").map(\.text)
        #expect(panel.all("text").map(\.text).contains("1") && list.contains("1"))
        #expect(list.contains { $0.hasPrefix("didEnterBackground") })
        // A phone has no pointer that could rest on a label.
        #expect(panel.all("g", class: "label").allSatisfy { $0.all("title").isEmpty })
        #expect(wide.all("g", class: "label").allSatisfy { !$0.all("title").isEmpty })
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
}
