import Reports

/// A line that is being typed, with the lines typed before; knows keys, not terminals.
public struct LineEditor: Sendable {
    /// What the caller has to do after a key.
    public enum Effect: Sendable, Hashable {
        case none
        /// The line is complete.
        case submit(String)
        /// Several words are possible: show them below.
        case show([String])
        case clearScreen
        /// Ctrl-C dropped the line.
        case dropped
        /// Ctrl-D on an empty line.
        case leave
    }

    public private(set) var text = ""
    /// In characters.
    public private(set) var cursor = 0
    private var history: [String]
    /// The line of the history that is shown, and what had been typed before going there.
    private var place: Int?
    private var typed = ""
    private let complete: @Sendable (String) -> (word: String, candidates: [String])

    /// - Parameters:
    ///   - history: earlier lines, oldest first.
    ///   - complete: how the text before the cursor may go on.
    public init(
        history: [String], complete: @escaping @Sendable (String) -> (word: String, candidates: [String])
    ) {
        self.history = history
        self.complete = complete
    }

    /// Takes a key.
    public mutating func press(_ key: Key) -> Effect {
        switch key {
        case .up, .down, .search: break
        default: place = nil
        }
        switch key {
        case .text(let new): insert(new)
        case .enter: return submit()
        case .tab: return completeWord()
        case .backspace: remove(from: cursor - 1, to: cursor)
        case .delete: remove(from: cursor, to: cursor + 1)
        case .left: cursor = max(0, cursor - 1)
        case .right: cursor = min(text.count, cursor + 1)
        case .home: cursor = 0
        case .end: cursor = text.count
        case .wordLeft: cursor = startOfWord
        case .wordRight: cursor = endOfWord
        case .deleteToStart: remove(from: 0, to: cursor)
        case .deleteToEnd: remove(from: cursor, to: text.count)
        case .deleteWord: remove(from: startOfWord, to: cursor)
        case .up: recall(backwards: true) { $0.hasPrefix($1) }
        case .down: recall(backwards: false) { $0.hasPrefix($1) }
        case .search: recall(backwards: true) { $0.contains($1) }
        case .clearScreen: return .clearScreen
        case .interrupt:
            clear()
            return .dropped
        case .endOfInput:
            if text.isEmpty { return .leave }
            remove(from: cursor, to: cursor + 1)
        case .unknown: break
        }
        return .none
    }

    // MARK: - Drawing

    /// The part of the line to show in so many cells, and how many cells lie before the cursor.
    public func window(cells: Int) -> (text: String, cursor: Int) {
        let characters = text.map { $0.isNewline ? Character("⏎") : $0 }
        let widths = characters.map { CellWidth.of(String($0)) }
        var first = 0
        var before = widths[..<cursor].reduce(0, +)
        while before >= max(1, cells), first < cursor {
            before -= widths[first]
            first += 1
        }
        var last = first
        var used = 0
        while last < characters.count, used + widths[last] < max(1, cells) {
            used += widths[last]
            last += 1
        }
        return (String(characters[first..<last]), before)
    }

    // MARK: - Editing

    private mutating func insert(_ new: String) {
        let characters = Array(text)
        let head = String(characters[..<cursor]) + new
        text = head + String(characters[cursor...])
        // A combining mark joins the character before it.
        cursor = min(head.count, text.count)
    }

    private mutating func remove(from start: Int, to end: Int) {
        var characters = Array(text)
        let range = max(0, start)..<min(characters.count, end)
        guard !range.isEmpty else { return }
        characters.removeSubrange(range)
        text = String(characters)
        cursor = range.lowerBound
    }

    private mutating func clear() {
        text = ""
        cursor = 0
        typed = ""
    }

    private var startOfWord: Int {
        let before = Array(text.prefix(cursor))
        let end = before.lastIndex { !$0.isWhitespace } ?? -1
        return (before[..<(end + 1)].lastIndex { $0.isWhitespace } ?? -1) + 1
    }

    private var endOfWord: Int {
        let characters = Array(text)
        let start = characters[cursor...].firstIndex { !$0.isWhitespace } ?? characters.count
        return characters[start...].firstIndex { $0.isWhitespace } ?? characters.count
    }

    private mutating func submit() -> Effect {
        // Pressing enter again asks the line as it is.
        if text.last != "\n", Self.isUnfinished(text) {
            cursor = text.count
            insert("\n")
            return .none
        }
        let line = text
        clear()
        if !line.allSatisfy(\.isWhitespace), history.last != line { history.append(line) }
        return .submit(line)
    }

    /// Whether a bracket or a quotation mark of a statement is still open.
    private static func isUnfinished(_ text: String) -> Bool {
        var depth = 0
        var quote: Character?
        for character in text {
            if let open = quote {
                if character == open { quote = nil }
            } else if character == "'" || character == "\"" {
                quote = character
            } else {
                depth += character == "(" ? 1 : character == ")" ? -1 : 0
            }
        }
        return depth > 0 || quote != nil
    }

    /// Goes to another line of the history that goes with what had been typed.
    private mutating func recall(backwards: Bool, where matches: (String, String) -> Bool) {
        if place == nil { typed = text }
        let start = place ?? history.count
        let candidates =
            backwards ? Array((0..<start).reversed()) : Array(min(start + 1, history.count)..<history.count)
        if let found = candidates.first(where: { matches(history[$0], typed) && history[$0] != text }) {
            place = found
            text = history[found]
        } else if !backwards, place != nil {
            place = nil
            text = typed
        }
        cursor = text.count
    }

    private mutating func completeWord() -> Effect {
        let (word, candidates) = complete(String(text.prefix(cursor)))
        guard let first = candidates.first else { return .none }
        let common = candidates.dropFirst().reduce(first) { $0.commonPrefix(with: $1) }
        if candidates.count == 1 || common.count > word.count {
            remove(from: cursor - word.count, to: cursor)
            let isOpen = first.hasSuffix("(") || first.hasSuffix("=")
            insert(candidates.count == 1 && !isOpen ? first + " " : common)
            return .none
        }
        return .show(candidates)
    }
}
