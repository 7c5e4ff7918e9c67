import Foundation
import Testing

@testable import StateDiagrams

/// The colours of diagrams: what they mean, and that texts on them can be read.
struct DiagramColourTests {
    /// The contrast of two colours after WCAG 2.
    private func contrast(_ one: String, _ other: String) -> Double {
        let lights = [one, other].map { colour -> Double in
            let digits = Int(colour.dropFirst(), radix: 16) ?? 0
            let parts = [digits >> 16, digits >> 8 & 255, digits & 255].map { part -> Double in
                let share = Double(part) / 255
                return share <= 0.03928 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
            }
            return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2] + 0.05
        }
        return lights.max()! / lights.min()!
    }

    @Test(arguments: [PictureColouring.plain, .frequency, .performance])
    func textsOfStatesHaveContrast(_ colouring: PictureColouring) throws {
        var graph = Samples.app
        for place in graph.states.indices where graph.states[place].visits != nil {
            graph.states[place].endings = [.init(reason: "log_end", count: 2)]
        }
        let states = try read(graph) { $0.colouring = colouring }.all("g", class: "state")
        func ink(_ element: SVGElement) throws -> Ink {
            let name = element.classes.first { $0.hasPrefix("f-") }?.dropFirst(2) ?? ""
            return try #require(Ink(rawValue: String(name)))
        }
        for state in states {
            let fill = try ink(#require(state.all("rect").first))
            for text in state.all("text") {
                let own = try ink(text)
                #expect(contrast(own.colours.light, fill.colours.light) >= 4.5, "\(text.text): \(own) on \(fill)")
                #expect(contrast(own.colours.dark, fill.colours.dark) >= 4.5, "\(text.text): \(own) on \(fill)")
            }
        }
    }

    @Test func statesOfOnesOwnModelAreStepsOfLightness() {
        let tones: [Ink] = [.toneOwn1, .toneOwn2, .toneOwn3, .toneOwn4]
        for (one, next) in zip(tones, tones.dropFirst()) {
            #expect(contrast(one.colours.light, next.colours.light) >= 1.6, "\(one), \(next)")
            #expect(contrast(one.colours.dark, next.colours.dark) >= 1.4, "\(one), \(next)")
        }
        for tone in tones {
            let text = tone == .toneOwn1 ? Ink.onActive : .onTone
            #expect(contrast(tone.colours.light, text.colours.light) >= 4.5, "\(tone)")
            #expect(contrast(tone.colours.dark, text.colours.dark) >= 4.5, "\(tone)")
        }
    }

    @Test func aDifferenceKeepsItsLabelWhereThereIsLittleRoom() throws {
        var graph = Samples.app
        for place in graph.edges.indices where graph.edges[place].seen != nil {
            graph.edges[place].change = .init(a: 0.4, b: 0.5, isSignificant: false)
        }
        let rare = try #require(
            graph.edges.firstIndex { ($0.from, $0.to) == ("background", "not_running") })
        graph.edges[rare].change = .init(a: 0.067, b: 0.438, isSignificant: true)
        for width in stride(from: 600.0, through: 900, by: 50) {
            let root = try read(graph) { ($0.view, $0.width) = (.overlay, width) }
            func hasFigures(_ from: String, _ to: String) -> Bool {
                root.all("g", class: "label").contains {
                    $0.attributes["data-from"] == from && $0.attributes["data-to"] == to
                        && $0.all("text").contains { $0.text.contains(" → ") }
                }
            }
            let others = hasFigures("inactive", "background") || hasFigures("background", "inactive")
            #expect(hasFigures("background", "not_running") || !others && width < 900, "\(width)")
        }
    }

    @Test func eachFigureOfAComparisonHasTheColourOfItsOwnChange() throws {
        var graph = Samples.app
        let place = try #require(graph.states.firstIndex { $0.id == "inactive" })
        graph.states[place].change = .init(a: 4e8, b: 5e8, isSignificant: true)
        graph.states[place].shareChange = .init(a: 0.3, b: 0.1, isSignificant: true)
        let wrong = try #require(graph.edges.firstIndex { !$0.isDocumented && $0.seen != nil })
        graph.edges[wrong].change = .init(a: 0, b: 0.2, isSignificant: true)
        let root = try read(graph) { $0.view = .overlay }
        let state = try #require(root.all("g", class: "state").first { $0.attributes["data-state"] == "inactive" })
        let figures = state.all("text").filter { $0.text.hasPrefix("◆") }
        #expect(figures.count == 2 && figures[0].classes != figures[1].classes)
        #expect(root.all("g", class: "label").contains { $0.all("text").contains { $0.text == "undocumented" } })
    }

    @Test func theShadesOfFrequencyBeginAtZeroAndTheLegendSaysSo() throws {
        let legend = try read(Samples.app) { $0.colouring = .frequency }.all("g", class: "legend")[0].all("text")
        #expect(legend.map(\.text).contains("shade: frequency (0 – 121)"))
        let long = try read(Samples.app) { $0.colouring = .performance }.all("g", class: "legend")[0].all("text")
        #expect(long.contains { $0.text.hasPrefix("shade: median duration (350\u{A0}ms – ") })
    }

    @Test func noColourOfAVerdictMeansAnythingElse() throws {
        let verdicts = [Ink.documented, .undocumented].map(\.colours.light)
        #expect(!verdicts.contains(Ink.more.colours.light) && !verdicts.contains(Ink.less.colours.light))
        // What is not compared has none of these colours.
        var compared = Samples.app
        compared.edges[2].change = .init(a: 0.5, b: 0.7, isSignificant: true)
        let silent = try read(compared) { $0.view = .overlay }.all("g").filter { $0.classes.last == "silent" }
        let inks = Set(silent.flatMap { $0.all("path") + $0.all("text") }.flatMap(\.attributes.values))
        #expect(silent.count > 3 && inks.isDisjoint(with: [Ink.more, .less].map(\.colours.light)), "\(inks)")
        let root = try read(Samples.app) { $0.view = .overlay }
        let states = root.all("g", class: "state").flatMap { $0.all("rect") }.compactMap { $0.attributes["fill"] }
        #expect(!states.isEmpty && Set(states).isDisjoint(with: verdicts))
    }

    @Test func whatIsSilentAndWhatIsEstimatedDifferInColour() throws {
        var graph = Samples.app
        let place = try #require(graph.edges.firstIndex { ($0.from, $0.to) == ("suspended", "not_running") })
        graph.edges[place].estimated = 3
        let root = try read(graph) { $0.view = .overlay }
        func ink(_ kind: String) -> Set<String?> {
            Set(
                root.all("g", class: "edge").filter { $0.classes.last == kind }.map {
                    $0.all("path")[0].attributes["stroke"]
                })
        }
        #expect(ink("estimated") == [Ink.estimated.colours.light] && ink("silent") == [Ink.model.colours.light])
        let legend = root.all("g", class: "legend")[0].all("text").map(\.text)
        #expect(legend.contains("estimated from silence"))
        #expect(legend.contains("documented, silent: no line shows it"))
    }
}
