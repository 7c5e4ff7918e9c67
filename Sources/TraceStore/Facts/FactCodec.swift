package import TraceRecords

/// A batch of facts as the store keeps it.
package struct EncodedFacts: Sendable, Hashable {
    package var bytes: [UInt8]
    /// Number of facts, and the line of the first one.
    package var count: Int
    package var firstLine: Int64
}

/// Turns batches of facts into bytes and back. About six bytes a fact.
///
/// The bytes are self-contained: they hold speakers and texts, and spell callbacks out, so that they outlive the
/// vocabulary. What a fact has in common with others (callback or proof, origin, hash of the text) is stored once as its
/// *shape*; a fact is then one byte with the distance from the line before, its shape, its speaker where that is another
/// one than before, and the time since the fact before in the coarsest unit that is exact for the batch.
package struct FactCodec: Sendable {
    private let names: [String]
    private let numbers: [String: UInt16]

    /// - Parameter callbacks: canonical ids of the vocabulary, by index.
    package init(callbacks: [String]) {
        names = callbacks
        numbers = Dictionary(zip(callbacks, (0...UInt16.max))) { first, _ in first }
    }

    /// - Returns: the bytes, which ``decode(_:)`` turns into an equal batch.
    package func encode(_ batch: FactBatch) -> EncodedFacts {
        var encoder = FactEncoder(batch, names: names)
        let firstLine: Int64 =
            switch batch.facts.first {
            case .event(let event): event.line
            case .activity(let interval): interval.firstLine
            case nil: 0
            }
        return EncodedFacts(bytes: encoder.encode(), count: batch.facts.count, firstLine: firstLine)
    }

    /// Facts with a callback that the vocabulary lacks are left out.
    ///
    /// - Throws: ``DamagedRow`` when the bytes are not those of a batch.
    package func decode(_ bytes: [UInt8]) throws -> FactBatch {
        try bytes.withUnsafeBufferPointer {
            var decoder = FactDecoder($0, numbers: numbers)
            return try decoder.decode()
        }
    }

    /// First byte of a batch: the version of the encoding.
    static let version: UInt8 = 1

    /// What a bit of a fact's first byte means. The upper four bits are the distance from the line before; 15 means that
    /// it follows as a number.
    enum Mark {
        static let activity: UInt8 = 1
        static let isUntimed: UInt8 = 2
        static let hasNewSpeaker: UInt8 = 4
        static let hasMessage: UInt8 = 8
        static let farLine: UInt8 = 15
    }

    /// What a bit of the byte of a shape, of a speaker or of the batch means.
    enum Flag {
        static let isCallback: UInt8 = 1
        static let isReturn: UInt8 = 2
        static let hasProof: UInt8 = 4
        static let isNotification: UInt8 = 8

        static let hasProcess: UInt8 = 1
        static let namesBundle: UInt8 = 2
        static let hasPid: UInt8 = 4
        static let hasDevice: UInt8 = 8
        static let hasLabel: UInt8 = 16

        static let hasLastTime: UInt8 = 1
        static let hashesApart: UInt8 = 2
    }

    /// The units of times.
    static let units: [Int64] = [1_000_000_000, 1_000_000, 1_000, 1]
}

private struct FactEncoder {
    private let batch: FactBatch
    private let names: [String]
    private var output: FactBytes
    private var words: [String: UInt64] = [:]
    private var wordList: [String] = []
    private var shapes: [UInt64: UInt64] = [:]
    private var shapeList: [Event] = []
    /// Hashes follow the facts one by one, where nearly every fact has its own.
    private var hashesApart = false

    init(_ batch: FactBatch, names: [String]) {
        self.batch = batch
        self.names = names
        output = FactBytes(capacity: batch.facts.count * 7 + 256)
    }

