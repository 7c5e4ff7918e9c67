import Foundation
import Testing

@testable import LifeStatsKit

/// How long a state has lasted in a log that goes on.
@Suite("The clock of a watched log")
struct LogClockTests {
    /// 2026-03-01 12:00:00 UTC, when the line is read.
    private let read = Date(timeIntervalSince1970: 1_772_366_400)

    /// How much the clock has gone on since a line, two seconds after it was read.
    private func lasted(secondsBefore: Double, isZoneAssumed: Bool = false) -> Double {
        var clock = LogClock()
        clock.isZoneAssumed = isZoneAssumed
        let time = Int64((read.timeIntervalSince1970 - secondsBefore) * 1e9)
        clock.note(time, at: read)
        return Double((clock.now(at: read.addingTimeInterval(2)) ?? 0) - time) / 1e9
    }

    @Test("it goes on from the time of the last line, and not from its reading")
    func readLater() {
        #expect(lasted(secondsBefore: 0) == 2)
        #expect(lasted(secondsBefore: 40) == 42)
        #expect(lasted(secondsBefore: 300) == 302)
        #expect(lasted(secondsBefore: 40, isZoneAssumed: true) == 42)
    }

    @Test("times without a zone may be hours off, and a log of another day stands still")
    func zones() {
        // Two hours ahead of UTC, written five seconds before.
        #expect(lasted(secondsBefore: 5 - 7_200, isZoneAssumed: true) == 7)
        // A device's clock that is a little fast.
        #expect(lasted(secondsBefore: -3) == 2)
        #expect(lasted(secondsBefore: 3 * 86_400) == 0)
        let here = Double(TimeZone.current.secondsFromGMT(for: read))
        #expect(lasted(secondsBefore: 300 - here, isZoneAssumed: true) == 302)
    }
}
