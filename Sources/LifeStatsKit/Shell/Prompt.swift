import CLineEditing
import Foundation
import NamedQueries
import Synchronization
import TraceStore

/// Reads lines: at a terminal with editing, history and completion (libedit), otherwise plain ones.
public final class Prompt {
    private static let label = "lifestats> "

    /// Whether lines are typed at a terminal that can move its cursor.
    public static var isInteractive: Bool {
        isatty(STDIN_FILENO) == 1 && Terminal.canMoveCursor
    }

    private let editor: OpaquePointer?
    private let lines: OpaquePointer?

    /// - Parameter history: earlier lines, oldest first.
    public init(history: [String]) {
        editor = Self.isInteractive ? lifestats_editor() : nil
        lines = editor == nil ? nil : history_init()
        guard let editor, let lines else { return }
        lifestats_set_history(editor, lines, Int32(ShellHistory.most))
        for line in history { lifestats_add_line(lines, line) }
        lifestats_set_prompt(editor) { _ in Prompt.labelText }
        for (name, command) in Self.commands { lifestats_add_command(editor, name, command) }
        for (key, command) in Self.keys { lifestats_bind(editor, key, command) }
    }

    deinit {
        if let editor { el_end(editor) }
        if let lines { history_end(lines) }
    }

    /// The next line; `nil` when there are no more.
    public func line() -> String? {
        guard let editor, let lines else {
            if isatty(STDOUT_FILENO) == 1 { Self.show(Self.label) }
            return readLine()
        }
        Self.show(Self.marksPastes)
        defer { Self.show(Self.pastesAsTyped) }
        var line: String
        repeat {
            Self.isDropped.store(false, ordering: .relaxed)
            var length: Int32 = 0
            guard let text = el_gets(editor, &length), length > 0 else {
                Self.show("\n")
                return nil
            }
            line = String(cString: text)
        } while Self.isDropped.load(ordering: .relaxed)
        if line.last == "\n" { line.removeLast() }
        if !line.allSatisfy(\.isWhitespace) { lifestats_add_line(lines, line) }
        return line
    }

    // MARK: - Keys

    private typealias Command = @convention(c) (OpaquePointer?, Int32) -> UInt8

    private static let commands: [(String, Command)] = [
        ("lifestats-complete", { editor, _ in complete(editor) }),
        ("lifestats-submit", { editor, _ in submit(editor) }),
        ("lifestats-drop", { editor, _ in drop(editor) }),
        ("lifestats-paste", { editor, _ in paste(editor) }),
    ]

    /// Enter goes through `lifestats-submit`, which presses this key when the line is complete.
    private static let newline = "\u{1F}"

    private static let keys = [
        ("\t", "lifestats-complete"), ("\r", "lifestats-submit"), ("\n", "lifestats-submit"),
        (newline, "ed-newline"), ("\u{03}", "lifestats-drop"), ("\u{1B}[200~", "lifestats-paste"),
        ("\u{12}", "em-inc-search-prev"), ("\u{17}", "ed-delete-prev-word"), ("\u{15}", "vi-kill-line-prev"),
        ("\u{1B}[A", "ed-search-prev-history"), ("\u{1B}OA", "ed-search-prev-history"),
        ("\u{1B}[B", "ed-search-next-history"), ("\u{1B}OB", "ed-search-next-history"),
        ("\u{1B}[H", "ed-move-to-beg"), ("\u{1B}[F", "ed-move-to-end"), ("\u{1B}[3~", "ed-delete-next-char"),
        ("\u{1B}[1;5C", "em-next-word"), ("\u{1B}[1;5D", "ed-prev-word"),
    ]

    private static func text(of editor: OpaquePointer?) -> (all: String, beforeCursor: String) {
        guard let line = el_line(editor)?.pointee, let start = line.buffer else { return ("", "") }
        func decoded(_ end: UnsafePointer<CChar>?) -> String {
            let bytes = UnsafeRawBufferPointer(start: start, count: end.map { $0 - start } ?? 0)
            return String(decoding: bytes, as: UTF8.self)
        }
        return (decoded(line.lastchar), decoded(line.cursor))
    }

