import Testing

@testable import StateDiagrams

struct ChartTests {
    private func read(_ chart: Chart) throws -> SVGElement { try #require(SVGElement.read(chart.svg())) }

    static let name = "<b>\"x\"</b>"

    static var all: [Chart] {
        [
            .dwell(
                .init(
                    title: name, rows: [.init(title: name, visits: LogHistogram([second, 2 * second]), median: second)])
            ),
            .dwell(.init(title: name, rows: [])),
            .survival(
                .init(
                    title: name,
                    series: [.init(title: name, visits: [(duration: second, isComplete: true, count: 1)])])),
            .survival(.init(title: name, series: [])),
            .transitions(
                .init(
                    title: name, states: [.init(id: name, title: name)],
                    cells: [.init(from: name, to: name, count: 1, probability: 1, isDocumented: false)])),
            .daily(
                .init(
                    title: name, states: [.init(id: "a", title: name, tone: .active)],
                    days: [.init(date: name, time: ["a": .max])])),
            .daily(.init(title: name, states: [], days: [])),
            .dotted(
                .init(
                    title: name, states: [.init(id: "a", title: name, tone: .active)],
                    rows: [.init(title: name, dots: [.init(time: .min, state: "a"), .init(time: .max, state: "b")])])),
            .dotted(.init(title: name, states: [], rows: [])),
        ]
    }

    @Test(arguments: all)
    func everyChartIsWellFormedAndDescribedAndHoldsNamesAsText(chart: Chart) throws {
        let root = try read(chart)
        #expect(root.children.prefix(2).map(\.name) == ["title", "desc"])
        #expect(root.children[0].text == Self.name)
        #expect(root.all("b").isEmpty)
        #expect(root.all("text").contains { $0.text == Self.name })
        #expect(chart.svg() == chart.svg())
    }

    @Test func equalDurationsShareABin() {
        let histogram = LogHistogram([10_000_000, 10_000_001, 9_999_999, 0, -5])
        // 10 ms is 10^7 ns, the begin of bin 42; what is just below belongs to bin 41; nothing is below a nanosecond.
        #expect(histogram.bins == [42: 2, 41: 1, 0: 2])
        #expect(histogram.count == 5)
    }

    @Test func theHighestBarIsTheFullestBin() throws {
        var visits = LogHistogram()
        visits.add(second, times: 40)
        visits.add(100 * second, times: 10)
        let row = DwellHistogram.Row(title: "Active", visits: visits, median: second, p90: 100 * second)
        let bars = try read(.dwell(.init(title: "t", rows: [row]))).all("g", class: "row")[0].all("rect")
        #expect(bars.map { $0.number("height") } == [34, 8.5])
        let texts = try read(.dwell(.init(title: "t", rows: [row]))).all("text").map(\.text)
        #expect(
            texts.contains("50 complete visits") && texts.contains("1\u{A0}s") && texts.contains("1\u{A0}min 40\u{A0}s")
        )
    }

    @Test func barsAndCurvesHaveTheColourOfTheirState() throws {
        let row = DwellHistogram.Row(title: "Inactive", visits: LogHistogram([second]), tone: .transit)
        let bars = try read(.dwell(.init(title: "t", rows: [row]))).all("g", class: "row")[0].all("rect")
        #expect(bars.map { $0.attributes["fill"] } == ["#f2b84b"])
        // On a pale ground a line needs a darker amber than a bar.
        let series = SurvivalCurve.Series(
            title: "Inactive", visits: [(duration: second, isComplete: true, count: 1)], tone: .transit)
        let line = try read(.survival(.init(title: "t", series: [series]))).all("g", class: "curve")[0].all("path")
        #expect(line.map { $0.attributes["stroke"] } == ["#b07400"])
    }

    @Test func aStateHasOneDashInAllCharts() throws {
        func dashes(_ places: [Int]) throws -> [String] {
            let series = places.map { place in
                SurvivalCurve.Series(
                    title: "State \(place)", visits: [(duration: second, isComplete: true, count: 1)], tone: .transit,
                    place: place)
            }
            return try read(.survival(.init(title: "t", series: series))).all("g", class: "curve").map {
                $0.all("path")[0].attributes["stroke-dasharray"] ?? ""
            }
        }
        let (one, other) = (try dashes([0, 1, 2]), try dashes([2, 0]))
        #expect(Set(one).count == 3 && other == [one[2], one[0]], "\(one) \(other)")
    }

