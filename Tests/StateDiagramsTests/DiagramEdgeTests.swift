import Foundation
import Testing

@testable import StateDiagrams

/// The lines of diagrams, their labels, and the list below.
struct DiagramEdgeTests {
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
        #expect(legend.contains("documented, not seen"))
        #expect(legend.contains("documented, silent: no line shows it"))
        #expect(legend.contains("error") && !legend.contains("warning"))
        // The legend explains only what the picture contains.
        let documented = try read(Samples.app) { $0.view = .documented }.all("g", class: "legend")[0].all("text")
        #expect(!documented.map(\.text).contains { $0.contains("observed") || $0.contains("never") || $0 == "error" })
        #expect(documented.map(\.text).contains("documented"))
        let shaded = try read(Samples.app) { $0.colouring = .performance }.all("g", class: "legend")[0].all("text")
        #expect(shaded.contains { $0.text.hasPrefix("shade: median duration") })
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
        // Where no panel is beside it, a long edge has its callback, too.
        let alone = try read(Samples.app) { $0.view = .observed }
        let enter = try #require(
            alone.all("g", class: "label").first {
                $0.attributes["data-from"] == "inactive" && $0.attributes["data-to"] == "background"
            })
        #expect(enter.all("text").map(\.text) == ["57× · 47%", "didEnterBackground"])
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

    @Test func foldingHidesRareEdgesButNeverUndocumentedOnes() throws {
        let root = try read(Samples.app) { $0.foldBelow = 0.05 }
        let texts = root.all("text").map(\.text)
        // 1 of 243 transitions: background→not_running. Active→background is as rare, but undocumented.
        #expect(texts.contains("1 rare edge with 0.4% of all transitions is hidden."))
        // What is hidden stays counted: 3 + 64 + 60 + 57 + 54 + 1 + 3 + 1.
        #expect(texts.contains("243 transitions · 3 runs"))
        #expect(root.all("g", class: "edge").contains { $0.classes.contains("undocumented") })
        func isDrawn(_ side: String) -> Bool {
            root.all("g", class: side)[0].all("g", class: "edge").contains {
                $0.attributes["data-from"] == "background" && $0.attributes["data-to"] == "not_running"
            }
        }
        #expect(isDrawn("documented") && !isDrawn("observed"))
        // A list explains only what is drawn.
        let narrow = try read(Samples.app) { ($0.view, $0.foldBelow, $0.width) = (.observed, 0.05, 414) }
        let list = narrow.all("g", class: "numbers").flatMap { $0.all("text") }.map(\.text)
        #expect(!list.contains("Background → Not running"), "\(list)")
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
        let notes = root.all("text").map(\.text).filter { $0.contains("1 rare edge") }
        #expect(notes.count == 1 && notes[0].contains("is drawn as documented, with its count"), "\(notes)")
        let list = try #require(root.all("g", class: "numbers").first).all("text").map(\.text)
        let labels = root.all("g", class: "label").flatMap { $0.all("text") }.map(\.text)
        #expect((labels + list).contains("1×"))
    }

    @Test func foldingKeepsEdgesWithErrors() throws {
        var graph = Samples.app
        let rare = try #require(graph.edges.firstIndex { $0.from == "background" && $0.to == "not_running" })
        graph.edges[rare].findings = [.init(rule: "R-1", severity: "warning", count: 1, message: "m")]
        #expect(graph.folded(below: 0.05).edges.filter(\.isFolded).isEmpty)
        graph.edges[rare].findings = [.init(rule: "R-1", severity: "info", count: 1, message: "m")]
        #expect(graph.folded(below: 0.05).edges.filter(\.isFolded).count == 1)
    }

    @Test("Out of a state that no line shows, edges without a callback are silent; all have a label or a number")
    func edgesOfAnUntoldState() throws {
        let root = try read(Samples.app) { $0.view = .overlay }
        func edge(to state: String) throws -> SVGElement {
            try #require(
                root.all("g", class: "edge").first {
                    $0.attributes["data-from"] == "suspended" && $0.attributes["data-to"] == state
                })
        }
        #expect(try edge(to: "inactive").classes.contains("never-occurred"))
        #expect(try edge(to: "not_running").classes.contains("silent"))
        let labelled = root.all("g", class: "label").filter { $0.attributes["data-from"] == "suspended" }
        #expect(
            Set(labelled.compactMap { $0.attributes["data-to"] }) == ["inactive", "background", "not_running"])
    }

    @Test("What was only inferred says so, has the line of what is inferred, and no percentage")
    func inferredInSteps() throws {
        var graph = Samples.app
        let rare = try #require(graph.edges.firstIndex { $0.from == "background" && $0.to == "not_running" })
        (graph.edges[rare].isInferred, graph.edges[rare].probability) = (true, nil)
        (graph.edges[rare].shareOfEnds, graph.edges[rare].callbacks) = (0.3, [])
        graph.edges[rare].via = ["Inactive"]
        let root = try read(graph) { $0.view = .overlay }
        let edge = try #require(root.all("g", class: "edge").first { $0.classes.contains("inferred") })
        #expect(edge.attributes["data-from"] == "background")
        let texts = root.all("text").map(\.text)
        #expect(texts.contains { $0.contains("inferred") && !$0.contains("documented") })
        #expect(!texts.contains { $0.contains("30%") })
    }

    @Test("A label that would be cut is a number, and the list has all of it")
    func longWay() throws {
        var graph = Samples.app
        let rare = try #require(graph.edges.firstIndex { $0.from == "background" && $0.to == "not_running" })
        graph.edges[rare].via = (1...9).map { "Stage of loading number \($0)" }
        let root = try read(graph) { $0.view = .overlay }
        #expect(!root.all("text").contains { $0.text.contains("…") && $0.text.contains("Stage") })
        let list = try #require(root.all("g", class: "numbers").first).all("text").map(\.text).joined(separator: " ")
        #expect(list.contains("number 1 → Stage of loading number 2") && list.contains("number 9"), "\(list)")
        #expect(!list.contains("→ · "))
    }

    @Test func callbacksThatNeverCameAreNamedInTheList() throws {
        var graph = Samples.app
        graph.edges[1].callbacks = ["didFinishLaunching", "willFinishLaunching", "didFinishLaunchingWithOptions"]
        let root = try read(graph) { ($0.view, $0.width) = (.overlay, 1_400) }
        let label = try #require(
            root.all("g", class: "label").first { label in label.all("text").contains { $0.text == "3 callbacks" } })
        let list = try #require(root.all("g", class: "numbers").first).all("text").map(\.text)
        for name in graph.edges[1].callbacks { #expect(list.contains(name)) }
        // A number leads from the label to the list.
        #expect(label.all("text").map(\.text) == ["1", "3 callbacks"] && list.first == "1")
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
        let labels = try read(graph) { ($0.view, $0.width) = (.observed, 1_400) }.all("g", class: "label").filter {
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
        #expect(kinds.contains(["inactive", "estimated"]) && kinds.contains(["active", "estimated"]))
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

    @Test func ofEdgesThatAreAsFrequentAllOrNoneAreEmphasised() throws {
        func bold(_ counts: [Int]) throws -> Int {
            let edges = counts.enumerated().map { place, count in
                StateGraph.Edge(from: "a", to: "b\(place)", isDocumented: true, seen: .init(count: count))
            }
            let root = try read(StateGraph(title: "t", states: [], edges: edges)) { $0.view = .overlay }
            return root.all("g", class: "label").flatMap { $0.all("text") }.count { $0.classes.contains("bold") }
        }
        #expect(try bold([2, 2, 2, 2, 2]) == 0)
        #expect(try bold([9, 9, 2, 2, 2, 2, 2]) == 0, "a third one is needed, and then all")
        #expect(try bold([9, 9, 9, 1, 1]) == 3)
    }

    @Test func aNameIsNotBrokenWithinItsWords() throws {
        let root = try read(Samples.app) { $0.view = .overlay }
        let names = Set(Samples.app.edges.flatMap(\.callbacks).map { $0.replacing("application", with: "") })
        let shown = root.all("g", class: "label").flatMap { $0.all("text") }.map(\.text).filter {
            $0.first?.isLetter == true
        }
        #expect(shown.contains { $0.hasPrefix("will") && $0.count > 13 })
        let known = names.map { $0.prefix(1).lowercased() + $0.dropFirst() } + ["silent", "inferred"]
        #expect(shown.allSatisfy { known.contains($0) || $0.hasSuffix(" callbacks") }, "\(shown)")
    }

    @Test func aLabelGivesUpItsNamesBeforeItsFigures() throws {
        var found = 0
        for width in stride(from: 650.0, through: 950, by: 50) {
            let root = try read(Samples.app) { ($0.view, $0.width) = (.overlay, width) }
            let list = root.all("g", class: "numbers").flatMap { $0.all("text") }.map(\.text)
            let brief = root.all("g", class: "label").map { $0.all("text").map(\.text) }.filter {
                Int($0.first ?? "") != nil && $0.dropFirst().first?.contains("×") == true
            }
            // A number leads from the figures to the names in the list.
            for label in brief {
                #expect(!label.contains { $0.hasPrefix("did") || $0.hasPrefix("will") }, "\(label)")
                #expect(list.contains(label[0]))
            }
            found += brief.count
        }
        #expect(found > 0)
    }

    @Test func aStateThatNoLogShowsIsNotDrawnAsNeverVisited() throws {
        var graph = Samples.app
        graph.states[4].isInitial = false
        let root = try read(graph) { $0.view = .overlay }
        let state = try #require(root.all("g", class: "state").first { $0.attributes["data-state"] == "suspended" })
        #expect(
            !state.classes.contains("unseen") && state.all("text").map(\.text) == ["Suspended", "no line shows it"])
        // One to which a callback leads was not seen.
        graph.edges[6].callbacks = ["applicationDidSuspend"]
        let seen = try read(graph) { $0.view = .overlay }.all("g", class: "state").last
        #expect(seen?.classes.contains("unseen") == true && seen?.all("text").last?.text == "not seen")
    }

    @Test func changesThatScenesDecideSaySo() throws {
        var graph = Samples.app
        let place = try #require(graph.edges.firstIndex { $0.from == "inactive" && $0.to == "active" })
        (graph.edges[place].seenCallbacks, graph.edges[place].withoutCallback) = ([], 64)
        func label(_ language: PictureLanguage = .english) throws -> String? {
            let root = try read(graph) { ($0.view, $0.language) = (.overlay, language) }
            return root.all("g", class: "label").first {
                $0.attributes["data-from"] == "inactive" && $0.attributes["data-to"] == "active"
            }?.all("text").last?.text
        }
        #expect(try label() == "no callback")
        graph.edges[place].isByScenes = true
        #expect(try label() == "through its scenes" && label(.simplifiedChinese) == "由其场景决定")
        #expect(try label(.traditionalChinese) == "由其場景決定" && label(.spanish) == "según sus escenas")
        graph.edges[place].seenCallbacks = ["applicationDidBecomeActive"]
        graph.edges[place].withoutCallback = 3
        #expect(try label() == "3 through its scenes")
    }

    @Test func aChangeThatNoLineShowsIsInferredWhateverTheModelHasBesideIt() throws {
        var graph = Samples.app
        // The model has a silent edge, and one was inferred, in an app without scenes.
        graph.edges.append(.init(from: "active", to: "not_running", isDocumented: true, isSilent: true))
        var inferred = StateGraph.Edge(
            from: "active", to: "not_running", isDocumented: true, isInferred: true, seen: .init(count: 1))
        inferred.isModelled = false
        func isByScenes() -> Bool? {
            StateGraph(title: "", states: graph.states, edges: graph.edges + [inferred]).canonical().edges
                .first { ($0.from, $0.to) == ("active", "not_running") }?.isByScenes
        }
        #expect(isByScenes() == false)
        inferred.isByScenes = true
        #expect(isByScenes() == true)
    }

    @Test func aComparisonHasNoFigureWhereNothingDiffersOrWhatIsNoShare() throws {
        var graph = Samples.app
        func change(_ from: String, _ to: String, _ change: StateGraph.Change) {
            for place in graph.edges.indices where (graph.edges[place].from, graph.edges[place].to) == (from, to) {
                graph.edges[place].change = change
            }
        }
        change("inactive", "active", .init(a: 1, b: 1, isSignificant: false))
        change("active", "inactive", .init(a: 11, b: 12, isSignificant: false, isCount: true))
        change("inactive", "background", .init(a: 0.4, b: 0.5, isSignificant: false))
        let root = try read(graph) { $0.view = .overlay }
        func texts(_ from: String, _ to: String) -> [String] {
            root.all("g", class: "label").filter {
                $0.attributes["data-from"] == from && $0.attributes["data-to"] == to
            }.flatMap { $0.all("text").map(\.text) }
        }
        #expect(texts("inactive", "active") == ["didBecomeActive"])
        #expect(texts("active", "inactive") == ["willResignActive"])
        #expect(texts("inactive", "background").contains("40.0% → 50.0%"))
    }

    @Test func anEntryOfTheListBelowAPictureBelongsToItsEdge() throws {
        let list = try #require(read(Samples.app) { $0.view = .sideBySide }.all("g", class: "numbers").first)
        let items = list.all("g", class: "item")
        let edges = Set(Samples.app.edges.map { "\($0.from)>\($0.to)" })
        #expect(!items.isEmpty)
        for item in items {
            #expect(edges.contains("\(item.attributes["data-from"] ?? "")>\(item.attributes["data-to"] ?? "")"))
        }
    }

    @Test func whatIsDocumentedInStepsHasARegularDash() {
        for width in [1.4, 6] { #expect(Set(StateGraph.EdgeKind.inSteps.dash(width: width)).count == 2) }
    }

    @Test func twoVerdictsOnOneChangeAreExplained() throws {
        var graph = Samples.app
        let terminate = StateGraph.Edge(
            from: "background", to: "not_running", callbacks: ["applicationWillTerminate"], isDocumented: false,
            seen: .init(count: 1))
        graph.edges.append(terminate)
        let notes = { (graph: StateGraph) in
            try read(graph).all("text").filter { $0.text.contains("Two edges from one state to another") }.count
        }
        #expect(try notes(graph) == 1)
        #expect(try notes(Samples.app) == 0)
    }

    @Test func aChangeInStepsThatTheLogSkipsHasALookOfItsOwnAndNamesTheStateBetween() throws {
        var graph = Samples.app
        var skipped = StateGraph.Edge(
            from: "background", to: "active", isDocumented: true, seen: .init(count: 2))
        (skipped.via, skipped.isModelled) = (["Inactive"], false)
        graph.edges.append(skipped)
        for view in [PictureView.sideBySide, .overlay] {
            let root = try read(graph) { $0.view = view }
            let edge = try #require(root.all("g", class: "edge").first { $0.classes.last == "in-steps" })
            let dashes = root.all("g", class: "edge").filter { $0.classes.last != "in-steps" }.map {
                $0.all("path")[0].attributes["stroke-dasharray"]
            }
            #expect(!dashes.contains(edge.all("path")[0].attributes["stroke-dasharray"]))
            let texts = root.all("text").map(\.text)
            #expect(texts.joined(separator: " ").contains("via Inactive, unseen"), "\(texts)")
            #expect(texts.contains("documented in steps, the state between unseen"))
            // It is no abnormal end, and the pair is not drawn twice.
            #expect(!texts.contains { $0.contains("Abnormal ends") || $0.contains("Two edges") })
        }
        graph.edges.append(
            .init(
                from: "background", to: "active", callbacks: ["applicationDidBecomeActive"], isDocumented: false,
                seen: .init(count: 6)))
        let both = try read(graph).all("text").map(\.text)
        #expect(both.contains { $0.hasPrefix("Two edges from one state to another") }, "\(both)")
    }

    @Test func aNumberForACutTextIsBesideTheFigures() throws {
        var graph = Samples.app
        var skipped = StateGraph.Edge(
            from: "background", to: "active", callbacks: ["didBecomeActive"], isDocumented: true,
            seen: .init(count: 2))
        skipped.via = (1...9).map { "A state with a long name \($0)" }
        (skipped.seenCallbacks, skipped.isModelled) = (skipped.callbacks, false)
        graph.edges.append(skipped)
        var options = DiagramOptions()
        options.view = .overlay
        let composer = DiagramComposer(graph, options)
        let place = try #require(composer.graph.edges.firstIndex { !$0.via.isEmpty })
        let lines = try #require(composer.fit.label(of: place, on: .overlay)).lines
        #expect(lines.count > 1 && lines[0].text.hasPrefix("2×"), "\(lines.map(\.text))")
        #expect(lines.map(\.isNumbered) == [true] + lines.dropFirst().map { _ in false }, "\(lines.map(\.text))")
        #expect(lines.contains { $0.face == .code } && !lines.contains { $0.text.isEmpty })
    }

    @Test func beneathBothSidesOnlyTheCallbacksThatOccurredHaveTheColourOfTheEdge() throws {
        var graph = StateGraph(title: "t", states: [], edges: [])
        let names = (1...9).map { "callback\($0)" }
        graph.edges = [.init(from: "a", to: "b", callbacks: names, isDocumented: true, seen: .init(count: 2))]
        graph.edges[0].seenCallbacks = ["callback2"]
        let list = try #require(try read(graph) { $0.view = .sideBySide }.all("g", class: "numbers").first)
        let inks = list.all("text").filter { $0.text.hasPrefix("callback") }.map { $0.attributes["fill"] }
        #expect(inks.count == 9 && inks[1] == Ink.documented.colours.light, "\(inks)")
        #expect(Set(inks) == [Ink.documented.colours.light, Ink.never.colours.light])
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

    @Test func aNarrowPictureNumbersItsEdgesAndListsTheirCallbacks() throws {
        let wide = try read(Samples.app) { ($0.view, $0.hasHeading) = (.overlay, false) }
        let narrow = try read(Samples.app) { ($0.view, $0.hasHeading, $0.width) = (.overlay, false, 414) }
        #expect(narrow.number("width") <= 414 && wide.number("width") > 700)
        let panel = try #require(narrow.all("g", class: "panel").first)
        let list = try #require(narrow.all("g", class: "numbers").first).all("text").map(\.text)
        #expect(panel.all("text").map(\.text).contains("1") && list.contains("1"))
        #expect(list.contains { $0.hasPrefix("didEnterBackground") })
        // An entry of the legend that is wider than the phone takes several lines.
        var estimated = Samples.app
        estimated.states[4].estimate = .init(count: 3, median: second)
        let phone = try read(estimated) { ($0.view, $0.hasHeading, $0.width) = (.overlay, false, 414) }
        for text in try #require(phone.all("g", class: "legend").first).all("text") {
            #expect(text.number("x") + TextMeasure.width(text.text, size: 12.5, face: .text) <= 394, "\(text.text)")
        }
        // A phone has no pointer that could rest on a label.
        #expect(panel.all("g", class: "label").allSatisfy { $0.all("title").isEmpty })
        #expect(wide.all("g", class: "label").allSatisfy { !$0.all("title").isEmpty })
    }
}
