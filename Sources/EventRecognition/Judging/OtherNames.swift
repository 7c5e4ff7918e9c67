import LifecycleModel

/// Tells names that look like callbacks, but are none, from those that are: of a callback, of its slips, or of what else
/// the platform has (`exceptions` in the models).
struct OtherNames: Sendable {
    /// Names without their arguments, in lower case; in no order.
    private let known: [[UInt8]]

    init(_ vocabulary: Vocabulary, _ aliases: AliasTable?, _ typos: Typos) {
        var known: Set<[UInt8]> = []
        for entry in vocabulary.entries {
            let callback = entry.callback
            let names = callback.spellings + callback.exceptions + (aliases?.spellings[callback.id] ?? [])
            for name in names + names.flatMap(typos.slips) {
                // `scene(_:willConnectTo:` is known as `willConnectTo`, too.
                for part in name.utf8.split(whereSeparator: { !ByteClass.isName($0) || $0 == 0x5F }) {
                    known.insert(part.map { $0 | 0x20 })
                }
            }
        }
        self.known = Array(known)
    }

    /// Where a name ends whose beginning stands in a line; `nil` when it is known, or when it is no method's name.
    ///
    /// - Parameters:
    ///   - nameStart: where the name begins.
    ///   - beginning: where the beginning of it ends.
    func end(ofName bytes: RawSpan, _ nameStart: Int, beginning: Int, _ start: Int, _ end: Int) -> Int? {
        guard beginning < end, ByteClass.isUpper(bytes.byte(beginning)), isOfDelegate(bytes, nameStart, start) else {
            return nil
        }
        var last = beginning
        while last < end, ByteClass.isName(bytes.byte(last)) { last += 1 }
        guard isMethod(bytes, last, end) else { return nil }
        // The part behind the receiver.
        var first = beginning
        while first > nameStart, ByteClass.isName(bytes.byte(first - 1)) { first -= 1 }
        return isKnown(bytes, first, beginning: beginning, last) ? nil : last
    }

    /// Whether the class before a name, if there is one, is a delegate: others have methods of their own.
    private func isOfDelegate(_ bytes: RawSpan, _ nameStart: Int, _ lineStart: Int) -> Bool {
        let frame = NameFrame(bytes, lineStart: lineStart, nameStart: nameStart)
        guard frame.ownerEnd > frame.ownerStart else { return !frame.isForeign }
        let suffix: StaticString = "delegate"
        guard frame.ownerEnd - frame.ownerStart >= suffix.utf8CodeUnitCount else { return false }
        return suffix.withUTF8Buffer { expected in
            let from = frame.ownerEnd - expected.count
            for (offset, byte) in expected.enumerated() where bytes.byte(from + offset) | 0x20 != byte { return false }
            return true
        }
    }

    /// Whether what follows a name is what follows a method's: its arguments, a bracket, a blank or nothing.
    private func isMethod(_ bytes: RawSpan, _ position: Int, _ end: Int) -> Bool {
        guard position < end else { return true }
        let byte = bytes.byte(position)
        return byte == 0x3A || byte == 0x28 || byte == 0x5D || ByteClass.isBlank(byte)
    }

    /// Whether a name is known, or the first part of one that is, because a line may be cut off; or whether it is a known
    /// name with something behind it, which is what an app calls a method of its own.
    private func isKnown(_ bytes: RawSpan, _ start: Int, beginning: Int, _ end: Int) -> Bool {
        known.contains { name in
            let count = min(name.count, end - start)
            guard name.count > beginning - start, name[0] == bytes.byte(start) | 0x20 else { return false }
            for offset in 0..<count where name[offset] != bytes.byte(start + offset) | 0x20 { return false }
            return true
        }
    }
}
