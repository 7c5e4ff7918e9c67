import EventRecognition
import TraceRecords

/// Redacts the facts of one source before anything else sees them.
///
/// A text may be the name of a process in one place and of a device in another; each use gets a symbol of its own.
struct FactRedactor {
    private let redaction: Redaction
    private let lexicon: Lexicon
    private var raw = SymbolTable()
    private var table = SymbolTable()
    private var handedOver = 1
    private var known: [Use: Symbol] = [:]

    private enum Role { case name, version, device, scene, label, message }

    private struct Use: Hashable {
        var role: Role
        var symbol: Symbol
    }

    /// The most uses that are remembered: messages are many, and hardly any comes twice.
    private static let mostUses = 65_536

    init(_ redaction: Redaction, _ lexicon: Lexicon) {
        self.redaction = redaction
        self.lexicon = lexicon
    }

    mutating func redact(_ batch: FactBatch) -> FactBatch {
        if batch.restartsSymbols {
            raw = SymbolTable()
            table = SymbolTable()
            handedOver = 1
            known = [:]
        }
        for text in batch.newSymbols { _ = raw.intern(text) }
        var batch = batch
        for index in batch.facts.indices {
            switch batch.facts[index] {
            case .event(var event):
                event.origin = symbol(event.origin, event.proof?.isVersion == true ? .version : .name)
                event.process = symbol(event.process, .name)
                event.device = symbol(event.device, .device)
                event.instance = symbol(event.instance, lexicon.isAboutScene(event) ? .scene : .label)
                event.message = symbol(event.message, .message)
                if event.copyKey != 0 { event.copyKey = max(1, redaction.key.number(of: event.copyKey)) }
                batch.facts[index] = .event(event)
            case .life(var span):
                span.process = symbol(span.process, .name)
                span.device = symbol(span.device, .device)
                batch.facts[index] = .life(span)
            }
        }
        for index in batch.rejects.indices { batch.rejects[index].text = redaction.freeText(batch.rejects[index].text) }
        batch.newSymbols = Array(table.texts(since: handedOver))
        handedOver = table.count
        return batch
    }

    private mutating func symbol(_ symbol: Symbol, _ role: Role) -> Symbol {
        guard let text = raw.text(symbol) else { return .none }
        let use = Use(role: role, symbol: symbol)
        if let found = known[use] { return found }
        let shown =
            switch role {
            case .name: redaction.name(text)
            case .version: redaction.version(text)
            case .device: redaction.device(text)
            case .scene: redaction.sceneLabel(text)
            case .label: redaction.label(text)
            case .message: redaction.freeText(text)
            }
        if known.count >= Self.mostUses { known.removeAll() }
        let made = table.intern(shown)
        known[use] = made
        return made
    }
}
