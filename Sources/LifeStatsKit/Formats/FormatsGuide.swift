import LogReading
import Reports
import TraceRecords

/// The supported formats, and how a file is read.
public enum FormatsGuide {
    /// All layouts as a table.
    ///
    /// - Throws: ``LifeStatsError`` when a layout file has errors.
    public static func listing(formats: [String] = []) throws -> String {
        try LifeStatsError.translated {
            let formats = try LayoutLoading.catalog(with: formats).layouts.map { ($0.name, $0.title) }
            return ResultWriter.text(
                .table, columns: [Column("format"), Column("reads")],
                rows: (formats + [LayoutCatalog.binary]).map { [.text($0.0), .text($0.1)] }, options: .ofTerminal)
        }
    }

    /// How a file is read: which layouts matched, sample lines with their fields, what was assumed.
    ///
    /// - Throws: ``LifeStatsError`` when the file cannot be read.
    public static func explanation(of path: String, options: IngestOptions) throws -> String {
        try LifeStatsError.translated {
            let reading = try options.readingOptions()
            let found = InputFinder.find([path], options: reading)
            guard let source = found.sources.first else {
                let why = found.diagnostics.map(\.description).joined(separator: "\n")
                throw LifeStatsError(why.isEmpty ? "\(path): nothing to read" : why)
            }
            let catalog = try LayoutLoading.catalog(with: options.formats)
            return text(try FormatExplanation.explain(source, catalog: catalog, options: reading))
        }
    }

    /// Checks a layout of the user against its samples, and reads a file with it. Of a file of spellings and evidence of
    /// the user's own, shows what it adds to what is recognised in the file.
    ///
    /// - Throws: ``LifeStatsError`` when the layout has errors, or the file cannot be read.
    public static func test(layout: String, on path: String) throws -> String {
        let lines = try LifeStatsError.translated { try TextFile.read(layout).split(separator: "\n") }
        guard lines.contains(where: { $0.hasPrefix("name:") || $0.hasPrefix("layouts:") }) else {
            return try LifeStatsError.translated { try test(words: layout, on: path) }
        }
        var options = IngestOptions(paths: [path], database: "")
        options.formats = [layout]
        let names = try LifeStatsError.translated {
            let builtIn = Set(try LayoutLoading.catalog(with: []).layouts.map(\.name))
            return try LayoutLoading.catalog(with: [layout]).layouts.map(\.name).filter { !builtIn.contains($0) }
        }
        options.format = names.first
        return "\(layout): all samples match\n" + (try explanation(of: path, options: options))
    }

    private static func test(words: String, on path: String) throws -> String {
        let without = try statements(in: path, aliases: nil)
        let added = try statements(in: path, aliases: words).filter { line, found in without[line]?.what != found.what }
        let shown = added.sorted { $0.key < $1.key }.prefix(20).map { line, found in
            "  line \(line): \(found.what)  \(VisibleText.neutralised(String(found.message.prefix(100))))\n"
        }
        return "\(words): no errors; \(Plural.text(added.count, "line")) of \(path) recognised"
            + (added.count > shown.count ? ", the first \(shown.count):\n" : added.isEmpty ? "\n" : ":\n")
            + shown.joined()
    }

    /// What lines of a file state, and their messages.
    private static func statements(
        in path: String, aliases: String?
    ) throws -> [Int64: (what: String, message: String)] {
        var options = IngestOptions(paths: [path], database: "")
        options.aliases = aliases
        let parts = try IngestMaterial(options).load()
        var statements: [Int64: (what: String, message: String)] = [:]
        for source in InputFinder.find([path]).sources {
            try RecognisedEntries.each(of: source, parts, try options.readingOptions()) { entry in
                for (event, facts) in entry.events {
                    let callback = event.callback.map { entry.vocabulary[$0].callback.id }
                    let what = callback ?? "\(facts.text(event.origin) ?? "") proves \(event.proof?.rawValue ?? "")"
                    statements[event.line] = (what, entry.message)
                }
                return true
            }
        }
        return statements
    }

    /// The language of layout files.
    public static var language: String {
        LayoutLanguage.parts.map { part in
            part.title + "\n" + WrappedList.text(part.words.map { ("  " + $0.name, $0.meaning) }, width: 79)
        }.joined(separator: "\n")
    }

