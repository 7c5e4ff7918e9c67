import Testing

@testable import LogReading

@Suite("Explaining how a file is read")
struct FormatExplanationTests {
    @Test("which layouts were tried, what matched, with fields and assumptions")
    func explain() throws {
        let folder = try ScratchFolder()
        let text = """
            2021-05-04 09:08:07.250 Tea[512:1f03] one
            -> poured()
            2021-05-04 09:08:08.250 Tea[512:1f03] two
            2021-05-44 09:08:08.250 Tea[512:1f03] three
            """
        let file = try folder.write("a.log", Array(text.utf8))
        let catalog = try builtInCatalog.get()
        let source = try #require(InputFinder.find([file]).sources.first)
        let explanation = try FormatExplanation.explain(source, catalog: catalog)
        #expect(explanation.attempts.count == catalog.layouts.count + 1)
        #expect(explanation.attempts.prefix(3).map(\.layout) == ["nslog", "bare", "log-show"])
        #expect(explanation.attempts.prefix(3).map(\.entries) == [2, 1, 0])
        let sample = try #require(explanation.attempts.first?.samples.last)
        #expect(sample.line == 3 && sample.reading.process == "Tea" && sample.reading.pid == 512)
        #expect(sample.reading.time == "2021-05-04T09:08:08.25Z" && sample.reading.message == "two")
        #expect(explanation.isWhole && explanation.counts.lines == 4 && explanation.rejects.map(\.line) == [4])
        #expect(explanation.assumptions == ["times without a zone read as UTC"])
    }
}