    mutating func encode() -> [UInt8] {
        if !collectShapes(most: max(64, batch.facts.count / 4)) {
            hashesApart = true
            _ = collectShapes(most: .max)
        }
        var body = FactBytes(capacity: batch.facts.count * 7 + 64)
        writeTables(&body)
        writeFacts(&body)
        // The words are known only now, and come first.
        output.byte(FactCodec.version)
        output.number(UInt64(wordList.count))
        for word in wordList { output.text(word) }
        return output.bytes + body.bytes
    }

    private mutating func collectShapes(most: Int) -> Bool {
        shapes.removeAll(keepingCapacity: true)
        shapeList.removeAll(keepingCapacity: true)
        var last: UInt64?
        for case .event(let event) in batch.facts {
            let key = key(event)
            guard key != last else { continue }
            last = key
            if shapes[key] == nil {
                if shapes.count == most { return false }
                shapes[key] = UInt64(shapeList.count)
                shapeList.append(event)
            }
        }
        return true
    }

    /// What makes the shape of an event, in one number.
    @inline(__always)
    private func key(_ event: Event) -> UInt64 {
        let callback = event.callback.map { UInt64($0) + 1 } ?? 0
        let proof = event.proof.flatMap { Self.proofs[$0] } ?? 0
        let hash: UInt64 = hashesApart ? 0 : UInt64(event.textHash)
        let kind: UInt64 = (event.isReturn ? 1 << 41 : 0) | (event.isNotification ? 1 << 40 : 0)
        return callback << 47 | proof << 42 | kind | UInt64(event.origin.id) << 16 | hash
    }

    private static let proofs: [Proof: UInt64] = Dictionary(uniqueKeysWithValues: zip(Proof.allCases, 1...))

    private mutating func word(_ text: String) -> UInt64 {
        if let number = words[text] { return number }
        let number = UInt64(wordList.count)
        words[text] = number
        wordList.append(text)
        return number
    }

    private mutating func writeTables(_ body: inout FactBytes) {
        body.byte(
            (batch.lastTime == nil ? 0 : FactCodec.Flag.hasLastTime) | (hashesApart ? FactCodec.Flag.hashesApart : 0))
        if let lastTime = batch.lastTime { body.signed(lastTime) }
        body.number(UInt64(batch.texts.count))
        for text in batch.texts { body.number(word(text)) }
        body.number(UInt64(batch.speakers.count))
        for speaker in batch.speakers { write(speaker, &body) }
        body.number(UInt64(shapeList.count))
        for event in shapeList {
            body.byte(
                (event.callback == nil ? 0 : FactCodec.Flag.isCallback)
                    | (event.isReturn ? FactCodec.Flag.isReturn : 0)
                    | (event.isNotification ? FactCodec.Flag.isNotification : 0)
                    | (event.proof == nil ? 0 : FactCodec.Flag.hasProof))
            if let callback = event.callback { body.number(word(names[Int(callback)])) }
            if let proof = event.proof { body.number(word(proof.rawValue)) }
            body.number(UInt64(event.origin.id))
            if !hashesApart { body.hash(event.textHash) }
        }
        body.number(UInt64(batch.facts.count))
    }

    private mutating func write(_ speaker: Speaker, _ body: inout FactBytes) {
        body.byte(
            (speaker.process == nil ? 0 : FactCodec.Flag.hasProcess)
                | (speaker.namesBundle ? FactCodec.Flag.namesBundle : 0)
                | (speaker.pid == nil ? 0 : FactCodec.Flag.hasPid)
                | (speaker.device == nil ? 0 : FactCodec.Flag.hasDevice)
                | (speaker.label == nil ? 0 : FactCodec.Flag.hasLabel))
        if let process = speaker.process { body.number(word(process)) }
        if let pid = speaker.pid { body.signed(Int64(pid)) }
        if let device = speaker.device { body.number(word(device)) }
        if let label = speaker.label { body.number(word(label)) }
    }

    /// The coarsest unit in which all times are whole.
    private func unit() -> Int {
        var unit = 0
        func fit(_ time: Int64?) {
            guard let time else { return }
            while time % FactCodec.units[unit] != 0 { unit += 1 }
        }
        for fact in batch.facts {
            switch fact {
            case .event(let event): fit(event.time)
            case .activity(let interval):
                fit(interval.from)
                fit(interval.until)
            }
            if unit == FactCodec.units.count - 1 { break }
        }
        return unit
    }

