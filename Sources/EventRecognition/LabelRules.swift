/// How lines name the scene or the view controller that they are about (`dialects/labels.yaml`).
struct LabelRules: Sendable {
    /// Label of an instance: a name, and an address where one is printed. Either may be empty.
    struct Label {
        var nameStart = 0
        var nameEnd = 0
        var addressStart = 0
        var addressEnd = 0

        var isEmpty: Bool { nameStart == nameEnd && addressStart == addressEnd }
    }

    /// Callback ids that count only for a view controller.
    let anyClass: Set<String>
    let controllers: [[UInt8]]
    private let delegates: [[UInt8]]
    let sceneKeys: [[UInt8]]
    let sceneClasses: WordList
    let sceneWords: [[UInt8]]
    private let receivers: [[UInt8]]
    let userFolders: [[UInt8]]

    static func builtIn() throws(DialectError) -> LabelRules {
        let file = try DialectFile(
            name: "labels.yaml", text: String(decoding: PackageResources.labels_yaml, as: UTF8.self))
        return try LabelRules(file)
    }

    private init(_ file: DialectFile) throws(DialectError) {
        anyClass = Set(try file.texts("anyClass"))
        controllers = try file.texts("controllers").map { Array($0.utf8) }
        delegates = try file.texts("delegates").map { Array($0.utf8) }
        sceneKeys = try file.texts("sceneKeys").map { Array($0.utf8) }
        sceneClasses = WordList(try file.texts("sceneClasses"))
        sceneWords = try file.texts("sceneWords").map { Array($0.utf8) }
        receivers = try file.texts("receivers").map { Array($0.utf8) }
        userFolders = try file.texts("userFolders").map { Array($0.utf8) }
    }

    /// Whether a spelling begins with the receiver of the call.
    func tellsReceiver(_ spelling: [UInt8]) -> Bool {
        receivers.contains { receiver in
            spelling.count > receiver.count
                && spelling.span.bytes.equalsFolded(0, receiver.span.bytes, 0, count: receiver.count)
        }
    }

    /// Whether a name is that of a view controller's class.
    func isController(_ bytes: RawSpan, _ start: Int, _ end: Int) -> Bool {
        controllers.contains { contains($0, bytes, start, end) }
    }

    private func isDelegate(_ bytes: RawSpan, _ start: Int, _ end: Int) -> Bool {
        delegates.contains { text in
            end - start >= text.count
                && bytes.equalsFolded(end - text.count, text.span.bytes, 0, count: text.count)
        }
    }

    func contains(_ text: [UInt8], _ bytes: RawSpan, _ start: Int, _ end: Int) -> Bool {
        guard end - start >= text.count else { return false }
        for position in start...end - text.count
        where bytes.equalsFolded(position, text.span.bytes, 0, count: text.count) {
            return true
        }
        return false
    }

    // MARK: - View controllers

    /// The view controller that a line is about.
    func controller(
        _ bytes: RawSpan, _ frame: NameFrame, lineStart: Int, lineEnd: Int, nameEnd: Int
    ) -> Label {
        var label = Label()
        if frame.ownerEnd > frame.ownerStart {
            label.nameStart = frame.ownerStart
            label.nameEnd = frame.ownerEnd
        } else if !(frame.nameStart - frame.headEnd > 2
            && take(bytes, frame.headEnd, frame.nameStart, isNearest: !frame.isBracketed, &label))
        {
            before(bytes, lineStart, frame.headEnd, &label)
        }
        if lineEnd - nameEnd > 2 { after(bytes, nameEnd, lineEnd, &label) }
        return label
    }

    /// Looks among the tokens before the name, the nearest first.
    private func before(_ bytes: RawSpan, _ start: Int, _ headEnd: Int, _ label: inout Label) {
        var end = headEnd
        var isNearest = true
        while end > start {
            while end > start, ByteClass.isBlank(bytes.byte(end - 1)) { end -= 1 }
            var token = end
            while token > start, !ByteClass.isBlank(bytes.byte(token - 1)) { token -= 1 }
            guard token < end else { return }
            if take(bytes, token, end, isNearest: isNearest, &label) { return }
            isNearest = isNearest && !hasName(bytes, token, end)
            end = token
        }
    }

    private func hasName(_ bytes: RawSpan, _ start: Int, _ end: Int) -> Bool {
        for position in start..<end where ByteClass.isName(bytes.byte(position)) { return true }
        return false
    }

