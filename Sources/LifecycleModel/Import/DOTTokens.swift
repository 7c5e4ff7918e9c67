/// Cuts a DOT text into tokens.
enum DOTTokens {
    struct Token {
        var text: String
        var isQuoted: Bool
        var line: Int
    }

    static func read(_ text: String, file: String) throws(ModelError) -> [Token] {
        var scanner = Scanner(characters: Array(text), file: file)
        return try scanner.tokens()
    }

    private struct Scanner {
        let characters: [Character]
        let file: String
        var index = 0
        var line = 1

        private func error(_ message: String) -> ModelError {
            ModelError(file: file, line: line, message: "not a DOT graph: \(message)")
        }

        private func next(_ offset: Int = 0) -> Character? {
            index + offset < characters.count ? characters[index + offset] : nil
        }

        private mutating func advance() {
            if characters[index].isNewline { line += 1 }
            index += 1
        }

        mutating func tokens() throws(ModelError) -> [Token] {
            var tokens: [Token] = []
            while let character = next() {
                if character.isWhitespace {
                    advance()
                } else if character == "#" || (character == "/" && next(1) == "/") {
                    while let character = next(), !character.isNewline { index += 1 }
                } else if character == "/", next(1) == "*" {
                    try comment()
                } else if character == "\"" {
                    tokens.append(try quoted())
                } else if character == "-", next(1) == ">" {
                    tokens.append(Token(text: "->", isQuoted: false, line: line))
                    index += 2
                } else if character == "-", next(1) == "-" {
                    throw error("'--' belongs to undirected graphs; use '->'")
                } else if "{}[];,=:".contains(character) {
                    tokens.append(Token(text: String(character), isQuoted: false, line: line))
                    index += 1
                } else if character == "<" {
                    throw error("HTML labels are not read; use a quoted label")
                } else {
                    tokens.append(try word())
                }
            }
            return tokens
        }

        private mutating func comment() throws(ModelError) {
            while next() != nil {
                if next() == "*", next(1) == "/" {
                    index += 2
                    return
                }
                advance()
            }
            throw error("a comment does not end")
        }

        private mutating func word() throws(ModelError) -> Token {
            let start = index
            while let character = next(), character.isLetter || character.isNumber || "_.-".contains(character) {
                if character == "-", next(1) == ">" { break }
                index += 1
            }
            guard start < index else { throw error("unexpected '\(characters[index])'") }
            return Token(text: String(characters[start..<index]), isQuoted: false, line: line)
        }

        private mutating func quoted() throws(ModelError) -> Token {
            let begin = line
            var text = ""
            index += 1
            while let character = next() {
                if character == "\"" {
                    index += 1
                    return Token(text: text, isQuoted: true, line: begin)
                }
                if character == "\\", let escaped = next(1) {
                    // Graphviz keeps other escapes for the label; a line break is all that matters here.
                    switch escaped {
                    case "\"", "\\": text.append(escaped)
                    case "n", "l", "r": text.append("\n")
                    case let other where other.isNewline: break
                    default: text += "\\\(escaped)"
                    }
                    if escaped.isNewline { line += 1 }
                    index += 2
                } else {
                    text.append(character)
                    advance()
                }
            }
            throw error("a text that begins here does not end")
        }
    }
}