    private func writeFacts(_ body: inout FactBytes) {
        let unit = unit()
        body.byte(UInt8(unit))
        var place = FactPlace(unit: FactCodec.units[unit])
        for fact in batch.facts {
            switch fact {
            case .event(let event): write(event, &place, &body)
            case .activity(let interval): write(interval, &place, &body)
            }
        }
    }

    @inline(__always)
    private func write(_ event: Event, _ place: inout FactPlace, _ body: inout FactBytes) {
        begin(
            line: event.line, speaker: event.speaker,
            marks: (event.time == nil ? FactCodec.Mark.isUntimed : 0)
                | (event.message.isNone ? 0 : FactCodec.Mark.hasMessage), &place, &body)
        if let time = event.time { body.signed(place.distance(to: time)) }
        body.number(shapes[key(event)] ?? 0)
        if hashesApart { body.hash(event.textHash) }
        if !event.message.isNone { body.number(UInt64(event.message.id)) }
    }

    private func write(_ interval: ActivityInterval, _ place: inout FactPlace, _ body: inout FactBytes) {
        begin(
            line: interval.lastLine, speaker: interval.speaker,
            marks: FactCodec.Mark.activity | (interval.until == nil ? FactCodec.Mark.isUntimed : 0)
                | (interval.from == nil ? 0 : FactCodec.Mark.hasMessage), &place, &body)
        if let until = interval.until { body.signed(place.distance(to: until)) }
        if let from = interval.from { body.signed((place.time &- from) / place.unit) }
        body.signed(interval.lastLine &- interval.firstLine)
    }

    @inline(__always)
    private func begin(
        line: Int64, speaker: UInt32, marks: UInt8, _ place: inout FactPlace, _ body: inout FactBytes
    ) {
        let distance = line &- place.line
        let isNear = distance >= 0 && distance < Int64(FactCodec.Mark.farLine)
        let isNew = speaker != place.speaker
        let upper = isNear ? UInt8(truncatingIfNeeded: distance) : FactCodec.Mark.farLine
        body.byte(marks | (isNew ? FactCodec.Mark.hasNewSpeaker : 0) | upper << 4)
        if !isNear { body.signed(distance) }
        if isNew { body.number(UInt64(speaker)) }
        place.line = line
        place.speaker = speaker
    }
}

/// Where the fact before was, which the next one is described by.
private struct FactPlace {
    let unit: Int64
    var line: Int64 = 0
    var speaker: UInt32 = 0
    var time: Int64 = 0

    @inline(__always)
    mutating func distance(to next: Int64) -> Int64 {
        defer { time = next }
        return (next &- time) / unit
    }

    @inline(__always)
    mutating func moved(by distance: Int64) -> Int64 {
        time = time &+ distance &* unit
        return time
    }
}

private struct FactDecoder {
    /// What the facts of one shape have in common; `nil` in place of the event where the vocabulary lacks its callback.
    private typealias Shape = Event?

    private var input: FactScanner
    private let numbers: [String: UInt16]
    private var words: [String] = []
    private var batch = FactBatch()
    private var shapes: [Shape] = []
    private var hashesApart = false

    init(_ bytes: UnsafeBufferPointer<UInt8>, numbers: [String: UInt16]) {
        input = FactScanner(bytes)
        self.numbers = numbers
    }

    mutating func decode() throws -> FactBatch {
        guard try input.byte() == FactCodec.version else { throw FactScanner.damage }
        for _ in 0..<(try input.count()) { words.append(try input.text()) }
        let flags = try input.byte()
        hashesApart = flags & FactCodec.Flag.hashesApart != 0
        if flags & FactCodec.Flag.hasLastTime != 0 { batch.lastTime = try input.signed() }
        for _ in 0..<(try input.count()) { batch.texts.append(try word()) }
        for _ in 0..<(try input.count()) { batch.speakers.append(try speaker()) }
        for _ in 0..<(try input.count()) { shapes.append(try shape()) }
        try readFacts(count: input.count())
        guard input.isAtEnd else { throw FactScanner.damage }
        return batch
    }

