package import DataFiles
package import LifecycleModel
package import TraceRecords

/// Everything that recognition knows, compiled once and shared by the recognisers of all sources.
package final class Lexicon: Sendable {
    /// What a text means, and what it needs around it.
    struct Context: Sendable {
        var meaning: Needle.Meaning
        var subject = Subject.app
        /// The callback of scenes that has the same name, where the line names a scene (`[Scene 1F2E] didBecomeActive`).
        var ofScene: UInt16?
        /// Whether a prefix may be glued to the name.
        var takesPrefix = false
        /// Whether a word of an app's own may be glued to the name (`handleDidBecomeActive`).
        var takesOwnPrefix = false
        /// Whether words around it never make it prose: it consists of several words, or a user chose it.
        var speaksForItself = false
        /// Whether it counts only for a view controller.
        var needsController = false
        /// Whether it counts only directly behind the class or the address of a controller or a view (`did appear`).
        var isPredicate = false
        /// Whether it is the name of a notification.
        var isNotification = false
        /// Whether the text begins or ends with a letter, so that no other letter may stand next to it.
        var opensWithLetter = true
        var closesWithLetter = true
        /// Where the callback's name begins in the text.
        var nameOffset = 0
        /// Whether it is only the beginning of a name.
        var isBeginning = false
    }

    /// What a callback is about, which decides where a line's label for it is looked for.
    enum Subject: Sendable {
        /// The app: there is one in a process, and no label.
        case app
        /// A scene: a session's identifier or an object's address.
        case scene
        /// A view controller, or what a user's model is about: a class, a marker, an address.
        case object
        /// A view of SwiftUI: likewise.
        case view

        init(layer: String) {
            switch layer {
            case "app", "process": self = .app
            case "scene": self = .scene
            case "swiftui-view": self = .view
            default: self = .object
            }
        }
    }

    private let index: NeedleIndex
    private let contexts: [Context]
    /// Names that are too short for the index.
    private let shortNames: ShortNames
    /// A user's spellings that are too short for the index: each line is searched for them.
    private let shortAliases: [(text: [UInt8], context: Context)]
    /// Names that the beginning of a name does not stand for.
    private let otherNames: OtherNames
    /// Rules by the needle that leads to them, rules that none leads to, and messages that are rules as they are.
    let groups: [[TriedRule]]
    let shortRules: [TriedRule]
    let messages: WholeMessages
    let versions: VersionRules
    let units: TimeUnits
    /// Lines up to this length are always looked at; all lines when there are rules without a needle or short aliases.
    private let briefLimit: Int
    /// The rules that say why the system launched a process, and the callbacks beside which they may stand.
    private let causes: [DialectRule]
    private let launches: Set<UInt16>
    /// What each callback is about.
    private let subjects: [Subject]
    let prose: ProseRules
    let labels: LabelRules
    let memos = MemoShelf()

    /// Compiles the spellings of a vocabulary.
    ///
    /// - Parameters:
    ///   - vocabulary: the callbacks of the models in use.
    ///   - aliases: a user's further spellings and evidence.
    /// - Throws: ``DataFileError`` when a dialect file of this target is damaged; a test rules that out.
    package init(vocabulary: Vocabulary, aliases: AliasTable? = nil) throws(DataFileError) {
        let known = try BuiltInDialects.read()
        labels = known.labels
        prose = known.prose
        units = known.units
        versions = known.versions
        subjects = vocabulary.entries.map { Subject(layer: $0.layer) }
        launches = Set(vocabulary.entries.filter { $0.callback.beginsRun }.map(\.index))
        causes = known.evidence.flatMap(\.rules).filter { $0.launchCause != nil && $0.style == .fixed }
        let builder = Self.builder(known, vocabulary, aliases)
        otherNames = OtherNames(vocabulary, aliases, known.typos)
        contexts = builder.contexts
        groups = builder.groups.map { $0.map(TriedRule.init) }
        shortRules = builder.shortRules.map(TriedRule.init)
        messages = WholeMessages(known.evidence.flatMap(\.messages))
        shortAliases = builder.shortAliases
        briefLimit = builder.shortRules.isEmpty && builder.shortAliases.isEmpty ? messages.longest : .max
        let choice =
            WindowChoice(compiled: PackageResources.windows_bin, for: builder.needles)
            ?? WindowChoice(builder.needles, avoiding: known.commonWindows)
        index = NeedleIndex(builder.needles, choice)
        shortNames = ShortNames(builder.shortNames)
    }

    /// Collects the spellings of a vocabulary and the rules of all dialects.
    static func builder(_ known: BuiltInDialects, _ vocabulary: Vocabulary, _ aliases: AliasTable?) -> LexiconBuilder {
        var builder = LexiconBuilder(labels: known.labels, vocabulary: vocabulary)
        for entry in vocabulary.entries {
            let callback = entry.callback
            for spelling in callback.spellings {
                builder.add(spelling, of: entry)
                for slip in known.typos.slips(of: spelling) { builder.add(slip, isSlip: true, of: entry) }
            }
            for alias in aliases?.spellings[callback.id] ?? [] { builder.add(alias, isAlias: true, of: entry) }
            for text in callback.patterns.flatMap(VisText.spellings) {
                guard let pattern = TextPattern(message: text) else { continue }
                builder.add(DialectRule(outcome: .callback(entry.index), pattern: pattern))
            }
        }
        for entry in vocabulary.entries {
            for beginning in entry.callback.beginnings { builder.add(beginning: beginning, of: entry) }
        }
        // What a user has chosen comes before what is built in.
        builder.add(EvidenceDialect(aliases?.evidence ?? []), vocabulary)
        for dialect in known.evidence { builder.add(dialect, vocabulary) }
        for text in DailyTotals.needles { builder.add(Array(text.utf8), .total) }
        for text in known.versions.needles { builder.add(text, .version) }
        return builder
    }

    /// Whether an event is about a scene.
    package func isAboutScene(_ event: Event) -> Bool { event.callback.map { subject(of: $0) == .scene } ?? false }

    /// What a callback is about.
    func subject(of callback: UInt16) -> Subject { subjects[Int(callback)] }

    /// Why the system launched the process, where a line of a launch callback prints its options.
    func launchCause(of callback: UInt16, _ bytes: RawSpan, _ start: Int, _ end: Int) -> String? {
        guard launches.contains(callback) else { return nil }
        return causes.first { $0.match(bytes, start, end, subsystem: 0..<0) != nil }?.launchCause
    }

    /// The first place from `position` on at which the line `start..<end` may state something; `end` when it states
    /// nothing, as nearly every line of a log does.
    @inline(__always)
    func candidate(_ bytes: RawSpan, from position: Int, _ start: Int, _ end: Int) -> Int {
        index.nextWindow(bytes, from: position, limit: end)
    }

    /// Whether a line in which no needle is may still state something.
    @inline(__always)
    func mayStateBriefly(_ bytes: RawSpan, _ start: Int, _ end: Int) -> Bool {
        end - start <= briefLimit || shortNames.mayStand(bytes, start, end)
    }

    // MARK: - Texts in a line

    /// A text of the lexicon in a line.
    struct Hit {
        var context: Context
        var nameStart: Int
        var nameEnd: Int
    }

    /// Where to look for the next text of a line.
    struct Cursor {
        /// A place of the line that a needle may be at, and the first of the needles to compare there.
        var position: Int
        var place = 0
        var isAtEnd = false
    }

    /// The next text in the line `start..<end`; a cursor begins at the first place where one may be.
    @inline(__always)
    func hit(_ bytes: RawSpan, _ cursor: inout Cursor, _ start: Int, _ end: Int) -> Hit? {
        while cursor.position < end {
            let hit = index.hit(bytes, at: cursor.position, from: cursor.place, start: start, end: end) { hit in
                isBounded(bytes, hit, start, end)
            }
            if let hit {
                cursor.place = hit.place + 1
                let context = contexts[hit.needle]
                let nameStart = hit.start + context.nameOffset
                let nameEnd =
                    context.isBeginning
                    ? otherNames.end(ofName: bytes, nameStart, beginning: hit.end, start, end) ?? hit.end : hit.end
                return Hit(context: context, nameStart: nameStart, nameEnd: nameEnd)
            }
            cursor.position = index.nextWindow(bytes, from: cursor.position + NeedleIndex.stride, limit: end)
            cursor.place = 0
        }
        guard !cursor.isAtEnd else { return nil }
        cursor.isAtEnd = true
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
            return Hit(context: short.context, nameStart: short.start, nameEnd: nameEnd)
        }
        return Hit(context: short.context, nameStart: short.start, nameEnd: short.end)
    }

    /// The first of a user's short spellings in the line `start..<end`.
    func aliasHit(_ bytes: RawSpan, _ start: Int, _ end: Int) -> Hit? {
        for (text, context) in shortAliases where end - start >= text.count {
            for position in start...end - text.count
            where bytes.equalsFolded(position, text.span.bytes, 0, count: text.count) {
                let last = position + text.count
                if context.closesWithLetter, last < end, ByteClass.isLetter(bytes.byte(last)) { continue }
                if context.opensWithLetter, position > start, ByteClass.isLetter(bytes.byte(position - 1)) { continue }
                return Hit(context: context, nameStart: position, nameEnd: last)
            }
        }
        return nil
    }

    /// Whether a whole name lies across a place of the line that ends at `end`.
    func hasName(_ bytes: RawSpan, around place: Int, candidate: Int, _ end: Int) -> Bool {
        var cursor = Cursor(position: candidate)
        while cursor.position < end, let hit = hit(bytes, &cursor, 0, end) {
            if hit.nameStart < place, hit.nameEnd > place, !hit.context.isBeginning { return true }
        }
        return false
    }

    /// Whether no letter is next to a name, but for a glued prefix and the letters of an escape.
    @inline(__always)
    private func isBounded(_ bytes: RawSpan, _ hit: NeedleIndex.Hit, _ start: Int, _ end: Int) -> Bool {
        let context = contexts[hit.needle]
        if context.closesWithLetter, hit.end < end, ByteClass.isLetter(bytes.byte(hit.end)) { return false }
        if context.isBeginning,
            otherNames.end(ofName: bytes, hit.start + context.nameOffset, beginning: hit.end, start, end) == nil
        {
            return false
        }
        guard context.opensWithLetter else { return true }
        return Boundary.opens(bytes, hit.start, start, takesPrefix: context.takesPrefix)
            || context.takesOwnPrefix && labels.isOwnPrefix(bytes, before: hit.start, start)
    }
}

