import Testing
import TraceRecords

@testable import StateDiagrams

struct TimelineTests {
    static let begin: Int64 = 1_773_475_331 * second  // 2026-03-14 08:02:11 UTC

    /// Visits of whole seconds, one after the other.
    static func visits(_ list: [(String, Int64)]) -> [Timeline.Visit] {
        var time = begin
        return list.map { state, seconds in
            defer { time += seconds * second }
            return .init(state: state, from: time, until: time + seconds * second, source: "day.log:7")
        }
    }

    static var sample: Timeline {
        Timeline(
            title: "One run",
            states: [
                .init(id: "inactive", title: "Inactive", tone: .transit),
                .init(id: "active", title: "Active", tone: .active),
                .init(id: "background", title: "Background", tone: .background),
            ],
            lanes: [
                .init(
                    group: "Notes, pid 1", title: "App", layer: "app",
                    visits: visits([
                        ("inactive", 1), ("active", 40), ("inactive", 1), ("background", 7_200), ("inactive", 1),
                        ("active", 30),
                    ]),
                    marks: [.init(time: begin + 42 * second, rule: "R-1", severity: "error", message: "late")]),
                .init(
                    group: "Notes, pid 1", title: "\u{1B}[2J<script>", layer: "view", visits: visits([("active", 20)])),
            ])
    }

    /// A run in which only the app has visits, of so many seconds each.
    static func oneRun(_ list: [(String, Int64)]) -> Timeline {
        var timeline = sample
        timeline.lanes = [.init(group: "Notes, pid 1", title: "App", layer: "app", visits: visits(list))]
        return timeline
    }