    /// Takes a token as the label when it is one.
    private func take(
        _ bytes: RawSpan, _ tokenStart: Int, _ tokenEnd: Int, isNearest: Bool, _ label: inout Label
    ) -> Bool {
        if isAddress(bytes, tokenStart, tokenEnd) {
            // `Class: 0x7f…>`: the class stands in the token before.
            label.addressStart = tokenStart
            label.addressEnd = addressEnd(bytes, tokenStart, tokenEnd)
            return false
        }
        var start = tokenStart
        var end = tokenEnd
        while start < end, !ByteClass.isName(bytes.byte(start)) { start += 1 }
        while end > start, !ByteClass.isName(bytes.byte(end - 1)) { end -= 1 }
        guard start < end else { return false }
        let isDashed = start - tokenStart >= 2 && tokenEnd - end >= 2 && bytes.byte(tokenStart) == 0x2D
        // `HomeViewController.swift:40` names a file: its first part is the class; a module stands before a class.
        var nameStart = start
        var nameEnd = start
        while nameEnd < end, ByteClass.isName(bytes.byte(nameEnd)) { nameEnd += 1 }
        // Of a path the last part counts; a tag or a key may be glued before the class: `🚀[HomeVC]`, `screen=HomeVC`.
        var isPerson = false
        if let stroke = lastStroke(bytes, start, end) {
            nameStart = stroke + 1
            nameEnd = nameStart
            while nameEnd < end, ByteClass.isName(bytes.byte(nameEnd)) { nameEnd += 1 }
            isPerson = isUserFolder(bytes, tokenStart, nameStart, nameEnd)
        }
        while nameEnd < end, isGlue(bytes.byte(nameEnd)), !isController(bytes, nameStart, nameEnd) {
            nameStart = nameEnd + 1
            nameEnd = nameStart
            while nameEnd < end, ByteClass.isName(bytes.byte(nameEnd)) { nameEnd += 1 }
        }
        isPerson = isPerson || isMailbox(bytes, nameEnd, end)
        let isClass =
            isController(bytes, nameStart, nameEnd)
            || (isNearest && isCamel(bytes, nameStart, nameEnd) && tokenEnd - nameEnd <= 1)
        guard !isPerson, isDashed || (isClass && !isDelegate(bytes, nameStart, nameEnd)) else {
            if label.addressEnd > label.addressStart { label = Label() }
            return false
        }
        label.nameStart = nameStart
        label.nameEnd = nameEnd
        return true
    }

    /// Whether what stands before the mark in a token is a module, a tag or a key, and no part of the class.
    private func isGlue(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x2E, 0x5B, 0x3D, 0x3A, 0x22, 0x28, 0x3C: true
        default: false
        }
    }

    private func lastStroke(_ bytes: RawSpan, _ start: Int, _ end: Int) -> Int? {
        var position = end - 1
        while position >= start, bytes.byte(position) != 0x2F { position -= 1 }
        return position >= start ? position : nil
    }

    /// Looks behind the name for a class of a view controller, or the address of the class that stood before it.
    private func after(_ bytes: RawSpan, _ nameEnd: Int, _ end: Int, _ label: inout Label) {
        let limit = min(end, nameEnd + 200)
        var position = nameEnd
        while position < limit {
            while position < limit, !ByteClass.isLetter(bytes.byte(position)) { position += 1 }
            var start = position
            while position < limit, ByteClass.isName(bytes.byte(position)) { position += 1 }
            if position < limit, bytes.byte(position) == 0x2E { continue }
            guard position - start >= 2 else { continue }
            if label.nameEnd > label.nameStart {
                let count = label.nameEnd - label.nameStart
                guard position - start == count, bytes.equals(start, bytes, label.nameStart, count: count) else {
                    continue
                }
            } else {
                guard isController(bytes, start, position), ByteClass.isUpper(bytes.byte(start)) else { continue }
                while start > nameEnd, ByteClass.isName(bytes.byte(start - 1)) { start -= 1 }
                if isMailbox(bytes, position, end) || isUserFolder(bytes, nameEnd, start, position) { continue }
                label.nameStart = start
                label.nameEnd = position
            }
            var address = position
            while address < limit, address - position < 4, !ByteClass.isName(bytes.byte(address)) { address += 1 }
            if isAddress(bytes, address, limit) {
                label.addressStart = address
                label.addressEnd = addressEnd(bytes, address, limit)
            }
            return
        }
    }

    private func isCamel(_ bytes: RawSpan, _ start: Int, _ end: Int) -> Bool {
        guard end - start >= 3, ByteClass.isUpper(bytes.byte(start)) else { return false }
        for position in start + 1..<end where ByteClass.isUpper(bytes.byte(position)) {
            if ByteClass.isLower(bytes.byte(position - 1)) { return true }
        }
        return false
    }

    func isAddress(_ bytes: RawSpan, _ start: Int, _ end: Int) -> Bool {
        end - start > 4 && bytes.byte(start) == 0x30 && bytes.byte(start + 1) | 0x20 == 0x78
            && ByteClass.isHex(bytes.byte(start + 2))
    }

    func addressEnd(_ bytes: RawSpan, _ start: Int, _ end: Int) -> Int {
        var position = start + 2
        while position < end, ByteClass.isHex(bytes.byte(position)) { position += 1 }
        return position
    }
}