    private static func text(_ explanation: FormatExplanation) -> String {
        var lines: [String] = [VisibleText.neutralised(explanation.path)]
        let counts = explanation.counts
        lines.append(
            "  \(Plural.text(counts.lines, "line"))\(explanation.isWhole ? "" : " at the start"): "
                + "\(Plural.text(counts.entry, "entry", "entries")), "
                + "\(Plural.text(counts.continuation, "continuation")), \(counts.other) other, "
                + "\(counts.rejected) rejected")
        lines += explanation.assumptions.map { "  assumed: \($0)" }
        if let damage = explanation.damage { lines.append("  \(damage)") }
        for attempt in explanation.attempts where attempt.entries > 0 {
            lines.append("")
            lines.append("\(attempt.layout): \(Plural.text(attempt.entries, "entry", "entries")) · \(attempt.title)")
            for sample in attempt.samples {
                let reading = sample.reading
                lines.append("  line \(sample.line)")
                for (name, value) in [
                    ("time", reading.time), ("process", reading.process), ("pid", reading.pid.map(String.init)),
                    ("device", reading.device), ("subsystem", reading.subsystem), ("message", reading.message),
                ] {
                    guard let value, !value.isEmpty else { continue }
                    let padding = String(repeating: " ", count: 10 - name.count)
                    lines.append(
                        "    \(name)\(padding)\(VisibleText.shortened(VisibleText.neutralised(value), to: 100))")
                }
            }
        }
        for reject in explanation.rejects {
            let text = VisibleText.shortened(VisibleText.neutralised(reject.text), to: 100)
            lines.append("  line \(reject.line) rejected: \(reject.reason): \(text)")
        }
        let others = explanation.attempts.filter { $0.entries == 0 }.map(\.layout)
        lines += ["", "layouts without a match: \(others.joined(separator: ", "))"]
        return lines.map { $0 + "\n" }.joined()
    }
}

/// The lines that come nearest to a lifecycle event, of logs in which none was recognised, or none of one kind.
struct NearLines {
    /// How much is looked at: little where most lines are understood, since all that is read is read twice.
    private var most: (files: Int, entries: Int) { missing == nil ? (8, 100_000) : (2, 10_000) }
    private static let mostLines = 3

    /// The state of the app that no line shows, and the names of the apps; `nil` where nothing was recognised.
    var missing: (state: String, apps: [String])?

    /// What is near a lifecycle event.
    struct Found {
        /// Up to three lines that hold words of the lifecycle, as `FILE:LINE  TEXT`, those with the most such words first.
        var lines: [String] = []
        /// How many lines hide what they say of the lifecycle, and the place of the first one.
        var hidden: (count: Int, first: String)?
    }

    /// What the system prints in place of what an app does not log as public.
    private static let hidden = "<private>"

    /// Looks through the entries of logs.
    func find(in sources: [SourceDescription], _ parts: IngestMaterial.Parts, _ options: ReadingOptions) -> Found {
        var found: [(words: Int, text: String)] = []
        var hidden: (count: Int, first: String)?
        for source in sources.prefix(most.files) where !source.isOnce {
            var entries = 0
            _ = try? RecognisedEntries.each(of: source, parts, options) { entry in
                let line = entry.message.prefix { !$0.isNewline }.prefix(400)
                let text = " \(line.lowercased()) "
                let words = weight(of: text, entry)
                if text.contains(Self.hidden), isOwn(entry), Self.hiding.contains(where: text.contains) {
                    hidden = ((hidden?.count ?? 0) + 1, hidden?.first ?? "\(source.path):\(entry.entry.line)")
                }
                if words > 0, found.count < Self.mostLines || words > found[found.count - 1].words {
                    found.append(
                        (words, "\(source.path):\(entry.entry.line)  \(VisibleText.shortened(String(line), to: 90))"))
                    found = Array(found.sorted { $0.words > $1.words }.prefix(Self.mostLines))
                }
                entries += 1
                return entries < most.entries
            }
        }
        return Found(lines: found.map(\.text), hidden: hidden)
    }

    /// Whether an entry states nothing and may be of an app whose states are looked for.
    private func isOwn(_ entry: RecognisedEntry) -> Bool {
        guard entry.events.isEmpty, let missing else { return entry.events.isEmpty }
        let process = entry.batch.text(entry.entry.process)
        return process.isEmpty || missing.apps.contains(process)
    }

    private func weight(of line: String, _ entry: RecognisedEntry) -> Int {
        func count(_ stems: [String]) -> Int { stems.count { line.contains($0) } }
        guard let missing else { return count(Self.stems) }
        guard isOwn(entry) else { return 0 }
        let others = count(Self.subjects)
        return others > 1 && count(Self.names[missing.state] ?? []) > 0 ? others : 0
    }

    private static let stems = [
        "activ", "appdelegate", "appear", "background", "become", "deinit", "enter", "exit", "foreground", "kill",
        "launch", "lifecycle", "on stop", "onstop", "resign", "resum", "scene", "suspend", "terminat", "viewdid",
        "viewwill",
    ]
    /// What is said of the lifecycle in lines of which the rest is hidden.
    private static let hiding = stems + ["phase", "state"]
    /// How people call a state of the app; a short one is a word of its own.
    private static let names = [
        "background": ["background", " bg ", "hidden", "suspend", "sleep", "后台", "後台", "背景"],
        "active": ["active", "foreground", " fg ", "resum", "awake", "woke", "前台", "前景"],
    ]
    /// What is said of an app in such a state; one such word may be there by chance.
    private static let subjects = [
        "app", "scene", "lifecycle", "phase", "state", "enter", "went", "goes", "going", "gone", "moved", "now", "->",
        "→", "应用", "程序", "進入", "进入",
    ]
}
