import Foundation
import LifecycleModel
import Reports
import Testing

@testable import LifeStatsKit
@testable import TraceStore

/// What a live view shows where a terminal is narrow.
@Suite("The screen of a watched log")
struct LiveScreenTests {
    private static let models = (try? ModelCatalog.builtIn().models) ?? []

    private func change(
        _ from: String, _ to: String, _ callback: String?, isDocumented: Bool = true, isFound: Bool = false,
        app: String = "Kettle"
    ) -> LiveSnapshot.Change {
        LiveSnapshot.Change(
            id: 1, time: 1_772_366_400_000_000_000, app: app, layer: "scene", lane: "A1", from: from, to: to,
            callback: callback,
            isDocumented: isDocumented, isFound: isFound, place: "line 3")
    }

    private func lines(_ snapshot: LiveSnapshot, width: Int) -> [String] {
        LiveScreen(style: TextStyle(isOn: false), models: Self.models).lines(
            snapshot, now: 1_772_366_420_000_000_000, heading: "app.log", footer: "q quit", width: width, height: 24)
    }

    private var snapshot: LiveSnapshot {
        var snapshot = LiveSnapshot()
        snapshot.changes = [
            change(
                "Background", "Foreground active", "sceneDidBecomeActive", isDocumented: false, isFound: true),
            change("Foreground inactive", "Background", "sceneDidEnterBackground"),
            change("Background", "Foreground active", nil, isDocumented: false),
        ]
        return snapshot
    }

