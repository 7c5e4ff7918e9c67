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

    private static func log(_ count: Int, _ generator: inout Generator) -> [UInt8] {
        var second = 0
        var text = ""
        for _ in 0..<count {
            second += [0, 0, 1, 3, 20].randomElement(using: &generator) ?? 0
            let time = String(format: "%02d:%02d:%02d", 8 + second / 3600, second / 60 % 60, second % 60)
            let pid = [412, 413, 500].randomElement(using: &generator) ?? 0
            let message = messages.randomElement(using: &generator) ?? ""
            text += "2026-03-09 \(time).000 Tea[\(pid):1] \(message)\n"
        }
        return Array(text.utf8)
    }

    @Test("going on from the saved state is the same as deriving again", arguments: 1...12)
    func cuts(seed: Int) throws {
        var generator = Generator(state: UInt64(seed))
        let bytes = Self.log(120, &generator)
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
            try logs.write(Data(Self.log(20 + 40 * number, &generator)), to: "\(folder)/app\(number).log")
        }
        logs.lanes = 1
        let one = try logs.cleanDigest("logs")
        for lanes in [2, 4, 16] {
            logs.lanes = lanes
            #expect(try logs.cleanDigest("logs") == one, "\(lanes) lanes")
        }
    }
}
