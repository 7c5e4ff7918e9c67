import Foundation
import Reports
import TraceRecords

/// Shows what happens in logs while they are read.
public enum LiveView {
    /// How often what is new is looked for, in milliseconds, at the least.
    private static let tick = 200

    /// Writes a line for every transition and every finding, until the logs end or the user stops.
    ///
    /// - Parameter pause: called before each pause, so that the caller can end where nobody reads the lines any more.
    /// - Throws: ``LifeStatsError`` when a log cannot be read or the database cannot be written.
    public static func lines(
        _ options: IngestOptions, colors: Bool, notice: (String) -> Void, write: (String) -> Void, pause: () -> Void
    ) throws -> IngestReport {
        let models = try LifeStatsError.translated { try ModelLoading.catalog(with: options.models).models }
        let ingest = LiveIngest.start(options)
        var live = LiveLines(style: TextStyle(isOn: colors), models: models)
        var pace = Pace()
        var news = DatabaseNews()
        while true {
            let outcome = ingest.outcome
            for text in ingest.takeNotices() { notice(text) }
            if news.areThere(in: options.database) || outcome != nil {
                try pace.measure {
                    try look(options.database, isNew: outcome == nil) { reader in
                        let lines = try live.next(reader, isOver: outcome != nil)
                        if !lines.isEmpty {
                            write(TerminalText.safe(lines.joined(separator: "\n"), allowsColors: colors))
                        }
                    }
                }
            }
            if let outcome { return try outcome.get() }
            pause()
            usleep(UInt32(pace.milliseconds) * 1_000)
        }
    }

    /// Shows the logs on a terminal, in place, until the user quits. The database stays where it is for what is saved.
    ///
    /// - Throws: ``LifeStatsError`` when a log cannot be read or the database cannot be written.
    public static func screen(_ options: IngestOptions, colors: Bool) throws -> IngestReport {
        let models = try LifeStatsError.translated { try ModelLoading.catalog(with: options.models).models }
        let screen = LiveScreen(style: TextStyle(isOn: colors), models: models)
        let ingest = LiveIngest.start(options)
        let terminal = LiveTerminal()
        var session = LiveSession(options: options, screen: screen, terminal: terminal)
        do {
            try session.run(ingest)
        } catch {
            terminal.leave()
            _ = ingest.end()
            throw error
        }
        terminal.leave()
        return try ingest.end().get()
    }

    /// Whether a live view can be shown in place.
    public static var isPossible: Bool { Terminal.canMoveCursor }

    /// Looks at the database; nothing happens while there is none yet.
    static func look(_ database: String, isNew: Bool, _ body: (DatabaseReading) throws -> Void) throws {
        guard FileManager.default.fileExists(atPath: database) else { return }
        do {
            try DatabaseReading.run(database, body)
        } catch let error as LifeStatsError {
            // The tables of a database that is just being made may not be there yet.
            if !isNew { throw error }
        }
    }

    /// Makes the looks rarer the longer they take, so that the log is read at full speed.
    struct Pace {
        private(set) var milliseconds = LiveView.tick

        mutating func measure(_ body: () throws -> Void) rethrows {
            let start = ContinuousClock.now
            try body()
            let taken = (ContinuousClock.now - start) / .milliseconds(1)
            milliseconds = max(LiveView.tick, Int(taken * 4))
        }
    }
}

/// Whether a database has been written to: a look that finds nothing new costs as much as another.
struct DatabaseNews {
    private struct Mark: Equatable {
        var file, size: UInt64?
        var date: Date?

        init(of path: String) {
            let known = try? FileManager.default.attributesOfItem(atPath: path)
            file = (known?[.systemFileNumber] as? NSNumber)?.uint64Value
            size = (known?[.size] as? NSNumber)?.uint64Value
            date = known?[.modificationDate] as? Date
        }
    }

    private var last: [Mark] = []
    private var wereThere = true

    /// Whether there are news since the last call. It says so once more after each change, because what is written right
    /// after a look may bear the same time.
    mutating func areThere(in database: String) -> Bool {
        // SQLite writes beside the file that a link leads to.
        let file = URL(fileURLWithPath: database).resolvingSymlinksInPath().path
        let marks = [file, file + "-wal"].map(Mark.init)
        defer { (last, wereThere) = (marks, marks != last) }
        return wereThere || marks != last
    }
}

