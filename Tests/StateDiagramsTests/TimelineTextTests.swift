import Testing
import TraceRecords

@testable import StateDiagrams

/// Timelines in a terminal.
struct TimelineTextTests {
    @Test func notesAreWrappedAtWordsInATerminalOnly() {
        var timeline = TimelineTests.sample
        timeline.notes = ["some times have no date, and this note is longer than a line (--axis clock: one axis)"]
        #expect(TimelineText(timeline).lines().suffix(2).contains(timeline.notes[0]))
        let lines = TimelineText(timeline, width: 60).lines()
        #expect(lines.allSatisfy { CellWidth.of($0) <= 60 })
        #expect(lines.joined(separator: " ").contains(timeline.notes[0]))
    }

    @Test func aVisitThatFillsNoCellMakesItASignOfItsOwn() {
        // Three seconds in two hours.
        let visits: [(String, Int64)] = [
            ("active", 3_600), ("inactive", 1), ("background", 1), ("inactive", 1), ("active", 3_900),
        ]
        let lines = TimelineText(TimelineTests.oneRun(visits), width: 60).lines()
        #expect(lines.contains { $0.contains("██▆██") }, "\(lines)")
        #expect(lines.contains("█ Active  ▆ Active for most of the time"))
        #expect(lines.contains("3 visits are too short to be drawn apart"))
        let idle = TimelineText(TimelineTests.oneRun([("inactive", 3_600), ("background", 1), ("inactive", 3_900)]))
        #expect(idle.lines().contains { $0.contains("▓▓+▓▓") })
        #expect(idle.lines().contains("▓ Inactive  + also short visits to other states"))
    }

    @Test func aSignOfAStateIsWhereItFillsMostOfTheCell() {
        // Nine seconds in use, minutes in the background, ten times.
        let visits = (0..<10).flatMap { _ -> [(String, Int64)] in
            [("inactive", 1), ("active", 9), ("background", 500)]
        }
        let lines = TimelineText(TimelineTests.oneRun(visits), width: 80).lines()
        #expect(lines.contains { $0.contains("▂░░░░") })
        #expect(!lines.contains { $0.contains("█") || $0.contains("▓") }, "\(lines)")
        #expect(lines.contains("20 visits are too short to be drawn apart"))
    }

    @Test func theEndsOfALaneAndWhatAFindingIsAboutAreShown() throws {
        let visits: [(String, Int64)] = [
            ("background", 1), ("inactive", 7_200), ("background", 1), ("active", 1),
        ]
        var timeline = TimelineTests.oneRun(visits)
        timeline.lanes[0].marks = [
            .init(
                time: TimelineTests.begin + 7_202 * second, rule: "R-2", severity: "warning",
                message: "ended in the background"),
            .init(time: TimelineTests.begin, rule: "R-3", severity: "info", message: "a remark"),
        ]
        let lines = TimelineText(timeline, width: 60).lines()
        let lane = try #require(lines.first { $0.hasPrefix("  App") })
        #expect(lane.contains("  ░▓▓") && lane.contains("▓░ 2"), "\(lane)")
        timeline.lanes[0].marks = []
        #expect(TimelineText(timeline, width: 60).lines().contains { $0.contains("▓▂ 2") })
        // A remark is only counted.
        #expect(!lines.contains { $0.contains("R-3") } && lines.contains("1 remark is not marked"))
    }

    @Test func belowRunsThatBeginWithTheirLaunchAreTimesSinceThen() {
        var timeline = TimelineTests.oneRun([("active", 3_600)])
        timeline.isAligned = true
        func times() -> [String] {
            TimelineText(timeline, width: 80).lines().map { $0.replacing("\u{A0}", with: " ") }.filter {
                $0.contains("╵")
            }
        }
        #expect(times().count == 1 && times()[0].contains(/╵0 s +╵.*╵30 min/), "\(times())")
        // Once for runs on one scale, and for each on a scale of its own.
        var other = timeline.lanes[0]
        other.run = 2
        timeline.lanes.append(other)
        #expect(times().count == 1)
        timeline.lanes[1].visits[0].until = TimelineTests.begin + 60 * second
        #expect(times().count == 2 && times()[1].contains("╵30 s"), "\(times())")
    }

