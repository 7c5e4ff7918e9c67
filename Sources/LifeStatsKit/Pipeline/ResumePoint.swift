import EventRecognition
import Foundation
import LogReading
import TraceRecords

/// Where the reading of a source goes on, as the store keeps it.
struct ResumePoint: Codable, Sendable {
    /// The position before the last entry, which may still grow.
    var position: SourcePosition
    /// Whether the source was read as far as it went. What was interrupted is not, although its file is the same.
    var isComplete: Bool

    /// What the first bytes told of how all of the source is read, unless that is how most are read. While it is short
    /// it may come to tell something else, and the position then says nothing.
    var beginning: SourceBeginning?

    /// What recognition remembers of the lines before.
    var context: RecognitionContext

    /// What the next source of the log takes up.
    var legacy = SourceLegacy()

    /// Whether the source rests on what the one before it left, so that it is read again when another one turns up in
    /// between.
    var leansOnPredecessor = false

    /// The first line that names its process, the largest number where none does: the lines before it are of the
    /// process that wrote the last line of the source before.
    var namesProcessAt: Int64?

    /// The first line that says whose it is by a name or an id, likewise: a line without a name may say its own id.
    var namesPidAt: Int64?

    /// The first device that its lines name, the provisional ones included; `nil` where none does.
    var firstDevice: NamedDevice?

    /// Whether the source before it is another one than when it was read, so that it is to be read again.
    var isStale = false

    /// What its lines took up of the clock of the source before.
    var clockStart: ClockStart?

    /// What the person said of the source when it was read; `nil` where that was nothing.
    var wishes: ReadingWishes?

    var text: String? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) }
    }
}

extension ResumePoint {
    /// The stored text; `nil` when it is none.
    init?(text: String?) {
        guard let text, let point = try? JSONDecoder().decode(ResumePoint.self, from: Data(text.utf8)) else {
            return nil
        }
        self = point
    }
}
