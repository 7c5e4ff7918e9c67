import LifecycleModel

/// A text that gives a line its meaning when it is in it, in any case of letters.
struct Needle: Sendable {
    /// What the text means.
    enum Meaning: Sendable {
        /// A callback, by its index in the vocabulary.
        case callback(UInt16)
        /// Some rule of a group, by its index among all groups: their texts share the needle.
        case rules(UInt16)
        /// A total of a day, or the day that totals are of.
        case total
        /// A version in a report.
        case version
    }

    /// UTF-8.
    var text: [UInt8]
    /// Whether it is a slip of the pen, which is compared after the proper spellings.
    var isSlip = false
}

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
    private var ruleCount = 0
    private let labels: LabelRules
    private let vocabulary: Vocabulary
    private var known: Set<[UInt8]> = []
    private var groupOf: [[UInt8]: Int] = [:]

    init(labels: LabelRules, vocabulary: Vocabulary) { (self.labels, self.vocabulary) = (labels, vocabulary) }

    /// Adds a spelling of a callback. Of two callbacks with the same spelling the first one has it.
    mutating func add(_ spelling: String, isSlip: Bool = false, isAlias: Bool = false, of entry: Vocabulary.Entry) {
        let text = Array(spelling.utf8)
        guard let first = text.first, let last = text.last, known.insert(text.map { $0 | 0x20 }).inserted else {
            return
        }
        var context = context(of: entry, text)
        // Words about a controller stand in sentences as well.
        context.speaksForItself = isAlias || text.contains(0x20) && context.subject != .object
        context.needsController = entry.layer == "view" && labels.anyClass.contains(entry.callback.id)
        context.isPredicate = labels.predicates.contains(spelling)
        if let successor = entry.callback.replacedBy.first, successor.lowercased() == "scene\(spelling.lowercased())" {
            context.ofScene = vocabulary.index(of: successor)
        }
        context.opensWithLetter = ByteClass.isLetter(first)
        context.closesWithLetter = ByteClass.isLetter(last)
        // What is not ASCII has a second spelling: as the system's log escapes it.
        let escaped = VisText.escaped(text)
        if escaped != text, !isSlip { addAsWritten(escaped, context) }
        if isAlias { return addAsWritten(text, context) }
        guard text.count < NeedleIndex.shortest else { return append(text, context, isSlip: isSlip) }
        // Where a short name follows a class of controllers or views, the end of the class makes it long enough.
        let owners = context.subject == .view ? labels.views : [Array("controller".utf8)]
        addShort(text, context, after: owners, [".", " ", "] ", ": ", "] - ", " - "], isSlip: isSlip)
    }

    /// Adds the beginning of names that stand for a callback when no other has them.
    mutating func add(beginning: String, of entry: Vocabulary.Entry) {
        let text = Array(beginning.utf8)
        var context = context(of: entry, text)
        context.isBeginning = true
        context.closesWithLetter = false
        guard text.count < NeedleIndex.shortest else { return append(text, context, isSlip: true) }
        addShort(
            text, context, after: [Array("delegate".utf8)], [".", "::", " ", "] ", ": ", "] - ", " - "], isSlip: true)
    }

    private func context(of entry: Vocabulary.Entry, _ text: [UInt8]) -> Lexicon.Context {
        var context = Lexicon.Context(
            meaning: .callback(entry.index), subject: Lexicon.Subject(layer: entry.layer))
        // `UIApplicationDidBecomeActive` is the notification, too.
        context.isNotification =
            !entry.callback.isSupplementary
            && (text.starts(with: "UI".utf8) || text.suffix(12).elementsEqual("Notification".utf8))
        context.takesPrefix = labels.namesReceiver(text)
        context.takesOwnPrefix = !context.takesPrefix && context.subject != .object && context.subject != .view
        return context
    }

    private mutating func addShort(
        _ text: [UInt8], _ context: Lexicon.Context, after owners: [[UInt8]], _ marks: [String], isSlip: Bool
    ) {
        shortNames.append((text, context))
        for (owner, mark) in owners.flatMap({ owner in marks.map { (owner, $0) } }) {
            var context = context
            let glued = owner + Array(mark.utf8) + text
            context.opensWithLetter = false
            context.nameOffset = glued.count - text.count
            append(glued, context, isSlip: isSlip)
        }
    }

    /// Adds a text that needs no judgement, however short it is.
    private mutating func addAsWritten(_ text: [UInt8], _ context: Lexicon.Context) {
        if text.count < NeedleIndex.shortest {
            shortAliases.append((text, context))
        } else {
            append(text, context, isSlip: false)
        }
    }

    /// Adds a rule of a model, which is tried where the longest of its unchanging texts is.
    mutating func add(_ rule: DialectRule) {
        var rule = rule
        rule.needles = rule.pattern.needles(ofLength: NeedleIndex.shortest)
        addByNeedle(rule)
    }

    private mutating func addByNeedle(_ rule: DialectRule) {
        let rule = numbered(rule)
        guard let needle = rule.needles.first else {
            shortRules.append(rule)
            return
        }
        if rule.needles.count == 1, let group = groupOf[needle] {
            groups[group].append(rule)
        } else {
            if rule.needles.count == 1 { groupOf[needle] = groups.count }
            addGroup([rule], rule.needles)
        }
    }

    /// Adds the rules of a dialect. All that people write are tried where a text of any of them is.
    mutating func add(_ dialect: EvidenceDialect, _ vocabulary: Vocabulary) {
        var spoken: [DialectRule] = []
        for var rule in dialect.rules {
            if case .callbackNamed(let id) = rule.outcome {
                guard let index = vocabulary.index(of: id) else { continue }
                rule.outcome = .callback(index)
            }
            if rule.style == .spoken { spoken.append(numbered(rule)) } else { addByNeedle(rule) }
        }
        guard !spoken.isEmpty else { return }
        let texts = Set(spoken.flatMap(\.needles).map(WindowChoice.rarestPart))
        addGroup(spoken, texts.sorted { $0.lexicographicallyPrecedes($1) })
    }

    private mutating func numbered(_ rule: DialectRule) -> DialectRule {
        var rule = rule
        rule.order = ruleCount
        ruleCount += 1
        return rule
    }

    private mutating func addGroup(_ rules: [DialectRule], _ texts: [[UInt8]]) {
        let meaning = Needle.Meaning.rules(UInt16(groups.count))
        groups.append(rules)
        for text in texts { add(text, meaning) }
    }

    /// Adds a text that may be anywhere, inside words too.
    mutating func add(_ text: [UInt8], _ meaning: Needle.Meaning) {
        var context = Lexicon.Context(meaning: meaning)
        context.opensWithLetter = false
        context.closesWithLetter = false
        append(text, context, isSlip: false)
    }

    private mutating func append(_ text: [UInt8], _ context: Lexicon.Context, isSlip: Bool) {
        needles.append(Needle(text: text, isSlip: isSlip))
        contexts.append(context)
    }
}