/// One session at a terminal: the keys, the clock of the log, what is saved.
private struct LiveSession {
    /// What a screen is made of. Running times count in seconds. Others may have written on it, so it is drawn again after a
    /// while, whatever there is.
    private struct View: Equatable {
        static let longest = Duration.seconds(2)

        var heading, empty, footer: String
        var width, height: Int
        var second: Int64?
        var look: Int
        var turn: Int
    }

    let options: IngestOptions
    let screen: LiveScreen
    let terminal: LiveTerminal
    private var snapshot = LiveSnapshot()
    private var clock = LogClock()
    private var rate = LineRate()
    private var pace = LiveView.Pace()
    private var news = DatabaseNews()
    /// Whether the database holds what the snapshot does not.
    private var isStale = true
    private var looks = 0
    /// What is on the screen.
    private var shown: View?
    private var isPaused = false
    /// When the view was paused, in the time of the log.
    private var pausedAt: Int64?
    private var app = ""
    /// Whether the filter has changed since the database was looked at.
    private var isFilterNew = false
    private var hasEnded = false
    private let start = ContinuousClock.now
    /// The text that is being typed; `nil` outside the question.
    private var typing: String?
    private var message: String?

    init(options: IngestOptions, screen: LiveScreen, terminal: LiveTerminal) {
        self.options = options
        self.screen = screen
        self.terminal = terminal
    }

    mutating func run(_ ingest: LiveIngest) throws {
        while !ingest.isStopping {
            if !hasEnded, let outcome = ingest.outcome {
                (hasEnded, isStale) = (true, true)
                _ = try outcome.get()
                message = "the log has ended"
            }
            if let notice = ingest.takeNotices().last { message = notice }
            if news.areThere(in: options.database) { isStale = true }
            if isStale && !isPaused || isFilterNew {
                let (isOver, chosen, models) = (hasEnded, app.isEmpty ? nil : app, screen.models)
                let database = options.database
                var (next, measured) = (snapshot, pace)
                try measured.measure {
                    try LiveView.look(database, isNew: !isOver) { reader in
                        next = try LiveSnapshot(reader, models: models, app: chosen, isOver: isOver)
                    }
                }
                (snapshot, pace) = (next, measured)
                (isStale, looks) = (false, looks + 1)
                clock.isZoneAssumed = snapshot.isZoneAssumed && options.timezone == "UTC"
                clock.note(snapshot.lastTime)
                if isFilterNew { (isFilterNew, pausedAt) = (false, clock.now) }
            }
            if !isPaused { rate.note(snapshot.lines) }
            draw()
            if let key = terminal.key(within: pace.milliseconds), !press(key) { return }
        }
    }

    private mutating func draw() {
        let size = terminal.size
        let place = VisibleText.neutralised(options.paths.joined(separator: " "))
        let name = place == "-" ? "standard input" : place
        var heading =
            "\(name) · \(Plural.text(snapshot.lines, "line")) · \(Plural.text(snapshot.events, "event")) · UTC"
        if let rate = rate.perSecond { heading += " · \(NumberText.grouped(rate)) lines/s" }
        if !app.isEmpty { heading += " · only \(VisibleText.neutralised(app))" }
        if isPaused { heading += " · paused" }
        let footer =
            typing.map { "app: \(VisibleText.neutralised($0))_" }
            ?? LiveScreen.footer(message, width: size.width)
        let isLate = hasEnded || ContinuousClock.now - start > .seconds(5)
        let now = isPaused ? pausedAt : clock.now
        let view = View(
            heading: heading, empty: LiveScreen.empty(snapshot, app: app, isLate: isLate), footer: footer,
            width: size.width, height: size.height, second: now.map { $0 / 1_000_000_000 }, look: looks,
            turn: Int((ContinuousClock.now - start) / View.longest))
        guard view != shown else { return }
        terminal.show(
            screen.lines(
                snapshot, now: now, heading: heading, empty: view.empty, footer: footer, width: size.width,
                height: size.height))
        shown = view
    }

