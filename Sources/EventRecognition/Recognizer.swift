package import TraceRecords

/// Finds the events in the entries of one source, and merges all other lines into activity intervals.
///
/// The result for a line depends on it and the lines before it, never on how the source was cut into batches.
package struct Recognizer {
    let lexicon: Lexicon
    private let keepsMessages: Bool
    let disguise: Disguise
    /// Who wrote the line at hand.
    private(set) var writer: LineWriter
    var facts = FactCollector()
    private let lent: LentMemo
    private let memo: LineMemo
    /// The serial of the batch that is being filled.
    private var batch: UInt64
    private var totals: DailyTotals
    var report: ReportVersions
    /// Two lines that were one, put together.
    private var joined: [UInt8] = []
    /// How many lines so far say that others are lost.
    private var losses: Int
    /// What the provisional entries of the last batch say.
    private var provisional = Provisional()

    private struct Provisional {
        var facts: [FactBatch] = []
        var totals: [DailyTotal]?
        var device: String?
        var assumption: String?
    }

    /// A recogniser for one source.
    ///
    /// - Parameters:
    ///   - lexicon: what is recognised; compile it once for all sources.
    ///   - keepsMessages: whether events carry the text of their line.
    ///   - disguise: what is shown in place of the words of the log; `nil` shows them.
    ///   - context: what an earlier recogniser of this source remembered where the reading goes on.
    package init(
        lexicon: Lexicon, keepsMessages: Bool = false, disguise: Disguise? = nil,
        context: RecognitionContext = RecognitionContext()
    ) {
        self.lexicon = lexicon
        lent = LentMemo(from: lexicon.memos)
        memo = lent.memo
        batch = memo.nextBatch()
        self.keepsMessages = keepsMessages
        self.disguise = disguise ?? .none
        totals = DailyTotals(lexicon.units, disguise ?? .none, pending: context.totals)
        report = context.report ?? ReportVersions()
        losses = context.losses ?? 0
        writer = LineWriter(disguise: disguise, context: context, &facts)
        facts.lastTime = context.lastTime
    }

    // MARK: - What was found

    /// Number of stable facts that wait.
    package var factCount: Int { facts.count }

    /// Takes the batches that are full. The facts of the last lines keep waiting.
    package mutating func takeFullBatches() -> [FactBatch] { facts.takeBatches() }

    /// Takes all stable facts so far. Open activity intervals end here.
    package mutating func takeFacts() -> [FactBatch] {
        closeBatch()
        return facts.takeBatches()
    }

    /// Takes the facts of the provisional entries of the last batch.
    package mutating func takeProvisionalFacts() -> [FactBatch] {
        defer { provisional.facts = [] }
        return provisional.facts
    }

    /// Takes the totals of days that are complete.
    package mutating func takeDailyTotals() -> [DailyTotal] { totals.takeFinished() }

    /// The totals that are complete only because the data ends. They come again where the reading goes on.
    package var remainingDailyTotals: [DailyTotal] { provisional.totals ?? totals.remaining(after: totals) }

    /// What is remembered of the stable entries so far, for a reading that goes on behind them.
    package var context: RecognitionContext {
        var context = RecognitionContext()
        writer.remember(in: &context)
        context.lastTime = facts.lastTime
        context.totals = totals.pending
        context.report = report.isActive ? report : nil
        context.losses = losses > 0 ? losses : nil
        return context
    }

    /// The first device that the lines of the source name; `nil` where none does.
    package var device: String? { writer.firstDevice ?? provisional.device }

    /// What had to be assumed or left out, in plain words.
    package var assumptions: [String] {
        let times = losses == 1 ? "once" : "\(losses) times"
        let lost = losses == 0 ? nil : "messages were dropped \(times): visits across that have no length"
        return [provisional.assumption ?? totals.assumption, lost].compactMap(\.self)
    }

    // MARK: - Entries

    /// Recognises the next entries of the source. Those after the stable position of the batch are provisional: the reader
    /// gives them again, completed, so what they say is forgotten with the next call.
    package mutating func recognize(_ batch: EntryBatch) {
        let bytes = batch.bytes.span.bytes
        let entries = batch.entries.span
        var stable = entries.count
        while stable > 0, entries[stable - 1].line > batch.position.counts.lines { stable -= 1 }
        provisional = Provisional()
        for index in 0..<stable { note(entries[index], bytes) }
        guard stable < entries.count else { return }
        var ahead = self
        ahead.closeBatch()
        _ = ahead.facts.takeBatches()
        for index in stable..<entries.count { ahead.note(entries[index], bytes) }
        provisional = Provisional(
            facts: ahead.takeFacts(), totals: ahead.totals.remaining(after: totals),
            device: ahead.writer.firstDevice, assumption: ahead.totals.assumption)
    }

    @inline(__always)
    private mutating func note(_ entry: Entry, _ bytes: RawSpan) {
        if facts.isNearlyFull { closeBatch() }
        if let time = entry.time, time > facts.lastTime ?? .min { facts.lastTime = time }
        if report.isActive, !entry.process.isEmpty { report.end(at: entry, bytes, lexicon.versions) }
        writer.take(entry, bytes, lexicon, &facts)
        if !entry.subsystem.isEmpty, entry.process.isEmpty, let version = lexicon.versions.system(entry, bytes) {
            add(
                .systemOfLog, disguise.version(version), to: Event(time: entry.time, line: entry.line),
                of: FactCollector.SpeakerKey())
        }
        if entry.followsLoss {
            add(.linesLost, "a number is skipped", to: Event(time: entry.time, line: entry.line), of: writer.key)
        }
        let start = Int(entry.message.offset)
        let end = start + Int(entry.message.length)
        if entry.lineCount == 1 {
            let candidate = lexicon.candidate(bytes, from: start, start, end)
            if candidate < end || lexicon.mayStateBriefly(bytes, start, end),
                recognizeLine(entry, entry.line, bytes, candidate: candidate, start, end)
            {
                return
            }
        } else if recognizeLines(entry, bytes, start, end) {
            return
        }
        facts.noteActivity(of: writer.key, entry)
    }

    /// Recognises every line of an entry; lines that are indented more than the first one belong to a dump.
    private mutating func recognizeLines(_ entry: Entry, _ bytes: RawSpan, _ start: Int, _ end: Int) -> Bool {
        var isEvent = false
        var line = entry.line
        var position = start
        var isAnnounced = false
        let margin = indentation(bytes, start)
        while position < end {
            if position > start {
                position = Scan.skip(bytes, position, min(end, position + margin), ByteClass.isBlank)
            }
            if facts.isNearlyFull { closeBatch() }
            let last = endOfLine(bytes, position, end)
            if let wrapped = recognizeWrapped(entry, line, bytes, position, last, end) {
                isEvent = true
                position = wrapped
                line += 2
                continue
            }
            if position == start || isAnnounced || last > position && !ByteClass.isBlank(bytes.byte(position)) {
                let candidate = lexicon.candidate(bytes, from: position, position, last)
                let isOwn = recognizeLine(entry, line, bytes, candidate: candidate, position, last)
                isEvent = isOwn || recognizeSplit(entry, line, bytes, position, last, end) || isEvent
            }
            isAnnounced = lexicon.prose.introduces(bytes, position, last)
            position = last + 1
            line += 1
        }
        return isEvent
    }

    /// Recognises evidence that begins on the line `start..<last` of a short entry and goes on in an indented one.
    private mutating func recognizeSplit(
        _ entry: Entry, _ line: Int64, _ bytes: RawSpan, _ start: Int, _ last: Int, _ end: Int
    ) -> Bool {
        guard entry.lineCount <= 4, last > start, last + 1 < end, ByteClass.isBlank(bytes.byte(last + 1)) else {
            return false
        }
        let text = Scan.skip(bytes, last + 1, end, ByteClass.isBlank)
        let nextEnd = endOfLine(bytes, text, end)
        guard last - start <= Self.longestWrapped, nextEnd - text <= Self.longestWrapped else { return false }
        let whole = Array((start..<last).map { bytes.byte($0) } + [0x20] + (text..<nextEnd).map { bytes.byte($0) })
        let joined = whole.span.bytes
        let candidate = lexicon.candidate(joined, from: 0, 0, whole.count)
        guard candidate < whole.count,
            case .evidence(let one, let finding) = lexicon.statement(joined, candidate: candidate, 0, whole.count).kind,
            one.rule.style == .fixed, finding.start < last - start, finding.end > last - start,
            !isAboutOthers(one.rule, finding)
        else { return false }
        var entry = entry
        entry.record = .none
        append(one.rule, finding, entry, line, 0, joined, 0, whole.count)
        return true
    }

    /// How many blanks are before a text that begins its line; 0 where something else is.
    private func indentation(_ bytes: RawSpan, _ start: Int) -> Int {
        var first = start
        while first > 0, ByteClass.isBlank(bytes.byte(first - 1)) { first -= 1 }
        return first == 0 || bytes.byte(first - 1) == 0x0A ? start - first : 0
    }

    private func endOfLine(_ bytes: RawSpan, _ start: Int, _ end: Int) -> Int {
        var last = start
        while last < end, bytes.byte(last) != 0x0A { last += 1 }
        return last
    }

    /// Ends the open intervals and begins a new batch.
    private mutating func closeBatch() {
        facts.closeBatch()
        writer.renumber(&facts)
        batch = memo.nextBatch()
    }

    // MARK: - Lines

    /// Recognises one line; `false` when it is not an event.
    private mutating func recognizeLine(
        _ entry: Entry, _ line: Int64, _ bytes: RawSpan, candidate: Int, _ start: Int, _ end: Int
    ) -> Bool {
        let count = end - start
        var hash: UInt64 = 0
        if candidate < end, count <= LineMemo.longest {
            hash = bytes.stableHash(start, count: count)
            if let known = memo.statement(bytes, start, count: count, hash: hash) {
                if known.callback != LineMemo.nothing {
                    append(known, entry, line, hash, bytes, start, end)
                    return true
                }
                // Some lines state something only together with their subsystem.
                if entry.subsystem.isEmpty { return noteNothing(line) }
            }
        }
        let statement = lexicon.statement(bytes, candidate: candidate, start, end, of: EntryOrigin(entry))
        if statement.hasVersions { report.read(entry, bytes, start, end, lexicon.versions, disguise) }
        let isPayload =
            statement.hasTotals && totals.read(bytes, start, end, line: line, process: writer.processName)
        switch statement.kind {
        case .callback(let callback, let label, let isReturn, let isNotification) where !isPayload:
            let known = LineMemo.Statement(
                callback: callback, label: label.moved(by: -start), isReturn: isReturn, isNotification: isNotification)
            let cause = lexicon.launchCause(of: callback, bytes, start, end)
            if hash != 0, cause == nil, statement.name.isEmpty, !statement.dependsOnOrigin {
                memo.remember(known, bytes, start, count: count, hash: hash)
            }
            append(known, entry, line, hash, bytes, start, end, name: statement.name)
            if let cause { add(.launchCause, cause, to: Event(time: entry.time, line: line), of: writer.key) }
            return true
        case .evidence(let one, let finding) where isAboutOthers(one.rule, finding): return noteNothing(line)
        case .evidence(let one, let finding) where !isPayload:
            append(one.rule, finding, entry, line, hash, bytes, start, end)
            return true
        default:
            if hash != 0, entry.subsystem.isEmpty, !statement.hasTotals, !statement.hasVersions {
                memo.remember(
                    LineMemo.Statement(callback: LineMemo.nothing), bytes, start, count: count, hash: hash)
            }
            return noteNothing(line)
        }
    }

    /// Whether a part of the system writes of a state or an end and not of which process: it is none of its own.
    private func isAboutOthers(_ rule: DialectRule, _ finding: TextPattern.Finding) -> Bool {
        guard writer.isDaemon, finding.bundle.isEmpty, finding.name.isEmpty else { return false }
        if case .callback = rule.outcome { return false }
        return rule.style != .chosen && !rule.isAboutUnknown
    }

    /// A line states nothing: it is not an event.
    private mutating func noteNothing(_ line: Int64) -> Bool {
        addVersions(report.takeLate(), line: line, time: report.endTime, of: writer.key)
        return false
    }

    /// Lines that are longer were not broken to fit somewhere.
    private static let longestWrapped = 512

    /// Recognises a name that a terminal or web page broke after the line `start..<last`. Returns where the line after
    /// it begins, or `nil` when there is no such name.
    private mutating func recognizeWrapped(
        _ entry: Entry, _ line: Int64, _ bytes: RawSpan, _ start: Int, _ last: Int, _ end: Int
    ) -> Int? {
        guard last > start, last - start <= Self.longestWrapped, last + 1 < end,
            ByteClass.isLetter(bytes.byte(last - 1)), ByteClass.isLetter(bytes.byte(last + 1))
        else { return nil }
        let nextEnd = endOfLine(bytes, last + 1, end)
        guard nextEnd - last <= Self.longestWrapped,
            !lexicon.versions.isReport(bytes, subsystem: entry.subsystem.indices)
        else { return nil }
        // Subsystem and record are not in the text that is joined.
        var entry = entry
        (entry.subsystem, entry.record) = (.none, .none)
        var text: [UInt8] = []
        swap(&text, &joined)
        defer { swap(&text, &joined) }
        text.removeAll(keepingCapacity: true)
        for position in start..<last { text.append(bytes.byte(position)) }
        for position in last + 1..<nextEnd { text.append(bytes.byte(position)) }
        let whole = text.span.bytes
        let candidate = lexicon.candidate(whole, from: 0, 0, text.count)
        guard lexicon.hasName(whole, around: last - start, candidate: candidate, text.count),
            recognizeLine(entry, line, whole, candidate: candidate, 0, text.count)
        else { return nil }
        return nextEnd + 1
    }

    // MARK: - Events

    /// Adds the event of a callback.
    @inline(__always)
    private mutating func append(
        _ statement: LineMemo.Statement, _ entry: Entry, _ line: Int64, _ hash: UInt64, _ bytes: RawSpan, _ start: Int,
        _ end: Int, name: Range<Int> = 0..<0
    ) {
        var speaker = writer.key
        speaker.label = statement.number
        if statement.batch != batch {
            speaker.label = number(of: statement.label.moved(by: start), bytes)
            if hash != 0 { memo.renumber(speaker.label, in: batch, hash: hash) }
        }
        let told = nameByRecord(&speaker, lexicon.subject(of: statement.callback), entry, bytes)
        facts.append(
            Event(
                time: entry.time, line: line, callback: statement.callback,
                origin: name.isEmpty
                    ? .none
                    : facts.symbol(bytes, name.lowerBound, min(name.upperBound, name.lowerBound + Self.longestName)),
                speaker: facts.speaker(speaker), isReturn: statement.isReturn,
                isNotification: statement.isNotification || Self.isPosted(bytes, entry.subsystem),
                textHash: textHash(hash, bytes, start, end, told),
                message: message(bytes, start, end)),
            by: writer.key)
        if !entry.record.isEmpty { addVersions(ofRecord: entry, line, bytes) }
    }

    /// Takes the label that a JSON record gives beside its message, and returns where it is.
    @inline(__always)
    private mutating func nameByRecord(
        _ speaker: inout FactCollector.SpeakerKey, _ subject: Lexicon.Subject, _ entry: Entry, _ bytes: RawSpan
    ) -> Label? {
        guard !entry.record.isEmpty,
            let label = lexicon.labels.label(
                of: subject, bytes, inRecord: entry.record.indices, isNamed: speaker.label != 0)
        else { return nil }
        speaker.label = number(of: label, bytes)
        return label
    }

    /// Adds the versions that the layout of a JSON record names: each of its events tells them.
    private mutating func addVersions(ofRecord entry: Entry, _ line: Int64, _ bytes: RawSpan) {
        let record = entry.record.indices
        guard record.count > 2, bytes.byte(record.lowerBound + 2) == 0x23 else { return }
        for (proof, key) in [(Proof.appVersion, RecordKey.appVersion), (.systemVersion, RecordKey.systemVersion)] {
            guard let value = RecordFields.value(bytes, record, of: [key]) else { continue }
            let text = String(decoding: value.map { bytes.byte($0) }, as: UTF8.self)
            add(proof, disguise.version(text), to: Event(time: entry.time, line: line), of: writer.key)
        }
    }

    /// Whether an entry's subsystem is the word with which LifecycleLog says that it observes notifications.
    @inline(__always)
    private static func isPosted(_ bytes: RawSpan, _ subsystem: ByteRange) -> Bool {
        Int(subsystem.length) == posted.count
            && bytes.equals(Int(subsystem.offset), posted.span.bytes, 0, count: posted.count)
    }

    private static let posted = Array("notification".utf8)

    /// Bytes that are kept of a callback's name that the platform does not have.
    private static let longestName = 120

    /// Adds the event that a rule found.
    private mutating func append(
        _ rule: DialectRule, _ finding: TextPattern.Finding, _ entry: Entry, _ line: Int64, _ hash: UInt64,
        _ bytes: RawSpan, _ start: Int, _ end: Int
    ) {
        var event = Event(
            time: entry.time, line: line, textHash: textHash(hash, bytes, start, end),
            message: message(bytes, start, end))
        var speaker = writer.key
        var meaning = ""
        switch rule.outcome {
        case .callback(let callback): event.callback = callback
        case .callbackNamed: return
        case .proof(let proof, let origin):
            (event.proof, event.isNotification) = (proof, rule.isChange)
            if proof == .linesLost { losses += 1 }
            event.origin = facts.symbol(origin)
        case .ending(let table, let origin):
            let ending = table.ending(finding, bytes)
            event.proof = ending?.proof
            event.origin = facts.symbol(ending.flatMap { $0.origin.isEmpty ? nil : $0.origin } ?? origin)
            meaning = ending?.meaning ?? ""
        }
        if rule.isAboutUnknown {
            (speaker.process, speaker.pid) = (0, ActivityTracker.noPid)
        } else if event.proof != nil {
            takeSubject(finding, bytes, &speaker)
        }
        let isOwn = speaker.process == writer.key.process && !speaker.namesBundle
        speaker.label = facts.name(bytes, finding.label.lowerBound, finding.label.upperBound)
        if rule.isAboutScene {
            speaker.label = number(of: lexicon.labels.scene(bytes, lineStart: start, lineEnd: end), bytes)
            let told = nameByRecord(&speaker, .scene, entry, bytes)
            event.textHash = textHash(hash, bytes, start, end, told)
        }
        event.speaker = facts.speaker(speaker)
        func append(_ event: Event) {
            if isOwn { facts.append(event, by: writer.key) } else { facts.append(event, about: speaker) }
        }
        if let state = rule.lastState {
            var before = event
            before.proof = state
            append(before)
        }
        append(event)
        let versions = event.proof.map { report.after($0, entry, bytes, lexicon.versions) } ?? []
        addVersions(versions, line: line, time: event.time, of: speaker)
        if let told = meaning.isEmpty ? rule.endMeaning : meaning {
            let printed = disguise.text(EndText.printed(bytes, finding.start, start, end, isKnown: !told.isEmpty))
            add(.endDetail, told.isEmpty ? printed : "\(told): \(printed)", to: event, of: speaker)
        }
        if let cause = rule.launchCause { add(.launchCause, cause, to: event, of: speaker) }
    }

    /// Adds a text that an event tells of its run.
    private mutating func add(
        _ detail: Proof, _ text: String, to event: Event, of speaker: FactCollector.SpeakerKey
    ) {
        var speaker = speaker
        speaker.label = 0
        facts.appendDetail(
            Event(
                time: event.time, line: event.line, proof: detail, origin: facts.symbol(text),
                speaker: facts.speaker(speaker)))
    }

    /// Names the process that evidence is about, where the line names one; a daemon writes about others.
    private mutating func takeSubject(
        _ finding: TextPattern.Finding, _ bytes: RawSpan, _ speaker: inout FactCollector.SpeakerKey
    ) {
        let subject = finding.bundle.isEmpty ? finding.name : finding.bundle
        guard !subject.isEmpty else { return }
        let name = ProcessName.start(bytes, subject.lowerBound, subject.upperBound)
        speaker.process = facts.name(bytes, name, subject.upperBound)
        speaker.namesBundle = !finding.bundle.isEmpty
        speaker.pid = finding.pid.map(Int64.init) ?? ActivityTracker.noPid
    }

    /// Adds the versions that a report gives for a process.
    private mutating func addVersions(
        _ findings: [VersionRules.Finding], line: Int64, time: Int64?, of speaker: FactCollector.SpeakerKey
    ) {
        for finding in findings {
            add(finding.proof, finding.version, to: Event(time: time, line: line), of: speaker)
        }
    }

    @inline(__always)
    private func textHash(
        _ hash: UInt64, _ bytes: RawSpan, _ start: Int, _ end: Int, _ told: Label? = nil
    ) -> UInt16 {
        var whole = hash != 0 ? hash : bytes.stableHash(start, count: end - start)
        if let told { whole = bytes.stableHash(told.name.lowerBound, count: told.name.count, seed: whole) }
        return UInt16(truncatingIfNeeded: whole ^ whole >> 16 ^ whole >> 32 ^ whole >> 48)
    }

    @inline(__always)
    private mutating func message(_ bytes: RawSpan, _ start: Int, _ end: Int) -> Symbol {
        keepsMessages ? facts.symbol(bytes, start, end) : .none
    }

    /// The number of a label: its name, and its address after a blank.
    private mutating func number(of label: Label, _ bytes: RawSpan) -> UInt32 {
        if label.address.isEmpty { return facts.name(bytes, label.name.lowerBound, label.name.upperBound) }
        var text: [UInt8] = []
        for position in label.name { text.append(bytes.byte(position)) }
        if !text.isEmpty { text.append(0x20) }
        for position in label.address { text.append(bytes.byte(position)) }
        return facts.name(text.span.bytes, 0, text.count)
    }
}
