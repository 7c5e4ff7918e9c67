import LifecycleModel

/// Collects the texts that a ``Lexicon`` is compiled from.
struct LexiconBuilder {
    private(set) var needles: [Needle] = []
    private(set) var contexts: [Lexicon.Context] = []
    private(set) var shortNames: [(text: [UInt8], context: Lexicon.Context)] = []
    /// A user's spellings that are too short for the index.
    private(set) var shortAliases: [(text: [UInt8], context: Lexicon.Context)] = []
    /// Rules by the needle that leads to them.
    private(set) var groups: [[DialectRule]] = []
    /// Rules that no needle leads to, because their texts are too short.
    private(set) var shortRules: [DialectRule] = []
    private var known: Set<String> = []
    private var groupOf: [[UInt8]: Int] = [:]

    /// Adds a spelling of a callback. Of two callbacks with the same spelling the first one has it.
    mutating func add(
        _ spelling: String, isSlip: Bool = false, isAlias: Bool = false, of entry: Vocabulary.Entry,
        _ labels: LabelRules
    ) {
        let text = Array(spelling.utf8)
        guard let first = text.first, let last = text.last, known.insert(spelling.lowercased()).inserted else { return }
        var context = Lexicon.Context(meaning: .callback(entry.index), subject: Subject(layer: entry.layer))
        context.takesPrefix = labels.tellsReceiver(text)
        context.speaksForItself = isAlias || text.contains(0x20)
        context.needsController = entry.layer == "view" && labels.anyClass.contains(entry.callback.id)
        context.opensWithLetter = ByteClass.isLetter(first)
        context.closesWithLetter = ByteClass.isLetter(last)
        // What is no ASCII has a second spelling: as the system's log escapes it.
        let escaped = VisText.escaped(text)
        if escaped != text, !isSlip { addAsWritten(escaped, context) }
        if isAlias { return addAsWritten(text, context) }
        guard text.count < NeedleIndex.shortest else {
            append(text, context, isSlip: isSlip)
            return
        }
        shortNames.append((text, context))
        // Where a short name follows a controller's class, the end of the class makes it long enough.
        for mark in [".", " ", "] ", ": ", "] - ", " - "] {
            let glued = Array("controller\(mark)".utf8) + text
            context.opensWithLetter = false
            context.nameOffset = glued.count - text.count
            append(glued, context, isSlip: isSlip)
        }
    }

    /// Adds a text that stands for itself, however short it is.
    private mutating func addAsWritten(_ text: [UInt8], _ context: Lexicon.Context) {
        if text.count < NeedleIndex.shortest {
            shortAliases.append((text, context))
        } else {
            append(text, context, isSlip: false)
        }
    }

    /// Adds the beginning of names that stand for a callback when no other has them.
    mutating func add(beginning: String, of entry: Vocabulary.Entry, _ labels: LabelRules) {
        let text = Array(beginning.utf8)
        var context = Lexicon.Context(meaning: .callback(entry.index), subject: Subject(layer: entry.layer))
        context.takesPrefix = labels.tellsReceiver(text)
        context.isBeginning = true
        context.closesWithLetter = false
        guard text.count < NeedleIndex.shortest else { return append(text, context, isSlip: true) }
        shortNames.append((text, context))
        for mark in [".", "::", " ", "] ", ": ", "] - ", " - "] {
            let glued = Array("delegate\(mark)".utf8) + text
            context.opensWithLetter = false
            context.nameOffset = glued.count - text.count
            append(glued, context, isSlip: true)
        }
    }

    /// Adds a rule, which is tried where the longest of its unchanging texts stands.
    mutating func add(_ rule: DialectRule) {
        let needle = rule.pattern.needle
        guard needle.count >= NeedleIndex.shortest else {
            shortRules.append(rule)
            return
        }
        if let group = groupOf[needle] {
            groups[group].append(rule)
            return
        }
        groupOf[needle] = groups.count
        var context = Lexicon.Context(meaning: .rules(UInt16(groups.count)))
        context.takesPrefix = rule.isSpoken
        context.opensWithLetter = rule.isSpoken && ByteClass.isLetter(needle.first ?? 0)
        context.closesWithLetter = rule.isSpoken && ByteClass.isLetter(needle.last ?? 0)
        groups.append([rule])
        append(needle, context, isSlip: false)
    }

    /// Adds a text that leads to totals of a day, or to versions of a report.
    mutating func add(_ text: [UInt8], _ meaning: Needle.Meaning) {
        var context = Lexicon.Context(meaning: meaning)
        context.opensWithLetter = false
        context.closesWithLetter = false
        append(text, context, isSlip: false)
    }

    private mutating func append(_ text: [UInt8], _ context: Lexicon.Context, isSlip: Bool) {
        needles.append(Needle(text: text, meaning: context.meaning, isSlip: isSlip))
        contexts.append(context)
    }
}