/// Whether a word begins at a place in a line.
enum Boundary {
    /// Whether no letter is before a word, but for a glued prefix (`nextAppState`) and the letters of an escape.
    @inline(__always)
    static func opens(_ bytes: RawSpan, _ position: Int, _ start: Int, takesPrefix: Bool) -> Bool {
        guard position > start else { return true }
        let before = bytes.byte(position - 1)
        if !ByteClass.isLetter(before) { return true }
        if takesPrefix, ByteClass.isLower(before), ByteClass.isUpper(bytes.byte(position)) { return true }
        return escapeEnds(bytes, position, start)
    }

    /// Whether an escape of a terminal (`ESC [ 32 m`) or of vis(3) (`\M-f`, `\M^V`, `\^[`) ends at `position`: its last
    /// letter would hide the beginning of a name.
    private static func escapeEnds(_ bytes: RawSpan, _ position: Int, _ start: Int) -> Bool {
        let count = position - start
        guard count >= 2 else { return false }
        if count >= 3, bytes.byte(position - 3) == 0x5C, bytes.byte(position - 2) == 0x5E { return true }
        if count >= 4, bytes.byte(position - 4) == 0x5C, bytes.byte(position - 3) == 0x4D { return true }
        guard bytes.byte(position - 1) == 0x6D else { return false }
        var digit = position - 1
        while digit > start, ByteClass.isDigit(bytes.byte(digit - 1)) || bytes.byte(digit - 1) == 0x3B { digit -= 1 }
        return digit > start && bytes.byte(digit - 1) == 0x5B
    }
}

