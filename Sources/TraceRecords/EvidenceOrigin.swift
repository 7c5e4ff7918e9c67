/// Who wrote a piece of evidence: the words of the column `events.kind` other than `callback`.
///
/// An open set: a user's own dialect may add one.
public struct EvidenceOrigin: RawRepresentable, Sendable, Hashable, Codable {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
}
