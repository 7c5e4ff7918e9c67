import ArgumentParser

/// The value of `--suspend-grace`: seconds, or `off`.
enum SuspendGrace: ExpressibleByArgument {
    case seconds(Double)
    case off

    init?(argument: String) {
        if argument == "off" {
            self = .off
        } else if let seconds = Double(argument), seconds >= 1, seconds <= 86_400 {
            self = .seconds(seconds)
        } else {
            return nil
        }
    }

    /// In nanoseconds; `nil` for `off`.
    var nanoseconds: Int64? {
        switch self {
        case .seconds(let seconds): Int64((seconds * 1e9).rounded())
        case .off: nil
        }
    }

    var defaultValueDescription: String {
        switch self {
        case .seconds(let seconds): "\(Int(seconds))"
        case .off: "off"
        }
    }
}
