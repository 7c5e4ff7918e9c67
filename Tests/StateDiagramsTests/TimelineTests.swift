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
    private static func oneRun(_ list: [(String, Int64)]) -> Timeline {
        var timeline = sample
        timeline.lanes = [.init(group: "Notes, pid 1", title: "App", layer: "app", visits: visits(list))]
        return timeline
    }

    private func read(_ timeline: Timeline) throws -> SVGElement {
        try #require(SVGElement.read(TimelineDrawing(timeline).svg()))
    }

    @Test func everyVisitIsABarAsLongAsItLasted() throws {
        let lane = try #require(try read(Self.sample).all("g", class: "app").first)
        let bars = lane.all("g", class: "visit").compactMap(\.frame)
        #expect(bars.count == 6)
        // 40 s and 30 s of the user's attention, one point each lost to the gap between bars.
        #expect(abs((bars[1].width + 1) / (bars[5].width + 1) - 40.0 / 30) < 0.01)
        for (bar, next) in zip(bars, bars.dropFirst()) { #expect(bar.x + bar.width <= next.x + 0.01) }
    }

    @Test func aLongPauseIsBrokenAndSaysHowLongItIs() throws {
        let root = try read(Self.sample)
        let breaks = root.all("g", class: "break")
        #expect(breaks.compactMap { $0.attributes["aria-label"] } == ["time left out: 2\u{A0}h"])
        #expect(root.all("text").contains { $0.text == "time left out (Σ 2\u{A0}h)" })
    }

    @Test func aLongVisitInTheForegroundIsShortenedAndKeepsItsName() throws {
        let timeline = Self.oneRun([("inactive", 1), ("active", 3_600), ("inactive", 1), ("background", 4)])
        let root = try read(timeline)
        // Of what is drawn, 6 s and twice a quarter of that, the visit has a third.
        let breaks = root.all("g", class: "break")
        #expect(breaks.compactMap { $0.attributes["aria-label"] } == ["time left out: 59\u{A0}min 57\u{A0}s"])
        let bars = root.all("g", class: "visit").compactMap(\.frame)
        #expect(bars.count == 4)
        #expect(bars[1].width > bars.map(\.width).reduce(0, +) * 0.3)
        #expect(root.all("text").contains { $0.text.contains("Active") && $0.text.contains("1\u{A0}h") })
        let text = TimelineText(timeline, width: 90).lines().joined(separator: "\n")
        #expect(text.contains("█⫽█"), "\(text)")
    }

    @Test func visitsOfLikeLengthAreNotBroken() throws {
        let timeline = Self.oneRun([("active", 600), ("background", 900), ("active", 300), ("background", 800)])
        #expect(try read(timeline).all("g", class: "break").isEmpty)
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

    @Test func aClockOfSeveralRunsIsBrokenOnlyWhereNoneRunsAndSaysHowMuchIsLeftOut() throws {
        var timeline = Self.sample
        // Twelve runs of an hour; pauses of five minutes, of two hours, and once of ten hours.
        var time = Self.begin
        timeline.lanes = (0..<12).map { place in
            let visit = Timeline.Visit(state: "background", from: time, until: time + 3_600 * second)
            time += (3_600 + (place == 5 ? 36_000 : place == 7 ? 7_200 : 300)) * second
            return .init(group: "Notes [\(place)]", title: "app", layer: "app", visits: [visit], run: Int64(place))
        }
        let root = try read(timeline)
        // Two hours are less than a sixth of what is left of the day.
        #expect(root.all("g", class: "break").count == 1)
        let texts = root.all("text").map(\.text)
        #expect(texts.contains("10\u{A0}h"))
        // The year once, at the first end; the last end has its time, too.
        #expect(texts.contains("2026-03-14 08:02") && texts.count { $0.contains("2026") } == 1)
        #expect(texts.contains("03-15 08:47"), "\(texts)")
        let lines = TimelineText(timeline, width: 100).lines()
        let ticks = try #require(lines.first { $0.contains("╵") })
        #expect(ticks.contains("╵2026-03-14 08:02") && ticks.hasSuffix("╵"))
        #expect(lines.count { $0.contains("╵") } == 1)
        timeline.isAligned = true
        #expect(!TimelineText(timeline, width: 100).lines().contains { $0.contains("╵") })
    }

    @Test func theLegendOfTheTerminalHasOnlySignsThatOccur() {
        var timeline = Self.sample
        // A second of inactivity in two hours fills no column.
        timeline.lanes = [
            .init(
                group: "g", title: "App", layer: "app",
                visits: Self.visits([("background", 3_600), ("inactive", 1), ("background", 3_900)]))
        ]
        timeline.lanes[0].visits[1].isInferred = true
        let lines = TimelineText(timeline, width: 60).lines()
        #expect(lines.contains("░ Background") && !lines.contains { $0.contains("╱") || $0.contains("Inactive") })
    }

    @Test func aCutVisitSaysAtLeast() throws {
        var timeline = Self.sample
        timeline.lanes[0].visits[5].isCutRight = true
        let bar = try read(timeline).all("g", class: "app")[0].all("g", class: "visit")[5]
        #expect(bar.all("text").map(\.text) == ["Active · ≥ 30\u{A0}s"])
    }

    @Test func visitsTooShortToBeSeenAreCounted() throws {
        var timeline = Self.sample
        let flicker = (0..<50).map { (place: Int64) -> Timeline.Visit in
            .init(state: "inactive", from: Self.begin + place, until: Self.begin + place + 1)
        }
        timeline.lanes[1].visits = flicker
        let texts = try read(timeline).all("text").map(\.text)
        #expect(texts.contains { $0.contains("49 visits are too short to be drawn at this scale") })
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
            }
        }
        let root = try read(timeline)
        #expect(root.all("text").contains { $0.text.contains("This log has no times") })
        let widths = Set(
            root.all("g", class: "app")[0].all("g", class: "visit").compactMap { $0.frame?.width.rounded() })
        // Six visits share the axis; the gap between bars is a point.
        #expect(widths == [181])
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

    @Test func extremeTimesDoNotBreakThePicture() throws {
        var timeline = Self.sample
        timeline.lanes[0].visits[0].from = .min
        timeline.lanes[0].visits[5].until = .max
        #expect(try read(timeline).all("g", class: "lane").count == 2)
        #expect(try read(Timeline(title: "empty", states: [], lanes: [])).all("g", class: "lane").isEmpty)
    }

    @Test func theTerminalGetsOneLineForEachLaneAndNoControlSequence() {
        let lines = TimelineText(Self.sample, width: 60).lines()
        #expect(lines[0] == "One run")
        let app = lines.first { $0.hasPrefix("  App") }
        #expect(app?.contains("⫽") == true)
        #expect(app?.contains("█") == true)
        #expect(lines.contains { $0.contains("▲ R-1 late") })
        #expect(lines.contains { $0.hasSuffix("2026-03-14 08:02:11 – 2026-03-14 10:03:24 UTC") })
        #expect(!lines.joined().unicodeScalars.contains { $0.value < 32 })
        #expect(lines.allSatisfy { $0.count <= 120 })
    }

    @Test func alignedRunsBeginAtZeroEachOnItsOwnScale() throws {
        var timeline = Self.sample
        timeline.isAligned = true
        timeline.lanes = [Int64(10), 100_000].enumerated().map { place, seconds in
            let visits = Self.visits([("inactive", 1), ("active", seconds - 1)]).map { visit in
                var visit = visit
                visit.from = visit.from.map { $0 + Int64(place) * 86_400 * second }
                visit.until = visit.until.map { $0 + Int64(place) * 86_400 * second }
                return visit
            }
            return .init(group: "Notes [\(place)]", title: "app", layer: "app", visits: visits, run: Int64(place))
        }
        let root = try read(timeline)
        let bars = root.all("g", class: "lane").map { $0.all("g", class: "visit").compactMap(\.frame) }
        // Both lanes begin and end at the same places, though one run is ten thousand times as long.
        #expect(bars[0][0].x == bars[1][0].x)
        #expect(abs(bars[0][1].x + bars[0][1].width - bars[1][1].x - bars[1][1].width) < 0.1)
        let texts = root.all("text").map(\.text)
        #expect(texts.count { $0 == "0\u{A0}s" } == 2)
        #expect(texts.contains { $0.contains("each run from its launch on") })
        let lines = TimelineText(timeline, width: 60).lines()
        #expect(lines.contains { $0.hasPrefix("Notes [0]") && $0.hasSuffix("10\u{A0}s") })
    }

    @Test func aLaneThatLiesOnOneSideOfAGapShowsNoGap() {
        var timeline = Self.sample
        let late = Timeline.Visit(
            state: "active", from: Self.begin + 864_000 * second, until: Self.begin + 864_020 * second)
        let early = Timeline.Visit(state: "active", from: Self.begin, until: Self.begin + 20 * second)
        timeline.lanes = [("early", [early]), ("late", [late]), ("both", [early, late])].map { name, visits in
            .init(group: name, title: name, layer: "app", visits: visits)
        }
        let lines = TimelineText(timeline, width: 60).lines()
        func row(_ name: String) -> String { lines.first { $0.hasPrefix("  \(name) ") } ?? "" }
        #expect(row("early").contains("█") && !row("early").contains("⫽"))
        #expect(row("late").contains("█") && !row("late").contains("⫽"))
        #expect(row("both").contains("█⫽█"))
        #expect(lines.contains { $0.contains("⫽ time left out") })
    }

    @Test func theTerminalTellsStatesOfALayerApart() {
        var timeline = Self.sample
        timeline.states = ["appearing", "disappearing"].map { .init(id: $0, title: $0, tone: .transit) }
        timeline.lanes = [
            .init(group: "g", title: "v", layer: "view", visits: Self.visits([("appearing", 5), ("disappearing", 5)]))
        ]
        let lines = TimelineText(timeline, width: 60).lines()
        #expect(lines.contains { $0.contains("▓▒") })
        #expect(lines.contains("▓ appearing  ▒ disappearing"))
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

    @Test func everySeverityThatIsMarkedIsInTheLegend() throws {
        var timeline = Self.sample
        timeline.lanes[0].marks += ["warning", "info", "info"].map {
            .init(time: Self.begin + second, rule: "R-2", severity: $0, message: "m")
        }
        let legend = try read(timeline).all("g", class: "legend")[0].all("text").map(\.text)
        #expect(
            legend.filter { ["error", "warning", "remark", "finding"].contains($0) } == ["error", "warning", "remark"])
    }

    @Test func aRemarkHasAnotherShapeAndColourThanAnyBar() throws {
        var timeline = Self.sample
        timeline.lanes[0].marks = [.init(time: Self.begin + second, rule: "R-2", severity: "info", message: "m")]
        let mark = try #require(try read(timeline).all("g", class: "finding").first)
        #expect(mark.all("circle").count == 1, "a disc in place of a triangle")
        #expect(!Timeline.Tone.allCases.map(\.fill.colours.light).contains(Ink.info.colours.light))
        #expect(Ink.info.colours.light != Ink.documented.colours.light)
    }

    @Test func aLegendSeparatesTitlesThatContainCommas() throws {
        var timeline = Self.sample
        timeline.states[0].title = "Created, view not loaded"
        timeline.states.append(.init(id: "appearing", title: "Appearing", tone: .transit))
        timeline.lanes[1].visits = Self.visits([("appearing", 20)])
        let legend = try read(timeline).all("g", class: "legend")[0].all("text").map(\.text)
        #expect(legend.contains("Created, view not loaded · Appearing"))
    }

    @Test func aSharedAxisOnWhichVisitsAreTooShortNamesTheOther() throws {
        var timeline = Self.sample
        timeline.lanes[1].group = "Notes, pid 2"
        timeline.lanes[1].visits = (0..<50).map { place in
            .init(state: "inactive", from: Self.begin + place, until: Self.begin + place + 1)
        }
        func texts() throws -> [String] { try read(timeline).all("text").map(\.text) }
        #expect(try texts().contains { $0.contains("--axis launch") })
        timeline.isAligned = true
        #expect(try !texts().contains { $0.contains("--axis launch") })
    }

    @Test func aLongMessageIsToldInFull() {
        var timeline = Self.sample
        let message = "didEnterBackground came in state active; a resign-active is missing before it, as documented"
        timeline.lanes[0].marks[0].message = message
        let lines = TimelineText(timeline, width: 70).lines()
        let told = lines.map { $0.split(separator: " ").joined(separator: " ") }.joined(separator: " ")
        #expect(told.contains("R-1 \(message)"))
        #expect(lines.allSatisfy { CellWidth.of($0) <= 70 })
    }

    @Test(
        arguments: [
            ([0, 30, 60], 30, ["0 s", "30 s", "1 min"]),
            ([6_300, 6_305, 6_310], 5, ["1 h 45 min", "+5 s", "+10 s"]),
            ([6_315, 6_330, 6_360], 15, ["1 h 45 min 15 s", "+15 s", "+45 s"]),
            ([6_355, 6_370, 6_420], 5, ["1 h 45 min 55 s", "+15 s", "1 h 47 min"]),
            ([86_400, 88_200], 1_800, ["1 d", "+30 min"]),
        ] as [([Int64], Int64, [String])])
    func fineTicksAfterALongTimeDiffer(lengths: [Int64], step: Int64, expected: [String]) {
        var whole: Int64?
        var labels: [String] = []
        for length in lengths {
            labels.append(TimeScale.label(length * second, step: step * second, after: whole))
            if labels.last?.first != "+" { whole = length * second }
        }
        #expect(labels.map { $0.replacing("\u{A0}", with: " ") } == expected)
    }

    @Test func coloursComeOnlyWhenAskedFor() {
        #expect(TimelineText(Self.sample, isColoured: true).lines().joined().contains("\u{1B}[34m█"))
    }

    @Test(
        arguments: [
            (0, "1970-01-01 00:00:00"), (951_782_400, "2000-02-29 00:00:00"), (1_773_475_331, "2026-03-14 08:02:11"),
            (-1, "1969-12-31 23:59:59"), (4_107_542_400, "2100-03-01 00:00:00"),
        ] as [(Int64, String)])
    func clockTimesAreThoseOfTheCalendar(seconds: Int64, expected: String) {
        #expect(CivilTime.readable(nanoseconds: seconds * second) == expected)
    }
}

