package import LifecycleModel
package import TraceRecords

/// Everything that recognition knows, compiled once and shared by the recognisers of all sources.
package final class Lexicon: Sendable {
    /// What a text means, and what it needs around it.
    struct Context: Sendable {
        var meaning: Needle.Meaning
        var subject = Subject.app
        /// Whether a prefix may be glued to the name.
        var takesPrefix = false
        /// Whether it says itself what it means: it is made of several words, or a user chose it. The words around it
        /// make it no prose.
        var speaksForItself = false
        /// Whether it counts only for a view controller.
        var needsController = false
        /// Whether the text begins or ends with a letter, so that no other letter may stand next to it.
        var opensWithLetter = true
        var closesWithLetter = true
        /// Where the callback's name begins in the text.
        var nameOffset = 0
        /// Whether it is only the beginning of a name.
        var isBeginning = false
    }

    let index: NeedleIndex
    let contexts: [Context]
    /// Names that are too short for the index.
    let shortNames: ShortNames
    /// A user's spellings that are too short for the index: each line is searched for them.
    private let shortAliases: [(text: [UInt8], context: Context)]
    /// Names that the beginning of a name does not stand for.
    let otherNames: OtherNames
    /// Rules by the needle that leads to them, rules that none leads to, and messages that are rules as they stand.
    let groups: [[DialectRule]]
    let shortRules: [DialectRule]
    let messages: WholeMessages
    let versions: VersionRules
    let units: TimeUnits
    /// Lines up to this length are looked at whatever stands in them; all lines, when there are rules without a needle or
    /// short aliases.
    private let briefLimit: Int
    /// The callbacks that are about a scene.
    private let sceneCallbacks: Set<UInt16>
    let prose: ProseRules
    let labels: LabelRules

    /// Compiles the spellings of a vocabulary.
    ///
    /// - Parameters:
    ///   - vocabulary: the callbacks of the models in use.
    ///   - aliases: a user's further spellings.
    /// - Throws: ``DialectError`` when a dialect file of this target is damaged; a test rules that out.
    package init(vocabulary: Vocabulary, aliases: AliasTable? = nil) throws(DialectError) {
        let labels = try LabelRules.builtIn()
        let typos = try Typos.builtIn()
        var builder = LexiconBuilder()
        sceneCallbacks = Set(vocabulary.entries.filter { $0.layer == "scene" }.map(\.index))
        for entry in vocabulary.entries {
            let callback = entry.callback
            for spelling in callback.spellings {
                builder.add(spelling, of: entry, labels)
                for slip in typos.slips(of: spelling) { builder.add(slip, isSlip: true, of: entry, labels) }
            }
            for alias in aliases?.spellings[callback.id] ?? [] { builder.add(alias, isAlias: true, of: entry, labels) }
            for text in callback.patterns.flatMap(VisText.spellings) {
                guard let pattern = TextPattern(message: text) else { continue }
                builder.add(DialectRule(outcome: .callback(entry.index), pattern: pattern))
            }
        }
        for entry in vocabulary.entries {
            for beginning in entry.callback.beginnings { builder.add(beginning: beginning, of: entry, labels) }
        }
        otherNames = OtherNames(vocabulary, aliases, typos)
        let dialects = try Dialects.builtIn()
        for rule in dialects.rules { builder.add(rule) }
        for text in DailyTotals.needles { builder.add(Array(text.utf8), .total) }
        units = try TimeUnits.builtIn()
        versions = try VersionRules.builtIn()
        for text in versions.needles { builder.add(text, .version) }
        self.labels = labels
        contexts = builder.contexts
        groups = builder.groups
        shortRules = builder.shortRules
        messages = WholeMessages(dialects.messages)
        shortAliases = builder.shortAliases
        briefLimit = builder.shortRules.isEmpty && builder.shortAliases.isEmpty ? messages.longest : .max
        index = NeedleIndex(builder.needles, avoiding: try CommonWindows.builtIn())
        shortNames = ShortNames(builder.shortNames)
        prose = try ProseRules.builtIn()
    }

    /// Whether an event is about a scene.
    package func isAboutScene(_ event: Event) -> Bool { event.callback.map(sceneCallbacks.contains) ?? false }

    /// The first place from `position` on at which the line `start..<end` may state something; `end` when it states
    /// nothing, as nearly every line of a log does.
    @inline(__always)
    func candidate(_ bytes: RawSpan, from position: Int, _ start: Int, _ end: Int) -> Int {
        index.nextWindow(bytes, from: position, limit: end)
    }

    /// Whether a line in which no needle stands may still state something.
    @inline(__always)
    func mayStateBriefly(_ bytes: RawSpan, _ start: Int, _ end: Int) -> Bool {
        end - start <= briefLimit || shortNames.mayStand(bytes, start, end)
    }

    /// A text of the lexicon in a line.
    struct Hit {
        var context: Context
        var nameStart: Int
        var nameEnd: Int
        /// Where to look for the next one.
        var next: Int
    }

    /// The first text that stands in the line `start..<end`; `candidate` is the first place where one may.
    @inline(__always)
    func hit(_ bytes: RawSpan, candidate: Int, _ start: Int, _ end: Int) -> Hit? {
        var position = candidate
        while position < end {
            let hit = index.hit(bytes, at: position, start: start, end: end) { hit in
                isBounded(bytes, hit, start, end)
            }
            if let hit {
                let context = contexts[hit.needle]
                let nameStart = hit.start + context.nameOffset
                let nameEnd =
                    context.isBeginning
                    ? otherNames.end(ofName: bytes, nameStart, beginning: hit.end, start, end) ?? hit.end : hit.end
                return Hit(
                    context: context, nameStart: nameStart, nameEnd: nameEnd,
                    next: position + NeedleIndex.stride)
            }
            position = index.nextWindow(bytes, from: position + NeedleIndex.stride, limit: end)
        }
        return shortHit(bytes, start, end)
    }

    /// The text that is too short for the index.
    @inline(never)
    private func shortHit(_ bytes: RawSpan, _ start: Int, _ end: Int) -> Hit? {
        guard shortNames.mayStand(bytes, start, end), let short = shortNames.hit(bytes, start, end) else { return nil }
        if short.context.isBeginning {
            guard let nameEnd = otherNames.end(ofName: bytes, short.start, beginning: short.end, start, end) else {
                return nil
            }
            return Hit(context: short.context, nameStart: short.start, nameEnd: nameEnd, next: end)
        }
        return Hit(context: short.context, nameStart: short.start, nameEnd: short.end, next: end)
    }

    /// The first of a user's short spellings that stands in the line `start..<end`.
    func aliasHit(_ bytes: RawSpan, _ start: Int, _ end: Int) -> Hit? {
        for (text, context) in shortAliases where end - start >= text.count {
            for position in start...end - text.count
            where bytes.equalsFolded(position, text.span.bytes, 0, count: text.count) {
                let last = position + text.count
                if context.closesWithLetter, last < end, ByteClass.isLetter(bytes.byte(last)) { continue }
                if context.opensWithLetter, position > start, ByteClass.isLetter(bytes.byte(position - 1)) { continue }
                return Hit(context: context, nameStart: position, nameEnd: last, next: end)
            }
        }
        return nil
    }

    /// Whether no letter stands next to a name, but for a glued prefix and the letters of an escape.
    @inline(__always)
    private func isBounded(_ bytes: RawSpan, _ hit: NeedleIndex.Hit, _ start: Int, _ end: Int) -> Bool {
        let context = contexts[hit.needle]
        if context.closesWithLetter, hit.end < end, ByteClass.isLetter(bytes.byte(hit.end)) { return false }
        if context.isBeginning,
            otherNames.end(ofName: bytes, hit.start + context.nameOffset, beginning: hit.end, start, end) == nil
        {
            return false
        }
        guard context.opensWithLetter, hit.start > start else { return true }
        let before = bytes.byte(hit.start - 1)
        if !ByteClass.isLetter(before) { return true }
        if context.takesPrefix, ByteClass.isLower(before), ByteClass.isUpper(bytes.byte(hit.start)) { return true }
        return Escapes.endsBefore(bytes, hit.start, start)
    }
}
