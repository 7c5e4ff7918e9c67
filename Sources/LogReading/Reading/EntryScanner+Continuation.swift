/// Lines that belong to the entry before them.
extension EntryScanner {
    /// A line that says nothing.
    mutating func blank() {
        counts.other += 1
        afterBlank = true
    }

    /// Whether a line that no layout matches, with its first visible byte at `first`, goes on with the open entry.
    func continuesOpenEntry(_ base: UnsafePointer<UInt8>, _ start: Int, _ end: Int, _ first: Int) -> Bool {
        guard isOpen, openLayout < layouts.count else { return false }
        switch layouts[openLayout].continuation {
        case .none: return false
        case .any: return true
        case .indented:
            switch base[first] {
            case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): return true
            // Frames of box-drawing characters (U+2500 to U+257F).
            case 0xE2 where !afterBlank && first + 1 < end && (base[first + 1] == 0x94 || base[first + 1] == 0x95):
                return true
            default:
                let isDeeper = Self.indent(base, start, first) > openIndent(base)
                return !afterBlank && (isDeeper || closesOpenMethod(base, start, end))
            }
        }
    }

    /// How far in the open entry begins: where a whole log is indented, its lines stand as far in as each other.
    private func openIndent(_ base: UnsafePointer<UInt8>) -> Int {
        guard let open = entries.last else { return 0 }
        let limit = Int(open.message.offset)
        guard limit > openStart, let first = Self.firstVisible(base, openStart, limit) else { return 0 }
        return Self.indent(base, openStart, first)
    }

    /// How far in a line begins whose first visible byte is at `first`: what has no width moves nothing.
    private static func indent(_ base: UnsafePointer<UInt8>, _ start: Int, _ first: Int) -> Int {
        var width = 0
        for at in start..<first
        where base[at] == 0x20 || base[at] == 0x09 || InvisibleBytes.isWideBlank(base, at, first) {
            width += 1
        }
        return width
    }

    /// Whether the open entry ends inside the name of a method (`-[AppDelegate application`, `scene(_:will`), and the line
    /// has its end: a terminal or a web page broke the line in two.
    private func closesOpenMethod(_ base: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Bool {
        guard let open = entries.last, open.lineCount <= 3, open.message.length <= 1024,
            let closer = Self.firstBracket(base, start, end)
        else { return false }
        let message = Int(open.message.offset)
        var depth = 0
        var at = message + Int(open.message.length)
        while at > message {
            at -= 1
            switch base[at] {
            case UInt8(ascii: "]"), UInt8(ascii: ")"): depth += 1
            case UInt8(ascii: "[") where depth > 0, UInt8(ascii: "(") where depth > 0: depth -= 1
            case UInt8(ascii: "["):
                guard closer == UInt8(ascii: "]"), at > message else { return false }
                return base[at - 1] == UInt8(ascii: "-") || base[at - 1] == UInt8(ascii: "+")
            case UInt8(ascii: "("):
                // A remark in parentheses has a blank before it.
                guard closer == UInt8(ascii: ")"), at > message else { return false }
                return base[at - 1] | 0x20 &- 97 < 26
            default: break
            }
        }
        return false
    }

    /// The first bracket of a line.
    private static func firstBracket(_ base: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> UInt8? {
        for at in start..<min(end, start + 1024) {
            switch base[at] {
            case UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "("), UInt8(ascii: ")"): return base[at]
            default: break
            }
        }
        return nil
    }

    /// The first byte of a line that is no blank.
    static func firstVisible(_ base: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Int? {
        var at = start
        while at < end {
            guard let length = base[at] == 0x20 || base[at] == 0x09 ? 1 : InvisibleBytes.length(base, at, end) else {
                return at
            }
            at += length
        }
        return nil
    }
}
