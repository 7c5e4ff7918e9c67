/// Escapes that end in a letter and so would hide the beginning of a name behind them.
enum Escapes {
    /// Whether an escape of a terminal (`ESC [ 32 m`) or of vis(3) (`\M-f`, `\M^V`, `\^[`) ends at `position`.
    static func endsBefore(_ bytes: RawSpan, _ position: Int, _ start: Int) -> Bool {
        let count = position - start
        guard count >= 2 else { return false }
        if count >= 3, bytes.byte(position - 3) == 0x5C, bytes.byte(position - 2) == 0x5E { return true }
        if count >= 4, bytes.byte(position - 4) == 0x5C, bytes.byte(position - 3) == 0x4D { return true }
        guard bytes.byte(position - 1) == 0x6D else { return false }
        var digit = position - 1
        while digit > start, ByteClass.isDigit(bytes.byte(digit - 1)) || bytes.byte(digit - 1) == 0x3B { digit -= 1 }
        return digit > start && bytes.byte(digit - 1) == 0x5B
    }
}
