/// One element of a documented sequence of callbacks.
package indirect enum StepPattern: Sendable, Hashable {
    /// A callback, or one of several.
    case callback(CallbackPattern)
    /// Something that no callback marks: `~`.
    case silent
    /// Any time may pass here: `...`.
    case later
    /// The sequence continues in a process with another pid: `new run`.
    case newRun
    /// All steps of another scenario, by its id.
    case scenario(String)
    /// Steps that may be missing, together: `[a, b]`.
    case optional([StepPattern])
    /// Steps that may repeat: `{a, b}*`, or `{a, b}+` with at least one round.
    case repeated([StepPattern], atLeast: Int)
    /// Steps in any order: `(a & b)`.
    case unordered([StepPattern])
}

/// A callback as an element of a sequence.
package struct CallbackPattern: Sendable, Hashable {
    /// Identifiers of the callbacks, any of which matches.
    package var names: [String]
    /// Which of several instances receives it (`VC1`, `scene2`); `nil` when there is only one.
    package var actor: String?
    /// State of the machine after it, where the sequence passes through several: `name -> state`.
    package var to: String?

    package init(names: [String], actor: String? = nil, to: String? = nil) {
        self.names = names
        self.actor = actor
        self.to = to
    }
}

extension StepPattern {
    /// The steps inside it; none where it is a single element.
    private var parts: [StepPattern] {
        switch self {
        case .callback, .silent, .later, .newRun, .scenario: []
        case .optional(let steps), .repeated(let steps, _), .unordered(let steps): steps
        }
    }

    /// Identifiers of the callbacks in it, in order.
    package var callbacks: [String] {
        if case .callback(let callback) = self { callback.names } else { parts.flatMap(\.callbacks) }
    }

    var namedStates: [String] {
        if case .callback(let callback) = self {
            callback.to.map { [$0] } ?? []
        } else {
            parts.flatMap(\.namedStates)
        }
    }

    var scenarios: [String] {
        if case .scenario(let id) = self { [id] } else { parts.flatMap(\.scenarios) }
    }

    /// Whether a log may show nothing of it.
    package var canBeMissing: Bool {
        switch self {
        case .callback, .scenario: false
        case .silent, .later, .newRun, .optional: true
        case .repeated(let steps, let atLeast): atLeast == 0 || steps.allSatisfy(\.canBeMissing)
        case .unordered(let steps): steps.allSatisfy(\.canBeMissing)
        }
    }
}

/// Reads and writes sequences of callbacks in the notation of the model files.
///
/// Elements are separated by commas:
///
///     didFinishLaunchingWithOptions     a callback
///     a|b                               one of several
///     VC2 viewDidLoad                   a callback of one of several instances
///     a -> state                        a callback after which the machine is in that state
///     [a, b]                            may be missing
///     {a, b}*   {a, b}+                 any number of rounds; at least one
///     (a & b)                           in any order
///     ~                                 something that no callback marks
///     ...                               any time may pass
///     new run                           the following steps have another pid
///     SC-A01                            the steps of another scenario
package enum StepNotation {
    /// A text that does not follow the notation.
    package struct Malformed: Error, Equatable {
        /// What is wrong, in plain words.
        package var reason: String
    }

    /// The steps that a text describes; none for an empty text.
    package static func parse(_ text: String) throws(Malformed) -> [StepPattern] {
        var parser = StepParser(text)
        return try parser.sequence(separator: ",", closing: nil)
    }

    /// The text of the steps. ``parse(_:)`` returns equal steps for it.
    package static func text(_ steps: [StepPattern]) -> String {
        steps.map(text).joined(separator: ", ")
    }

    private static func text(_ step: StepPattern) -> String {
        switch step {
        case .callback(let callback):
            (callback.actor.map { $0 + " " } ?? "") + callback.names.joined(separator: "|")
                + (callback.to.map { " -> " + $0 } ?? "")
        case .silent: "~"
        case .later: "..."
        case .newRun: "new run"
        case .scenario(let id): id
        case .optional(let steps): "[" + text(steps) + "]"
        case .repeated(let steps, let atLeast): "{" + text(steps) + "}" + (atLeast > 0 ? "+" : "*")
        case .unordered(let steps): "(" + steps.map(text).joined(separator: " & ") + ")"
        }
    }
}

