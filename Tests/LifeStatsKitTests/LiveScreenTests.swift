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
        _ from: String, _ to: String, _ callback: String?, isDocumented: Bool = true, isFound: Bool = false
    ) -> LiveSnapshot.Change {
        LiveSnapshot.Change(
            id: 1, time: 1_772_366_400_000_000_000, subject: "Kettle scene A1", from: from, to: to, callback: callback,
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
        #expect(narrow[first + 1].trimmingPrefix { $0 == " " } == "undocumented  sceneDidBecomeActive")
        #expect(narrow.contains { $0.hasSuffix("  skips a step  ") || $0.hasSuffix("  skips a step") }, "\(narrow)")
        #expect(narrow.contains { $0.contains("Foreground inactive → Background  sceneDi") && $0.hasSuffix("…") })
        let wide = lines(snapshot, width: 120)
        let rows = wide.filter { $0.contains(" → ") }
        #expect(rows[0].hasSuffix("Background → Foreground active    undocumented  sceneDidBecomeActive"))
        let places = [("sceneDidBecomeActive", 0), ("sceneDidEnterBackground", 1)].map { name, row in
            rows[row].firstRange(of: name).map { rows[row].distance(from: rows[row].startIndex, to: $0.lowerBound) }
        }
        #expect(places[0] != nil && places[0] == places[1], "\(rows)")
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
        snapshot.runs = [.init(title: "Kettle [412]", end: nil, over: nil, lanes: [lane])]
        let shown = lines(snapshot, width: 80)
        #expect(shown[1].hasSuffix("now") && shown[1].count == 80)
        let row = try #require(shown.first { $0.hasPrefix("  app") })
        #expect(row.contains("█ Active") && row.count == 80)
        let strip = row.reversed().prefix { $0 == "█" }.count
        #expect(strip > 40 && shown[1].dropFirst(80 - strip).hasPrefix("5 min ago"), "\(row)")
    }
}
