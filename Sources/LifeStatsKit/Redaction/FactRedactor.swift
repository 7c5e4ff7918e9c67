import EventRecognition
import TraceRecords

/// Redacts the facts of a source before the replay and the store see them.
struct FactRedactor {
    let redaction: Redaction
    private let lexicon: Lexicon

    init(_ redaction: Redaction, _ lexicon: Lexicon) {
        self.redaction = redaction
        self.lexicon = lexicon
    }

    func redact(_ facts: inout SourceFacts) {
        redact(&facts.facts)
        for index in facts.rejects.indices {
            facts.rejects[index].text = redaction.freeText(facts.rejects[index].text)
        }
    }

    /// What recognition remembers for the lines that follow.
    func redact(_ context: inout RecognitionContext) {
        context.device = context.device.map(redaction.device)
        context.firstDevice = context.firstDevice.map(redaction.device)
    }

    private func redact(_ batch: inout FactBatch) {
        var tables = Tables(batch)
        for index in batch.facts.indices {
            switch batch.facts[index] {
            case .event(var event):
                event.speaker = tables.speaker(event.speaker, isScene: lexicon.isAboutScene(event), redacted)
                let isVersion = event.proof?.isVersion == true
                event.origin = tables.text(event.origin, isVersion ? redaction.version : redaction.name)
                event.message = tables.text(event.message, redaction.freeText)
                event.textHash = redaction.key.permuted(event.textHash)
                batch.facts[index] = .event(event)
            case .activity(var interval):
                interval.speaker = tables.speaker(interval.speaker, isScene: false, redacted)
                batch.facts[index] = .activity(interval)
            }
        }
        batch.speakers = tables.speakers
        batch.texts = tables.texts
    }

    private func redacted(_ speaker: Speaker, isScene: Bool) -> Speaker {
        var speaker = speaker
        speaker.process = speaker.process.map(redaction.name)
        speaker.device = speaker.device.map(redaction.device)
        speaker.label = speaker.label.map(isScene ? redaction.sceneLabel : redaction.label)
        return speaker
    }

    /// The speakers and texts of a batch, built anew: nothing of the open ones stays.
    private struct Tables {
        private struct Use: Hashable {
            var speaker: UInt32
            var isScene: Bool
        }

        private let before: FactBatch
        private var numbers: [Use: UInt32] = [:]
        private(set) var speakers: [Speaker] = []
        private(set) var texts: [String] = []
        private var symbols: [String: Symbol] = [:]

        init(_ batch: FactBatch) { before = batch }

        mutating func speaker(
            _ number: UInt32, isScene: Bool, _ redacted: (Speaker, Bool) -> Speaker
        ) -> UInt32 {
            let use = Use(speaker: number, isScene: isScene)
            if let known = numbers[use] { return known }
            let new = UInt32(speakers.count)
            speakers.append(redacted(before.speakers[Int(number)], isScene))
            numbers[use] = new
            return new
        }

        mutating func text(_ symbol: Symbol, _ redacted: (String) -> String) -> Symbol {
            guard let open = before.text(symbol) else { return .none }
            let shown = redacted(open)
            if let known = symbols[shown] { return known }
            texts.append(shown)
            let new = Symbol(id: UInt32(texts.count))
            symbols[shown] = new
            return new
        }
    }
}
