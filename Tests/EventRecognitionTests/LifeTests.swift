import Testing
import TraceRecords

@testable import EventRecognition

@Suite("Lines that are no events are signs of life")
struct LifeTests {
    private static let second: Int64 = 1_000_000_000

    @Test("the first line is a span; others a second apart at most are one, until a silence, an event or the end")
    func spans() throws {
        let times: [Int64] = [0, 1_000, 2_000, 3_001, 3_500, 3_600]
        var lines = times.map { Lines.Line(message: "working", time: $0 * 1_000_000) }
        lines[4].message = "applicationDidBecomeActive"
        let reading = try Reading(Lines(lines))
        #expect(reading.intervals.map(\.firstLine) == [1, 2, 4, 6])
        #expect(reading.intervals.map(\.lastLine) == [1, 3, 4, 6])
        #expect(reading.intervals.map(\.from) == [0, Self.second, 3_001_000_000, 3_600_000_000])
        #expect(reading.intervals.map(\.until) == [0, 2 * Self.second, 3_001_000_000, 3_600_000_000])
        guard case .activity = reading.facts[2], case .event = reading.facts[3] else {
            Issue.record("the span comes right before the event that ends it")
            return
        }
    }

    @Test("processes have spans of their own; an event ends only those of its process")
    func processes() throws {
        let reading = try Reading(
            Lines([
                .init(message: "a", process: "A", pid: 1, time: 0),
                .init(message: "b", process: "B", pid: 2, time: 1),
                .init(message: "b", process: "B", pid: 2, time: 2),
                .init(message: "applicationDidBecomeActive", process: "A", pid: 1, time: 3),
                .init(message: "b", process: "B", pid: 2, time: 4),
            ]))
        #expect(reading.intervals.map { reading.speaker($0).process ?? "" } == ["A", "B", "B"])
        #expect(reading.intervals.map(\.lastLine) == [1, 2, 5])
    }

    @Test("lines without times make spans without times")
    func untimed() throws {
        let reading = try Reading(Lines([.init(message: "a"), .init(message: "b"), .init(message: "c")]))
        #expect(reading.intervals.map(\.from) == [nil, nil])
        #expect(reading.intervals.map(\.lastLine) == [1, 3])
    }

    @Test("lines with a name and without a process id come in the order of those of their name that have one")
    func nameAlone() throws {
        let lines = [Int32?](arrayLiteral: 7, nil, nil, 7, 8, nil).map { pid in
            Lines.Line(message: "working", process: "A", pid: pid, time: 0)
        }
        #expect(try Reading(Lines(lines)).intervals.map(\.lastLine) == [1, 2, 3, 4, 5, 6])
    }

    @Test("lines with and without a time are spans of their own, wherever a reading begins between them")
    func timedAndUntimed() throws {
        let times: [Int64?] = [nil, 5, 6, nil, nil, 7]
        let reading = try Reading(Lines(times.map { Lines.Line(message: "working", time: $0) }))
        #expect(reading.intervals.map(\.from) == [nil, 5, nil, 7])
        #expect(reading.intervals.map(\.until) == [nil, 6, nil, 7])
        #expect(reading.intervals.map(\.lastLine) == [1, 3, 5, 6])
    }

    @Test("lines before the first that names its process come before what follows them")
    func beforeAnyName() throws {
        let reading = try Reading(
            Lines([
                .init(message: "a", process: "", pid: nil), .init(message: "b"),
                .init(message: "applicationDidBecomeActive"),
            ]))
        #expect(reading.intervals.map(\.lastLine) == [1, 2])
    }

    @Test("thousands of processes at once lose no line")
    func manyProcesses() throws {
        let lines = (0..<5000).map { Lines.Line(message: "x", process: "P\($0 % 2500)", pid: Int32($0 % 2500)) }
        let reading = try Reading(Lines(lines))
        #expect(reading.intervals.count == 5000)
        #expect(Set(reading.intervals.map(\.firstLine)).count == 5000)
    }

    @Test("how the source is cut into batches changes nothing", arguments: 1...20)
    func batches(seed: UInt64) throws {
        var generator = SplitMix(state: seed)
        let messages = [
            "working", "applicationDidBecomeActive", "-[HomeViewController viewDidLoad]", "idle", "request 4 done",
            "sceneDidBecomeActive session=A", "<DetailViewController: 0x7f00a> viewDidAppear", "a longer line of text",
        ]
        var time: Int64 = 0
        let lines = (0..<400).map { _ in
            time += Int64.random(in: 0...900_000_000, using: &generator)
            let pid = Int32.random(in: 1...4, using: &generator)
            let isBare = Int.random(in: 0..<8, using: &generator) == 0
            return Lines.Line(
                message: messages.randomElement(using: &generator) ?? "", process: isBare ? "" : "P\(pid)",
                pid: isBare ? nil : pid, time: isBare ? nil : time)
        }
        let lexicon = try Known.lexicon()
        let whole = Reading(Lines(lines).batches(), lexicon: lexicon)
        let sizes = (0..<60).map { _ in Int.random(in: 0...12, using: &generator) }
        let cut = Reading(Lines(lines).batches(sizes), lexicon: lexicon)
        #expect(whole.facts == cut.facts)
        // Taking the facts ends intervals; what they cover together stays the same, and so do the events.
        let taken = Reading(Lines(lines).batches(sizes), lexicon: lexicon, takesOften: true)
        #expect(whole.events.map(whole.speaker) == taken.events.map(taken.speaker))
        #expect(whole.events.map(\.line) == taken.events.map(\.line))
        #expect(Set(whole.intervals.flatMap { $0.firstLine...$0.lastLine }).isSubset(of: 1...Int64(lines.count)))
    }
}

/// A generator of random numbers that always starts alike.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