/// Callback names that are too short for ``NeedleIndex``. They are looked for where a line names a method: after the
/// class in brackets, at the beginning, and at the end.
struct ShortNames: Sendable {
    /// The place of a short name, and what it needs.
    struct Hit {
        var context: Lexicon.Context
        var start: Int
        var end: Int
    }

    private static let fold: UInt32 = 0x2020_2020
    /// Names of fewer bytes are words of every language.
    static let shortest = 4

    private var names: [(text: [UInt8], context: Lexicon.Context)] = []
    /// The first and the last four bytes of the names, in lower case.
    private var heads: [UInt32] = []
    private var tails: [UInt32] = []
    /// The bytes by which the names begin and end: one bit for the lower five bits of each.
    private var begins: UInt32 = 0
    private var ends: UInt32 = 0

    init(_ names: [(text: [UInt8], context: Lexicon.Context)]) {
        for name in names where name.text.count >= Self.shortest {
            let bytes = name.text.span.bytes
            heads.append(bytes.word32(0) | Self.fold)
            begins |= 1 << UInt32(bytes.byte(0) & 0x1F)
            self.names.append(name)
            // Nothing ends in the beginning of a name.
            if name.context.isBeginning { continue }
            tails.append(bytes.word32(bytes.byteCount - 4) | Self.fold)
            ends |= 1 << UInt32(bytes.byte(bytes.byteCount - 1) & 0x1F)
        }
    }

