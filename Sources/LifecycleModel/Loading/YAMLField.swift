import Yams

/// A place in a YAML file that knows where it stands, so that every error names file and line.
///
/// A mapping is read key by key; ``finish()`` reports the keys that nobody asked for, so that a slip of the pen is
/// found instead of ignored.
struct YAMLField {
    let file: String
    let node: Node
    /// Its key, and the key of the mapping that it stands in; the owner is empty at the top of a file.
    let key: String
    var owner = ""
    /// Where its key stands, if it has one: the line that a reader looks for.
    var keyLine: Int?

    /// What it is, for messages (`'severity' of R-APP-10`).
    var role: String { owner.isEmpty ? key : "'\(key)' of \(owner)" }

    var line: Int { keyLine ?? node.mark?.line ?? 0 }

    func error(_ message: String) -> ModelError { ModelError(file: file, line: line, message: message) }

    /// The top of a file.
    static func document(_ text: String, file: String) throws(ModelError) -> YAMLField {
        do {
            // Every value is read as the text that it is; guessing types would cost a regular expression per value.
            guard let node = try Yams.compose(yaml: text, .basic) else {
                throw ModelError(file: file, line: 0, message: "the file is empty; a model needs at least 'model:'")
            }
            return YAMLField(file: file, node: node, key: "the file")
        } catch let error as ModelError {
            throw error
        } catch let error as YamlError {
            throw ModelError(file: file, line: error.line, message: "not YAML: \(error.problem)")
        } catch {
            throw ModelError(file: file, line: 0, message: "not YAML: \(error)")
        }
    }

    func text() throws(ModelError) -> String {
        guard let text = node.scalar?.string else { throw error("\(role) must be a text") }
        return text
    }

    /// A length of time; nanoseconds of it fit into 64 bits.
    func seconds() throws(ModelError) -> Double {
        guard let text = node.scalar?.string, let seconds = Self.seconds(text) else {
            throw error("\(role) must be a number of seconds from 0 to 1000000000")
        }
        return seconds
    }

    /// The length of time that a text says; `nil` when it says none, or one that is negative or longer than a life.
    static func seconds(_ text: String) -> Double? {
        Double(text).flatMap { $0 >= 0 && $0 <= 1e9 ? $0 : nil }
    }

    func integer() throws(ModelError) -> Int {
        guard let text = node.scalar?.string, let number = Int(text) else {
            throw error("\(role) must be a whole number")
        }
        return number
    }

    func flag() throws(ModelError) -> Bool {
        switch node.scalar?.string.lowercased() {
        case "yes", "true", "on": return true
        case "no", "false", "off": return false
        default: throw error("\(role) must be yes or no")
        }
    }

    /// One of the raw values of an enumeration.
    func word<Words: RawRepresentable & CaseIterable>(
        _: Words.Type = Words.self
    ) throws(ModelError) -> Words where Words.RawValue == String {
        let text = try text()
        guard let word = Words(rawValue: text) else {
            let known = Words.allCases.map(\.rawValue).joined(separator: ", ")
            throw error("\(role) is '\(text)'; it must be one of \(known)")
        }
        return word
    }

    /// The elements of a list; a single text counts as a list of one.
    func list() throws(ModelError) -> [YAMLField] {
        if node.scalar != nil { return [self] }
        guard let sequence = node.sequence else { throw error("\(role) must be a list") }
        return sequence.map { YAMLField(file: file, node: $0, key: key, owner: owner) }
    }

    func texts() throws(ModelError) -> [String] {
        var texts: [String] = []
        for element in try list() { texts.append(try element.text()) }
        return texts
    }

    /// A text, or texts by language; empty ones are none.
    func localized() throws(ModelError) -> LocalizedText {
        var texts: [String: String] = [:]
        if let text = node.scalar?.string {
            texts["en"] = text
        } else {
            for (language, value) in try pairs() { texts[language] = try value.text() }
        }
        return LocalizedText(texts.filter { !$0.value.isEmpty })
    }

    func steps() throws(ModelError) -> [StepPattern] {
        do throws(StepNotation.Malformed) {
            return try StepNotation.parse(try stepText())
        } catch {
            throw self.error("\(role): \(error.reason)")
        }
    }

    private func stepText() throws(StepNotation.Malformed) -> String {
        guard let text = node.scalar?.string else {
            throw StepNotation.Malformed(reason: "must be one text; put it in quotes, for example \"[a], b\"")
        }
        return text
    }

    /// The entries of a mapping, in the order of the file; none where there is nothing after the key.
    func pairs() throws(ModelError) -> [(key: String, value: YAMLField)] {
        if node.scalar?.string.isEmpty ?? false { return [] }
        guard let mapping = node.mapping else { throw error("\(role) must be a mapping of keys to values") }
        var pairs: [(key: String, value: YAMLField)] = []
        for (key, value) in mapping {
            guard let name = key.scalar?.string else { throw error("\(role) has a key that is no text") }
            let value = YAMLField(
                file: file, node: value, key: name, owner: self.key, keyLine: key.mark?.line)
            pairs.append((name, value))
        }
        return pairs
    }
}

extension YamlError {
    fileprivate var line: Int {
        switch self {
        case .scanner(_, _, let mark, _), .parser(_, _, let mark, _), .composer(_, _, let mark, _): mark.line
        case .duplicatedKeysInMapping(_, let context): context.mark.line
        default: 0
        }
    }

    fileprivate var problem: String {
        switch self {
        case .scanner(_, let problem, _, _), .parser(_, let problem, _, _), .composer(_, let problem, _, _): problem
        case .duplicatedKeysInMapping(let keys, _):
            "the key \(keys.map { "\($0)" }.sorted().joined(separator: ", ")) is there twice"
        default: "\(self)"
        }
    }
}
