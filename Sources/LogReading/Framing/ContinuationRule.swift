import TraceRecords

/// Whether a line that no layout matches belongs to the entry before it, or repeats it.
enum ContinuationRule {
    /// Whether the line, whose first visible byte is at `first`, continues the open entry.
    static func continues(
        _ builder: EntryBuilder, _ base: UnsafePointer<UInt8>, _ start: Int, _ end: Int, _ first: Int
    ) -> Bool {
        guard builder.isOpen, builder.openLayout < builder.layouts.count else { return false }
        switch builder.layouts[builder.openLayout].continuation {
        case .none: return false
        case .any: return true
        case .indented:
            switch base[first] {
            case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): return true
            // Frames of box-drawing characters (U+2500 to U+257F).
            case 0xE2
            where !builder.isAfterBlank && first + 1 < end && (base[first + 1] == 0x94 || base[first + 1] == 0x95):
                return true
            default:
                let isDeeper = indent(base, start, first) > openIndent(builder, base)
                return !builder.isAfterBlank && (isDeeper || closesOpenMethod(builder, base, start, end))
            }
        }
    }

    /// Whether a line without a layout repeats the timed line directly before it: an app that prints what it logs writes
    /// each text once with time and process, and once without.
    static func repeatsOpenEntry(
        _ builder: EntryBuilder, _ base: UnsafePointer<UInt8>, _ start: Int, _ end: Int
    ) -> Bool {
        guard builder.isOpen, !builder.isAfterBlank, builder.openLayout < builder.layouts.count,
            let open = builder.entries.last, open.time != nil, open.lineCount == 1
        else { return false }
        return areSame(base, open.message, ByteRange(offset: start, length: end - start))
    }

    /// Whether the open entry is a line without a layout that has the message of the timed line directly after it.
    static func isRepeated(_ builder: EntryBuilder, _ base: UnsafePointer<UInt8>, by message: ByteRange) -> Bool {
        guard builder.hasOpenBareLine, !builder.isAfterBlank, let open = builder.entries.last else { return false }
        return areSame(base, open.message, message)
    }

    private static func areSame(_ base: UnsafePointer<UInt8>, _ one: ByteRange, _ other: ByteRange) -> Bool {
        one.length > 0 && one.length == other.length
            && Bytes.areEqual(base + Int(one.offset), base + Int(other.offset), Int(one.length))
    }

    /// The indentation of the open entry: in a log that is indented as a whole, its lines are indented alike.
    private static func openIndent(_ builder: EntryBuilder, _ base: UnsafePointer<UInt8>) -> Int {
        guard let open = builder.entries.last else { return 0 }
        let (start, limit) = (builder.openStart, Int(open.message.offset))
        guard limit > start, let first = InvisibleBytes.firstVisible(base, start, limit) else { return 0 }
        return indent(base, start, first)
    }

    /// The indentation of a line whose first visible byte is at `first`; characters without width don't count.
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
    private static func closesOpenMethod(
        _ builder: EntryBuilder, _ base: UnsafePointer<UInt8>, _ start: Int, _ end: Int
    ) -> Bool {
        guard let open = builder.entries.last, open.lineCount <= 3, open.message.length <= 1024,
            let closer = firstBracket(base, start, end)
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
}
