/// Makes keys from the bytes that a terminal sends.
public struct KeyDecoder: Sendable {
    private var pending: [UInt8] = []
    private var pasted: [UInt8]?

    public init() {}

    /// The keys that the bytes complete; the beginning of another one is kept for the next call.
    public mutating func keys(from bytes: [UInt8]) -> [Key] {
        pending += bytes
        var keys: [Key] = []
        while let (key, length) = next() {
            pending.removeFirst(length)
            if let key { keys.append(key) }
        }
        return keys
    }

    /// The first key and its length in bytes; no key for bytes that only belong to one; `nil` when more bytes are needed.
    private mutating func next() -> (key: Key?, length: Int)? {
        guard let first = pending.first else { return nil }
        if let paste = pasted {
            let end = Array("\u{1B}[201~".utf8)
            if pending.starts(with: end) {
                pasted = nil
                return (.text(Self.clean(paste)), end.count)
            }
            if first == 0x1B, end.starts(with: pending) { return nil }
            pasted = paste + [first]
            return (nil, 1)
        }
        if first == 0x1B { return escape() }
        if first < 0x20 || first == 0x7F { return (Self.controls[first] ?? .unknown, 1) }
        let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        guard pending.count >= length else { return nil }
        return (.text(Self.clean(Array(pending.prefix(length)))), length)
    }

    /// Lines stay lines, tabs become blanks, and no other control character gets in.
    private static func clean(_ bytes: [UInt8]) -> String {
        let text = String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n").replacing("\r", with: "\n")
        return String(
            String.UnicodeScalarView(
                text.unicodeScalars.compactMap { scalar in
                    if scalar == "\t" { return " " }
                    return scalar == "\n" || scalar.properties.generalCategory != .control ? scalar : nil
                }))
    }

    private mutating func escape() -> (key: Key?, length: Int)? {
        guard pending.count > 1 else { return nil }
        switch pending[1] {
        case UInt8(ascii: "["):
            guard let end = pending.dropFirst(2).firstIndex(where: { (0x40...0x7E).contains($0) }) else { return nil }
            let sequence = String(decoding: pending[2...end], as: UTF8.self)
            if sequence == "200~" {
                pasted = []
                return (nil, end + 1)
            }
            return (Self.sequences[sequence] ?? .unknown, end + 1)
        case UInt8(ascii: "O"):
            guard pending.count > 2 else { return nil }
            return (Self.sequences[String(UnicodeScalar(pending[2]))] ?? .unknown, 3)
        case UInt8(ascii: "b"): return (.wordLeft, 2)
        case UInt8(ascii: "f"): return (.wordRight, 2)
        case 0x7F: return (.deleteWord, 2)
        default: return (.unknown, 2)
        }
    }

    private static let controls: [UInt8: Key] = [
        0x01: .home, 0x02: .left, 0x03: .interrupt, 0x04: .endOfInput, 0x05: .end, 0x06: .right, 0x08: .backspace,
        0x09: .tab, 0x0A: .enter, 0x0B: .deleteToEnd, 0x0C: .clearScreen, 0x0D: .enter, 0x0E: .down, 0x10: .up,
        0x12: .search, 0x15: .deleteToStart, 0x17: .deleteWord, 0x7F: .backspace,
    ]

    private static let sequences: [String: Key] = [
        "A": .up, "B": .down, "C": .right, "D": .left, "H": .home, "F": .end, "1~": .home, "4~": .end, "7~": .home,
        "8~": .end, "3~": .delete, "1;5C": .wordRight, "1;5D": .wordLeft, "1;3C": .wordRight, "1;3D": .wordLeft,
    ]
}