    @Test("a deviation is shown as a whole, the verdict before the callback; columns are aligned")
    func transitions() throws {
        let narrow = lines(snapshot, width: 80)
        let first = try #require(narrow.firstIndex { $0.contains("Background → Foreground active") })
        #expect(narrow[first + 1].trimmingPrefix { $0 == " " } == "undocumented  didBecomeActive", "\(narrow)")
        #expect(narrow.contains { $0.hasSuffix("  skips a step") }, "\(narrow)")
        #expect(
            narrow.contains {
                $0.contains("  A1  Foreground inactive → Background  ") && $0.hasSuffix("  didEnterBackground")
            })
        // Of several apps each line names its own; what has no room goes on below.
        var several = snapshot
        several.changes.append(
            change(
                "Background", "Foreground active", "sceneDidBecomeActive", isDocumented: false, app: "Kettle and Cups"))
        let both = lines(several, width: 80)
        #expect(both.contains { $0.trimmingPrefix { $0 == " " } == "skips a step  didBecomeActive" }, "\(both)")
        #expect(both.contains { $0.contains("  Kettle A1") } && !both.contains { $0.contains("didBecomeA…") })
        let wide = lines(snapshot, width: 120)
        let rows = wide.filter { $0.contains(" → ") }
        let places = [("undocumented", 0), ("didEnterBackground", 1)].map { name, row in
            rows[row].firstRange(of: name).map { rows[row].distance(from: rows[row].startIndex, to: $0.lowerBound) }
        }
        #expect(places[0] != nil && places[0] == places[1], "\(rows)")
    }

    @Test("what is not of the day of the newest line has its date, and columns stay aligned")
    func dates() throws {
        var snapshot = snapshot
        snapshot.findings = [
            .init(id: 1, time: snapshot.changes[0].time, severity: "error", rule: "R-1", message: "late", place: "l:3")
        ]
        snapshot.lastTime = 1_772_366_420_000_000_000
        #expect(!lines(snapshot, width: 120).contains { $0.contains("2026-03-01") })
        snapshot.changes[0].time = 1_772_366_420_000_000_000 - 86_400_000_000_000
        snapshot.findings[0].time = snapshot.changes[0].time
        let shown = lines(snapshot, width: 120)
        #expect(shown.contains { $0.hasPrefix("  2026-02-28 12:00:20.000  error") }, "\(shown)")
        let rows = shown.filter { $0.contains(" → ") }
        #expect(rows[0].hasPrefix("  2026-02-28 12:00:20.000  A1  "), "\(rows)")
        #expect(rows[1].hasPrefix("             12:00:00.000  A1  "), "\(rows)")
    }

    @Test("where there is too little room, runs that are over have a line each, and findings say how many there are")
    func room() {
        var snapshot = snapshot
        let visit = RunVisit(
            id: 1, instance: 1, layer: "app", label: "app", state: "active", entered: 1_772_366_000_000_000_000,
            left: nil, atLeast: nil, isInferred: false, censoring: "right", hasNoLength: false, place: nil)
        snapshot.runs = (0..<5).map {
            .init(
                title: "Kettle [\($0)]", end: $0 == 0 ? nil : "crashed", over: nil,
                lanes: [.init(layer: "app", label: "app", visits: [visit])])
        }
        snapshot.findings = (0..<6).map {
            .init(
                id: $0, time: nil, app: "Kettle", severity: "error", rule: "R-APP-15", message: "it came too early",
                repair: "with applicationWillResignActive before this line", place: "app.log:\($0)")
        }
        let shown = lines(snapshot, width: 80)
        #expect(shown.count { $0.hasPrefix("Kettle [") } == 5 && shown.count { $0.hasPrefix("  app") } == 1, "\(shown)")
        #expect(shown.contains { $0.hasPrefix("Findings  the latest ") && $0.hasSuffix(" of 6") })
        #expect(shown.count { $0.contains("would conform") } >= 2)
    }

    @Test("of many states the app and those in use come first, then the latest, and the title says how many are shown")
    func manyStates() throws {
        let now: Int64 = 1_772_366_420_000_000_000
        func lane(_ number: Int, _ layer: String, _ state: String, ago: Int64) -> LiveSnapshot.Lane {
            let visit = RunVisit(
                id: Int64(number), instance: Int64(number), layer: layer, label: "Page\(number)", state: state,
                entered: now - ago * 1_000_000_000, left: nil, atLeast: nil, isInferred: false, censoring: "right",
                hasNoLength: false, place: nil)
            return .init(layer: layer, label: "Page\(number)", visits: [visit])
        }
        var snapshot = snapshot
        snapshot.runs = [
            .init(
                title: "Kettle [412]", end: nil, over: nil,
                lanes: [lane(0, "app", "active", ago: 642)]
                    + (1...19).map { lane($0, "view", "disappeared", ago: 100 - Int64($0)) }
                    + [lane(20, "view", "appeared", ago: 2)])
        ]
        let shown = lines(snapshot, width: 80)
        let title = try #require(shown.firstIndex { $0.hasPrefix("Kettle [412]  ") })
        let pages = shown.filter { $0.hasPrefix("  Page") }
        #expect(shown[title] == "Kettle [412]  \(pages.count + 1) of 21" && pages.count > 3, "\(shown)")
        #expect(shown[title + 1].hasPrefix("  app") && pages[0].hasPrefix("  Page20"), "\(shown)")
        #expect(pages[1].hasPrefix("  Page19") && pages[2].hasPrefix("  Page18"), "\(shown)")
        // A long duration moves no strip, and the last cell of a strip is the present state.
        #expect(shown[title + 1].count == 80 && shown[title + 1].contains("10 min 42 s "), "\(shown)")
        #expect(shown[title + 1].hasSuffix("█") && pages[0].count == 80 && pages[0].hasSuffix("█"), "\(shown)")
    }

    @Test("the lanes have the order of a timeline, and an end that no line shows is no transition")
    func order() throws {
        let log = """
            2026-05-04 07:00:00.000 Kettle[41:1] -[AppDelegate application:didFinishLaunchingWithOptions:]
            2026-05-04 07:00:00.100 Kettle[41:1] [BrewViewController viewDidLoad]
            2026-05-04 07:00:00.200 Kettle[41:1] -[SceneDelegate scene:willConnectToSession:options:]
            2026-05-04 07:00:00.300 Kettle[41:1] -[SceneDelegate sceneDidBecomeActive:]
            2026-05-04 07:00:00.400 Kettle[41:1] [BrewViewController viewDidAppear:]
            2026-05-04 07:10:00.000 Kettle[42:1] -[AppDelegate application:didFinishLaunchingWithOptions:]

            """
        let ingested = try Ingested(text: log)
        let snapshot = try DatabaseReading.run(ingested.database) {
            try LiveSnapshot($0, models: Self.models, isOver: true)
        }
        let lanes = snapshot.runs.map { $0.lanes.map(\.layer) }.max { $0.count < $1.count }
        #expect(lanes == ["app", "scene", "view"], "\(snapshot.runs)")
        #expect(!snapshot.changes.isEmpty && snapshot.changes.allSatisfy { $0.time != nil }, "\(snapshot.changes)")
    }

    @Test("the latest findings come first, though one about a run is found after those of later lines")
    func latest() throws {
        let log = """
            2026-05-04 07:00:00.000 Kettle[41:1] -[AppDelegate application:didFinishLaunchingWithOptions:]
            2026-05-04 07:00:01.000 Kettle[41:1] -[AppDelegate applicationDidBecomeActive:]
            2026-05-04 07:00:02.000 Kettle[41:1] -[AppDelegate applicationWillResignActive:]
            2026-05-04 07:00:03.000 Kettle[41:1] -[AppDelegate applicationDidBecomeActive:]
            2026-05-04 07:10:00.000 Kettle[42:1] -[AppDelegate application:didFinishLaunchingWithOptions:]
            2026-05-04 07:10:01.000 Kettle[42:1] -[AppDelegate applicationDidBecomeActive:]
            2026-05-04 07:10:02.000 Kettle[42:1] -[AppDelegate applicationDidEnterBackground:]
            2026-05-04 07:10:03.000 Kettle[42:1] -[AppDelegate applicationWillEnterForeground:]

            """
        let ingested = try Ingested(text: log)
        let findings = try DatabaseReading.run(ingested.database) {
            try LiveSnapshot($0, models: Self.models, isOver: true)
        }.findings.filter { $0.rule != "not-logged" }
        #expect(findings.map(\.rule) == ["R-APP-15", "R-APP-17"], "\(findings)")
    }

    @Test("the keys stay beside a message, and text without a callback is told of")
    func words() {
        for message in [nil, "wrote watch-20261127032833.svg and .html", String(repeating: "not saved ", count: 20)] {
            let footer = LiveScreen.footer(message, width: 80)
            #expect(footer.hasSuffix("q quit") && footer.count <= 80, "\(footer)")
        }
        var snapshot = LiveSnapshot()
        snapshot.lines = 12
        #expect(LiveScreen.empty(snapshot, app: "", isLate: false).hasPrefix("waiting"))
        let late = LiveScreen.empty(snapshot, app: "", isLate: true)
        #expect(late.hasPrefix("12 lines without a callback") && late.contains("--aliases"))
        snapshot.events = 3
        #expect(LiveScreen.empty(snapshot, app: "zzz", isLate: true).contains("“zzz”"))
    }

    @Test("the strip has the room that is left, with its ends above and the sign of the state before its name")
    func strip() throws {
        var snapshot = snapshot
        let lane = LiveSnapshot.Lane(
            layer: "app", label: "app",
            visits: [
                .init(
                    id: 1, instance: 1, layer: "app", label: "app", state: "active",
                    entered: 1_772_366_000_000_000_000, left: nil, atLeast: nil, isInferred: false, censoring: "right",
                    hasNoLength: false, place: nil)
            ])
        snapshot.runs = [
            .init(title: "Kettle [412]", end: nil, over: nil, lanes: [lane]),
            .init(title: "Kettle [411]", end: "crashed", over: 1_772_366_400_000_000_000, lanes: [lane]),
        ]
        let shown = lines(snapshot, width: 80)
        #expect(shown[1].hasSuffix("now") && shown[1].count == 80)
        let row = try #require(shown.first { $0.hasPrefix("  app") })
        #expect(row.contains("█ Active") && row.count == 80)
        let strip = row.reversed().prefix { $0 == "█" }.count
        #expect(strip >= 40 && shown[1].dropFirst(80 - strip).hasPrefix("5 min ago"), "\(row)")
        // What is over is in no state; its strip says what it was in before.
        let over = try #require(shown.last { $0.hasPrefix("  app") })
        #expect(!over.contains("Active") && over.contains("██"), "\(over)")
    }

    @Test("a database is looked at twice after each change, and not while nothing is written")
    func news() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "a.db")
        var news = DatabaseNews()
        func looks() -> [Bool] { (0..<4).map { _ in news.areThere(in: file.path) } }
        #expect(looks() == [true, true, false, false])
        try Data([1]).write(to: file)
        #expect(looks() == [true, true, false, false])
        try Data([1]).write(to: folder.appending(path: "a.db-wal"))
        #expect(looks() == [true, true, false, false])
    }
}
