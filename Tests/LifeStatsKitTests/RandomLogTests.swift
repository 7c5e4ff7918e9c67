import Foundation
import Testing

@testable import LifeStatsKit

/// The two ways to derive a log, and any number of threads, give the same rows.
@Suite("Random logs")
struct RandomLogTests {
    /// A linear congruential generator: the same logs on every machine.
    private struct Generator: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ state >> 29
        }
    }

    private static let messages = [
        "application:didFinishLaunchingWithOptions:", "applicationDidBecomeActive:", "applicationWillResignActive:",
        "applicationDidEnterBackground:", "applicationWillEnterForeground:", "applicationWillTerminate:",
        "sceneDidBecomeActive:", "sceneWillResignActive:", "<Tea.Home: 0x5> viewDidLoad",
        "<Tea.Home: 0x5> viewWillAppear:", "<Tea.Home: 0x5> viewDidAppear:", "hello", "hello",
        "a message\n  of two lines",
    ]

    /// What a clock may show: every nanosecond, millisecond, second or minute.
    private static let resolutions = [1, 1_000_000, 1_000_000_000, 60_000_000_000]

    /// Lines of three processes, some of them in bursts of identical lines.
    private static func log(_ count: Int, clock resolution: Int, _ generator: inout Generator) -> [UInt8] {
        var now = 0
        var text = ""
        for _ in 0..<count {
            now +=
                [0, 7, 40_000_000, 1_000_000_000, 3_000_000_000, 20_000_000_000].randomElement(using: &generator) ?? 0
            let (second, rest) = (now / resolution * resolution).quotientAndRemainder(dividingBy: 1_000_000_000)
            var time = String(format: "%02d:%02d:%02d", 8 + second / 3600, second / 60 % 60, second % 60)
            if resolution == 1 { time += String(format: ".%09d", rest) }
            if resolution == 1_000_000 { time += String(format: ".%03d", rest / resolution) }
            let pid = [412, 413, 500].randomElement(using: &generator) ?? 0
            let message = messages.randomElement(using: &generator) ?? ""
            let line = "2026-03-09 \(time) Tea[\(pid):1] \(message)\n"
            text += String(repeating: line, count: [1, 1, 1, 1, 1, 2, 4].randomElement(using: &generator) ?? 1)
        }
        return Array(text.utf8)
    }

    @Test("going on from the saved state is the same as deriving again, whatever the clock shows", arguments: 1...12)
    func cuts(seed: Int) throws {
        var generator = Generator(state: UInt64(seed))
        let bytes = Self.log(100, clock: Self.resolutions[seed % 4], &generator)
        let cuts = (0..<3).map { _ in Int.random(in: 0...bytes.count, using: &generator) }.sorted() + [bytes.count]
        for small in [0, 40, 10_000] {
            let logs = try Logs()
            logs.mostFactsOfSmallLog = small
            for cut in cuts {
                try logs.write(Data(bytes[..<cut]), to: "app.log")
                try logs.ingest("app.log")
            }
            let grown = try logs.digest()
            #expect(try grown == logs.cleanDigest("app.log"), "seed \(seed), cut at \(cuts), small \(small)")
            _ = try Replaying.run(ReplayRequest(database: logs.database)) { _ in }
            #expect(try logs.digest() == grown, "seed \(seed), replayed, small \(small)")
        }
    }

    @Test("the number of threads changes nothing")
    func threads() throws {
        var generator = Generator(state: 7)
        let logs = try Logs()
        for number in 0..<9 {
            let folder = "logs/\(number % 3)"
            try logs.write(
                Data(Self.log(20 + 40 * number, clock: Self.resolutions[number % 4], &generator)),
                to: "\(folder)/app\(number).log")
        }
        logs.lanes = 1
        let one = try logs.cleanDigest("logs")
        for lanes in [2, 4, 16] {
            logs.lanes = lanes
            #expect(try logs.cleanDigest("logs") == one, "\(lanes) lanes")
        }
    }
}
