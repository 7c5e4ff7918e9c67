import DataFiles
import TraceRecords

/// The label of an instance: a name, and an address where one is printed. Either may be empty.
struct Label {
    var name: Range<Int> = 0..<0
    var address: Range<Int> = 0..<0

    /// The same label where the bytes around it are at another place.
    func moved(by distance: Int) -> Label {
        func moved(_ range: Range<Int>) -> Range<Int> {
            range.isEmpty ? 0..<0 : range.lowerBound + distance..<range.upperBound + distance
        }
        return Label(name: moved(name), address: moved(address))
    }
}

/// How lines name the scene or the view controller that they are about (`dialects/labels.yaml`).
struct LabelRules: Sendable {
    /// How far after a name its class is looked for.
    private static let nearby = 200

    /// Callback ids that count only for a view controller.
    let anyClass: Set<String>
    /// Words about anything: they count only directly behind the class of a view controller or of a view.
    let predicates: Set<String>
    private let controllers: [[UInt8]]
    let views: [[UInt8]]
    private let delegates: [[UInt8]]
    private let sources: [[UInt8]]
    private let receivers: [[UInt8]]
    private let ownPrefixes: WordList
    private let userFolders: [[UInt8]]
    private let daemons: WordList
    private let scenes: SceneLabels
    private let sceneFields: [[UInt8]]
    private let controllerFields: [[UInt8]]

    init(_ file: Field) throws(DataFileError) {
        anyClass = Set(try file.texts("anyClass"))
        predicates = Set(try file.texts("predicates"))
        controllers = try file.bytes("controllers")
        views = try file.bytes("views")
        delegates = try file.bytes("delegates")
        sources = try file.bytes("sources")
        receivers = try file.bytes("receivers")
        ownPrefixes = WordList(try file.texts("ownPrefixes"))
        userFolders = try file.bytes("userFolders")
        daemons = WordList(try file.texts("daemons"))
        scenes = try SceneLabels(file)
        sceneFields = try file.bytes("sceneFields")
        controllerFields = try file.bytes("controllerFields")
    }

    /// Whether a spelling begins with the receiver of the call, and not with a word of its own.
    func namesReceiver(_ spelling: [UInt8]) -> Bool {
        receivers.contains { receiver in
            spelling.count > receiver.count && ![0x20, 0x2E].contains(spelling[receiver.count])
                && spelling.span.bytes.equalsFolded(0, receiver.span.bytes, 0, count: receiver.count)
        }
    }

    /// Whether a name that begins with a capital at `place` has a prefix of those that apps give methods of their own.
    func isOwnPrefix(_ bytes: RawSpan, before place: Int, _ lineStart: Int) -> Bool {
        guard ByteClass.isUpper(bytes.byte(place)) else { return false }
        var start = place
        while start > lineStart, ByteClass.isLetter(bytes.byte(start - 1)) { start -= 1 }
        return ownPrefixes.contains(bytes, start..<place)
    }

    /// Whether a process is a part of the system that writes about others.
    func isDaemon(_ bytes: RawSpan, _ process: Range<Int>) -> Bool {
        let start = ProcessName.start(bytes, process.lowerBound, process.upperBound)
        return daemons.contains(bytes, start..<process.upperBound)
    }

    /// Whether a name is that of a view controller's class.
    func isController(_ bytes: RawSpan, _ start: Int, _ end: Int) -> Bool {
        controllers.contains { Scan.holdsFolded(bytes, start..<end, $0) }
    }

    /// Whether a class is a view of SwiftUI.
    func isView(_ bytes: RawSpan, _ word: Range<Int>) -> Bool { views.contains { Scan.ends(bytes, word, in: $0) } }

    /// The scene that a line is about.
    func scene(_ bytes: RawSpan, lineStart: Int, lineEnd: Int, besides name: Range<Int> = 0..<0) -> Label {
        scenes.label(bytes, lineStart: lineStart, lineEnd: lineEnd, besides: name)
    }

