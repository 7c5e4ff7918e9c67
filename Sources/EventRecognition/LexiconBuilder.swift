import LifecycleModel

/// Collects the texts that a ``Lexicon`` is compiled from.
struct LexiconBuilder {
    private(set) var needles: [Needle] = []
    private(set) var contexts: [Lexicon.Context] = []
    private(set) var shortNames: [(text: [UInt8], context: Lexicon.Context)] = []
    private var known: Set<String> = []

    /// Adds a spelling of a callback. Of two callbacks with the same spelling the first one has it.
    mutating func add(
        _ spelling: String, isSlip: Bool = false, of entry: Vocabulary.Entry, _ labels: LabelRules
    ) {
        let text = Array(spelling.utf8)
        guard let first = text.first, let last = text.last, known.insert(spelling.lowercased()).inserted else { return }
        var context = Lexicon.Context(meaning: .callback(entry.index), subject: Subject(layer: entry.layer))
        context.takesPrefix = labels.tellsReceiver(text)
        context.isPhrase = text.contains(0x20)
        context.needsController = entry.layer == "view" && labels.anyClass.contains(entry.callback.id)
        context.opensWithLetter = ByteClass.isLetter(first)
        context.closesWithLetter = ByteClass.isLetter(last)
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

    private mutating func append(_ text: [UInt8], _ context: Lexicon.Context, isSlip: Bool) {
        needles.append(Needle(text: text, meaning: context.meaning, isSlip: isSlip))
        contexts.append(context)
    }
}
