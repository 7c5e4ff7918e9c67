import Testing

@testable import LifecycleModel

@Suite("A user's patterns for messages")
struct MessagePatternTests {
    /// The label that a pattern finds: empty when it asks for none, `nil` when it does not match.
    private func label(_ pattern: String, _ message: String) -> String? {
        let bytes = Array(message.utf8)
        return MessagePattern(pattern).match(bytes).map { String(decoding: bytes[$0.instance], as: UTF8.self) }
    }

    @Test("literal text is found anywhere, whatever its case")
    func literal() {
        #expect(label("Player stalled", "E: player STALLED again") == "")
        #expect(label("player stalled", "player is stalled") == nil)
    }

    @Test("a star stands for any text, also none")
    func star() {
        #expect(label("buffer empty after * ms", "buffer empty after 250 ms") == "")
        #expect(label("buffer*empty", "bufferempty") == "")
        #expect(label("buffer * empty", "empty buffer") == nil)
    }

    @Test("the label of the instance is one word, wherever it stands")
    func instance() {
        #expect(label("[Player <instance>] play", "12 [Player main#2] Play now") == "main#2")
        #expect(label("[Player <instance>] play", "[Player a b] play") == nil)
        #expect(label("<instance> stalled", "at 3: deck7 stalled") == "deck7")
        #expect(label("stalled: <instance>", "stalled: deck7 (left)") == "deck7")
        #expect(label("stalled: <instance>", "stalled: ") == nil)
    }

    @Test("another place of the first text is tried when the rest does not follow")
    func retry() {
        #expect(label("id=<instance>;play", "id=a b;stop id=c;play") == "c")
    }

    @Test("the anchor is the longest literal")
    func anchor() {
        #expect(String(decoding: MessagePattern("A * Long One <instance>").anchor, as: UTF8.self) == " long one ")
        #expect(MessagePattern("*").anchor == [])
    }
}