    @Test func everyVisitIsABarAsLongAsItLasted() throws {
        let lane = try #require(try read(Self.sample).all("g", class: "app").first)
        let bars = lane.all("g", class: "visit").compactMap(\.frame)
        #expect(bars.count == 6)
        // 40 s and 30 s of the user's attention, one point each lost to the gap between bars.
        #expect(abs((bars[1].width + 1) / (bars[5].width + 1) - 40.0 / 30) < 0.01)
        for (bar, next) in zip(bars, bars.dropFirst()) { #expect(bar.x + bar.width <= next.x + 0.01) }
    }

    @Test func aRunThatIsHardlyWiderThanAHairShowsItsLongestVisit() throws {
        // On a day of 975 points a minute is less than a point.
        let lengths: [Int64] = [52, 117, 300, 700, 1_500]
        var timeline = Self.sample
        timeline.lanes = lengths.enumerated().map { place, length in
            var lane = Timeline.Lane(
                group: "Notes [\(place)]", title: "app", layer: "app",
                visits: Self.visits([("inactive", 1), ("active", length - 2), ("inactive", 1)]), run: Int64(place))
            for visit in lane.visits.indices {
                lane.visits[visit].from? += Int64(place) * 21_000 * second
                lane.visits[visit].until? += Int64(place) * 21_000 * second
            }
            return lane
        }
        let lanes = try read(timeline).all("g", class: "lane").map { $0.all("g", class: "visit") }
        #expect(lanes.prefix(3).map { $0.map { $0.attributes["data-state"] } } == [["active"], ["active"], ["active"]])
        #expect(lanes[4].map { $0.attributes["data-state"] } == ["inactive", "active", "inactive"])
        let widths = try lanes.map { lane in
            try #require(lane.first { $0.attributes["data-state"] == "active" }?.frame?.width)
        }
        #expect(widths == widths.sorted() && widths[0] == TimelineComposer.hair, "\(widths)")
        // The state in which a process fell silent is seen as well.
        for lane in timeline.lanes.indices { timeline.lanes[lane].visits[2].isAtLeast = true }
        let silent = try read(timeline).all("g", class: "lane").map { $0.all("g", class: "visit") }
        #expect(silent[0].map { $0.attributes["data-state"] } == ["active", "inactive"])
        #expect(silent[0].compactMap { $0.frame?.width } == [TimelineComposer.hair, TimelineComposer.hair])
    }

    @Test func inferredVisitsAreHatchedAndFindingsMarked() throws {
        var timeline = Self.sample
        timeline.lanes[0].visits[3].isInferred = true
        let root = try read(timeline)
        let bars = root.all("g", class: "app")[0].all("g", class: "visit")
        #expect(bars[3].all("path").count == 1)
        #expect(bars[1].all("path").isEmpty)
        #expect(root.all("g", class: "finding").first?.attributes["aria-label"] == "Finding: R-1 late")
    }

    @Test func anEstimatedSuspensionHasATextureOfItsOwn() throws {
        var timeline = Self.oneRun([("active", 60), ("background", 5), ("suspended", 90), ("active", 60)])
        timeline.states.append(.init(id: "suspended", title: "Suspended", tone: .suspended))
        for place in 1...2 {
            (timeline.lanes[0].visits[place].isInferred, timeline.lanes[0].visits[place].isEstimated) = (true, true)
        }
        timeline.lanes[0].visits[3].isInferred = true
        let root = try read(timeline)
        let bars = root.all("g", class: "visit").map { $0.all("path") }
        #expect(bars.map(\.count) == [0, 0, 1, 1], "the background around it is observed")
        #expect(bars[2].first?.attributes["stroke-dasharray"] != nil)
        #expect(bars[3].first?.attributes["stroke-dasharray"] == nil)
        let legend = root.all("g", class: "legend")[0].all("text").map(\.text)
        #expect(legend.contains("estimated from silence") && legend.contains("inferred"))
        let lines = TimelineText(timeline, width: 80).lines()
        #expect(lines.contains { $0.contains("█░") && $0.contains("┈┈┈▞▞▞") }, "\(lines)")
        #expect(lines.contains { $0.contains("▞ inferred: Active") })
        #expect(lines.contains { $0.contains("┈ estimated from silence: Suspended") })
    }

    @Test func noBreakCutsTheMarkOfAFindingAndNoStemCrossesAName() throws {
        var timeline = Self.oneRun([("inactive", 400), ("active", 600)])
        timeline.lanes[0].marks = [
            .init(time: Self.begin + 410 * second, rule: "R-1", severity: "error", message: "late")
        ]
        let root = try read(timeline)
        let stem = try #require(root.all("g", class: "finding").first?.all("path").first)
        let name = try #require(root.all("g", class: "visit").last?.all("text").first)
        let bar = try #require(root.all("g", class: "visit").last?.frame)
        let start = stem.attributes["d"]?.dropFirst().prefix { $0.isNumber || $0 == "." }
        let x = try #require(start.flatMap { Double($0) })
        // The name begins at the left of its bar, unless a stem near it would cross the name.
        #expect(bar.x < x && x < name.number("x") && name.number("x") < x + 20 && name.text == "Active · 10\u{A0}min")
        let svg = TimelineDrawing(Self.sample).svg()
        let broken = try #require(svg.range(of: "class=\"break\"", options: .backwards))
        #expect(try broken.upperBound < #require(svg.range(of: "class=\"finding")).lowerBound)
    }

    @Test func onlyWhatIsInferredIsHatchedAlsoInDenseLanes() throws {
        var timeline = Self.sample
        timeline.states.append(.init(id: "suspended", title: "Suspended", tone: .suspended))
        timeline.lanes[0].visits[3].state = "suspended"
        #expect(try read(timeline).all("g", class: "app")[0].all("g", class: "visit")[3].all("path").isEmpty)
        let many = Self.visits((0..<1_000).map { ($0 % 2 == 0 ? "active" : "suspended", 60) })
        let paths = try [false, true].map { isInferred -> Int in
            timeline.lanes[1].visits = many.map { visit in
                var visit = visit
                visit.isInferred = isInferred && visit.state == "suspended"
                return visit
            }
            return try #require(try read(timeline).all("g", class: "dense").first).all("path").count
        }
        // Two colours and the foot, and then the hatching.
        #expect(paths == [3, 4])
    }

    @Test func aCutVisitSaysAtLeast() throws {
        var timeline = Self.sample
        timeline.lanes[0].visits[5].isCutRight = true
        let bar = try read(timeline).all("g", class: "app")[0].all("g", class: "visit")[5]
        #expect(bar.all("text").map(\.text) == ["Active · ≥ 30\u{A0}s"])
    }

    @Test func whatBeganOutsideTheLogWithoutAnyLengthHasNoTornEdgeAndNoLegend() throws {
        var timeline = Self.oneRun([("background", 0), ("active", 9)])
        timeline.lanes[0].visits[0].isCutLeft = true
        #expect(!(try read(timeline).all("text").contains { $0.text == "begins or ends outside the log" }))
        timeline.lanes[0].visits[1].isCutRight = true
        #expect(try read(timeline).all("text").contains { $0.text == "begins or ends outside the log" })
    }

    @Test func statesOfOneColourHaveStripesAndSignsOfTheirOwn() throws {
        var timeline = Self.sample
        timeline.states = (0..<16).map {
            .init(id: "s\($0)", title: "State \($0)", tone: [.own1, .own2, .own3, .own4][$0 % 4], variant: $0 / 4)
        }
        timeline.lanes = [
            .init(
                group: "Notes, pid 1", title: "Order", layer: "order",
                visits: Self.visits((0..<16).map { ("s\($0)", 20) }))
        ]
        let bars = try read(timeline).all("g", class: "visit")
        #expect(
            bars.map { $0.all("path").count }.prefix(13).enumerated().filter { $0.offset % 4 == 0 }.map(\.element) == [
                0, 1, 2, 3,
            ])
        let legend = TimelineText(timeline, width: 300).lines().joined(separator: "\n")
        #expect(
            (0..<16).allSatisfy {
                legend.contains(" State \($0)  ") || legend.hasSuffix(" State \($0)")
                    || legend.contains(" State \($0)\n")
            }, "\(legend)")
    }

    @Test func visitsTooShortToBeSeenAreCounted() throws {
        var timeline = Self.sample
        let flicker = (0..<50).map { (place: Int64) -> Timeline.Visit in
            .init(state: "inactive", from: Self.begin + place, until: Self.begin + place + 1)
        }
        timeline.lanes[1].visits = flicker
        let texts = try read(timeline).all("text").map(\.text)
        #expect(texts.contains { $0.contains("49 visits are too short to be drawn apart") })
    }

    @Test func aShortVisitIsWideEnoughToBeSeenAndNotCoveredByTheNext() throws {
        let root = try read(Self.oneRun([("active", 3_600), ("inactive", 1), ("background", 3_600)]))
        let bars = try #require(root.all("g", class: "app").first).all("g", class: "visit").compactMap(\.frame)
        #expect(bars.count == 3 && bars[1].width >= 3)
        #expect(bars[2].x >= bars[1].x + bars[1].width)
        var silent = Self.oneRun([("inactive", 3_600), ("active", 0)])
        silent.lanes[0].visits[1].isAtLeast = true
        let ends = try read(silent).all("g", class: "visit").compactMap(\.frame)
        #expect(ends.count == 2 && ends[1].width >= 6 && ends[0].x + ends[0].width <= ends[1].x)
        #expect(root.all("text").contains { $0.text == "shorter than drawn" })
        let long = try read(Self.oneRun([("active", 3_600), ("background", 3_600)]))
        #expect(!long.all("text").contains { $0.text == "shorter than drawn" })
    }

    @Test func ofVisitsAtOnePlaceTheLongestIsSeen() throws {
        var timeline = Self.sample
        timeline.lanes[1].visits = [
            .init(state: "inactive", from: Self.begin, until: Self.begin + 1),
            .init(state: "active", from: Self.begin + 1, until: Self.begin + 1_000),
            .init(state: "background", from: Self.begin + 1_000, until: Self.begin + 1_010),
        ]
        let lane = try #require(try read(timeline).all("g", class: "lane").dropFirst().first)
        #expect(lane.all("g", class: "visit").map { $0.attributes["data-state"] } == ["active"])
    }

    @Test func withoutTimesTheOrderIsDrawnAndSaid() throws {
        var timeline = Self.sample
        for lane in timeline.lanes.indices {
            for stay in timeline.lanes[lane].visits.indices {
                timeline.lanes[lane].visits[stay].from = nil
                timeline.lanes[lane].visits[stay].until = nil
                timeline.lanes[lane].visits[stay].beginEvent = Int64(stay + 1)
                timeline.lanes[lane].visits[stay].endEvent = Int64(stay + 2)
            }
        }
        let root = try read(timeline)
        #expect(root.all("text").contains { $0.text.contains("This log has no times") })
        let widths = Set(
            root.all("g", class: "app")[0].all("g", class: "visit").compactMap { $0.frame?.width.rounded() })
        // Six visits share the axis; the gap between bars is a point.
        #expect(widths == [181])
        // A finding is at the visit whose line is the last one before it.
        for stay in timeline.lanes[0].visits.indices { timeline.lanes[0].visits[stay].source = "a.log:\(stay + 1)" }
        timeline.lanes[0].marks = [
            .init(time: nil, rule: "R-1", severity: "error", message: "m", source: "a.log:3")
        ]
        let found = try read(timeline)
        let bars = found.all("g", class: "app")[0].all("g", class: "visit").compactMap { $0.frame?.x }
        let stem = try #require(found.all("g", class: "finding").first?.all("path").first)
        let start = stem.attributes["d"]?.dropFirst().prefix { $0.isNumber || $0 == "." }
        #expect(abs(try #require(start.flatMap { Double($0) }) - bars[2]) < 1, "\(bars)")
    }

    @Test func aRunWithOneLaneIsNamedBesideItAndRunsOfOneNameStayApart() throws {
        var timeline = Self.sample
        let visits = Self.visits([("active", 30)])
        timeline.lanes = (1...2).map {
            .init(group: "Notes [7] · 2026-03-14 08:02:11", title: "app", layer: "app", visits: visits, run: $0)
        }
        let texts = try read(timeline).all("text").map(\.text)
        #expect(texts.count { $0 == "Notes [7]" } == 2)
        // The axis begins with the same time.
        #expect(texts.count { $0 == "2026-03-14 08:02:11" } == 3)
        #expect(!texts.contains("app"))
        timeline.lanes[1].group = "harbour.companion.app [1234]"
        #expect(try read(timeline).all("text").contains { $0.text == "harbour.companion.app [1234]" })
        timeline.lanes[1].group = timeline.lanes[0].group
        timeline.lanes[1].run = 1
        #expect(try read(timeline).all("text").count { $0.text == "app" } == 2)
    }

    @Test func aLegendListsAColourAndASignOnceAndFitsTheTerminal() throws {
        var timeline = Self.sample
        timeline.states.append(.init(id: "appeared", title: "Appeared", tone: .active))
        timeline.lanes[1].visits = Self.visits([("appeared", 20)])
        let legend = try read(timeline).all("g", class: "legend")[0].all("text").map(\.text)
        #expect(legend.contains("Active · Appeared") && !legend.contains("Appeared"))
        let lines = TimelineText(timeline, width: 40).lines()
        #expect(lines.contains { $0.contains("█ Active, Appeared") })
        #expect(lines.suffix(4).allSatisfy { CellWidth.of($0) <= 47 })
    }

    @Test func everySeverityThatIsMarkedIsInTheLegendWithItsRules() throws {
        var timeline = Self.sample
        timeline.lanes[0].marks += ["warning", "info", "info"].map {
            .init(time: Self.begin + second, rule: "R-2", severity: $0, message: "m")
        }
        let legend = try read(timeline).all("g", class: "legend")[0].all("text").map(\.text)
        #expect(legend.filter { $0.contains(": ") } == ["error: R-1", "warning: R-2", "remark: R-2"])
        timeline.lanes[0].marks = (1...5).map {
            .init(time: Self.begin + second, rule: "R-\($0)", severity: "error", message: "m")
        }
        let several = try read(timeline).all("g", class: "legend")[0].all("text").map(\.text)
        #expect(several.contains("error: R-1, R-2, R-3, +2 more"), "\(several)")
    }

    @Test func aRemarkHasAnotherShapeAndColourThanAnyBar() throws {
        var timeline = Self.sample
        timeline.lanes[0].marks = [.init(time: Self.begin + second, rule: "R-2", severity: "info", message: "m")]
        let mark = try #require(try read(timeline).all("g", class: "finding").first)
        #expect(mark.all("circle").count == 1, "a disc in place of a triangle")
        #expect(!Timeline.Tone.allCases.map(\.fill.colours.light).contains(Ink.info.colours.light))
        #expect(Ink.info.colours.light != Ink.documented.colours.light)
    }

    @Test func moreLanesThanCanBeReadAreLimitedAndTheLimitIsStated() throws {
        var timeline = Self.sample
        timeline.lanes = (0..<400).map {
            .init(group: "g", title: "lane \($0)", layer: "app", visits: Self.visits([("active", 9)]))
        }
        let root = try #require(SVGElement.read(TimelineDrawing(timeline).svg()))
        #expect(root.all("g", class: "lane").count == Timeline.mostLanes)
        #expect(root.all("text").contains { $0.text.contains("Drawn: 150 of 400 lanes.") })
        #expect(TimelineText(timeline).lines().contains("Drawn: 150 of 400 lanes."))
    }

    @Test func anOpenVisitReachesToTheNextOne() throws {
        var timeline = Self.sample
        timeline.lanes[0].visits[1].until = nil
        timeline.lanes[0].visits[2].from = Self.begin + 41 * second
        let bars = try #require(SVGElement.read(TimelineDrawing(timeline).svg())).all("g", class: "app")[0]
            .all("g", class: "visit").compactMap(\.frame)
        #expect(abs(bars[1].x + bars[1].width + 1 - bars[2].x) < 0.02)
    }

    @Test func aLaneWithThousandsOfVisitsIsDrawnInColumns() throws {
        var timeline = Self.sample
        timeline.lanes[0].visits = Self.visits((0..<20_000).map { ($0 % 2 == 0 ? "active" : "background", 60) })
        let svg = TimelineDrawing(timeline).svg()
        let root = try #require(SVGElement.read(svg))
        let lane = try #require(root.all("g", class: "dense").first)
        #expect(svg.utf8.count < 200_000)
        // Two colours and the foot.
        #expect(lane.all("path").count == 3)
        #expect(lane.attributes["aria-label"]?.hasSuffix("20,000 visits") == true)
        #expect(root.all("text").contains { $0.text.contains("20,000 visits are too") })
    }

    @Test func shortVisitsInUseAreSeenAmongLongOnesInTheBackground() throws {
        // 500 times in use for a minute, each followed by a quarter of an hour in the background: no column is mostly active.
        let timeline = Self.oneRun((0..<500).flatMap { _ in [("active", Int64(60)), ("background", 900)] })
        let root = try read(timeline)
        let paths = try #require(root.all("g", class: "dense").first).all("path")
        // The foot of the columns is blue, and at its least 3 points high: the lane ends 26 points below its top.
        let foot = try #require(paths.last)
        #expect(paths.count == 2 && foot.attributes["fill"] == "#0a6cae")
        let heights = foot.attributes["d"]?.matches(of: /V([\d.]+)/).compactMap { Double($0.1) } ?? []
        #expect((heights.max() ?? 0) - (heights.min() ?? 0) <= 26 && !heights.isEmpty)
        #expect(root.all("text").contains { $0.text == "Active for a part of the time" })
        let lines = TimelineText(timeline, width: 80).lines()
        #expect(
            lines.contains { $0.contains("▂▂▂") } && lines.contains { $0.contains("▂ Active for a part of the time") })
        // Where each visit has room, none is in part.
        #expect(!TimelineText(Self.sample, width: 80).lines().contains { $0.contains("▂") })
    }

    @Test func aRunThatEndsWithoutAWordShowsTheStateItEndsIn() throws {
        for (before, end) in [("active", "background"), ("background", "active")] {
            let run = Self.oneRun([(before, 3_600), ("inactive", 1), (end, 0)])
            let bars = try read(run).all("g", class: "visit").map { $0.attributes["data-state"] }
            #expect(bars == [before, end])
        }
    }

    @Test func aBarThatLiesOverAnotherHidesNoName() throws {
        // The clock is set back by 200 s while the app is in the background.
        var timeline = Self.oneRun([("active", 100), ("background", 400)])
        let start = Self.begin + 110 * second
        timeline.lanes[0].visits.append(
            .init(state: "active", from: start, until: start + 300 * second, source: "day.log:9"))
        let texts = try read(timeline).all("g", class: "visit").map { $0.all("text").map(\.text) }
        #expect(texts.count == 3 && texts[1].isEmpty && texts[2].first?.hasPrefix("Active") == true, "\(texts)")
    }

    @Test func aRunOfOneLineHasNoLengthAndShowsTheStateItEndsIn() throws {
        var timeline = Self.oneRun([("inactive", 0), ("active", 0)])
        for isAligned in [false, true] {
            timeline.isAligned = isAligned
            let lines = TimelineText(timeline, width: 80).lines()
            #expect(lines.contains { $0.hasSuffix("  █ a single moment") } && lines.contains("█ Active"), "\(lines)")
            #expect(!lines.contains { $0.contains("1 ns") || $0.contains("–") }, "\(lines)")
            let texts = try read(timeline).all("text").map(\.text)
            #expect(texts.count { $0.contains("08:02:11.000") || $0 == "0\u{A0}s" } == (isAligned ? 0 : 1), "\(texts)")
            #expect(texts.contains("a single moment"))
        }
    }

    @Test func aLongNameOfARunIsNotCut() throws {
        var timeline = Self.oneRun([("active", 10)])
        timeline.lanes[0].group = "AnAppWithAVeryLongNameThatNobodyWouldEverChoose [100] · 2026-05-04 07:00:00"
        let texts = try read(timeline).all("text").map(\.text)
        #expect(!texts.contains { $0.hasSuffix("…") })
        #expect(texts.joined().contains("AnAppWithAVeryLongNameThatNobodyWouldEverChoose"))
    }

    @Test func aNameThatIsTooWideForAPhoneHasItsTimeOnALineOfItsOwn() throws {
        var timeline = Self.sample
        for lane in timeline.lanes.indices {
            timeline.lanes[lane].group = "NotesForTheWholeFamily [610] · 2026-05-04 07:00:00"
        }
        var drawing = TimelineDrawing(timeline)
        drawing.width = 332
        let texts = try #require(SVGElement.read(drawing.svg())).all("text").map(\.text)
        #expect(texts.contains("NotesForTheWholeFamily [610]") && texts.contains("2026-05-04 07:00:00"), "\(texts)")
    }

    @Test func everyLineOfAClockHasALabel() throws {
        let root = try read(Self.oneRun([("active", 58_680)]))
        let lines = root.all("path").filter { $0.attributes["stroke"] == Ink.frame.colours.light }
        let labels = root.all("text").filter { $0.text.hasSuffix(":00") || $0.text.contains(":") }
        #expect(lines.count == labels.count && lines.count > 5, "\(lines.count) \(labels.map(\.text))")
    }

    @Test func theEndOfAClockIsToldInSeconds() throws {
        let texts = try read(Self.oneRun([("active", 1_179)])).all("text").map(\.text)
        // 08:02:11, and 19 min 39 s later.
        #expect(texts.contains("2026-03-14 08:02:11") && texts.contains("08:21:50"), "\(texts)")
    }

    @Test func theTitleLeavesOutNoRun() {
        #expect(PictureHeading.runs(of: ["Kino", nil], .english) == "Runs: Kino, unnamed app")
        #expect(PictureHeading.runs(of: [nil], .english) == "Runs")
    }

    @Test func theLegendSaysWhatHappenedWhereUpToTwoRulesAreBroken() throws {
        var timeline = Self.sample
        timeline.ruleTitles = ["R-1": "It came late", "R-2": "It came twice"]
        func legend() throws -> String {
            try read(timeline).all("g", class: "legend").flatMap { $0.all("text").map(\.text) }.joined(separator: "\n")
        }
        #expect(try legend().contains("error: R-1 It came late"))
        timeline.lanes[0].marks += ["R-2", "R-2"].map { .init(time: nil, rule: $0, severity: "error", message: "") }
        #expect(try legend().contains("error: R-1 It came late · R-2 It came twice"))
        timeline.lanes[0].marks.append(.init(time: nil, rule: "R-3", severity: "error", message: ""))
        #expect(try legend().contains("error: R-1, R-2, R-3"))
    }

    @Test(arguments: [1_280.0, 332])
    func namesOfRunsAreCutInTheirMiddle(width: Double) throws {
        let name = "TheOfficialCompanionAppOfTheInternationalConferenceOnMobileSystems"
        var timeline = Self.oneRun([("active", 40)])
        timeline.lanes += timeline.lanes
        for (place, group) in ["\(name) [500]", "\(name)ForTablets [501]"].enumerated() {
            (timeline.lanes[place].group, timeline.lanes[place].run) = ("\(group) · 2026-03-14 08:02:11", Int64(place))
        }
        var drawing = TimelineDrawing(timeline)
        drawing.width = width
        let texts = try #require(SVGElement.read(drawing.svg())).all("text").map(\.text)
        #expect(texts.contains { $0.hasSuffix("Systems [500]") } && texts.contains { $0.hasSuffix("Tablets [501]") })
        #expect(texts.count { $0.hasPrefix("TheOfficial") && $0.contains("…") } == (width > 600 ? 1 : 2), "\(texts)")
        #expect(width < 600 || texts.contains("alConferenceOnMobileSystems [500]"), "what fits is not cut")
    }

    @Test func aNarrowTimelineNamesItsLanesAboveThem() throws {
        var timeline = Self.sample
        (timeline.lanes[1].group, timeline.lanes[1].run) = (timeline.lanes[0].group, timeline.lanes[0].run)
        timeline.lanes[1].title = "Scene"
        var drawing = TimelineDrawing(timeline)
        drawing.width = 332
        let root = try #require(SVGElement.read(drawing.svg()))
        #expect(root.number("width") <= 400)
        let names = root.all("text").filter { timeline.lanes.map(\.title).contains($0.text) }
        #expect(names.count == timeline.lanes.count)
        for (lane, name) in zip(root.all("g", class: "lane"), names) {
            let top = try #require(lane.all("g", class: "visit").compactMap(\.frame?.y).min())
            #expect(name.number("y") < top && name.number("y") > top - 14)
        }
    }
}
