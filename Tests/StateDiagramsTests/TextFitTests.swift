import Testing

@testable import StateDiagrams

struct TextFitTests {
    @Test func anIdeographIsAsWideAsItsSize() {
        #expect(TextMeasure.width("激活", size: 20, face: .text) == 40)
        #expect(TextMeasure.width("激活", size: 20, face: .code) == 40)
    }

    @Test func combiningMarksAndJoinersTakeNoRoom() {
        #expect(TextMeasure.width("e\u{301}", size: 10, face: .text) == TextMeasure.width("e", size: 10, face: .text))
        #expect(TextMeasure.width("👩‍👩‍👧‍👦", size: 10, face: .text) < 20)
    }

    @Test func aTextThatFitsStaysAsItIs() {
        #expect(TextFit.shortened("Active", to: 100, size: 12, face: .text) == "Active")
    }

    @Test(arguments: Typeface.allCases)
    func aShortenedTextFitsItsRoomAndSaysThatSomethingIsMissing(face: Typeface) {
        let text = TextFit.shortened(String(repeating: "Lang ", count: 2_000), to: 120, size: 12, face: face)
        #expect(text.hasSuffix("…"))
        #expect(TextMeasure.width(text, size: 12, face: face) <= 120)
        #expect(text.count > 8)
    }

    @Test func namesBreakAtSpacesBetweenWordsOfCamelCaseAndBetweenIdeographs() {
        let camel = TextFit.wrapped("willFinishLaunchingWithOptions", to: 134, lines: 2, size: 11, face: .code)
        #expect(camel == ["willFinishLaunching", "WithOptions"])
        let method = TextFit.wrapped("scene(_:willConnectTo:options:)", to: 134, lines: 3, size: 11, face: .code)
        #expect(method == ["scene(_:", "willConnectTo:", "options:)"])
        let words = TextFit.wrapped("Created, view not loaded", to: 110, lines: 2, size: 12, face: .text)
        #expect(words == ["Created, view not", "loaded"])
        let chinese = TextFit.wrapped("将要显示已经显示", to: 60, lines: 2, size: 12, face: .text)
        #expect(chinese == ["将要显示已", "经显示"])
    }

    @Test func controlCharactersAndDirectionMarksBecomeVisible() {
        let text = TextFit.wrapped("a\u{1B}[31m\u{202E}b\nc", to: 500, lines: 1, size: 10, face: .text)
        #expect(text == ["a\u{241B}[31m<U+202E>b c"])
    }
}