    /// Whether a short name may stand in a line: a cheap look at its first and last bytes, which most lines fail.
    @inline(__always)
    func mayStand(_ bytes: RawSpan, _ start: Int, _ end: Int) -> Bool {
        guard end - start >= Self.shortest else { return false }
        let first = bytes.byte(start)
        if begins >> UInt32(first & 0x1F) & 1 != 0, heads.contains(bytes.word32(start) | Self.fold) { return true }
        // Behind a number or a mark a method in brackets may stand.
        if first == 0x2D || first == 0x2B || ByteClass.isDigit(first) || first >= 0x80 { return true }
        let closing = bytes.byte(end - 1)
        if ByteClass.isLetter(closing), ends >> UInt32(closing & 0x1F) & 1 == 0 { return false }
        return mayClose(bytes, start, end)
    }

    /// Whether a line may end in a short name.
    @inline(never)
    private func mayClose(_ bytes: RawSpan, _ start: Int, _ end: Int) -> Bool {
        let last = closing(bytes, start, end)
        if last >= start + 4, ends >> UInt32(bytes.byte(last - 1) & 0x1F) & 1 != 0,
            tails.contains(bytes.word32(last - 4) | Self.fold)
        {
            return true
        }
        return last > start && bytes.byte(last - 1) >= 0x80
    }

    /// The short name in a line, if it stands where a method's name stands.
    func hit(_ bytes: RawSpan, _ start: Int, _ end: Int) -> Hit? {
        // An emoji may open the line.
        var opening = start
        if bytes.byte(start) >= 0x80 {
            opening = Scan.skip(bytes, start, min(end, start + 16)) { !ByteClass.isLetter($0) }
        }
        if let hit = name(bytes, at: opening, end) ?? afterClass(bytes, start, end) { return hit }
        let last = closing(bytes, start, end)
        if let hit = name(bytes, endingAt: last, start) { return hit }
        // An emoji may close the line.
        var letter = last
        while letter > max(start, last - 16), !ByteClass.isLetter(bytes.byte(letter - 1)) { letter -= 1 }
        return letter < last ? name(bytes, endingAt: letter, start) : nil
    }

    /// Where the text of a line ends, before a few marks and brackets.
    @inline(__always)
    private func closing(_ bytes: RawSpan, _ start: Int, _ end: Int) -> Int {
        var last = end
        while last > max(start, end - 4), !ByteClass.isLetter(bytes.byte(last - 1)), bytes.byte(last - 1) < 0x80 {
            last -= 1
        }
        return last
    }

    /// `-[Class name`: the bracket stands near the beginning.
    private func afterClass(_ bytes: RawSpan, _ start: Int, _ end: Int) -> Hit? {
        var position = start
        let limit = min(end, start + 24)
        while position < limit, bytes.byte(position) != 0x5B { position += 1 }
        guard position < limit, position > start else { return nil }
        let mark = bytes.byte(position - 1)
        guard mark == 0x2D || mark == 0x2B else { return nil }
        let blankLimit = min(end, position + 128)
        while position < blankLimit, bytes.byte(position) != 0x20 { position += 1 }
        return position + 1 < blankLimit ? name(bytes, at: position + 1, end) : nil
    }

    private func name(_ bytes: RawSpan, at start: Int, _ end: Int) -> Hit? {
        for name in names where start + name.text.count <= end {
            let last = start + name.text.count
            if last < end, name.context.closesWithLetter, ByteClass.isLetter(bytes.byte(last)) { continue }
            if bytes.equalsFolded(start, name.text.span.bytes, 0, count: name.text.count) {
                return Hit(context: name.context, start: start, end: last)
            }
        }
        return nil
    }

    private func name(_ bytes: RawSpan, endingAt end: Int, _ start: Int) -> Hit? {
        for name in names where end - name.text.count >= start && !name.context.isBeginning {
            let first = end - name.text.count
            if first > start, name.context.opensWithLetter, ByteClass.isLetter(bytes.byte(first - 1)) { continue }
            if bytes.equalsFolded(first, name.text.span.bytes, 0, count: name.text.count) {
                return Hit(context: name.context, start: first, end: end)
            }
        }
        return nil
    }
}
