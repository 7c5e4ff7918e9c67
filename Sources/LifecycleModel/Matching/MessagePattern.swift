/// A user's pattern for messages: literal text, `*` for any text, `<instance>` for the label of what the message is
/// about (no blanks in it). Letters match in both cases. It is found anywhere in a message.
///
/// There is no backtracking beyond the first literal, so the time is bounded by the message's length times the
/// pattern's.
package struct MessagePattern: Sendable, Hashable {
    private enum Part: Sendable, Hashable {
        /// Lower-case bytes.
        case literal([UInt8])
        case anything
        case instance
    }

    private let parts: [Part]
    /// The longest literal in lower case, for a search that skips messages without it; empty when there is none.
    package let anchor: [UInt8]

    package init(_ text: String) {
        var parts: [Part] = []
        var literal: [UInt8] = []
        var rest = Array(text.utf8)[...]
        let label = Array("<instance>".utf8)
        func flush() {
            if !literal.isEmpty { parts.append(.literal(literal)) }
            literal = []
        }
        while let byte = rest.first {
            if rest.starts(with: label) {
                flush()
                parts.append(.instance)
                rest = rest.dropFirst(label.count)
            } else {
                if byte == UInt8(ascii: "*") {
                    flush()
                    if parts.last != .anything { parts.append(.anything) }
                } else {
                    literal.append(Self.lowered(byte))
                }
                rest = rest.dropFirst()
            }
        }
        flush()
        self.parts = parts
        anchor = parts.reduce(into: []) { longest, part in
            if case .literal(let bytes) = part, bytes.count > longest.count { longest = bytes }
        }
    }

    /// A match: the label that was found, empty when the pattern has none.
    package struct Match: Sendable, Hashable {
        package var instance: Range<Int>
    }

    /// Looks for the pattern in a message.
    package func match(_ message: some RandomAccessCollection<UInt8>) -> Match? {
        let message = Array(message)
        var start = 0
        while start <= message.count {
            if let match = match(message, at: start) { return match }
            // Only another place of the first literal can help.
            guard case .literal(let first)? = parts.first,
                let next = Self.find(first, in: message, from: start + 1)
            else { return nil }
            start = next
        }
        return nil
    }

    private func match(_ message: [UInt8], at start: Int) -> Match? {
        var position = start
        var instance = 0..<0
        var isOpen = true
        var labelStart: Int?
        for part in parts {
            switch part {
            case .anything:
                isOpen = true
            case .instance:
                labelStart = position
            case .literal(let bytes):
                guard let found = Self.find(bytes, in: message, from: position) else { return nil }
                if var begin = labelStart {
                    // A label that the pattern begins with is the word before the literal.
                    if begin == start, parts.first == .instance {
                        begin = message[begin..<found].lastIndex(where: Self.isBlank).map { $0 + 1 } ?? begin
                    }
                    guard found > begin, !message[begin..<found].contains(where: Self.isBlank) else { return nil }
                    instance = begin..<found
                    labelStart = nil
                } else if !isOpen, found != position {
                    return nil
                }
                position = found + bytes.count
                isOpen = false
            }
        }
        if let begin = labelStart {
            let end = message[begin...].firstIndex(where: Self.isBlank) ?? message.count
            guard end > begin else { return nil }
            instance = begin..<end
        }
        return Match(instance: instance)
    }

    private static func find(_ bytes: [UInt8], in message: [UInt8], from start: Int) -> Int? {
        guard start >= 0, message.count - start >= bytes.count else { return nil }
        return (start...(message.count - bytes.count)).first { place in
            bytes.indices.allSatisfy { lowered(message[place + $0]) == bytes[$0] }
        }
    }

    private static func lowered(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A }
}