/// Recursive descent over one text.
private struct StepParser {
    private let bytes: [UInt8]
    private var index = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    /// Elements up to the closing character, or to the end of the text when there is none.
    mutating func sequence(
        separator: Unicode.Scalar, closing: Unicode.Scalar?
    ) throws(StepNotation.Malformed) -> [StepPattern] {
        var steps: [StepPattern] = []
        skipBlanks()
        if isAtEnd, closing == nil { return steps }
        while true {
            steps.append(try element())
            skipBlanks()
            if isAtEnd {
                if let closing { throw StepNotation.Malformed(reason: "'\(closing)' is missing at the end") }
                return steps
            }
            if let closing, take(closing) { return steps }
            guard take(separator) else {
                throw StepNotation.Malformed(
                    reason: "unexpected '\(Unicode.Scalar(bytes[index]))' at character \(characterNumber)")
            }
        }
    }

    private mutating func element() throws(StepNotation.Malformed) -> StepPattern {
        skipBlanks()
        if isAtEnd { throw StepNotation.Malformed(reason: "a step is missing at the end") }
        if take("[") { return .optional(try sequence(separator: ",", closing: "]")) }
        if take("(") { return .unordered(try sequence(separator: "&", closing: ")")) }
        guard take("{") else { return try plain() }
        let steps = try sequence(separator: ",", closing: "}")
        if take("*") { return .repeated(steps, atLeast: 0) }
        if take("+") { return .repeated(steps, atLeast: 1) }
        throw StepNotation.Malformed(reason: "'*' or '+' is missing after '}'")
    }

    private mutating func plain() throws(StepNotation.Malformed) -> StepPattern {
        let words = nextWords()
        switch words {
        case []: throw StepNotation.Malformed(reason: "a step is missing at character \(characterNumber)")
        case ["~"]: return .silent
        case ["..."], ["…"]: return .later
        case ["new", "run"]: return .newRun
        default: break
        }
        if words.count == 1, words[0].hasPrefix("SC-") { return .scenario(words[0]) }
        var rest = words[...]
        var callback = CallbackPattern(names: [])
        if let arrow = rest.firstIndex(of: "->") {
            guard arrow + 2 == rest.endIndex else {
                throw StepNotation.Malformed(reason: "one state must follow '->' in '\(words.joined(separator: " "))'")
            }
            callback.to = rest[arrow + 1]
            rest = rest[..<arrow]
        }
        if rest.count == 2 { callback.actor = rest.removeFirst() }
        guard rest.count == 1, let names = rest.first else {
            throw StepNotation.Malformed(reason: "'\(words.joined(separator: " "))' is not one callback")
        }
        callback.names = names.split(separator: "|").map(String.init)
        return callback.names == ["~"] ? .silent : .callback(callback)
    }

    /// The words up to the next mark.
    private mutating func nextWords() -> [String] {
        let start = index
        while index < bytes.count {
            switch Unicode.Scalar(bytes[index]) {
            case ",", "]", "}", ")", "&", "[", "{", "(":
                return words(bytes[start..<index])
            default: index += 1
            }
        }
        return words(bytes[start...])
    }

    private func words(_ bytes: ArraySlice<UInt8>) -> [String] {
        bytes.split { Self.isBlank($0) }.map { String(decoding: $0, as: UTF8.self) }
    }

    private var isAtEnd: Bool { index == bytes.count }

    /// Position in characters, counted from 1, for messages.
    private var characterNumber: Int { String(decoding: bytes[..<index], as: UTF8.self).count + 1 }

    private mutating func take(_ mark: Unicode.Scalar) -> Bool {
        guard index < bytes.count, Unicode.Scalar(bytes[index]) == mark else { return false }
        index += 1
        return true
    }

    private mutating func skipBlanks() {
        while index < bytes.count, Self.isBlank(bytes[index]) { index += 1 }
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
