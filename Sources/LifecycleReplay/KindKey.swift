import TraceRecords

/// A ``StepKind`` packed into one integer, never 0. It takes all of its bits.
struct KindKey: Codable {
    var role: StepKind.Role
    var model: UInt8
    /// Number of the evidence's origin, counted from 1; 0 for a callback.
    var origin: UInt16 = 0
    /// Local number of the callback, or place of the proof among all proofs.
    var subject: UInt16
    var before: UInt8
    var after: UInt8
    var verdict: Judgement
    var inferred = false
    var closedInferred = false
    var closedLeft = false

    enum Judgement: UInt8, Codable { case none, documented, undocumented }

    @inline(__always)
    var packed: UInt64 {
        let roleBits: UInt64 =
            switch role {
            case .event: 1
            case .derived: 2
            }
        var key = roleBits
        key = key << 8 | UInt64(model)
        key = key << 12 | UInt64(origin & 0xFFF)
        key = key << 16 | UInt64(subject)
        key = key << 8 | UInt64(before)
        key = key << 8 | UInt64(after)
        key = key << 2 | UInt64(verdict.rawValue)
        key = key << 1 | (inferred ? 1 : 0)
        key = key << 1 | (closedInferred ? 1 : 0)
        key = key << 1 | (closedLeft ? 1 : 0)
        return key
    }
}