    /// Whether a line, or what its entry has beside the message, says that it is of a scene, and not only of which session.
    func namesScene(_ bytes: RawSpan, _ line: Range<Int>, besides name: Range<Int>, of origin: EntryOrigin) -> Bool {
        scenes.isTagged(bytes, line, around: name) || scenes.isNamed(bytes, line, besides: name)
            || scenes.isOfDelegate(bytes, origin, before: line.lowerBound..<name.lowerBound)
    }

    /// The view controller that a line is about, or the view of SwiftUI. The name of a generic class has its arguments:
    /// `UIHostingController<Home>`.
    func controller(
        _ bytes: RawSpan, _ frame: NameFrame, lineStart: Int, lineEnd: Int, nameEnd: Int, isView: Bool = false
    ) -> Label {
        var label = named(bytes, frame, lineStart: lineStart, lineEnd: lineEnd, nameEnd: nameEnd, isView: isView)
        label.name = label.name.lowerBound..<typeArgumentsEnd(bytes, label.name.upperBound, lineEnd)
        return label
    }

    /// Where the arguments of a generic class end whose name ends at `start`: there, where it has none.
    private func typeArgumentsEnd(_ bytes: RawSpan, _ start: Int, _ lineEnd: Int) -> Int {
        guard start + 1 < lineEnd, bytes.byte(start) == 0x3C, ByteClass.isUpper(bytes.byte(start + 1)) else {
            return start
        }
        var depth = 0
        for at in start..<min(lineEnd, start + Self.nearby) {
            switch bytes.byte(at) {
            case 0x3C: depth += 1
            case 0x3E where depth == 1: return at + 1
            case 0x3E: depth -= 1
            case 0x20, 0x26, 0x28, 0x29, 0x2C, 0x2E, 0x3F, 0x5B, 0x5D: break  // `<Tea.Home?, (Int, [Cup])>`
            case let byte where !ByteClass.isName(byte): return start
            default: break
            }
        }
        return start
    }

    private func named(
        _ bytes: RawSpan, _ frame: NameFrame, lineStart: Int, lineEnd: Int, nameEnd: Int, isView: Bool
    ) -> Label {
        var label = Label()
        if frame.ownerEnd > frame.ownerStart {
            label.name = frame.ownerStart..<frame.ownerEnd
        } else if let object = objectBefore(bytes, lineStart, frame.nameStart) {
            return object
        } else if frame.nameStart - frame.headEnd <= 2
            || !take(bytes, frame.headEnd..<frame.nameStart, isNearest: !frame.isBracketed, &label)
        {
            lookBefore(bytes, lineStart, frame.headEnd, &label)
        }
        if lineEnd - nameEnd > 2 { lookAfter(bytes, nameEnd, lineEnd, isView: isView, &label) }
        guard label.name.isEmpty else { return label }
        let next = afterArguments(bytes, nameEnd, lineEnd)
        return object(bytes, at: next, lineEnd) ?? sourceFile(bytes, before: frame.headEnd, lineStart)
            ?? sourceFile(bytes, at: next, lineEnd) ?? label
    }

    /// The scene or the view controller that a JSON record names beside its message.
    ///
    /// - Parameter isNamed: whether the message names it, so that only what the layout names counts.
    func label(
        of subject: Lexicon.Subject, _ bytes: RawSpan, inRecord record: Range<Int>, isNamed: Bool
    ) -> Label? {
        if subject == .app { return nil }
        let others = isNamed ? [] : subject == .scene ? sceneFields : controllerFields
        guard let value = RecordFields.value(bytes, record, of: [RecordKey.instance] + others) else { return nil }
        var label = Label(name: value.trimmed { ![0x20, 0x3C, 0x3E].contains(bytes.byte($0)) })
        if let mark = Scan.first(Array(": 0x".utf8), bytes, label.name),
            let address = Address.range(bytes, mark + 2, label.name.upperBound)
        {
            label = Label(name: label.name.lowerBound..<mark, address: address)
        }
        if let dot = label.name.last(where: { bytes.byte($0) == 0x2E }), ByteClass.isUpper(bytes.byte(dot + 1)) {
            label.name = dot + 1..<label.name.upperBound
        }
        let isDelegate = subject != .scene && delegates.contains { Scan.ends(bytes, label.name, in: $0) }
        return label.name.isEmpty || isDelegate ? nil : label
    }