    @Test func partsOfAVisitAreOneVisit() {
        let parts = [("background", Int64(1)), ("suspended", 1), ("background", 1)]
        var timeline = TimelineTests.oneRun([("active", 7_200)] + parts + [("active", 7_200)])
        for place in 2...3 { timeline.lanes[0].visits[place].isPart = true }
        #expect(
            TimelineText(timeline, width: 60).lines().contains("1 visit is too short to be drawn apart"))
    }

    @Test func theTerminalCountsVisitsThatHaveNoCell() {
        let flicker = (0..<400).map { ($0 % 2 == 0 ? "active" : "background", Int64(1)) }
        let lines = TimelineText(TimelineTests.oneRun(flicker), width: 60).lines()
        #expect(lines.contains("400 visits are too short to be drawn apart"), "\(lines)")
        #expect(!TimelineText(TimelineTests.oneRun([("active", 9)])).lines().contains { $0.contains("too short") })
    }

    @Test func theLegendOfTheTerminalHasOnlySignsThatOccur() {
        let lines = TimelineText(TimelineTests.oneRun([("background", 60)]), width: 60).lines()
        #expect(lines.contains("░ Background") && !lines.contains { $0.contains("╱") || $0.contains("Inactive") })
    }

    @Test func inferredStatesDifferWithoutColour() {
        var timeline = TimelineTests.oneRun([("active", 60), ("background", 60), ("active", 60), ("background", 60)])
        for place in 2...3 { timeline.lanes[0].visits[place].isInferred = true }
        let lines = TimelineText(timeline, width: 80).lines()
        #expect(lines.contains { $0.contains("█░") && $0.contains("░▞") && $0.contains("▞╱") }, "\(lines)")
        #expect(lines.contains { $0.contains("▞ inferred: Active  ╱ inferred: Background") }, "\(lines)")
    }

    @Test func whatMarksTheEndOfARunIsInItsLastCell() throws {
        var timeline = TimelineTests.sample
        timeline.lanes = ["early", "late"].enumerated().map { place, name in
            let from = TimelineTests.begin + Int64(place) * 7_200 * second
            return .init(
                group: name, title: "app", layer: "app",
                visits: [.init(state: "active", from: from, until: from + 600 * second)],
                marks: [.init(time: from + 600 * second, rule: "R-1", severity: "error", message: "m")])
        }
        let lines = TimelineText(timeline, width: 90).lines()
        for (place, line) in lines.enumerated() where line.contains("▲") && !line.contains("error") {
            let (lane, mark) = (Array(lines[place - 1]), Array(line).firstIndex(of: "▲"))
            #expect(mark == lane.lastIndex { "█▂".contains($0) }, "\(lines)")
        }
        #expect(lines.count { $0.contains("▲") } == 2)
    }

    @Test func aSpanWithinASecondHasItsMilliseconds() {
        var timeline = TimelineTests.oneRun([("active", 1)])
        timeline.lanes[0].visits[0].until = TimelineTests.begin + 400_000_000
        let lines = TimelineText(timeline, width: 60).lines()
        #expect(lines.contains("2026-03-14 08:02:11.000 – 2026-03-14 08:02:11.400 UTC"), "\(lines)")
    }

    @Test func theTerminalGetsOneLineForEachLaneAndNoControlSequence() {
        let lines = TimelineText(TimelineTests.sample, width: 60).lines()
        #expect(lines[0] == "One run")
        let app = lines.first { $0.hasPrefix("  App") }
        #expect(app?.contains("⫽") == true)
        #expect(app?.contains("█") == true)
        #expect(lines.contains { $0.contains("▲ R-1 late") })
        #expect(lines.contains { $0.hasSuffix("2026-03-14 08:02:11 – 2026-03-14 10:03:24 UTC") })
        #expect(!lines.joined().unicodeScalars.contains { $0.value < 32 })
        #expect(lines.allSatisfy { $0.count <= 120 })
    }

    @Test func theTerminalTellsStatesOfALayerApart() {
        var timeline = TimelineTests.sample
        timeline.states = ["appearing", "disappearing"].map { .init(id: $0, title: $0, tone: .transit) }
        timeline.lanes = [
            .init(
                group: "g", title: "v", layer: "view",
                visits: TimelineTests.visits([("appearing", 5), ("disappearing", 5)]))
        ]
        let lines = TimelineText(timeline, width: 60).lines()
        #expect(lines.contains { $0.contains("▓▒") })
        #expect(lines.contains("▓ appearing  ▒ disappearing"))
    }

    @Test func aLegendSeparatesTitlesThatContainCommas() throws {
        var timeline = TimelineTests.sample
        timeline.states[0].title = "Created, view not loaded"
        timeline.states.append(.init(id: "appearing", title: "Appearing", tone: .transit))
        timeline.lanes[1].visits = TimelineTests.visits([("appearing", 20)])
        let legend = try read(timeline).all("g", class: "legend")[0].all("text").map(\.text)
        #expect(legend.contains("Created, view not loaded · Appearing"))
    }

    @Test func aLongMessageIsToldInFull() {
        var timeline = TimelineTests.sample
        let message = "didEnterBackground came in state active; a resign-active is missing before it, as documented"
        timeline.lanes[0].marks[0].message = message
        let lines = TimelineText(timeline, width: 70).lines()
        let told = lines.map { $0.split(separator: " ").joined(separator: " ") }.joined(separator: " ")
        #expect(told.contains("R-1 \(message)"))
        #expect(lines.allSatisfy { CellWidth.of($0) <= 70 })
    }

    @Test func noNameIsCut() {
        var timeline = TimelineTests.sample
        let name = "AViewControllerWithAVeryLongName<SettingsSection, DetailViewModel> 0x104a08"
        (timeline.lanes[1].title, timeline.lanes[1].layer) = (name, "view")
        timeline.lanes[1].group = "AnAppWithAVeryLongNameThatNobodyWouldEverChoose [100] · 2026-05-04 07:00:00"
        let lines = TimelineText(timeline, width: 60).lines()
        #expect(!lines.contains { $0.contains("…") } && lines.allSatisfy { CellWidth.of($0) <= 60 })
        let text = lines.map { $0.trimmingPrefix(while: \.isWhitespace) }.joined(separator: " ")
        // The time has a line of its own.
        #expect(text.contains(name) && text.contains(timeline.lanes[1].group.replacing(" · ", with: " ")))
        #expect(lines.contains("2026-05-04 07:00:00"))
    }

    @Test func coloursComeOnlyWhenAskedFor() {
        #expect(TimelineText(TimelineTests.sample, isColoured: true).lines().joined().contains("\u{1B}[34m█"))
    }

    @Test func theStateThatHasAPartOfTheTimeIsThatOfTheLane() throws {
        var timeline = TimelineTests.oneRun((0..<500).flatMap { _ in [("stalled", Int64(60)), ("background", 900)] })
        timeline.states.append(.init(id: "stalled", title: "Stalled", tone: .active))
        let title = "Stalled for a part of the time"
        #expect(TimelineText(timeline, width: 80).lines().contains { $0.contains("▂ \(title)") })
        #expect(try read(timeline).all("text").contains { $0.text == title })
    }
}
