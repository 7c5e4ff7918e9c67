/// A key of a terminal's keyboard, or what was pasted.
public enum Key: Sendable, Hashable {
    case text(String)
    case enter, tab, backspace, delete
    case left, right, up, down, home, end, wordLeft, wordRight
    case deleteToStart, deleteToEnd, deleteWord, clearScreen, search
    /// Ctrl-C and Ctrl-D.
    case interrupt, endOfInput
    case unknown
}
