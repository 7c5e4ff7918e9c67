import Foundation
import Testing
import TraceRecords

@testable import TraceStore

/// Random batches, the same for the same seed.
private struct FactDice: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }

    mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }
    mutating func chance(_ percent: Int) -> Bool { number(1...100) <= percent }

    /// A batch with everything that a batch may have.
    mutating func batch(callbacks: Int, facts count: Int) -> FactBatch {
        var batch = FactBatch(lastTime: chance(50) ? time(number(0...3)) : nil)
        batch.texts = (0..<number(0...9)).map { "text \($0) ä\u{0}\($0 % 3)" }
        batch.speakers = (0..<number(1...9)).map { _ in
            Speaker(
                process: chance(80) ? ["Demo", "", "com.example.demo"].randomElement(using: &self) : nil,
                namesBundle: chance(30), pid: chance(80) ? Int32.random(in: .min...(.max), using: &self) : nil,
                device: chance(40) ? "phone" : nil, label: chance(40) ? "Scene \(number(1...3))" : nil)
        }
        let unit = number(0...3)
        var line: Int64 = 0
        for _ in 0..<count {
            line += Int64(chance(90) ? number(0...20) : number(0...1 << 40))
            batch.facts.append(
                chance(80) ? .event(event(batch, callbacks, unit, line)) : .activity(activity(batch, unit, line)))
        }
        return batch
    }

    private mutating func time(_ unit: Int) -> Int64 {
        let unit: [Int64] = [1_000_000_000, 1_000_000, 1_000, 1]
        return Int64.random(in: -4_000_000_000...4_000_000_000, using: &self) * unit[number(0...3)]
    }

    private mutating func symbol(_ batch: FactBatch) -> Symbol { Symbol(id: UInt32(number(0...batch.texts.count))) }

    private mutating func event(_ batch: FactBatch, _ callbacks: Int, _ unit: Int, _ line: Int64) -> Event {
        let isCallback = chance(70)
        return Event(
            time: chance(90) ? time(unit) : nil, line: line,
            callback: isCallback ? UInt16(number(0...callbacks - 1)) : nil,
            proof: isCallback ? nil : Proof.allCases.randomElement(using: &self),
            origin: isCallback ? .none : symbol(batch), speaker: UInt32(number(0...batch.speakers.count - 1)),
            isReturn: chance(20), isNotification: chance(20),
            textHash: UInt16(chance(50) ? number(0...3) : number(0...65_535)),
            message: chance(20) ? symbol(batch) : .none)
    }

    private mutating func activity(_ batch: FactBatch, _ unit: Int, _ line: Int64) -> ActivityInterval {
        ActivityInterval(
            speaker: UInt32(number(0...batch.speakers.count - 1)), from: chance(80) ? time(unit) : nil,
            until: chance(80) ? time(unit) : nil, firstLine: line - Int64(number(0...30)), lastLine: line)
    }
}

@Suite("Facts as bytes")
struct FactCodecTests {
    private static let names = (0..<40).map { "callback\($0)" }
    private let codec = FactCodec(callbacks: names)

    @Test("What is encoded comes back equal", arguments: 1...60)
    func roundTrip(seed: Int) throws {
        var dice = FactDice(state: UInt64(seed) * 0x9E37_79B9)
        let batch = dice.batch(callbacks: Self.names.count, facts: [0, 1, 7, 400][seed % 4])
        let encoded = codec.encode(batch)
        #expect(try codec.decode(encoded.bytes) == batch)
        #expect(encoded.count == batch.facts.count)
    }

    @Test("Callbacks are spelled out: another vocabulary finds its own numbers, and leaves out what it lacks")
    func otherVocabulary() throws {
        let batch = FactBatch(
            facts: [
                .event(Event(time: 5, line: 3, callback: 1)), .event(Event(time: 6, line: 4, callback: 2)),
                .event(Event(time: 7, line: 5, callback: 1)),
            ], speakers: [Speaker(process: "Demo")])
        let bytes = codec.encode(batch).bytes
        let other = try FactCodec(callbacks: ["callback9", "callback2"]).decode(bytes)
        #expect(other.facts == [.event(Event(time: 6, line: 4, callback: 1))])
    }

    @Test("Damaged bytes give an error or other facts, and end nothing", arguments: 1...20)
    func damage(seed: Int) throws {
        var dice = FactDice(state: UInt64(seed) * 0x1234_5677)
        let bytes = codec.encode(dice.batch(callbacks: Self.names.count, facts: 60)).bytes
        var failures = 0
        for _ in 0..<300 {
            var damaged = bytes
            for _ in 0..<dice.number(1...4) {
                damaged[dice.number(0...damaged.count - 1)] = UInt8(dice.number(0...255))
            }
            if dice.chance(30) { damaged.removeLast(dice.number(1...damaged.count)) }
            do { _ = try codec.decode(damaged) } catch { failures += 1 }
        }
        #expect(failures > 50)
        #expect(throws: DamagedRow.self) { try codec.decode([]) }
        #expect(throws: DamagedRow.self) { try codec.decode([0] + bytes.dropFirst()) }
        #expect(throws: DamagedRow.self) { try codec.decode(bytes + [0]) }
    }

    @Test("A fact of a dense log takes seven bytes at most")
    func size() {
        var batch = FactBatch(speakers: (0..<50).map { Speaker(process: "Demo", pid: Int32($0)) })
        var dice = FactDice(state: 7)
        var time: Int64 = 1_772_352_000_000_000_000
        for line in 1...16_384 as ClosedRange<Int64> {
            time += Int64(dice.number(1...4_000)) * 1_000_000
            let callback = UInt16(dice.number(0...20))
            batch.facts.append(
                .event(
                    Event(
                        time: time, line: line, callback: callback, speaker: UInt32(line / 330),
                        textHash: callback &* 2_711)))
        }
        #expect(codec.encode(batch).bytes.count < 7 * 16_384)
    }
}
