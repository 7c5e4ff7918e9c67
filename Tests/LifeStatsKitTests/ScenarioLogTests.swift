import LifecycleModel
import LifecycleSimulator
import Testing

@testable import LifeStatsKit

/// Every documented scenario, played out by the simulator in its shortest and in its longest way, is recognised as
/// itself or by its class, and breaks nothing but what it breaks by its nature.
@Suite("Every scenario")
struct ScenarioLogTests {
    /// Ids of the specification's tables C.1 to C.3, and those of SwiftUI views and of background tasks.
    static let documented: [String] = """
        SC-A01 SC-A02 SC-A03 SC-A04 SC-A05 SC-A06 SC-A07 SC-A08 SC-A09 SC-A10 SC-A11 SC-A12 SC-A12b SC-A13 SC-A14 SC-A15
        SC-A16 SC-A17a SC-A17b SC-A18 SC-A19 SC-A20 SC-A21 SC-A22 SC-A23 SC-A24
        SC-S01 SC-S02 SC-S03 SC-S04 SC-S04b SC-S04c SC-S05 SC-S06 SC-S07 SC-S08 SC-S09 SC-S10 SC-S11 SC-S12 SC-S13
        SC-V01 SC-V02 SC-V02s SC-V03 SC-V04 SC-V05 SC-V06 SC-V07 SC-V08 SC-U01 SC-U02 SC-B01 SC-B02 SC-B03
        """.split(whereSeparator: \.isWhitespace).map(String.init)

    /// Failures by nature: an end that no callback announces, a launch that leads nowhere, a scene that comes without
    /// connecting and never becomes active.
    private static let broken: [String: [String]] = [
        "SC-A18": ["R-APP-16"], "SC-A19": ["R-APP-16"], "SC-A20": ["R-APP-18"], "SC-S13": ["R-SCN-01", "R-SCN-04"],
        "SC-A06 shortest": ["R-APP-16"],
    ]

    /// Told by their parts: the reference run is a launch, a leave and a return, and leaving with a visible controller is
    /// a leave (and a return) in which the controller takes no part.
    private static let parts: [String: [String]] = [
        "SC-A23": ["SC-A01", "EQ-1", "EQ-3"], "SC-V05 shortest": ["EQ-1"], "SC-V05 longest": ["EQ-1", "EQ-3"],
    ]

    @Test("is recognised and gives exactly its findings", arguments: documented)
    func played(id: String) throws {
        let catalog = try ModelCatalog.builtIn()
        let player = ScenarioPlayer(catalog: catalog)
        #expect(player.scenarios.contains(id))
        for variant in PlayedScenario.Variant.allCases {
            let way = "\(id) \(variant)"
            let played = try #require(player.play(id, variant))
            let ingested = try Ingested(text: played.text)
            let found = try ingested.rows("SELECT rule FROM findings").sorted()
            #expect(found == (Self.broken[way] ?? Self.broken[id] ?? []), "\(way)\n\(played.text)")
            let classes = catalog.models.flatMap(\.classes).filter { $0.members.contains(id) }.map(\.id)
            let recognised = try ingested.rows(
                """
                SELECT ifnull(s.class, s.scenario) FROM scenarios AS s
                JOIN events AS e ON e.event_id = s.last_event_id
                WHERE e.line >= \(played.lines.lowerBound)
                """)
            if let parts = Self.parts[way] ?? Self.parts[id] {
                #expect(Set(parts).isSubset(of: recognised), "\(way): \(recognised)")
            } else {
                #expect(
                    recognised.contains { ([id] + classes).contains($0) }, "\(way): \(recognised)\n\(played.text)")
            }
        }
    }
}
