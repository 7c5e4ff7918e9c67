package import LifecycleModel

/// Everything that recognition knows, compiled once and shared by the recognisers of all sources.
package struct Lexicon: Sendable {
    /// What a text means, and what it needs around it.
    struct Context: Sendable {
        var meaning: Needle.Meaning
        var subject = Subject.app
        /// Whether a prefix may be glued to the name.
        var takesPrefix = false
        /// Whether it is made of several words, so that the words around it say nothing.
        var isPhrase = false
        /// Whether it counts only for a view controller.
        var needsController = false
        /// Whether the text begins or ends with a letter, so that no other letter may stand next to it.
        var opensWithLetter = true
        var closesWithLetter = true
        /// Where the callback's name begins in the text.
        var nameOffset = 0
    }

    let index: NeedleIndex
    let contexts: [Context]
    /// Names that are too short for the index.
    let shortNames: ShortNames
    let prose: ProseRules
    let labels: LabelRules

    /// Compiles the spellings of a vocabulary.
    ///
    /// - Parameters:
    ///   - vocabulary: the callbacks of the models in use.
    ///   - aliases: a user's further spellings, by callback id.
    /// - Throws: ``DialectError`` when a dialect file of this target is damaged; a test rules that out.
    package init(vocabulary: Vocabulary, aliases: [String: [String]] = [:]) throws(DialectError) {
        let labels = try LabelRules.builtIn()
        let typos = try Typos.builtIn()
        var builder = LexiconBuilder()
        for entry in vocabulary.entries {
            let callback = entry.callback
            for spelling in callback.spellings {
                for variant in typos.variants(of: spelling) { builder.add(variant, of: entry, labels) }
            }
            for alias in aliases[callback.id] ?? [] { builder.add(alias, of: entry, labels) }
        }
        self.labels = labels
        contexts = builder.contexts
        index = NeedleIndex(builder.needles)
        shortNames = ShortNames(builder.shortNames)
        prose = try ProseRules.builtIn()
    }

    /// The first callback that the line `start..<end` states.
    @inline(__always)
    func match(_ bytes: RawSpan, _ start: Int, _ end: Int) -> Match? {
        var position = index.nextWindow(bytes, from: start, limit: end)
        while position < end {
            let hit = index.hit(bytes, at: position, start: start, end: end) { hit in
                isBounded(bytes, hit, start, end)
            }
            if let hit {
                let context = contexts[hit.needle]
                if let match = accepted(bytes, hit.start + context.nameOffset, hit.end, context, start, end) {
                    return match
                }
            }
            position = index.nextWindow(bytes, from: position + NeedleIndex.stride, limit: end)
        }
        guard let short = shortNames.hit(bytes, start, end) else { return nil }
        return accepted(bytes, short.start, short.end, short.context, start, end)
    }

    /// What a line states, and where.
    struct Match {
        var context: Context
        var nameStart: Int
        var nameEnd: Int
        var frame: NameFrame
    }

    @inline(__always)
    private func accepted(
        _ bytes: RawSpan, _ nameStart: Int, _ nameEnd: Int, _ context: Context, _ start: Int, _ end: Int
    ) -> Match? {
        let frame = NameFrame(bytes, lineStart: start, nameStart: nameStart)
        if !context.isPhrase, prose.isProse(bytes, frame, lineStart: start, lineEnd: end, nameEnd: nameEnd) {
            return nil
        }
        return Match(context: context, nameStart: nameStart, nameEnd: nameEnd, frame: frame)
    }

    /// Whether no letter stands next to a name, but for a glued prefix and the letters of an escape.
    @inline(__always)
    private func isBounded(_ bytes: RawSpan, _ hit: NeedleIndex.Hit, _ start: Int, _ end: Int) -> Bool {
        let context = contexts[hit.needle]
        if context.closesWithLetter, hit.end < end, ByteClass.isLetter(bytes.byte(hit.end)) { return false }
        guard context.opensWithLetter, hit.start > start else { return true }
        let before = bytes.byte(hit.start - 1)
        if !ByteClass.isLetter(before) { return true }
        if context.takesPrefix, ByteClass.isLower(before), ByteClass.isUpper(bytes.byte(hit.start)) { return true }
        return Escapes.endsBefore(bytes, hit.start, start)
    }
}