    /// Completes the word before the cursor as far as it is certain, or lists how it may continue.
    private static func complete(_ editor: OpaquePointer?) -> UInt8 {
        let (word, candidates) = Completion.of(text(of: editor).beforeCursor)
        guard let first = candidates.first else { return UInt8(CC_REFRESH_BEEP) }
        let common = candidates.dropFirst().reduce(first) { $0.commonPrefix(with: $1) }
        if candidates.count == 1 || common.count > word.count {
            el_deletestr(editor, Int32(word.unicodeScalars.count))
            let isOpen = first.hasSuffix("(") || first.hasSuffix("=")
            el_insertstr(editor, candidates.count == 1 && !isOpen ? first + " " : common)
            return UInt8(CC_REFRESH)
        }
        show("\n" + columns(candidates) + "\n")
        return UInt8(CC_REDISPLAY)
    }

    /// Ends the line; where a bracket or a quotation mark is open, begins another. A second Enter ends it anyway.
    private static func submit(_ editor: OpaquePointer?) -> UInt8 {
        let text = text(of: editor).all
        if text.last != "\n", isUnfinished(text) {
            el_insertstr(editor, "\n")
            return UInt8(CC_REFRESH)
        }
        el_push(editor, newline)
        return UInt8(CC_NORM)
    }

    private static func isUnfinished(_ text: String) -> Bool {
        let bare = text.replacing(/'[^']*'|"[^"]*"/, with: "")
        return bare.contains { "'\"".contains($0) } || bare.count { $0 == "(" } > bare.count { $0 == ")" }
    }

    /// Ends the line and marks it as dropped: libedit has no portable function to empty it.
    private static func drop(_ editor: OpaquePointer?) -> UInt8 {
        show("^C")
        isDropped.store(true, ordering: .relaxed)
        el_push(editor, newline)
        return UInt8(CC_NORM)
    }

    private static let isDropped = Atomic(false)

    /// Inserts pasted text as it is: its line ends do not end the line, and control characters are left out.
    private static func paste(_ editor: OpaquePointer?) -> UInt8 {
        let end = Array("\u{1B}[201~".unicodeScalars)
        var pasted: [Unicode.Scalar] = []
        var next: wchar_t = 0
        while !pasted.suffix(end.count).elementsEqual(end), el_wgetc(editor, &next) == 1 {
            pasted.append(Unicode.Scalar(UInt32(bitPattern: next)) ?? "?")
        }
        let text = String(String.UnicodeScalarView(pasted.dropLast(end.count)))
            .replacing("\r\n", with: "\n").replacing("\r", with: "\n").replacing("\t", with: " ")
        let clean = text.unicodeScalars.filter { $0 == "\n" || $0.properties.generalCategory != .control }
        el_insertstr(editor, String(String.UnicodeScalarView(clean)))
        return UInt8(CC_REFRESH)
    }

    // MARK: - The terminal

    /// Bracketed paste: the terminal marks where pasted text begins and ends.
    private static let (marksPastes, pastesAsTyped) = ("\u{1B}[?2004h", "\u{1B}[?2004l")

    /// Written once and never freed: libedit keeps the pointer.
    private nonisolated(unsafe) static let labelText = strdup(label)

    /// Writes past the buffer of libedit, which is empty between two keys.
    private static func show(_ text: String) { Terminal.write(text) }

    /// Words side by side, as many as fit.
    private static func columns(_ words: [String]) -> String {
        let width = (words.map(\.count).max() ?? 0) + 2
        let perLine = max(1, (Terminal.size?.width ?? 80) / width)
        return stride(from: 0, to: words.count, by: perLine).map { start in
            words[start..<min(words.count, start + perLine)]
                .map { $0.padding(toLength: width, withPad: " ", startingAt: 0) }.joined()
        }.joined(separator: "\n")
    }
}