extension TimelineTests {
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
}

extension TimelineTests {
    @Test func aLaneWithThousandsOfVisitsIsDrawnInColumns() throws {
        var timeline = Self.sample
        timeline.lanes[0].visits = Self.visits((0..<20_000).map { ($0 % 2 == 0 ? "active" : "background", 60) })
        let svg = TimelineDrawing(timeline).svg()
        let root = try #require(SVGElement.read(svg))
        let lane = try #require(root.all("g", class: "dense").first)
        #expect(svg.utf8.count < 200_000)
        // Two colours and the foot, and the stem and the three strokes of the finding.
        #expect(lane.all("path").count == 3 + 4)
        #expect(lane.attributes["aria-label"]?.hasSuffix("20,000 visits") == true)
        #expect(root.all("text").contains { $0.text.contains("20,000 visits are too") })
    }
}

extension TimelineTests {
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

    @Test func theStateThatHasAPartOfTheTimeIsThatOfTheLane() throws {
        var timeline = Self.oneRun((0..<500).flatMap { _ in [("stalled", Int64(60)), ("background", 900)] })
        timeline.states.append(.init(id: "stalled", title: "Stalled", tone: .active))
        let title = "Stalled for a part of the time"
        #expect(TimelineText(timeline, width: 80).lines().contains { $0.contains("▂ \(title)") })
        #expect(try read(timeline).all("text").contains { $0.text == title })
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
            #expect(lines.contains { $0.hasSuffix("  █") } && lines.contains("█ Active"), "\(lines)")
            #expect(!lines.contains { $0.contains("1 ns") || $0.contains("–") }, "\(lines)")
            let texts = try read(timeline).all("text").map(\.text)
            #expect(texts.count { $0.contains("08:02:11.000") || $0 == "0\u{A0}s" } == 1, "\(texts)")
        }
    }

    @Test func aLongNameOfARunIsNotCut() throws {
        var timeline = Self.oneRun([("active", 10)])
        timeline.lanes[0].group = "AnAppWithAVeryLongNameThatNobodyWouldEverChoose [100] · 2026-05-04 07:00:00"
        let texts = try read(timeline).all("text").map(\.text)
        #expect(!texts.contains { $0.hasSuffix("…") })
        #expect(texts.joined().contains("AnAppWithAVeryLongNameThatNobodyWouldEverChoose"))
    }

    @Test func suspensionsAreLeftOutWhereNothingElseRuns() throws {
        var timeline = Self.sample
        timeline.states.append(.init(id: "suspended", title: "Suspended", tone: .suspended))
        let day: [(String, Int64)] = [
            ("active", 60), ("suspended", 7_200), ("active", 90), ("suspended", 10_800), ("active", 60),
            ("suspended", 5_400), ("active", 30),
        ]
        timeline.lanes = [.init(group: "g", title: "App", layer: "app", visits: Self.visits(day))]
        let root = try #require(SVGElement.read(TimelineDrawing(timeline).svg()))
        #expect(root.all("g", class: "break").count == 3)
        // What is left on the axis to scale are four minutes in use.
        let bars = root.all("g", class: "visit").filter { $0.attributes["data-state"] == "active" }.compactMap(\.frame)
        #expect(abs(bars[1].width / bars[0].width - 1.5) < 0.02)
        #expect(bars[0].width > 150)
    }

    @Test func aRunThatIsSuspendedForHoursDoesNotStretchTheClockOfTheOthers() throws {
        var timeline = Self.sample
        timeline.states.append(.init(id: "suspended", title: "Suspended", tone: .suspended))
        func lane(_ run: Int64, _ visits: [(String, Int64)], from start: Int64) -> Timeline.Lane {
            var lane = Timeline.Lane(group: "g\(run)", title: "App", layer: "app", visits: [], run: run)
            lane.visits = Self.visits(visits).map { visit in
                var visit = visit
                visit.from = visit.from.map { $0 + start * second }
                visit.until = visit.until.map { $0 + start * second }
                return visit
            }
            return lane
        }
        timeline.lanes = [
            lane(1, [("active", 60), ("suspended", 25_000), ("active", 60)], from: 0),
            lane(2, [("active", 90)], from: 25_030),
        ]
        let root = try #require(SVGElement.read(TimelineDrawing(timeline).svg()))
        #expect(root.all("g", class: "break").count == 1)
        let bars = root.all("g", class: "visit").filter { $0.attributes["data-state"] == "active" }.compactMap(\.frame)
        #expect(bars.allSatisfy { $0.width > 300 })
    }

    @Test func anAxisFromTheLaunchEndsWithTheLengthOfTheRun() throws {
        func texts(_ visits: [(String, Int64)]) throws -> [String] {
            var timeline = Self.sample
            timeline.isAligned = true
            timeline.lanes = [.init(group: "g", title: "App", layer: "app", visits: Self.visits(visits))]
            return try #require(SVGElement.read(TimelineDrawing(timeline).svg())).all("text").map(\.text)
        }
        let length = try texts([("inactive", 7), ("active", 70)])
        #expect(length.contains("0\u{A0}s") && length.contains("1\u{A0}min 17\u{A0}s"))
        #expect(try !texts([("active", 0)]).contains { $0.hasSuffix("ns") })
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