    // MARK: - Directly before or after the name of a callback

    /// The object whose description ends right before a name: `<Shop.Cart: 0x7f…> viewDidLoad`.
    private func objectBefore(_ bytes: RawSpan, _ lineStart: Int, _ nameStart: Int) -> Label? {
        var at = nameStart
        while at > lineStart, !ByteClass.isName(bytes.byte(at - 1)), bytes.byte(at - 1) != 0x3E { at -= 1 }
        let end = at
        var depth = 0
        while at > max(lineStart, end - Self.nearby) {
            at -= 1
            switch bytes.byte(at) {
            case 0x3E: depth += 1
            case 0x3C where depth == 1: return object(bytes, at: at, end)
            case 0x3C: depth -= 1
            case _ where depth == 0: return nil
            default: break
            }
        }
        return nil
    }

    /// The object whose description begins at a place, as every object prints itself: its class is certain, whatever it is
    /// called.
    private func object(_ bytes: RawSpan, at start: Int, _ end: Int) -> Label? {
        guard start < end, bytes.byte(start) == 0x3C else { return nil }
        let line = start..<end
        var name = word(bytes, at: start + 1, line)
        while name.upperBound < end, bytes.byte(name.upperBound) == 0x2E {
            name = word(bytes, at: name.upperBound + 1, line)
        }
        guard isClass(bytes, name), end - name.upperBound > 2, bytes.byte(name.upperBound) == 0x3A,
            bytes.byte(name.upperBound + 1) == 0x20,
            let address = Address.range(bytes, name.upperBound + 2, end)
        else { return nil }
        return Label(name: name, address: address)
    }

    /// The class after which the source file right before a name is called: `[Cart.swift:40] viewDidLoad()`.
    private func sourceFile(_ bytes: RawSpan, before headEnd: Int, _ lineStart: Int) -> Label? {
        var end = headEnd
        while end > lineStart, !ByteClass.isName(bytes.byte(end - 1)) { end -= 1 }
        var start = end
        while start > lineStart, !ByteClass.isBlank(bytes.byte(start - 1)) { start -= 1 }
        return sourceFile(bytes, at: start, end)
    }

    /// The class after which the source file is called that a token at `start` names: `Shop/Cart+Layout.swift:40`.
    private func sourceFile(_ bytes: RawSpan, at start: Int, _ end: Int) -> Label? {
        let text = (start..<Scan.skip(bytes, start, end) { !ByteClass.isBlank($0) })
            .trimmed { ByteClass.isName(bytes.byte($0)) }
        let name = lastPart(bytes, of: text)
        let dot = Scan.skip(bytes, name.upperBound, text.upperBound) { $0 == 0x2B || ByteClass.isName($0) }
        let ending = dot..<(dot < text.upperBound ? word(bytes, at: dot + 1, text).upperBound : dot)
        let isSource = sources.contains { ending.count == $0.count && Scan.ends(bytes, ending, in: $0) }
        guard isSource, isClass(bytes, name), !isUserFolder(bytes, start, name) else { return nil }
        return Label(name: name)
    }

    /// Where something begins behind a name, its arguments, blanks and marks.
    private func afterArguments(_ bytes: RawSpan, _ nameEnd: Int, _ end: Int) -> Int {
        var at = nameEnd
        if at < end, bytes.byte(at) == 0x28 { at = Scan.skip(bytes, at, end) { $0 != 0x29 } }
        return Scan.skip(bytes, at, end) { !ByteClass.isName($0) && $0 != 0x3C }
    }

    /// Whether a name may be that of a class, and is not that of a delegate.
    private func isClass(_ bytes: RawSpan, _ name: Range<Int>) -> Bool {
        guard !name.isEmpty else { return false }
        let first = bytes.byte(name.lowerBound)
        return (ByteClass.isUpper(first) || first == 0x5F) && !delegates.contains { Scan.ends(bytes, name, in: $0) }
    }

    // MARK: - Before the name of a callback