/// The lines typed at the prompt, kept in a file that only its owner can read.
public struct ShellHistory: Sendable {
    /// The maximum number of lines.
    static let most = 1_000

    private let file: URL
    public private(set) var lines: [String]

    /// - Parameter environment: `XDG_STATE_HOME` or `HOME` locates the file.
    public init(environment: [String: String]) {
        let home = URL(fileURLWithPath: environment["HOME"] ?? NSHomeDirectory())
        let state = environment["XDG_STATE_HOME"].flatMap { $0.isEmpty ? nil : URL(fileURLWithPath: $0) }
        file = (state ?? home.appending(path: ".local/state")).appending(path: "lifestats/history")
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        lines = text.split(separator: "\n").suffix(Self.most).map { Self.decoded(String($0)) }
    }

    /// Keeps a line. A history that cannot be written is silently not kept.
    public mutating func add(_ line: String) {
        guard !line.allSatisfy(\.isWhitespace), line != lines.last else { return }
        lines = (lines + [line]).suffix(Self.most)
        let text = lines.map { Self.encoded($0) + "\n" }.joined()
        let files = FileManager.default
        try? files.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        guard (try? Data(text.utf8).write(to: file, options: .atomic)) != nil else { return }
        try? files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
    }

    private static func encoded(_ line: String) -> String {
        line.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
    }

    private static func decoded(_ line: String) -> String {
        line.split(separator: "\\\\", omittingEmptySubsequences: false).map { $0.replacing("\\n", with: "\n") }
            .joined(separator: "\\")
    }
}

/// Completion of the word before the cursor.
enum Completion {
    /// The word, and its possible completions in alphabetical order.
    ///
    /// - Parameter text: the line up to the cursor.
    static func of(_ text: String) -> (word: String, candidates: [String]) {
        let word = String(text.reversed().prefix { $0.isLetter || $0.isNumber || $0 == "_" }.reversed())
        let before = text.dropLast(word.count)
        let words = before.split(whereSeparator: \.isWhitespace).map(String.init)
        let matches = { (names: [String]) in
            Set(names.filter { $0.lowercased().hasPrefix(word.lowercased()) }).sorted()
        }
        if before == "." { return ("." + word, Shell.commands.filter { $0.hasPrefix("." + word) }) }
        guard let first = words.first else { return (word, matches(queries + keywords)) }
        switch first {
        case ".show": return (word, matches(queries))
        case ".views", ".schema": return (word, matches(SchemaDocumentation.views.map(\.name)))
        case ".format": return (word, matches(OutputFormat.allCases.map(\.rawValue)))
        case ".raw": return (word, matches(["off", "on"]))
        case let name where name.hasPrefix("."): return (word, [])
        default:
            if let query = NamedQueries.query(named: first) {
                // After name= comes a value, which cannot be completed.
                guard before.last?.isWhitespace == true else { return (word, []) }
                return (word, matches(query.parameters.map { $0.name + "=" }))
            }
            return (word, matches(sql(in: text, before: before.last)))
        }
    }

    /// The words of SQL. After a dot: columns only. Columns are those of the views named so far, if any.
    private static func sql(in text: String, before: Character?) -> [String] {
        let named = Set(text.lowercased().split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init))
        let views = SchemaDocumentation.views
        let chosen = views.filter { named.contains($0.name) }
        let columns = (chosen.isEmpty ? views : chosen).flatMap { $0.columns.map(\.name) }
        return before == "." ? columns : columns + views.map(\.name) + keywords + functions
    }

    private static var queries: [String] { NamedQueries.all.map(\.name) }

    private static let keywords = [
        "select", "from", "where", "group by", "order by", "having", "limit", "join", "left join", "with", "case",
        "when", "then", "else", "end", "distinct", "between", "like", "explain query plan",
    ]

    private static let functions =
        ["avg(", "count(", "max(", "min(", "sum(", "substr(", "coalesce("]
        + QueryFunctions.documentation.map { String($0.call.prefix { $0 != "(" }) + "(" }
}
