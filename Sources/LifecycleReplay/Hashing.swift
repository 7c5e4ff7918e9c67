/// A hash that is the same on every machine and in every version: FNV-1a over words, with a final mix.
enum Hashing {
    static let start: UInt64 = 0xCBF2_9CE4_8422_2325

    @inline(__always)
    static func mix(_ hash: UInt64, _ word: UInt64) -> UInt64 {
        var mixed = (hash ^ word) &* 0x0000_0100_0000_01B3
        mixed ^= mixed >> 32
        mixed = mixed &* 0xD6E8_FEB8_6659_FD93
        return mixed ^ mixed >> 29
    }

    static func mix(_ hash: UInt64, _ text: String?) -> UInt64 {
        guard let text else { return mix(hash, 0) }
        var hash = mix(hash, UInt64(text.utf8.count) + 1)
        for byte in text.utf8 { hash = mix(hash, UInt64(byte)) }
        return hash
    }

    /// The hash that stands for a text wherever texts are compared; 0 for the absent or empty one.
    static func of(_ text: String?) -> UInt64 {
        guard let text, !text.isEmpty else { return 0 }
        return max(mix(start, text), 1)
    }

    /// Sixteen hexadecimal digits.
    static func text(_ hash: UInt64) -> String {
        let digits = Array("0123456789abcdef".utf8)
        var text = [UInt8](repeating: 0, count: 16)
        for place in 0..<16 { text[place] = digits[Int(hash >> UInt64(60 - 4 * place) & 15)] }
        return String(decoding: text, as: UTF8.self)
    }
}

/// Times in nanoseconds since 1970 UTC, with one value for "not known": half the size of an optional.
enum Time {
    static let none = Int64.min
    static let second: Int64 = 1_000_000_000

    @inline(__always)
    static func optional(_ time: Int64) -> Int64? { time == none ? nil : time }

    @inline(__always)
    static func plain(_ time: Int64?) -> Int64 { time ?? none }

    /// Nanoseconds as seconds without needless digits.
    static func seconds(_ nanoseconds: Int64) -> String {
        let whole = nanoseconds / second
        let rest = nanoseconds % second
        guard rest != 0 else { return "\(whole)" }
        var digits = String(second + rest).dropFirst()
        while digits.hasSuffix("0") { digits = digits.dropLast() }
        return "\(whole).\(digits)"
    }
}