    @Test func runsOfSecondsAndOfHoursShareALogarithmicAxis() throws {
        let rows = [30, 7_200].map {
            DottedChart.Row(title: "r", dots: [.init(time: 0, state: "a"), .init(time: $0 * second, state: "a")])
        }
        let root = try read(.dotted(.init(title: "t", states: [], rows: rows)))
        let runs = root.all("g", class: "run").map { $0.all("circle").compactMap { $0.number("cx") } }
        #expect(runs.map(\.count) == [2, 2] && runs[0][0] == runs[1][0])
        // By hand: of the way from 1 s to 7,200 s, 30 s is at log 30 / log 7200 = 0.38 and not at 0.004.
        let share = (runs[0][1] - runs[0][0]) / (runs[1][1] - runs[1][0])
        #expect(share > 0.35 && share < 0.5)
    }

    @Test func survivalIsKaplanAndMeiersEstimate() {
        // By hand, n = 5: at 1 s one of 5 ends (0.8); at 2 s one is cut; at 3 s two of 3 end (0.8/3); the last is cut.
        let series = SurvivalCurve.Series(
            title: "b",
            visits: [(1, true, 1), (2, false, 1), (3, true, 2), (4, false, 1)].map {
                (duration: Int64($0.0) * second, isComplete: $0.1, count: $0.2)
            })
        #expect(series.count == 5)
        #expect(series.steps.map(\.time) == [second, 3 * second])
        #expect(abs(series.steps[0].share - 0.8) < 1e-12)
        #expect(abs(series.steps[1].share - 0.8 / 3) < 1e-12)
        #expect(series.median == 3 * second)
    }

    @Test func aHalfThatIsExactOnPaperIsNotMissedByRounding() {
        // 15/18 · 10/15 · 9/10 is a half, and a little more in binary. The first visit is cut before any other ends.
        let series = SurvivalCurve.Series(
            title: "b",
            visits: [(1, 1), (4, 3), (5, 5), (6, 1), (900, 9)].map {
                (duration: Int64($0.0) * second, isComplete: $0.0 > 1, count: $0.1)
            })
        #expect(series.median == 6 * second)
    }