    /// Does what a key stands for. Returns whether to go on.
    private mutating func press(_ key: Character) -> Bool {
        message = nil
        if var text = typing {
            switch key {
            case "\n", "\r":
                (app, isFilterNew, typing) = (text, true, nil)
            case "\u{1B}": typing = nil
            case "\u{7F}", "\u{8}":
                if !text.isEmpty { text.removeLast() }
                typing = text
            default: typing = text + (key.isNewline ? "" : String(key))
            }
            return true
        }
        switch key {
        case "q", "Q", "\u{4}": return false
        case "p", "P", " ":
            isPaused.toggle()
            pausedAt = clock.now
        case "f", "F": typing = ""
        case "s", "S": message = save()
        default: message = "unknown key"
        }
        return true
    }

    /// Saves picture and report beside each other in the working folder.
    private func save() -> String {
        let time = Int64(Date().timeIntervalSince1970) * 1_000_000_000
        let stamp = CivilTime.readable(nanoseconds: time).filter(\.isNumber)
        do {
            let picture = "watch-\(stamp).svg"
            let report = "watch-\(stamp).html"
            var drawing = DiagramRequest(database: options.database)
            drawing.models = options.models
            try OutputFile(picture, database: options.database).write(DiagramRenderer.render(drawing).bytes)
            var page = ReportRequest(database: options.database)
            page.models = options.models
            try OutputFile(report, database: options.database).write(ReportBuilder.html(page).utf8)
            return "wrote \(picture) and .html"
        } catch {
            return "not saved: \(error)".split(separator: "\n").joined(separator: " ")
        }
    }
}

/// The present in the time of a log: it goes on from the time of its last line, also where that was read later.
struct LogClock {
    /// Lines may carry local times that are read as UTC: a whole number of quarters of an hour off.
    private static let quarter = 900.0
    private var last: (log: Int64, seen: Date)?
    /// Whether its lines state no zone, and nobody else did.
    var isZoneAssumed = true

    mutating func note(_ time: Int64?, at date: Date = Date()) {
        guard let time, time != last?.log else { return }
        last = (time, date)
    }

    /// `nil` before the first time. A log that is not of today stands still at its last line; one without a year or a date
    /// is of today if the rest fits.
    func now(at date: Date = Date()) -> Int64? {
        guard let last else { return nil }
        let seen = Int64(last.seen.timeIntervalSince1970)
        let written = CivilDate.date(days: last.log / 86_400_000_000_000)
        var behind = Double(seen) - Double(last.log) / 1e9
        switch written.year {
        case 1970: behind.formTruncatingRemainder(dividingBy: 86_400)
        case 1972..<2000:
            let year = CivilDate.date(days: seen / 86_400).year
            let today = CivilDate.days(year: year, month: written.month, day: written.day)
            behind -= Double((today - last.log / 86_400_000_000_000) * 86_400)
        default: break
        }
        var lag = behind
        if isZoneAssumed {
            lag -= (behind / Self.quarter).rounded() * Self.quarter
            // The line is not new, in whatever zone: it is taken to be of the zone of this machine.
            if abs(lag) >= 60 { lag = behind + Double(TimeZone.current.secondsFromGMT(for: last.seen)) }
        }
        guard abs(behind) < 86_400, lag > -60, lag < 86_400 else { return last.log }
        return last.log + Int64((max(0, lag) + date.timeIntervalSince(last.seen)) * 1e9)
    }

    var now: Int64? { now() }
}

/// How many lines come in a second, over the last two.
private struct LineRate {
    private var marks: [(date: Date, lines: Int64)] = []

    mutating func note(_ lines: Int64) {
        let now = Date()
        marks.append((now, lines))
        while marks.count > 2, now.timeIntervalSince(marks[0].date) > 2 { marks.removeFirst() }
    }

    var perSecond: Int64? {
        guard let first = marks.first, let last = marks.last, last.date > first.date else { return nil }
        return Int64(Double(last.lines - first.lines) / last.date.timeIntervalSince(first.date))
    }
}