    /// Looks among the tokens before the name, the nearest first.
    private func lookBefore(_ bytes: RawSpan, _ start: Int, _ headEnd: Int, _ label: inout Label) {
        var end = headEnd
        var isNearest = true
        while end > start {
            while end > start, ByteClass.isBlank(bytes.byte(end - 1)) { end -= 1 }
            var token = end
            while token > start, !ByteClass.isBlank(bytes.byte(token - 1)) { token -= 1 }
            guard token < end, !take(bytes, token..<end, isNearest: isNearest, &label) else { return }
            isNearest = isNearest && !(token..<end).contains { ByteClass.isName(bytes.byte($0)) }
            end = token
        }
    }

    /// Takes a token as the label when it is one.
    private func take(_ bytes: RawSpan, _ token: Range<Int>, isNearest: Bool, _ label: inout Label) -> Bool {
        if let address = Address.range(bytes, token.lowerBound, token.upperBound) {
            // `Class: 0x7f…>`: the class is in the token before.
            label.address = address
            return false
        }
        let text = token.trimmed { ByteClass.isName(bytes.byte($0)) }
        guard !text.isEmpty else { return false }
        let isDashed =
            text.lowerBound - token.lowerBound >= 2 && token.upperBound - text.upperBound >= 2
            && bytes.byte(token.lowerBound) == 0x2D
        let part = lastPart(bytes, of: text)
        let name = withoutGlue(bytes, part, in: text)
        let isUser = isUserFolder(bytes, token.lowerBound, part) || isMailbox(bytes, name.upperBound, text.upperBound)
        let isClass =
            isController(bytes, name.lowerBound, name.upperBound)
            || isNearest && isCamel(bytes, name) && token.upperBound - name.upperBound <= 1
        let isDelegate = delegates.contains { Scan.ends(bytes, name, in: $0) }
        guard !isUser, isDashed || isClass && !isDelegate else {
            if !label.address.isEmpty { label = Label() }
            return false
        }
        label.name = name
        return true
    }

    /// The first word of a token; of a path, that of its last part (`HomeViewController.swift:40` names a class).
    private func lastPart(_ bytes: RawSpan, of text: Range<Int>) -> Range<Int> {
        word(bytes, at: text.last { bytes.byte($0) == 0x2F }.map { $0 + 1 } ?? text.lowerBound, text)
    }

    /// The class that follows a module, a tag or a key in a token: `Shop.HomeVC`, `🚀[HomeVC]`, `screen=HomeVC`.
    private func withoutGlue(_ bytes: RawSpan, _ part: Range<Int>, in text: Range<Int>) -> Range<Int> {
        var name = part
        while name.upperBound < text.upperBound, isGlue(bytes.byte(name.upperBound)),
            !isController(bytes, name.lowerBound, name.upperBound) || isKey(bytes, name)
        {
            name = word(bytes, at: name.upperBound + 1, text)
        }
        return name
    }

    /// Whether a word whose name would do for a controller is the key of one: `vc=HomeVC`, `"viewController":"HomeVC"`.
    private func isKey(_ bytes: RawSpan, _ name: Range<Int>) -> Bool {
        ByteClass.isLower(bytes.byte(name.lowerBound)) && [0x3D, 0x3A, 0x22].contains(bytes.byte(name.upperBound))
    }

    private func word(_ bytes: RawSpan, at start: Int, _ text: Range<Int>) -> Range<Int> {
        start..<Scan.skip(bytes, start, text.upperBound, ByteClass.isName)
    }

