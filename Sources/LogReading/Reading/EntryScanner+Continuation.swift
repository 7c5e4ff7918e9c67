/// Lines that belong to the entry before them.
extension EntryScanner {
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
            default: return first > start && !afterBlank
            }
        }
    }

    /// The first byte of a line that is no blank.
    static func firstVisible(_ base: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Int? {
        var at = start
        while at < end {
            switch base[at] {
            case 0x20, 0x09, 0x0D, 0x0B, 0x0C: at += 1
            // A blank that does not break (U+00A0), as web pages paste it.
            case 0xC2 where at + 1 < end && base[at + 1] == 0xA0: at += 2
            default: return at
            }
        }
        return nil
    }
}
