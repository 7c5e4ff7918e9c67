import Foundation
import Testing

@testable import LifeStatsKit

/// What a reading remembers of the lines before the place where it goes on.
@Suite("Logs that are read in pieces")
struct GrowingLogTests {
    private static func line(_ text: String) -> [UInt8] { Array((text + "\n").utf8) }

    private func expectSame(_ pieces: [[UInt8]]) throws {
        let (whole, grown) = (try Ingested(pieces: [pieces.flatMap { $0 }]), try Ingested(pieces: pieces))
        try withExtendedLifetime((whole, grown)) {
            let expected = try DatabaseCheck.verify(whole.database)
            let found = try DatabaseCheck.verify(grown.database)
            #expect(expected.problems == [] && found.problems == [])
            #expect(found.digest == expected.digest)
        }
    }

    /// Logs that leave out year, date or time of day, with lines that do not need them.
    static let withoutDates = [
        [
            "Dec 31 23:59:50 Phone Tour[5] <Notice>: applicationDidBecomeActive", "Tour[5:1] one", "Tour[5:1] two",
            "Jan  1 00:00:10 Phone Tour[5] <Notice>: applicationWillResignActive", "  more", "  and more",
            "Jan  1 00:00:20 Phone Tour[5] <Notice>: applicationDidEnterBackground",
        ],
        [
            "23:59:50.000 Tour[5:1] applicationDidBecomeActive", "Tour[5:1] one", "Tour[5:1] two",
            "00:00:10.000 Tour[5:1] applicationWillResignActive",
        ],
        [
            "[+1000 ms] flutter: AppLifecycleState.resumed", "Tour[5:1] one", "Tour[5:1] two",
            "[+1000 ms] flutter: AppLifecycleState.paused",
        ],
        [
            "2026-03-09 23:59:50.000 Tour[5:1] applicationDidBecomeActive", "23:59:55.000 Tour[5:1] one",
            "Tour[5:1] two", "Tour[5:1] three", "00:00:10.000 Tour[5:1] applicationWillResignActive",
        ],
    ]

    @Test("what lines without a date rest on survives lines that do not need it", arguments: withoutDates)
    func clock(lines: [String]) throws {
        try expectSame(lines.map(Self.line))
    }
}
