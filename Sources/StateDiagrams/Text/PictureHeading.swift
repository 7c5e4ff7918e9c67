/// Headings of pictures in the language of the picture.
package enum PictureHeading {
    /// `App lifecycle`.
    package static func lifecycle(of model: String, _ language: PictureLanguage) -> String {
        Words.filled(Words.of(language).lifecycle, model)
    }

    /// `Runs of Harbour, Kino` for a timeline.
    package static func runs(of apps: [String], _ language: PictureLanguage) -> String {
        let words = Words.of(language)
        return apps.isEmpty ? words.timeline : "\(words.timeline): \(names(apps, words))"
    }

    /// `12 of 71 runs`, or `71 runs` when that is all.
    package static func count(runs: Int, of all: Int, _ language: PictureLanguage) -> String {
        let words = Words.of(language)
        if runs >= all { return Words.counted(all, one: words.run, many: words.runs) }
        return Words.filled(words.someRuns, NumberText.count(runs), NumberText.count(all))
    }

    /// `Harbour, Kino · 71 runs · 445 events · since 2026-03-01`.
    ///
    /// - Parameter restrictions: what the picture leaves out, in words.
    package static func subtitle(
        apps: [String], runs: Int, events: Int, restrictions: [String], _ language: PictureLanguage
    ) -> String {
        let words = Words.of(language)
        let figures = [
            Words.counted(runs, one: words.run, many: words.runs),
            Words.counted(events, one: words.event, many: words.events),
        ]
        return ((apps.isEmpty ? [] : [names(apps, words)]) + figures + restrictions).joined(separator: " · ")
    }

    /// The first three, and how many more there are.
    private static func names(_ apps: [String], _ words: Words) -> String {
        let more = apps.count > 3 ? [Words.filled(words.more, String(apps.count - 3))] : []
        return (apps.prefix(3) + more).joined(separator: ", ")
    }
}