    /// Whether what comes before the mark in a token is a module, a tag or a key, and not part of the class.
    private func isGlue(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x2E, 0x5B, 0x3D, 0x3A, 0x22, 0x28, 0x3C: true
        default: false
        }
    }

    private func isCamel(_ bytes: RawSpan, _ name: Range<Int>) -> Bool {
        guard name.count >= 3, ByteClass.isUpper(bytes.byte(name.lowerBound)) else { return false }
        return name.dropFirst().contains {
            ByteClass.isUpper(bytes.byte($0)) && ByteClass.isLower(bytes.byte($0 - 1))
        }
    }

    // MARK: - After the name of a callback

    /// Looks after the name for a class of a view controller, or the address of the class that came before it.
    private func lookAfter(_ bytes: RawSpan, _ nameEnd: Int, _ end: Int, isView: Bool, _ label: inout Label) {
        let limit = min(end, nameEnd + Self.nearby)
        var position = nameEnd
        while position < limit {
            let start = Scan.skip(bytes, position, limit) { !ByteClass.isLetter($0) }
            position = Scan.skip(bytes, start, limit, ByteClass.isName)
            if position < limit, bytes.byte(position) == 0x2E { continue }
            guard position - start >= 2, takeAfter(bytes, start..<position, nameEnd, end, isView: isView, &label)
            else { continue }
            let address = Scan.skip(bytes, position, min(limit, position + 4)) { !ByteClass.isName($0) }
            label.address = Address.range(bytes, address, limit) ?? label.address
            return
        }
    }

    /// Whether a word after the name is the class that the line is about.
    private func takeAfter(
        _ bytes: RawSpan, _ word: Range<Int>, _ nameEnd: Int, _ lineEnd: Int, isView: Bool, _ label: inout Label
    ) -> Bool {
        if !label.name.isEmpty {
            return word.count == label.name.count
                && bytes.equals(word.lowerBound, bytes, label.name.lowerBound, count: word.count)
        }
        let isClass = isController(bytes, word.lowerBound, word.upperBound) || isView && self.isView(bytes, word)
        guard isClass, ByteClass.isUpper(bytes.byte(word.lowerBound)) else { return false }
        var start = word.lowerBound
        while start > nameEnd, ByteClass.isName(bytes.byte(start - 1)) { start -= 1 }
        let name = start..<word.upperBound
        if isMailbox(bytes, name.upperBound, lineEnd) || isUserFolder(bytes, nameEnd, name) { return false }
        label.name = name
        return true
    }

    // MARK: - Words that look like classes and name users

    /// Whether a word that ends at `end` is a part of what comes before the `@` of an e-mail address. What else follows a
    /// class there is not a host with a domain: `HomeVC@7f8a12c0`, `HomeVC@MainActor`.
    private func isMailbox(_ bytes: RawSpan, _ end: Int, _ limit: Int) -> Bool {
        let at = Scan.skip(bytes, end, limit, isMailboxByte)
        guard at < limit, bytes.byte(at) == 0x40 else { return false }
        let host = at + 1..<Scan.skip(bytes, at + 1, limit, isMailboxByte)
        return host.dropFirst().contains {
            bytes.byte($0 - 1) == 0x2E && ByteClass.isUpper(bytes.byte($0) & 0xDF)
        }
    }

    private func isMailboxByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x2E, 0x2D, 0x2B, 0x25: true
        default: ByteClass.isName(byte)
        }
    }

    /// Whether a word names the folder of a user, in what begins at `first`. A class of controllers does not.
    private func isUserFolder(_ bytes: RawSpan, _ first: Int, _ name: Range<Int>) -> Bool {
        let isFolder = userFolders.contains { folder in
            let root = name.lowerBound - folder.count
            return root >= first && bytes.equals(root, folder.span.bytes, 0, count: folder.count)
                && (root == first || !ByteClass.isName(bytes.byte(root - 1)))
        }
        // The names of controllers end in a word of their own.
        return isFolder
            && !controllers.contains { word in
                let place = name.upperBound - word.count
                return place > name.lowerBound && ByteClass.isUpper(bytes.byte(place))
                    && Scan.ends(bytes, name, in: word)
            }
    }
}

/// Addresses of objects: `0x7f8a12c0`.
enum Address {
    /// The address that begins at `start`; `nil` when none does.
    static func range(_ bytes: RawSpan, _ start: Int, _ end: Int) -> Range<Int>? {
        guard end - start > 4, bytes.byte(start) == 0x30, bytes.byte(start + 1) | 0x20 == 0x78,
            ByteClass.isHex(bytes.byte(start + 2))
        else { return nil }
        return start..<Scan.skip(bytes, start + 2, end, ByteClass.isHex)
    }
}
