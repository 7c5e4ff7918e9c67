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
            let devices = "SELECT device FROM sources"
            #expect(try grown.rows(devices) == whole.rows(devices))
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

    private static let active = line("2026-01-30 22:44:01.000 Tea[5:1] applicationDidBecomeActive")
    private static let inactive = line("2026-01-30 22:44:02.000 Tea[5:1] applicationWillResignActive")
    private static let background = line("2026-01-30 22:44:05.000 Tea[5:1] applicationDidEnterBackground")
    private static let metadata = line(
        "Type: Notice | Timestamp: 2026-03-10 03:46:54.062000+01:00 | Process: Tea | Library: Foundation | TID: 0xf700")

    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var pieces: [[UInt8]]
    }

    static let beginnings = [
        Case(
            testDescription: "Latin-1, as long as the only line that is not ASCII is damaged",
            pieces: [
                [0x6E, 0xF6, 0xDF, 0xE4, 0x0A] + active + inactive,
                line("2026-01-30 22:44:03.000 Tea[5:1] größer") + line("2026-01-30 22:44:04.000 Tea[5:1] noch größer"),
                background,
            ]),
        Case(
            testDescription: "Latin-1, as long as more lines are damaged than say the name of the device",
            pieces: [
                [0xF6, 0x0A, 0xDF, 0x0A]
                    + line("Jan  1 00:00:10 Jörgs-Phone Tea[5] <Notice>: applicationDidBecomeActive"),
                line("Jan  1 00:00:11 Jörgs-Phone Tea[5] <Notice>: one"),
                line("Jan  1 00:00:12 Jörgs-Phone Tea[5] <Notice>: applicationWillResignActive"),
            ]),
        Case(
            testDescription: "messages whose metadata follows, as long as none has come",
            pieces: [line("applicationWillEnterForeground"), line("applicationDidBecomeActive"), metadata]),
        Case(
            testDescription: "carriage returns alone, as long as there is no line feed",
            pieces: [(active + inactive + background).map { $0 == 0x0A ? 0x0D : $0 }, active, background]),
        Case(
            testDescription: "UTF-16, once it is long enough to be known",
            pieces: [line("hello"), active, inactive + background].map { $0.flatMap { [$0, 0] } }),
    ]

    @Test("what the beginning of a log tells of all of it may change while it grows", arguments: beginnings)
    func beginning(example: Case) throws {
        try expectSame(example.pieces)
    }
}
