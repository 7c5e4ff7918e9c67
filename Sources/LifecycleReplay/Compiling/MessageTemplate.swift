/// The text of a finding with its placeholders, taken apart once.
struct MessageTemplate: Sendable {
    /// What a placeholder stands for.
    enum Placeholder: String, Sendable, CaseIterable {
        case callback, previous, state, seconds, limit, reason
    }

    /// A text, the placeholder behind it, and what stands there when the placeholder has no value.
    private var parts: [(text: String, placeholder: Placeholder?, otherwise: String)] = []

    /// Takes a text apart; words in braces that are no placeholders stay as they are. What follows a bar behind a
    /// placeholder (`{reason|not known}`) stands where it has no value.
    init(_ text: String) {
        var plain = ""
        var rest = Substring(text)
        while let open = rest.firstIndex(of: "{") {
            plain += rest[..<open]
            rest = rest[open...]
            guard let close = rest.firstIndex(of: "}") else { break }
            let word = rest[rest.index(after: open)..<close]
            let name = word.prefix { $0 != "|" }
            if let placeholder = Placeholder(rawValue: String(name)) {
                parts.append((plain, placeholder, String(word.dropFirst(name.count + 1))))
                plain = ""
            } else {
                plain += rest[...close]
            }
            rest = rest[rest.index(after: close)...]
        }
        parts.append((plain + rest, nil, ""))
    }

    /// The text with the values put in.
    func text(_ value: (Placeholder) -> String?) -> String {
        var text = ""
        for part in parts {
            text += part.text
            if let placeholder = part.placeholder { text += value(placeholder) ?? part.otherwise }
        }
        return text
    }
}
