import Foundation

/// One line of the log.
struct LogLine {
    var number: Int64
    /// Nanoseconds since 1970 UTC, and of the clock that nobody sets.
    var time: Int64
    var monotonic: Int64
    var callback: String
    var instance: String?
    var phase: LifecycleLog.Phase
    var channel: LifecycleLog.Channel

    /// The line as JSON, with its keys in a fixed order, and a line end.
    func text(_ facts: ProcessFacts) -> String {
        var members = [
            "\"lifecycle_log\":1", "\"launch\":\(Self.quoted(facts.launch))", "\"number\":\(number)",
            "\"time_ns\":\(time)", "\"mono_ns\":\(monotonic)", "\"boot\":\(Self.quoted(facts.boot))",
            "\"process\":\(Self.quoted(facts.process))", "\"pid\":\(facts.pid)",
        ]
        for (key, value) in [("bundle", facts.bundle), ("version", facts.version), ("os", facts.system)] {
            if let value { members.append("\"\(key)\":\(Self.quoted(value))") }
        }
        members += [
            "\"callback\":\(Self.quoted(callback))", "\"phase\":\"\(phase.rawValue)\"",
            "\"via\":\"\(channel.rawValue)\"",
        ]
        if let instance { members.append("\"instance\":\(Self.quoted(instance))") }
        members.append("\"message\":\(Self.quoted(message))")
        return "{" + members.joined(separator: ",") + "}\n"
    }

    /// The callback in words that any reader of logs understands.
    private var message: String {
        let ending = phase == .end ? " end" : ""
        guard let instance else { return callback + ending }
        return callback.hasPrefix("scene")
            ? "\(callback)\(ending) session=\(instance)" : "<\(instance)> \(callback)\(ending)"
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\u{0}"..<"\u{20}":
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
