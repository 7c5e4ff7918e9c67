import Testing
import TraceRecords

@testable import StateDiagrams

/// The axes of timelines: what they leave out, and what they count from.
struct TimelineAxisTests {
    @Test func aLongPauseIsBrokenAndSaysHowLongItIs() throws {
        let root = try read(TimelineTests.sample)
        let breaks = root.all("g", class: "break")
        #expect(breaks.compactMap { $0.attributes["aria-label"] } == ["time left out: 2\u{A0}h"])
        // Its length is on the break, within its edges, and the legend has the sign.
        let text = try #require(breaks.first { $0.name == "g" }?.all("text").first)
        #expect(text.text == "2\u{A0}h" && root.all("text").contains { $0.text == "time left out" })
        let edges = breaks[0].all("path")[1...].compactMap {
            $0.attributes["d"]?.firstMatch(of: /M([0-9.]+)/).flatMap { Double($0.1) }
        }
        let half = TextMeasure.width(text.text, size: 10.5, face: .text) / 2
        #expect(edges[0] < text.number("x") - half && text.number("x") + half < edges[1], "\(edges)")
        let lines = TimelineText(TimelineTests.sample, width: 90).lines()
        #expect(
            lines.contains { $0.contains("░⫽2h⫽") } && lines.contains { $0.hasSuffix("⫽ time left out") }, "\(lines)")
    }

    @Test func theLengthOfARunStandsRightAfterItsBarAndBeforeTheBreakThatBeginsThere() throws {
        var timeline = TimelineTests.oneRun([("active", 600)])
        let later = TimelineTests.oneRun([("active", 20_000), ("active", 600)]).lanes[0].visits[1]
        timeline.lanes.append(.init(group: "Notes, pid 2", title: "App", layer: "app", visits: [later]))
        let root = try read(timeline)
        let lengths = root.all("text").filter { $0.text == "10\u{A0}min" && $0.classes.contains("bold") }
        let bars = root.all("g", class: "visit").compactMap(\.frame)
        try #require(lengths.count == 2 && bars.count == 2)
        for (length, bar) in zip(lengths, bars) {
            let distance = length.number("x") - bar.x - bar.width
            #expect(0 < distance && distance < 12)
        }
        let gap = try #require(root.all("g", class: "break").first)
        #expect(gap.all("text").first?.text == "5\u{A0}h 23\u{A0}min", "\(gap.all("text").map(\.text))")
        let cut = try #require(
            gap.all("path").first?.attributes["d"]?.firstMatch(of: /M([0-9.]+)/).flatMap { Double($0.1) })
        #expect(lengths[0].number("x") + TextMeasure.width(lengths[0].text, size: 11, face: .bold) < cut)
    }

    @Test func aHairlineBeforeABreakHasNoNameWhereTheLengthOfItsRunStands() throws {
        var timeline = TimelineTests.oneRun([("active", 600), ("inactive", 1)])
        let later = TimelineTests.oneRun([("active", 20_000), ("active", 600)]).lanes[0].visits[1]
        timeline.lanes.append(.init(group: "A run with a long length", title: "App", layer: "app", visits: [later]))
        let root = try read(timeline)
        #expect(!root.all("g", class: "break").isEmpty)
        let names = root.all("g", class: "visit").map { $0.all("text").map(\.text) }
        #expect(names.count == 3 && names[1].isEmpty, "\(names)")
    }

    @Test func aRunOfSecondsOrOneThatIsInUseForAFifthOfItsTimeIsDrawnWhole() throws {
        var timeline = TimelineTests.sample
        timeline.states.append(.init(id: "suspended", title: "Suspended", tone: .suspended))
        for (visits, breaks) in [
            ([("active", 1), ("suspended", 50)], 0), ([("active", 1), ("suspended", 70)], 1),
            ([("active", 300), ("suspended", 850), ("active", 10)], 0),
            ([("active", 200), ("suspended", 850), ("active", 10)], 1),
            // Where nothing is in use, what runs in the background counts.
            ([("background", 5), ("suspended", 22), ("background", 1)], 0),
            ([("background", 30), ("suspended", 36_000), ("background", 30)], 1),
        ] as [([(String, Int64)], Int)] {
            timeline.lanes = [.init(group: "g", title: "App", layer: "app", visits: TimelineTests.visits(visits))]
            for isAligned in [false, true] {
                timeline.isAligned = isAligned
                #expect(try read(timeline).all("g", class: "break").count == breaks, "\(visits)")
            }
        }
    }

    @Test func runsOfLikeLengthOfWhichOneIsBrokenHaveAScaleEach() throws {
        var timeline = TimelineTests.sample
        timeline.isAligned = true
        timeline.lanes = [Int64(60), 2_800].enumerated().map { place, pause in
            .init(
                group: "Notes [\(place)]", title: "app", layer: "app",
                visits: TimelineTests.visits([("active", 50), ("background", pause), ("active", 10)]),
                run: Int64(place))
        }
        let root = try read(timeline)
        let ends = root.all("g", class: "lane").compactMap { $0.all("g", class: "visit").last?.frame }
        #expect(abs(ends[0].x + ends[0].width - ends[1].x - ends[1].width) < 0.1)
        #expect(root.all("text").contains { $0.text.contains("on a scale of its own") })
        // Each has its axis, in the terminal too.
        #expect(TimelineText(timeline, width: 90).lines().count { $0.contains("╵0") } == 2)
    }

    @Test func aBreakIsShownAtEveryWidthOfATerminal() {
        var timeline = TimelineTests.sample
        timeline.lanes = [Int64(0), 3_600, 7_200].enumerated().map { place, start in
            let from = TimelineTests.begin + start * second
            return .init(
                group: "Notes [\(place)]", title: "app", layer: "app",
                visits: [.init(state: "active", from: from, until: from + 500 * second)], run: Int64(place))
        }
        for width in [80, 100, 140] {
            let lines = TimelineText(timeline, width: width).lines()
            #expect(lines.contains { $0.contains("╵") && $0.count { $0 == "⫽" } == 4 }, "\(lines)")
        }
    }

    @Test func theMarkOfACutStandsBesideABarThatIsNarrowerThanIt() throws {
        var timeline = TimelineTests.oneRun([("active", 3_000), ("background", 1)])
        timeline.lanes[0].visits[1].isCutRight = true
        let visit = try #require(try read(timeline).all("g", class: "visit").last)
        let bar = try #require(visit.frame)
        let path = try #require(visit.all("path").last?.attributes["d"])
        let places = path.matches(of: /[ML]([0-9.]+)/).compactMap { Double($0.1) }
        #expect(!places.isEmpty && places.allSatisfy { $0 >= bar.x + bar.width - 2 }, "\(path)")
    }

    @Test func runsAreTooShortForOneClockWhereMostOfThemWouldHardlyBeSeen() {
        var timeline = TimelineTests.sample
        func lanes(_ length: Int64) -> [Timeline.Lane] {
            (0..<4).map { place in
                let from = TimelineTests.begin + Int64(place) * 3_000 * second
                let until = from + (place == 0 ? 900 : length) * second
                return .init(
                    group: "Notes [\(place)]", title: "app", layer: "app",
                    visits: [.init(state: "active", from: from, until: until)], run: Int64(place))
            }
        }
        timeline.lanes = lanes(3)
        #expect(timeline.isTooShortForOneClock)
        timeline.lanes = lanes(600)
        #expect(!timeline.isTooShortForOneClock)
        timeline.lanes = [lanes(3)[1]]
        #expect(!timeline.isTooShortForOneClock)
    }

    @Test func theReasonAgainstAClockIsTheOneThatAppliesAndOneRunOfWeeksHasNone() {
        func reason(_ lengths: [Int64], undated: Bool = false) -> String? {
            var timeline = TimelineTests.sample
            timeline.lanes = lengths.enumerated().map { place, length in
                .init(
                    group: "g", title: "app", layer: "app", visits: TimelineTests.visits([("active", length)]),
                    run: Int64(place))
            }
            if undated { timeline.lanes[0].visits[0].from = 5 * second }
            return PictureHeading.notOneClock(timeline, span: (lengths.max() ?? 0) * second, .english)
        }
        let weeks: Int64 = 24 * 86_400
        #expect(reason([weeks]) == nil && reason([600, 900]) == nil)
        #expect(reason([weeks, weeks])?.hasPrefix("the runs span more than a week") == true)
        #expect(reason([600, 900], undated: true)?.hasPrefix("some times have no date") == true)
        #expect(reason([3, 3, 80_000])?.hasPrefix("most runs are too short") == true)
    }

    @Test func whatIsInUseIsNeverBroken() throws {
        let timeline = TimelineTests.oneRun([("inactive", 1), ("active", 3_600), ("inactive", 1), ("background", 4)])
        let root = try read(timeline)
        #expect(root.all("g", class: "break").isEmpty)
        #expect(root.all("text").contains { $0.text == "Active · 1\u{A0}h" })
        #expect(!TimelineText(timeline, width: 90).lines().contains { $0.contains("⫽") })
    }

    @Test func shortPausesAreDrawnToScale() throws {
        // Of twenty minutes, 18 in the background, two at a time.
        let timeline = TimelineTests.oneRun((0..<9).flatMap { _ in [("active", Int64(10)), ("background", 120)] })
        let root = try read(timeline)
        #expect(root.all("g", class: "break").isEmpty)
        let bars = root.all("g", class: "visit").compactMap(\.frame)
        #expect(abs((bars[1].width + 1) / (bars[0].width + 1) - 12) < 0.1)
    }

    @Test func aVisitOfUnknownLengthIsABreakWithoutALength() throws {
        var timeline = TimelineTests.oneRun([("inactive", 10), ("active", 900_000), ("background", 30)])
        timeline.lanes[0].visits[1].hasNoLength = true
        for isAligned in [false, true] {
            timeline.isAligned = isAligned
            let root = try read(timeline)
            let breaks = root.all("g", class: "break").compactMap { $0.attributes["aria-label"] }
            #expect(breaks == ["time left out: length unknown"])
            let lines = TimelineText(timeline, width: 80).lines()
            for text in root.all("text").map(\.text) + lines { #expect(!text.contains("10\u{A0}d"), "\(text)") }
            #expect(
                lines.contains { $0.contains("⫽") && $0.contains("░") }
                    && lines.contains { $0.hasSuffix("⫽ time left out") })
            #expect(lines.contains { $0.contains("⫽?⫽") && $0.hasSuffix("length unknown") }, "\(lines)")
        }
    }

    @Test func visitsOfLikeLengthAreNotBroken() throws {
        let timeline = TimelineTests.oneRun([
            ("active", 600), ("background", 900), ("active", 300), ("background", 800),
        ])
        #expect(try read(timeline).all("g", class: "break").isEmpty)
    }

    @Test func aClockOfSeveralRunsIsBrokenOnlyWhereNoneRunsAndSaysHowMuchIsLeftOut() throws {
        var timeline = TimelineTests.sample
        // Twelve runs of an hour; pauses of five minutes, of two hours, and once of ten hours.
        var time = TimelineTests.begin
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
        #expect(!TimelineText(timeline, width: 100).lines().contains { $0.contains("╵2026") || $0.contains("08:02╵") })
    }

    @Test func extremeTimesDoNotBreakThePicture() throws {
        var timeline = TimelineTests.sample
        timeline.lanes[0].visits[0].from = .min
        timeline.lanes[0].visits[5].until = .max
        #expect(try read(timeline).all("g", class: "lane").count == 2)
        #expect(try read(Timeline(title: "empty", states: [], lanes: [])).all("g", class: "lane").isEmpty)
    }

    @Test func alignedRunsBeginAtZeroEachOnItsOwnScale() throws {
        var timeline = TimelineTests.sample
        timeline.isAligned = true
        timeline.lanes = [Int64(10), 100_000].enumerated().map { place, seconds in
            let visits = TimelineTests.visits([("inactive", 1), ("active", seconds - 1)]).map { visit in
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
        // That each has its own scale is said once, and each row ends with its length.
        #expect(texts.count { $0.contains("on a scale of its own") } == 1)
        #expect(texts.contains("10\u{A0}s") && texts.contains("1\u{A0}d 4\u{A0}h"), "\(texts)")
        let lines = TimelineText(timeline, width: 60).lines()
        #expect(
            lines.contains { $0.hasSuffix("█ 10\u{A0}s") } && lines.contains { $0.hasSuffix("█ 1\u{A0}d 4\u{A0}h") },
            "\(lines)")
        #expect(lines.count { $0.contains("scale") } == 1)
    }

    @Test func alignedRunsOfLikeLengthHaveOneScale() throws {
        var timeline = TimelineTests.sample
        timeline.isAligned = true
        timeline.lanes = [Int64(10), 60].enumerated().map { place, seconds in
            .init(
                group: "Notes [\(place)]", title: "app", layer: "app",
                visits: TimelineTests.visits([("active", seconds)]), run: Int64(place))
        }
        let root = try read(timeline)
        let widths = root.all("g", class: "visit").compactMap(\.frame?.width)
        #expect(abs((widths[1] + 1) / (widths[0] + 1) - 6) < 0.02)
        let texts = root.all("text").map(\.text) + TimelineText(timeline, width: 60).lines()
        #expect(!texts.contains { $0.contains("scale") } && texts.contains("10\u{A0}s") && texts.contains("1\u{A0}min"))
    }

    @Test func everyRowEndsWithTheLengthOfItsRun() throws {
        var timeline = TimelineTests.sample
        timeline.lanes = [Int64(90), 4_000].enumerated().map { place, length in
            .init(
                group: "Notes [\(place)]", title: "app", layer: "app",
                visits: TimelineTests.visits([("active", 60), ("background", length)]), run: Int64(place))
        }
        timeline.lanes[1].isWhole = false
        var backwards = timeline
        backwards.lanes[0].visits.swapAt(0, 1)
        #expect(!TimelineText(backwards, width: 80).lines().contains { $0.hasSuffix("2\u{A0}min 30\u{A0}s") })
        let expected = ["2\u{A0}min 30\u{A0}s", "≥ 1\u{A0}h 7\u{A0}min"]
        for isAligned in [false, true] {
            timeline.isAligned = isAligned
            for width in [1_280, 332.0] {
                var drawing = TimelineDrawing(timeline)
                drawing.width = width
                let root = try #require(SVGElement.read(drawing.svg()))
                let totals = root.all("text").filter { expected.contains($0.text) && $0.classes.contains("bold") }
                #expect(totals.map(\.text) == expected, "\(width)")
                let bars = root.all("g", class: "lane").map { $0.all("g", class: "visit").compactMap(\.frame).last }
                for (total, bar) in zip(totals, bars) where width > 600 {
                    let end = try #require(bar.map { $0.x + $0.width })
                    #expect(
                        total.number("x") > end
                            && (total.number("x") < end + 12 || !root.all("g", class: "break").isEmpty))
                    let right = total.number("x") + TextMeasure.width(total.text, size: 11, face: .bold)
                    #expect(right < root.number("width") - PictureSheet.margin)
                }
            }
            let lines = TimelineText(timeline, width: 80).lines()
            for text in expected { #expect(lines.contains { $0.hasSuffix(text) }, "\(lines)") }
            #expect(lines.allSatisfy { CellWidth.of($0) <= 80 })
        }
    }

    @Test func timesOfALogWithoutDatesShowNone() throws {
        var timeline = TimelineTests.oneRun([("inactive", 2), ("active", 40)])
        for (day, expected) in [(0, "08:02:11"), (800, "03-11 08:02:11")] as [(Int64, String)] {
            let shift = day * 86_400 * second + 28_931 * second - (timeline.lanes[0].visits[0].from ?? 0)
            for place in timeline.lanes[0].visits.indices {
                timeline.lanes[0].visits[place].from? += shift
                timeline.lanes[0].visits[place].until? += shift
            }
            let (texts, lines) = (try read(timeline).all("text").map(\.text), TimelineText(timeline, width: 80).lines())
            #expect(texts.contains { $0.hasPrefix(expected) } && lines.contains { $0.hasPrefix("\(expected) – ") })
            #expect(!(texts + lines).contains { $0.contains("1970") || $0.contains("1972") || $0.contains("UTC") })
        }
    }

    @Test func aLaneThatLiesOnOneSideOfAGapShowsNoGap() {
        var timeline = TimelineTests.sample
        let late = Timeline.Visit(
            state: "active", from: TimelineTests.begin + 864_000 * second, until: TimelineTests.begin + 864_020 * second
        )
        let early = Timeline.Visit(state: "active", from: TimelineTests.begin, until: TimelineTests.begin + 20 * second)
        timeline.lanes = [("early", [early]), ("late", [late]), ("both", [early, late])].map { name, visits in
            .init(group: name, title: name, layer: "app", visits: visits)
        }
        let lines = TimelineText(timeline, width: 60).lines()
        func row(_ name: String) -> String { lines.first { $0.hasPrefix("  \(name) ") } ?? "" }
        #expect(row("early").contains("█") && !row("early").contains("⫽"))
        #expect(row("late").contains("█") && !row("late").contains("⫽"))
        #expect(row("both").contains("█ ⫽10d⫽ █"))
        #expect(lines.contains { $0.contains("⫽ time left out") })
    }

    @Test func aSharedAxisOnWhichVisitsAreTooShortNamesTheOther() throws {
        var timeline = TimelineTests.sample
        timeline.lanes[1].group = "Notes, pid 2"
        timeline.lanes[1].visits = (0..<50).map { place in
            .init(state: "inactive", from: TimelineTests.begin + place, until: TimelineTests.begin + place + 1)
        }
        func texts() throws -> [String] { try read(timeline).all("text").map(\.text) }
        #expect(try texts().contains { $0.contains("--axis launch") })
        timeline.isAligned = true
        #expect(try !texts().contains { $0.contains("--axis launch") })
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

    @Test(
        arguments: [
            (0, "1970-01-01 00:00:00"), (951_782_400, "2000-02-29 00:00:00"), (1_773_475_331, "2026-03-14 08:02:11"),
            (-1, "1969-12-31 23:59:59"), (4_107_542_400, "2100-03-01 00:00:00"),
        ] as [(Int64, String)])
    func clockTimesAreThoseOfTheCalendar(seconds: Int64, expected: String) {
        #expect(CivilTime.readable(nanoseconds: seconds * second) == expected)
    }

    @Test func suspensionsAreLeftOutWhereNothingElseRuns() throws {
        var timeline = TimelineTests.sample
        timeline.states.append(.init(id: "suspended", title: "Suspended", tone: .suspended))
        let day: [(String, Int64)] = [
            ("active", 60), ("suspended", 7_200), ("active", 90), ("suspended", 10_800), ("active", 60),
            ("suspended", 5_400), ("active", 30),
        ]
        timeline.lanes = [.init(group: "g", title: "App", layer: "app", visits: TimelineTests.visits(day))]
        let root = try #require(SVGElement.read(TimelineDrawing(timeline).svg()))
        #expect(root.all("g", class: "break").count == 3)
        // What is left on the axis to scale are four minutes in use.
        let bars = root.all("g", class: "visit").filter { $0.attributes["data-state"] == "active" }.compactMap(\.frame)
        #expect(abs(bars[1].width / bars[0].width - 1.5) < 0.02)
        #expect(bars[0].width > 150)
    }

    @Test func aRunThatIsSuspendedForHoursDoesNotStretchTheClockOfTheOthers() throws {
        var timeline = TimelineTests.sample
        timeline.states.append(.init(id: "suspended", title: "Suspended", tone: .suspended))
        func lane(_ run: Int64, _ visits: [(String, Int64)], from start: Int64) -> Timeline.Lane {
            var lane = Timeline.Lane(group: "g\(run)", title: "App", layer: "app", visits: [], run: run)
            lane.visits = TimelineTests.visits(visits).map { visit in
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
            var timeline = TimelineTests.sample
            timeline.isAligned = true
            timeline.lanes = [.init(group: "g", title: "App", layer: "app", visits: TimelineTests.visits(visits))]
            return try #require(SVGElement.read(TimelineDrawing(timeline).svg())).all("text").map(\.text)
        }
        let length = try texts([("inactive", 7), ("active", 70)])
        #expect(length.contains("0\u{A0}s") && length.contains("1\u{A0}min 17\u{A0}s"))
        #expect(try !texts([("active", 0)]).contains { $0.hasSuffix("ns") })
    }
}
