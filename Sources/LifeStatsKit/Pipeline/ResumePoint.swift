import EventRecognition
import Foundation
import TraceRecords

/// Where the reading of a source goes on, as the store keeps it.
struct ResumePoint: Codable, Sendable {
    /// The position before the last entry, which may still grow.
    var position: SourcePosition
    /// Whether the source was read as far as it went. What was interrupted is not, although its file is the same.
    var isComplete: Bool

    /// What recognition remembers of the lines before.
    var context: RecognitionContext

    init(position: SourcePosition, isComplete: Bool, context: RecognitionContext) {
        self.position = position
        self.isComplete = isComplete
        self.context = context
    }

    /// The stored text; `nil` when it is none.
    init?(text: String?) {
        guard let text, let point = try? JSONDecoder().decode(ResumePoint.self, from: Data(text.utf8)) else {
            return nil
        }
        self = point
    }

    var text: String? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) }
    }
}
