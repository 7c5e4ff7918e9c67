import Foundation
import LifecycleModel
import Testing
import TraceRecords

@testable import EventRecognition

@Suite("Facts come in batches that need no other batch")
struct BatchTests {
    private static let second: Int64 = 1_000_000_000

    private func recognizer(_ context: RecognitionContext = RecognitionContext()) throws -> Recognizer {
        Recognizer(lexicon: try Known.lexicon(), context: context)
    }

    @Test("a batch has its own speakers and texts, and no more facts than it may")
    func selfContained() throws {
        let lines = (0..<40_000).map { (number: Int) -> Lines.Line in
            let callback = "-[Home\(number % 7)VC viewDidLoad]"
            let message = number % 2 == 0 ? callback : "AppState changed to active"
            return Lines.Line(
                message: message, process: "Tea\(number % 3)", pid: Int32(number % 3), time: Int64(number))
        }
        var recognizer = try recognizer()
        var batches: [FactBatch] = []
        for batch in Lines(lines).batches([100, 30_000]) {
            recognizer.recognize(batch)
            batches += recognizer.takeFullBatches()
        }
        #expect(batches.count == 11)
        batches += recognizer.takeFacts()
        #expect(recognizer.factCount == 0 && recognizer.takeFacts().isEmpty)
        #expect(batches.allSatisfy { !$0.isEmpty && $0.facts.count <= FactBatch.mostFacts })
        #expect(batches.map(\.facts.count).reduce(0, +) == 40_000)
        #expect(batches.map(\.lastTime).last == 39_999)
        let vocabulary = try Known.vocabulary()
        var number = 0
        for batch in batches {
            let reading = Reading(batch)
            for event in reading.events {
                let speaker = reading.speaker(event)
                let isCallback = number % 2 == 0
                #expect(speaker.process == "Tea\(number % 3)" && speaker.pid == Int32(number % 3))
                #expect(speaker.label == (isCallback ? "Home\(number % 7)VC" : nil))
                #expect(event.callback.map { vocabulary[$0].callback.id } == (isCallback ? "viewDidLoad" : nil))
                #expect(reading.text(event.origin) == (isCallback ? "" : "react-native"))
                number += 1
            }
        }
    }

    @Test("the facts of provisional entries are kept apart, and come again with what completes them")
    func provisional() throws {
        var batch = Lines(messages: ["working", "applicationDidBecomeActive", "applicationWillResign"]).batches()[0]
        batch.position.counts.lines = 2
        var recognizer = try recognizer()
        recognizer.recognize(batch)
        #expect(recognizer.factCount == 2)
        let stable = recognizer.takeFacts().map(Reading.init)
        #expect(stable.flatMap(\.events).map(\.line) == [2])
        let provisional = recognizer.takeProvisionalFacts().map(Reading.init)
        #expect(provisional.flatMap(\.events).isEmpty)
        #expect(provisional.flatMap(\.intervals).map(\.lastLine) == [3])

        var rest = Lines(messages: ["working", "", "applicationWillResignActive"]).batches()[0]
        rest.entries.removeFirst(2)
        recognizer.recognize(rest)
        #expect(recognizer.takeProvisionalFacts().isEmpty)
        let completed = recognizer.takeFacts().map(Reading.init)
        #expect(completed.flatMap(\.events).map(\.line) == [3])
        #expect(completed.flatMap(\.intervals).isEmpty)
    }

    @Test("a reading that goes on gives what a reading at once gives", arguments: 1...4)
    func resumed(after count: Int) throws {
        let lines = [
            Lines.Line(message: "loading", process: "Game", pid: 7, device: "Phone", time: 5 * Self.second),
            .init(message: "-> applicationDidBecomeActive()", process: "", pid: nil),
            .init(message: #""cumulativeForegroundTime" : "5 sec","#, process: "", pid: nil, time: 6 * Self.second),
            .init(message: "-> applicationWillResignActive()", process: "", pid: nil, time: 4 * Self.second),
            .init(message: #""timeStampBegin" : "1970-01-01 00:00:10""#, process: "", pid: nil),
        ]
        let batches = Lines(lines).batches([count])
        let whole = Reading(batches, lexicon: try Known.lexicon())

        var first = try recognizer()
        first.recognize(batches[0])
        let before = first.takeFacts()
        let remembered = try JSONDecoder().decode(
            RecognitionContext.self, from: JSONEncoder().encode(first.context))
        var second = try recognizer(remembered)
        second.recognize(batches[1])
        let after = second.takeFacts()
        let readings = (before + after).map(Reading.init)
        #expect(
            readings.flatMap { reading in reading.events.map { "\($0.line) \(reading.speaker($0))" } }
                == whole.events.map { "\($0.line) \(whole.speaker($0))" })
        #expect(after.last?.lastTime == 6 * Self.second)
        #expect(second.device == "Phone")
        #expect(second.takeDailyTotals() + second.remainingDailyTotals == whole.totals)
        #expect(whole.totals.map(\.app) == ["Game"])
    }

    @Test("totals whose payload has not ended are given only as what remains")
    func remainingTotals() throws {
        var batch = Lines(messages: [
            #""timeStampBegin" : "1970-01-01 00:00:10","#, #""cumulativeForegroundTime" : "5 sec","#,
            #""cumulativeBackgroundTime" : "7 sec","#,
        ]).batches()[0]
        batch.position.counts.lines = 2
        var recognizer = try recognizer()
        recognizer.recognize(batch)
        #expect(recognizer.takeDailyTotals().isEmpty)
        #expect(recognizer.remainingDailyTotals.map(\.value) == [5, 7])
        #expect(recognizer.context.totals != nil)
    }

    @Test("a callback is found however far into its line it is", arguments: [20_000, 200_000])
    func farIntoALine(distance: Int) throws {
        let filler = String(repeating: "0123 abc, ", count: distance / 10)
        let reading = try Reading(
            Lines(messages: [
                "\(filler) -[HomeViewController viewDidLoad]", "\(filler)AppState changed to background; \(filler)",
                "\(filler) we wait until applicationDidBecomeActive",
            ]))
        #expect(reading.events.map(\.line) == [1, 2])
        #expect(reading.events.map { reading.speaker($0).label } == ["HomeViewController", nil])
    }

    @Test("a long line that mentions thousands of callbacks is read in time that grows with its length")
    func longLines() throws {
        let mention = "if viewDidLoad or AppState active listeners and \"app.lifecycle\" and \"bundleIdentifier\" "
        let clock = ContinuousClock()
        let lexicon = try Known.lexicon()
        func time(_ count: Int) -> Duration {
            let batch = Lines(messages: [String(repeating: mention, count: count)]).batches()
            return clock.measure { #expect(Reading(batch, lexicon: lexicon).events.isEmpty) }
        }
        let short = time(300)
        #expect(time(2_400) < short * 40)
    }
}