    @Test func theMedianOfACurveIsThatOfTheTablesUnlessVisitsAreCut() throws {
        func series(_ visits: [(Int64, Bool)]) -> SurvivalCurve.Series {
            .init(title: "b", visits: visits.map { (duration: $0.0 * second, isComplete: $0.1, count: 1) })
        }
        // Type 7 of Hyndman and Fan: the mean of the two in the middle.
        #expect(series([(1, true), (2, true), (5, true), (9, true)]).median == 3_500_000_000)
        #expect(series([(1, true), (2, true), (9, true)]).median == 2 * second)
        #expect(series([(3, true), (3, true)]).median == 3 * second)
        let chart = Chart.survival(
            .init(title: "t", series: [series([(1, true), (2, true), (5, true), (9, false)]), series([(4, true)])]))
        let root = try read(chart)
        let legend = root.all("g", class: "legend")[0].all("text").map(\.text)
        let note = "Half over: counts visits that the log cuts; medians do not."
        #expect(root.all("text").contains { $0.text == note })
        #expect(
            legend == ["b: 4 visits, half over after 2\u{A0}s", "b: 1 visit, median 4\u{A0}s"])
    }

    @Test func aTitleIsNotBrokenInsideAWord() throws {
        let names = ["Background", "Disappearing"].map { TransitionHeatMap.Name(id: $0, title: $0) }
        let texts = try read(.transitions(.init(title: "t", states: names, cells: []))).all("text").map(\.text)
        #expect(texts.count { $0 == "Disappearing" } >= 1 && texts.count { $0 == "Background" } >= 1)
        #expect(!texts.contains("d"))
    }

    @Test func theMatrixOfAnAppFitsOnAPhone() throws {
        let names = [
            "Not running", "Foreground inactive", "Foreground active", "Background", "Suspended", "Unattached", "Gone",
        ].map { TransitionHeatMap.Name(id: $0, title: $0) }
        let cell = TransitionHeatMap.Cell(
            from: "Background", to: "Suspended", count: 99, probability: 1, inferred: 98, isDocumented: true)
        let root = try read(.transitions(.init(title: "t", states: names, cells: [cell])))
        #expect(root.all("g", class: "cell")[0].all("text").map(\.text) == ["99×", "100%", "+98"])
        #expect(root.all("g", class: "legend")[0].all("text").map(\.text).contains("inferred"))
        // 430 points shrink to 390, and their text of 11 points to 10.
        #expect(root.number("width") <= 430)
        let heads = root.all("text").filter { $0.attributes["text-anchor"] == "middle" && $0.number("font-size") == 11 }
        let frames = heads.map { text in
            let width = TextMeasure.width(text.text, size: 11, face: .bold)
            return Frame(x: text.number("x") - width / 2, y: text.number("y") - 8, width: width, height: 10)
        }
        #expect(frames.count > 6)
        for (place, frame) in frames.enumerated() {
            #expect(frames.dropFirst(place + 1).allSatisfy { !frame.overlaps($0) }, "\(heads[place].text)")
        }
    }

    @Test func aMatrixOfManyStatesBreaksNoWord() throws {
        let titles = [
            "Created, view not loaded", "View loaded", "Appearing", "Appeared", "Disappearing", "Disappeared",
            "waiting_for_network_connection", "Deallocated",
        ]
        let names = titles.map { TransitionHeatMap.Name(id: $0, title: $0) }
        let root = try read(.transitions(.init(title: "t", states: names, cells: [])))
        let bold = root.all("text").filter { $0.number("font-size") == 11 && $0.classes.contains("bold") }
        // Every piece of a title is one of its words, or several.
        let words = Set(titles.flatMap { $0.split { " _".contains($0) } })
        for text in bold {
            #expect(text.text.split { " _".contains($0) }.allSatisfy(words.contains), "\(text.text)")
        }
        // Each title stands above its column and beside its row, and no two overlap.
        for title in ["Appearing", "Disappearing", "Deallocated"] { #expect(bold.count { $0.text == title } == 2) }
        let frames = bold.map { text in
            let width = TextMeasure.width(text.text, size: 11, face: .bold)
            #expect(text.attributes["text-anchor"] == "end" && text.number("x") - width >= 16, "\(text.text)")
            return Frame(x: text.number("x") - width, y: text.number("y") - 8, width: width, height: 10)
        }
        for (place, frame) in frames.enumerated() {
            #expect(frames.dropFirst(place + 1).allSatisfy { !frame.overlaps($0) }, "\(bold[place].text)")
        }
    }

    @Test func visitsThatNeverEndedHaveNoMedian() {
        let series = SurvivalCurve.Series(title: "b", visits: [(duration: second, isComplete: false, count: 1)])
        #expect(series.median == nil)
    }

    @Test func countsOfMillionsStayInTheirCells() throws {
        let cells = [3, 2_942_713].map {
            TransitionHeatMap.Cell(from: "a", to: $0 > 3 ? "b" : "a", count: $0, probability: 0.5, isDocumented: true)
        }
        let chart = Chart.transitions(
            .init(title: "t", states: [.init(id: "a", title: "A"), .init(id: "b", title: "B")], cells: cells))
        let drawn = try read(chart).all("g", class: "cell")
        let sizes = drawn.map { $0.all("text")[0].number("font-size") }
        #expect(sizes[0] == 13.5 && sizes[1] >= 11 && sizes[1] < 13.5)
        // DejaVu is the widest font: in Helvetica the text is a sixth narrower.
        let width = TextMeasure.width(drawn[1].all("text")[0].text, size: sizes[1], face: .bold)
        #expect(width * 5 / 6 <= drawn[1].all("rect")[0].number("width"))
    }

    @Test func undocumentedCellsAreDashed() throws {
        let chart = Chart.transitions(
            .init(
                title: "t", states: [.init(id: "a", title: "A"), .init(id: "b", title: "B")],
                cells: [
                    .init(from: "a", to: "b", count: 3, probability: 0.75, isDocumented: true),
                    .init(from: "a", to: "a", count: 1, probability: 0.25, inferred: 2, isDocumented: false),
                    .init(from: "b", to: "a", count: 0, probability: 0, inferred: 5, isDocumented: true),
                ]))
        let cells = try read(chart).all("g", class: "cell")
        #expect(cells.map { $0.all("rect")[0].attributes["stroke-dasharray"] } == ["6 3", nil, nil])
        #expect(
            cells.map { $0.attributes["aria-label"] } == [
                "A → A: 1×, 25%, 2 inferred, undocumented", "A → B: 3×, 75%", "B → A: 5 inferred",
            ])
        // Inferred transitions are shown beside the observed ones and never counted with them.
        #expect(
            cells.map { $0.all("text").map(\.text) } == [
                ["1×", "25%", "2 inferred"], ["3×", "75%"], ["5 inferred"],
            ])
    }

    @Test func theLayersOfADayAddUpToItsHeight() throws {
        let chart = Chart.daily(
            .init(
                title: "t",
                states: [.init(id: "a", title: "A", tone: .active), .init(id: "b", title: "B", tone: .background)],
                days: [
                    .init(date: "2026-03-14", time: ["a": 3_600 * second, "b": 7_200 * second]),
                    .init(date: "2026-03-15", time: ["a": 10_800 * second]),
                ]))
        let days = try read(chart).all("g", class: "day").map { $0.all("rect").compactMap { $0.number("height") } }
        #expect(days.map(\.count) == [2, 1])
        #expect(abs(days[0].reduce(0, +) - days[1][0]) < 1)
    }

    @Test func daysWithoutAVisitKeepTheirPlaceAndLongGapsAreBroken() throws {
        let dates = ["2025-12-30", "2026-01-02", "2026-05-20"]
        let chart = Chart.daily(
            .init(
                title: "t", states: [.init(id: "a", title: "A", tone: .active)],
                days: dates.map { .init(date: $0, time: ["a": second]) }))
        let root = try read(chart)
        let x = root.all("g", class: "day").compactMap { $0.frame?.x }
        // Three days on, then a gap that takes two places.
        #expect(abs((x[1] - x[0]) / 3 - (x[2] - x[1]) / 2) < 0.02)
        // Each label has its year, because the first begins, the second follows a new year, the third a gap.
        #expect(dates.allSatisfy { date in root.all("text").contains { $0.text == date } })
    }

    @Test func theHighestAndTheLastDayHaveALabel() throws {
        let dates = (0..<9).map { "\(2010 + $0)-05-04" } + ["2026-01-02"]
        let chart = Chart.daily(
            .init(
                title: "t", states: [.init(id: "a", title: "A", tone: .active)],
                days: dates.enumerated().map { .init(date: $1, time: ["a": ($0 == 4 ? 9_000 : 60) * second]) }))
        let texts = try read(chart).all("text").map(\.text)
        #expect(texts.contains("2014-05-04") && texts.contains("2026-01-02"), "\(texts)")
    }

    @Test func aDottedChartFitsOnAPhoneAndCutsNoTime() throws {
        let name = String(repeating: "Lighthouse", count: 8)
        let rows = [0, 1].map {
            DottedChart.Row(title: "\(name) [\($0)] · 2026-05-12 05:05:16", dots: [.init(time: 0, state: "a")])
        }
        var chart = DottedChart(title: "t", states: [.init(id: "a", title: "A", tone: .active)], rows: rows)
        let wide = try read(.dotted(chart)).all("text").map(\.text)
        #expect(wide.contains { $0.contains("…") && $0.hasSuffix(" [1] · 2026-05-12 05:05:16") }, "\(wide)")
        chart.isNarrow = true
        let narrow = try read(.dotted(chart))
        #expect(narrow.number("width") <= 390 && !narrow.all("text").contains { $0.text.contains("2026") })
    }

    @Test func manyRunsAreLimitedAndTheLimitIsStated() throws {
        let rows = (0..<1_000).map { DottedChart.Row(title: "r\($0)", dots: [.init(time: 0, state: "a")]) }
        let root = try read(.dotted(.init(title: "t", states: [], rows: rows)))
        #expect(root.all("g", class: "run").count == DottedChart.mostRows)
        #expect(root.all("text").contains { $0.text == "Drawn: 40 of 1,000 runs." })
    }

    @Test func runsWithManyVisitsGetAsManyDotsAsCanBeToldApart() throws {
        let dots = (0..<2_000).map { DottedChart.Dot(time: Int64($0) * second, state: "a") }
        let rows = (0..<40).map { DottedChart.Row(title: "r\($0)", dots: dots) }
        let root = try read(.dotted(.init(title: "t", states: [.init(id: "a", title: "A", tone: .active)], rows: rows)))
        let drawn = root.all("g", class: "run").map { $0.all("circle").count }
        #expect(drawn.reduce(0, +) <= 800 && drawn.allSatisfy { $0 > 5 })
    }

    @Test func visitsWithoutLengthDoNotStretchTheScale() throws {
        var visits = LogHistogram([second, 2 * second])
        visits.add(0, times: 3)
        let root = try read(.dwell(.init(title: "t", rows: [.init(title: "Active", visits: visits, median: 0)])))
        let texts = root.all("text").map(\.text)
        #expect(texts.contains("1\u{A0}s") && !texts.contains("1\u{A0}ms") && !texts.contains("1\u{A0}ns"))
        // Median and begin of the scale.
        #expect(texts.count { $0 == "0\u{A0}s" } == 2)
        let row = try #require(root.all("g", class: "row").first)
        let bars = row.all("rect").compactMap { $0.number("x") }
        #expect(bars.count == 3 && bars.allSatisfy { $0 >= 22 })
    }
}
