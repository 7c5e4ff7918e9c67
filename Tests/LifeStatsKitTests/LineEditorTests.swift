import Foundation
import Testing

@testable import LifeStatsKit

@Suite("Typing at the prompt")
struct LineEditorTests {
    private func editor(_ history: [String] = []) -> LineEditor {
        LineEditor(history: history) { Completion.of($0) }
    }

    /// What is in the line after keys were pressed; `|` is the cursor.
    private func typed(_ bytes: String, history: [String] = []) -> String {
        var (editor, decoder) = (editor(history), KeyDecoder())
        for key in decoder.keys(from: Array(bytes.utf8)) { _ = editor.press(key) }
        return String(editor.text.prefix(editor.cursor)) + "|" + String(editor.text.dropFirst(editor.cursor))
    }

    @Test(
        "Keys edit the line",
        arguments: [
            ("abc\u{1B}[D\u{1B}[DX", "aX|bc"),
            ("abc\u{01}X\u{05}Y", "XabcY|"),
            ("abc\u{7F}\u{7F}", "a|"),
            ("abc\u{1B}[H\u{1B}[3~", "|bc"),
            ("one two three\u{17}", "one two |"),
            ("one two\u{1B}b\u{0B}", "one |"),
            ("one two\u{1B}b\u{15}", "|two"),
            ("時計\u{02}x", "時x|計"),
            // A mark that is typed after its letter belongs to it: one key deletes both.
            ("e\u{301}\u{7F}", "|"),
            ("👩‍👩‍👧\u{7F}a", "a|"),
            // Pasted lines stay in one line; what would move the cursor does not get in.
            ("\u{1B}[200~select 1,\r\n\t2\u{07}\u{1B}[201~", "select 1,\n 2|"),
            // Unknown keys do nothing.
            ("a\u{1B}[15~\u{1B}OPb", "ab|"),
        ])
    func edits(_ bytes: String, _ line: String) {
        #expect(typed(bytes) == line)
    }

    @Test(
        "Tab completes what can come there",
        arguments: [
            ("runs_w\t", "runs_without_launch |"),
            ("SEL\t", "select |"),
            ("select * from scenar\t", "select * from scenario|"),
            // Of the views that are named, not of all.
            ("select dwell_ from visits\u{1B}b\u{1B}b\u{02}\t", "select dwell_| from visits"),
            ("select * from visits where ent\t", "select * from visits where entered|"),
            ("select * from visits v where v.cens\t", "select * from visits v where v.censored |"),
            ("select perc\t", "select percentile(|"),
            ("dwell_times lay\t", "dwell_times layer=|"),
            ("dwell_times layer=a\t", "dwell_times layer=a|"),
            (".que\t", ".queries |"),
            (".show varia\t", ".show variants |"),
            (".views suspen\t", ".views suspensions |"),
            (".format nd\t", ".format ndjson |"),
            ("nothing_begins_like_this\t", "nothing_begins_like_this|"),
        ])
    func completes(_ bytes: String, _ line: String) {
        #expect(typed(bytes) == line)
    }

    @Test("Several possible words are shown")
    func choices() {
        var editor = editor()
        _ = editor.press(.text(".raw o"))
        #expect(editor.press(.tab) == .show(["off", "on"]))
        #expect(editor.text == ".raw o")
    }

    @Test(
        "Earlier lines come back",
        arguments: [
            ("\u{1B}[A", "three|"),
            ("\u{1B}[A\u{1B}[A\u{1B}[B", "three|"),
            ("t\u{1B}[A\u{1B}[A", "two|"),
            ("on\u{1B}[A", "one|"),
            ("new\u{1B}[A\u{1B}[B", "new|"),
            ("tw\u{1B}[A\u{1B}[B", "tw|"),
            ("hre\u{12}", "three|"),
            ("o\u{12}\u{12}", "one|"),
        ])
    func recalls(_ bytes: String, _ line: String) {
        #expect(typed(bytes, history: ["one", "two", "three"]) == line)
    }

    @Test("Enter asks; inside brackets or a text it goes on, once")
    func submits() {
        var editor = editor()
        _ = editor.press(.text("select (1"))
        #expect(editor.press(.enter) == .none)
        _ = editor.press(.text(")"))
        #expect(editor.press(.enter) == .submit("select (1\n)"))
        _ = editor.press(.text("select 'x"))
        #expect(editor.press(.enter) == .none)
        #expect(editor.press(.enter) == .submit("select 'x\n"))
        #expect(editor.press(.up) == .none)
        #expect(editor.text == "select 'x\n")
        #expect(editor.press(.interrupt) == .dropped)
        #expect(editor.press(.endOfInput) == .leave)
    }

    @Test("A line that is too long shows the part with the cursor, by cells")
    func window() {
        var editor = editor()
        _ = editor.press(.text("時計ab"))
        #expect(editor.window(cells: 20) == ("時計ab", 6))
        #expect(editor.window(cells: 5) == ("計ab", 4))
        _ = editor.press(.home)
        #expect(editor.window(cells: 5) == ("時計", 0))
        _ = editor.press(.text("x\n"))
        #expect(editor.window(cells: 20).text == "x⏎時計ab")
    }

    @Test("Keys may come in pieces")
    func pieces() {
        var decoder = KeyDecoder()
        #expect(decoder.keys(from: [0x1B]) == [])
        #expect(decoder.keys(from: [0x5B]) == [])
        #expect(decoder.keys(from: [0x41]) == [.up])
        #expect(decoder.keys(from: [0xE6, 0x99]) == [])
        #expect(decoder.keys(from: [0x82]) == [.text("時")])
        #expect(decoder.keys(from: Array("\u{1B}[200~a\u{1B}[20".utf8)) == [])
        #expect(decoder.keys(from: Array("1~".utf8)) == [.text("a")])
    }

    @Test("The history is kept for its owner only, and survives what lines may hold")
    func history() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "lifestats-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let environment = ["XDG_STATE_HOME": folder.path()]
        var history = ShellHistory(environment: environment)
        let lines = ["dwell_times", "select 'a\\n'\n-- b\nfrom \"時計\"", "\\\\n"]
        for line in lines + ["\\\\n", "  "] { history.add(line) }
        #expect(ShellHistory(environment: environment).lines == lines)
        let file = folder.appending(path: "lifestats/history").path()
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        for number in 0..<1_100 { history.add("\(number)") }
        #expect(ShellHistory(environment: environment).lines.count == 1_000)
    }
}
