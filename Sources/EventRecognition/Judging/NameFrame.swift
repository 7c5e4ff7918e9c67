import LifecycleModel

/// What is directly around a callback's name: its token, and its class (`-[Class name`, `Class.name`).
struct NameFrame {
    /// Where the name begins, and where the words before it end.
    let nameStart: Int
    var headEnd: Int
    /// The owner, without its module and category; empty when the line gives none.
    var ownerStart: Int
    var ownerEnd: Int
    /// Whether the owner stands in a method's brackets.
    var isBracketed = false
    /// Whether the name is none of the app's classes: it is one of a protocol, of `super`, or the end of a web address.
    var isForeign = false

    init(_ bytes: RawSpan, lineStart: Int, nameStart: Int) {
        self.nameStart = nameStart
        ownerStart = nameStart
        ownerEnd = nameStart
        var token = nameStart
        while token > lineStart, !ByteClass.isBlank(bytes.byte(token - 1)) { token -= 1 }
        headEnd = token
        isForeign = Self.isAddress(bytes, token, nameStart)
        if isForeign { return }
        if nameStart > lineStart, bytes.byte(nameStart - 1) == 0x2E {
            ownerEnd = nameStart - 1
            ownerStart = ownerEnd
            while ownerStart > token, ByteClass.isName(bytes.byte(ownerStart - 1)) { ownerStart -= 1 }
            isForeign = isSuper(bytes)
            return
        }
        if nameStart - 2 >= token, bytes.byte(nameStart - 1) == 0x3A, bytes.byte(nameStart - 2) == 0x3A {
            ownerEnd = nameStart - 2
            ownerStart = ownerEnd
            while ownerStart > token, ByteClass.isName(bytes.byte(ownerStart - 1)) { ownerStart -= 1 }
            return
        }
        guard token > lineStart + 1, bytes.byte(token - 1) == 0x20 else { return }
        var position = token - 2
        var start = -1
        var end = token - 1
        while position >= lineStart {
            let byte = bytes.byte(position)
            if byte == 0x5B { break }
            if byte == 0x2E {
                // What stands before the last dot is the module.
                if start < 0 { start = position + 1 }
            } else if byte == 0x28 || byte == 0x3C {
                // A category, or the parameters of a generic class.
                end = position
                start = -1
            } else if ByteClass.isBlank(byte) || byte == 0x5D {
                return
            }
            position -= 1
        }
        guard position >= lineStart else { return }
        isBracketed = true
        ownerStart = max(start, position + 1)
        ownerEnd = max(end, ownerStart)
        isForeign = end == position + 1 || isSuper(bytes)
        headEnd = position
        while headEnd > lineStart, !ByteClass.isBlank(bytes.byte(headEnd - 1)) { headEnd -= 1 }
    }

    /// Whether a web address stands before the name, up to a stroke or `#`.
    private static func isAddress(_ bytes: RawSpan, _ start: Int, _ end: Int) -> Bool {
        guard end - start > 3, bytes.byte(end - 1) == 0x2F || bytes.byte(end - 1) == 0x23 else { return false }
        for position in start..<end - 3
        where bytes.byte(position) == 0x3A && bytes.byte(position + 1) == 0x2F && bytes.byte(position + 2) == 0x2F {
            return true
        }
        return false
    }

    private func isSuper(_ bytes: RawSpan) -> Bool {
        ownerEnd - ownerStart == 5 && bytes.word32(ownerStart) == 0x6570_7573 && bytes.byte(ownerStart + 4) == 0x72
    }
}

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
                for part in Array(name.utf8).split(whereSeparator: { !ByteClass.isName($0) || $0 == 0x5F }) {
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
