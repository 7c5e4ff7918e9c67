import TraceRecords

/// Text that is safe to show on a terminal. Everything a command prints there passes through here: names of files,
/// members of archives, devices and classes come from logs, and may hold escape sequences.
public enum TerminalText {
    /// The text with every control character made visible. Lines stay lines.
    ///
    /// - Parameter allowsColors: whether codes of colour and weight (`ESC [ 31 m`) stay, as lifestats prints them.
    public static func safe(_ text: String, allowsColors: Bool = false) -> String {
        if text.utf8.allSatisfy({ ($0 >= 0x20 && $0 < 0x7F) || $0 == 0x0A }) { return text }
        // Of two characters that are one to Swift ("\r\n"), the first goes: on a terminal they are one line end.
        return text.replacing("\r\n", with: "\n").split(separator: "\n", omittingEmptySubsequences: false)
            .map { allowsColors ? colored($0) : VisibleText.neutralised(String($0)) }.joined(separator: "\n")
    }

    /// A line without control characters, except for codes of colour and weight.
    private static func colored(_ line: Substring) -> String {
        var safe = ""
        var rest = line
        while let code = rest.firstMatch(of: /\u{1B}\[[0-9;]*m/) {
            safe += VisibleText.neutralised(String(rest[..<code.range.lowerBound])) + code.output
            rest = rest[code.range.upperBound...]
        }
        return safe + VisibleText.neutralised(String(rest))
    }
}
