import TraceRecords

/// What lines state that were not seen lately.
extension Recognizer {
    /// What a line states.
    enum Statement {
        case callback(UInt16, instance: Symbol, saysEnd: Bool)
        case evidence(DialectRule, TextPattern.Finding)
    }

    /// What a line states; `nil` when it states nothing.
    @inline(never)
    mutating func statement(
        _ entry: Entry, _ bytes: RawSpan, candidate: Int, _ start: Int, _ end: Int, _ line: Int64, _ hash: UInt64
    ) -> Statement? {
        var hasReadVersions = false
        var candidate = candidate
        // Rules look at the whole line, so what one place of it did not make them match, no other does.
        var ruledOut: UInt16?
        while let hit = lexicon.hit(bytes, candidate: candidate, start, end) {
            switch hit.context.meaning {
            case .callback(let callback):
                if let statement = self.callback(callback, hit, bytes, start, end, hash) { return statement }
            case .rules(let group):
                guard group != ruledOut else { break }
                ruledOut = group
                for rule in lexicon.groups[Int(group)] {
                    guard let finding = rule.match(bytes, start, end) else { continue }
                    if !isProse(rule, bytes, hit, finding, start, end) { return .evidence(rule, finding) }
                    ruledOut = nil
                }
            case .total:
                if totals.read(bytes, start, end, line: line, process: process.name) { return nil }
            case .version:
                if !hasReadVersions { readVersions(entry, bytes, start, end) }
                hasReadVersions = true
            }
            if hit.next >= end { break }
            candidate = lexicon.candidate(bytes, from: hit.next, start, end)
        }
        if let hit = lexicon.aliasHit(bytes, start, end), case .callback(let callback) = hit.context.meaning,
            let statement = self.callback(callback, hit, bytes, start, end, hash)
        {
            return statement
        }
        if let rule = lexicon.messages.rule(bytes, start, end) { return .evidence(rule, TextPattern.Finding()) }
        for rule in lexicon.shortRules {
            if let finding = rule.match(bytes, start, end) { return .evidence(rule, finding) }
        }
        return nil
    }

    /// The statement of a callback whose text stands in a line; `nil` when the line only speaks of it.
    private mutating func callback(
        _ callback: UInt16, _ hit: Lexicon.Hit, _ bytes: RawSpan, _ start: Int, _ end: Int, _ hash: UInt64
    ) -> Statement? {
        guard let label = lexicon.accepts(bytes, hit, start, end) else { return nil }
        let instance = symbols.symbol(bytes, label)
        let saysEnd = lexicon.saysEnd(bytes, hit, start, end)
        if hash != 0 {
            let known = LineMemo.Statement(callback: callback, instance: instance, saysEnd: saysEnd)
            memo.remember(known, bytes, start, count: end - start, hash: hash)
        }
        return .callback(callback, instance: instance, saysEnd: saysEnd)
    }

    /// Whether a line that people write only speaks of a state.
    private func isProse(
        _ rule: DialectRule, _ bytes: RawSpan, _ hit: Lexicon.Hit, _ finding: TextPattern.Finding, _ start: Int,
        _ end: Int
    ) -> Bool {
        guard rule.isSpoken else { return false }
        let frame = NameFrame(bytes, lineStart: start, nameStart: hit.nameStart)
        if lexicon.prose.headIsProse(bytes, frame, lineStart: start) { return true }
        // A word that goes on as a sentence: `AppState active listeners`.
        return finding.end + 1 < end && ByteClass.isBlank(bytes.byte(finding.end))
            && ByteClass.isLetter(bytes.byte(finding.end + 1))
    }

    /// Adds the event that a line states.
    mutating func append(
        _ statement: Statement, _ entry: Entry, _ line: Int64, _ bytes: RawSpan, _ start: Int, _ end: Int,
        _ hash: UInt64, _ facts: inout [FactBatch.Fact]
    ) {
        var event = Event(
            time: entry.time, line: line, process: process.symbol, pid: Int32(exactly: pid), device: device.symbol)
        switch statement {
        case .callback(let callback, let instance, let saysEnd):
            event.callback = callback
            event.saysEnd = saysEnd
            event.instance = instance
        case .evidence(let rule, let finding):
            if !finding.label.isEmpty {
                event.instance = symbols.symbol(bytes, finding.label.lowerBound, finding.label.upperBound)
            }
            switch rule.outcome {
            case .callback(let callback): event.callback = callback
            case .proof(let proof, let origin):
                event.proof = proof
                event.origin = symbols.symbol(origin)
                takeSubject(finding, bytes, &event)
            }
        }
        if event.process == process.symbol, !event.namesBundle {
            life.end(process: process.symbol, pid: pid, into: &facts)
        } else {
            life.end(about: event.pid.map(Int64.init) ?? LifeTracker.noPid, into: &facts)
        }
        append(event, bytes, start, end, hash, &facts)
        tellVersions(behind: event, of: entry, bytes, &facts)
    }

    /// Names the process that evidence is about, where the line names one; a daemon writes about others.
    private mutating func takeSubject(_ finding: TextPattern.Finding, _ bytes: RawSpan, _ event: inout Event) {
        let subject = finding.bundle.isEmpty ? finding.name : finding.bundle
        guard !subject.isEmpty else { return }
        let name = ProcessName.start(bytes, subject.lowerBound, subject.upperBound)
        event.process = symbols.symbol(bytes, name, subject.upperBound)
        event.namesBundle = !finding.bundle.isEmpty
        event.pid = finding.pid
    }
}