    private mutating func word() throws -> String { words[try input.index(below: words.count)] }

    private mutating func speaker() throws -> Speaker {
        let flags = try input.byte()
        var speaker = Speaker(namesBundle: flags & FactCodec.Flag.namesBundle != 0)
        if flags & FactCodec.Flag.hasProcess != 0 { speaker.process = try word() }
        if flags & FactCodec.Flag.hasPid != 0 {
            guard let pid = Int32(exactly: try input.signed()) else { throw FactScanner.damage }
            speaker.pid = pid
        }
        if flags & FactCodec.Flag.hasDevice != 0 { speaker.device = try word() }
        if flags & FactCodec.Flag.hasLabel != 0 { speaker.label = try word() }
        return speaker
    }

    private mutating func shape() throws -> Shape {
        let flags = try input.byte()
        var event = Event(
            line: 0, isReturn: flags & FactCodec.Flag.isReturn != 0,
            isNotification: flags & FactCodec.Flag.isNotification != 0)
        var isKnown = true
        if flags & FactCodec.Flag.isCallback != 0 {
            event.callback = numbers[try word()]
            isKnown = event.callback != nil
        }
        if flags & FactCodec.Flag.hasProof != 0 {
            guard let proof = Proof(rawValue: try word()) else { throw FactScanner.damage }
            event.proof = proof
        }
        event.origin = Symbol(id: UInt32(try input.index(below: batch.texts.count + 1)))
        if !hashesApart { event.textHash = try input.hash() }
        return isKnown ? event : nil
    }

    private mutating func readFacts(count: Int) throws {
        let unit = Int(try input.byte())
        guard unit < FactCodec.units.count else { throw FactScanner.damage }
        var place = FactPlace(unit: FactCodec.units[unit])
        batch.facts.reserveCapacity(count)
        for _ in 0..<count {
            let marks = try input.byte()
            let distance = marks >> 4
            place.line &+= distance == FactCodec.Mark.farLine ? try input.signed() : Int64(distance)
            if marks & FactCodec.Mark.hasNewSpeaker != 0 {
                place.speaker = UInt32(try input.index(below: batch.speakers.count))
            }
            guard Int(place.speaker) < batch.speakers.count else { throw FactScanner.damage }
            if marks & FactCodec.Mark.activity != 0 {
                batch.facts.append(.activity(try activity(marks, &place)))
            } else if let event = try event(marks, &place) {
                batch.facts.append(.event(event))
            }
        }
    }

    @inline(__always)
    private mutating func event(_ marks: UInt8, _ place: inout FactPlace) throws -> Event? {
        let time = marks & FactCodec.Mark.isUntimed == 0 ? place.moved(by: try input.signed()) : nil
        let shape = shapes[try input.index(below: shapes.count)]
        let hash = hashesApart ? try input.hash() : shape?.textHash ?? 0
        let message =
            marks & FactCodec.Mark.hasMessage == 0 ? 0 : try input.index(below: batch.texts.count + 1)
        guard var event = shape else { return nil }
        event.line = place.line
        event.time = time
        event.speaker = place.speaker
        event.textHash = hash
        event.message = Symbol(id: UInt32(message))
        return event
    }

    private mutating func activity(_ marks: UInt8, _ place: inout FactPlace) throws -> ActivityInterval {
        let until = marks & FactCodec.Mark.isUntimed == 0 ? place.moved(by: try input.signed()) : nil
        let from =
            marks & FactCodec.Mark.hasMessage == 0 ? nil : place.time &- (try input.signed()) &* place.unit
        let length = try input.signed()
        return ActivityInterval(
            speaker: place.speaker, from: from, until: until, firstLine: place.line &- length, lastLine: place.line)
    }
}
