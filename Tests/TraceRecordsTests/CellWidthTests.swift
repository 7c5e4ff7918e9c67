import Testing

@testable import TraceRecords

@Suite("Cells of a terminal")
struct CellWidthTests {
    @Test(
        "East Asian characters and emoji fill two cells, combining marks none",
        arguments: [
            ("", 0), ("active", 6), ("é", 1), ("e\u{301}", 1), ("日本語", 6), ("ｱｲｳ", 3), ("ＡＢ", 4), ("한국어", 6),
            ("\u{1112}\u{1161}\u{11AB}", 2), ("👍", 2), ("👍🏽", 2), ("👩‍👩‍👧‍👦", 2), ("🇩🇪", 2), ("❤️", 2), ("❤", 1), ("1️⃣", 2),
            ("नि", 2), ("ไทย", 3), ("กำ", 2), ("مرحبا", 5), ("a\u{200B}b", 2), ("—…–", 3), ("😀x漢", 5), ("𠮷", 2),
            ("─│", 2),
        ])
    func widths(_ text: String, _ cells: Int) {
        #expect(CellWidth.of(text) == cells)
    }

    @Test("A text is shortened by cells, and never inside a character")
    func shortening() {
        #expect(VisibleText.shortened("日本語", to: 6) == "日本語")
        #expect(VisibleText.shortened("日本語", to: 5) == "日本…")
        #expect(VisibleText.shortened("日本語", to: 4) == "日…")
        #expect(VisibleText.shortened("👩‍👩‍👧‍👦abc", to: 4) == "👩‍👩‍👧‍👦a…")
    }
}
