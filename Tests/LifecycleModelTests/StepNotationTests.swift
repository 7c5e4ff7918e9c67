import Testing

@testable import LifecycleModel

@Suite("The notation of callback sequences")
struct StepNotationTests {
    @Test(
        "reads and writes",
        arguments: [
            "", "a", "a, b", "[a], b|c", "VC2 a", "a -> s", "scene2 a|b -> s", "{a, b}*", "{a}+", "(a & VC1 b)",
            "~, ..., new run", "SC-A01, [b, [c]]",
        ])
    func roundTrip(text: String) throws {
        #expect(StepNotation.text(try StepNotation.parse(text)) == text)
    }

    @Test("has a meaning for every mark")
    func meaning() throws {
        let steps = try StepNotation.parse(" [a,b] , VC1 c|d -> x, {e}+, ~, …, new run, SC-A01, (f & g)")
        let callback = CallbackPattern(names: ["c", "d"], actor: "VC1", to: "x")
        func name(_ name: String) -> StepPattern { .callback(CallbackPattern(names: [name])) }
        #expect(
            steps == [
                .optional([name("a"), name("b")]), .callback(callback), .repeated([name("e")], atLeast: 1), .silent,
                .later, .newRun, .scenario("SC-A01"), .unordered([name("f"), name("g")]),
            ])
    }

    @Test("rejects any other text", arguments: ["a,", "[a", "{a}", "a b c", "a ->", "a]", ", a", "(a & "])
    func malformed(text: String) {
        #expect(throws: StepNotation.Malformed.self) { try StepNotation.parse(text) }
    }
}
