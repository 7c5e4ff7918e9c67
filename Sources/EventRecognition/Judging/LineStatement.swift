import TraceRecords

/// What a line states, and what else is in it.
struct LineStatement {
    enum Kind {
        case nothing
        case callback(UInt16, label: Label, isReturn: Bool, isNotification: Bool)
        case evidence(TriedRule, TextPattern.Finding)
    }

    var kind = Kind.nothing
    /// Whether there are keys of a MetricKit payload, or versions of a report, before a callback or beside evidence.
    var hasTotals = false
    var hasVersions = false
    /// Where the name of a callback that the platform does not have is, of which only the beginning is known.
    var name = 0..<0
    /// Whether the callback is of the app or of a scene, by what else its entry has.
    var dependsOnOrigin = false
}

/// What an entry has beside its message: its subsystem, with the category behind it, and the JSON record around it.
struct EntryOrigin {
    var subsystem = 0..<0
    var record = 0..<0

    init() {}
    init(_ entry: Entry) { (subsystem, record) = (entry.subsystem.indices, entry.record.indices) }
}

extension Lexicon {
    /// How far around a name sentences and labels are looked for, and how far around a text the rest of a rule. A line of
    /// megabytes is searched to its end, but no place of it makes the whole line be read once more.
    private static let nearby = 4_096
    private static let farthest = 16_384

    /// What the line `start..<end` states; `candidate` is the first place where a needle may be. A callback counts when no
    /// evidence begins before it, or words that it ends; of several rules of evidence the first in the order of their
    /// files counts, wherever their texts are.
    @inline(never)
    func statement(
        _ bytes: RawSpan, candidate: Int, _ start: Int, _ end: Int, of origin: EntryOrigin = EntryOrigin()
    ) -> LineStatement {
        var statement = LineStatement()
        let subsystem = origin.subsystem
        var cursor = Cursor(position: candidate)
        var rules = RuleSearch(start: start, end: end, farthest: Self.farthest)
        var evidence: Evidence?
        // The stacks in a report name callbacks that have not come then.
        let isReport = versions.isReport(bytes, subsystem: subsystem)
        while let hit = hit(bytes, &cursor, start, end) {
            switch hit.context.meaning {
            case .callback where isReport: continue
            case .callback(let callback):
                if let place = prose.endOfSpan(bytes, hit.nameEnd, end),
                    isCallback(bytes, cursor, at: place, start, end)
                {
                    return statement
                }
                if evidence.map({ $0.finding.start > hit.nameStart || explains($0, hit, bytes, start, end) }) ?? true,
                    let kind = kind(of: callback, hit, bytes, start, end, origin)
                {
                    statement.kind = kind
                    statement.dependsOnOrigin = hit.context.ofScene != nil
                    if hit.context.isBeginning { statement.name = hit.nameStart..<hit.nameEnd }
                    return statement
                }
            case .rules(let group):
                if let window = rules.window(for: group, at: hit.nameStart) {
                    evidence = self.evidence(groups[Int(group)], before: evidence, bytes, window, subsystem)
                }
            case .total: statement.hasTotals = true
            case .version: statement.hasVersions = true
            }
        }
        if let evidence {
            statement.kind = .evidence(evidence.rule, evidence.finding)
        } else {
            statement.kind = briefly(bytes, start, min(end, start + Self.farthest), origin)
        }
        return statement
    }

    /// Whether the next callback in a line begins at a place, with its class.
    private func isCallback(_ bytes: RawSpan, _ cursor: Cursor, at place: Int, _ start: Int, _ end: Int) -> Bool {
        var cursor = cursor
        while let hit = hit(bytes, &cursor, start, end) {
            guard case .callback = hit.context.meaning else { continue }
            return NameFrame(bytes, lineStart: start, nameStart: hit.nameStart).headEnd == place
        }
        return false
    }

    /// Whether a callback ends a line, after a colon or in brackets, that says in words which state it led to.
    private func explains(_ words: Evidence, _ hit: Hit, _ bytes: RawSpan, _ start: Int, _ end: Int) -> Bool {
        guard words.rule.rule.style == .spoken, words.finding.end < hit.nameStart,
            Scan.skip(bytes, hit.nameEnd, end, { !ByteClass.isLetter($0) }) == end
        else { return false }
        var place = NameFrame(bytes, lineStart: start, nameStart: hit.nameStart).headEnd
        if place < hit.nameStart, bytes.byte(place) == 0x28 { return true }
        while place > start, ByteClass.isBlank(bytes.byte(place - 1)) { place -= 1 }
        return place > start && bytes.byte(place - 1) == 0x3A
    }

    /// A rule that holds for a line, and what it found there.
    private typealias Evidence = (rule: TriedRule, finding: TextPattern.Finding)

    /// What a line states without a needle.
    private func briefly(
        _ bytes: RawSpan, _ start: Int, _ end: Int, _ origin: EntryOrigin
    ) -> LineStatement.Kind {
        if let hit = aliasHit(bytes, start, end), case .callback(let callback) = hit.context.meaning,
            let kind = kind(of: callback, hit, bytes, start, end, origin)
        {
            return kind
        }
        if let rule = messages.rule(bytes, start, end) {
            return .evidence(rule, TextPattern.Finding(start: start, end: end))
        }
        guard let found = evidence(shortRules, before: nil, bytes, start..<end, origin.subsystem) else {
            return .nothing
        }
        return .evidence(found.rule, found.finding)
    }

    /// The first of some rules that holds; `other` when none does that comes before it.
    private func evidence(
        _ rules: [TriedRule], before other: Evidence?, _ bytes: RawSpan, _ window: Range<Int>, _ subsystem: Range<Int>
    ) -> Evidence? {
        for one in rules {
            if let other, other.rule.rule.order < one.rule.order { break }
            guard let finding = one.rule.match(bytes, window.lowerBound, window.upperBound, subsystem: subsystem)
            else { continue }
            if one.rule.style == .spoken, isProse(one.rule, finding, bytes, window) { continue }
            return (one, finding)
        }
        return other
    }

