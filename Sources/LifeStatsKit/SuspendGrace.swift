/// How long a background process must be silent to count as suspended.
public enum SuspendGrace: Sendable, Hashable, RawRepresentable {
    /// No suspension is estimated.
    case off
    /// Longer than this, in nanoseconds.
    case nanoseconds(Int64)

    /// The default: 5 s.
    public static let usual = SuspendGrace.nanoseconds(5_000_000_000)

    /// Reads seconds from 1 to 86,400, or `off`.
    public init?(rawValue text: String) {
        if text == "off" {
            self = .off
        } else if let seconds = Double(text), seconds >= 1, seconds <= 86_400 {
            self = .nanoseconds(Int64((seconds * 1e9).rounded()))
        } else {
            return nil
        }
    }

    /// In nanoseconds; `nil` for ``off``.
    public var nanoseconds: Int64? {
        switch self {
        case .off: nil
        case .nanoseconds(let nanoseconds): nanoseconds
        }
    }

    /// The value of `--suspend-grace`.
    public var rawValue: String {
        switch self {
        case .off: "off"
        case .nanoseconds(let nanoseconds):
            nanoseconds % 1_000_000_000 == 0
                ? "\(nanoseconds / 1_000_000_000)" : "\(Double(nanoseconds) / 1e9)"
        }
    }
}