    /// Whether a line that people write only speaks of a state.
    private func isProse(
        _ rule: DialectRule, _ finding: TextPattern.Finding, _ bytes: RawSpan, _ window: Range<Int>
    ) -> Bool {
        var isState = false
        if case .proof = rule.outcome { isState = true }
        if prose.goesOn(bytes, finding.end, window.upperBound, isState: isState) { return true }
        if isState, prose.isDenied(bytes, finding.end, window.upperBound) { return true }
        // Nothing but tags comes before such a text.
        if rule.pattern.bounds == .statement { return false }
        // Where anything has such words, a tag must not name another component.
        if rule.pattern.bounds == .alone { return !prose.isPlainTag(bytes, window.lowerBound, finding.start) }
        let frame = NameFrame(bytes, lineStart: window.lowerBound, nameStart: finding.start)
        return prose.headIsProse(bytes, frame, lineStart: window.lowerBound)
            || prose.prefixIsPast(bytes, finding.start, window)
    }

    /// The statement of a callback whose text is in a line; `nil` when the line only speaks of it.
    private func kind(
        of named: UInt16, _ hit: Hit, _ bytes: RawSpan, _ lineStart: Int, _ lineEnd: Int, _ origin: EntryOrigin
    ) -> LineStatement.Kind? {
        var callback = named
        let start = max(lineStart, hit.nameStart - Self.nearby)
        let end = min(lineEnd, hit.nameEnd + Self.nearby)
        let frame = NameFrame(bytes, lineStart: start, nameStart: hit.nameStart)
        var isReturn = false
        if !hit.context.speaksForItself {
            if prose.isForeign(bytes, start, end) || prose.isPast(bytes, frame, start..<end) { return nil }
            let isProse = prose.headIsProse(bytes, frame, lineStart: start) { [labels] word in
                labels.isController(bytes, word.lowerBound, word.upperBound)
            }
            if isProse { return nil }
            if prose.tailIsProse(bytes, hit.nameEnd, end) { return nil }
            isReturn = prose.isReturn(
                bytes, lineStart: start, headEnd: frame.headEnd, nameEnd: hit.nameEnd, lineEnd: end)
        }
        var label = Label()
        let name = hit.nameStart..<hit.nameEnd
        switch hit.context.subject {
        case .app:
            if let ofScene = hit.context.ofScene,
                labels.namesScene(bytes, start..<end, besides: name, of: origin)
            {
                (callback, label) = (ofScene, labels.scene(bytes, lineStart: start, lineEnd: end, besides: name))
            }
        case .scene: label = labels.scene(bytes, lineStart: start, lineEnd: end, besides: name)
        case .object, .view:
            label = labels.controller(
                bytes, frame, lineStart: start, lineEnd: end, nameEnd: hit.nameEnd,
                isView: hit.context.subject == .view)
            if hit.context.needsController, !isController(label, bytes, hit, start, end) { return nil }
            if hit.context.isPredicate, !isPredicate(of: label, bytes, hit, end) { return nil }
        }
        return .callback(callback, label: label, isReturn: isReturn, isNotification: hit.context.isNotification)
    }

    /// Whether such a line is of a view controller: by its label, or because it has nothing but the name.
    private func isController(_ label: Label, _ bytes: RawSpan, _ hit: Hit, _ start: Int, _ end: Int) -> Bool {
        if !label.name.isEmpty { return labels.isController(bytes, label.name.lowerBound, label.name.upperBound) }
        for position in start..<end where position < hit.nameStart || position >= hit.nameEnd {
            if ByteClass.isName(bytes.byte(position)) { return false }
        }
        return true
    }

    /// Whether a line says some words of the view controller or the view that it names: they follow its class or its address, and
    /// no word follows them.
    private func isPredicate(of label: Label, _ bytes: RawSpan, _ hit: Hit, _ end: Int) -> Bool {
        let owner = label.name
        let isController = labels.isController(bytes, owner.lowerBound, owner.upperBound)
        guard !owner.isEmpty, owner.upperBound <= hit.nameStart,
            hit.context.subject == .view ? !isController && labels.isView(bytes, owner) : isController
        else { return false }
        var place = owner.upperBound
        while place < hit.nameStart {
            if bytes.byte(place) == 0x30, bytes.byte(place + 1) == 0x78 {
                place = Scan.skip(bytes, place + 2, hit.nameStart, ByteClass.isName)
            } else if ByteClass.isName(bytes.byte(place)) {
                return false
            } else {
                place += 1
            }
        }
        return Scan.skip(bytes, hit.nameEnd, end) { !ByteClass.isName($0) } == end
    }
}

/// Where the rules of a group are tried in a line: once in each stretch, since other places there give the same.
private struct RuleSearch {
    private let start: Int
    private let end: Int
    private let farthest: Int
    private var window: Range<Int>
    private var tried: [UInt16] = []

    init(start: Int, end: Int, farthest: Int) {
        self.start = start
        self.end = end
        self.farthest = farthest
        window = start..<min(end, start + farthest)
    }

    /// The stretch to try a group in that a hit leads to; `nil` when it was tried there.
    mutating func window(for group: UInt16, at place: Int) -> Range<Int>? {
        if place + farthest / 4 > window.upperBound, window.upperBound < end {
            window = max(start, place - farthest / 4)..<min(end, place + farthest)
            tried.removeAll(keepingCapacity: true)
        }
        if tried.contains(group) { return nil }
        tried.append(group)
        return window
    }
}
