import LogReading
import Testing

@testable import LifeStatsKit

/// What is new of a log follows from the contents of its files, whatever they are called by now.
@Suite("Manifest of a log")
struct ManifestTests {
    // Three times a day's lines, each longer than the 64 bytes by which beginnings are compared.
    private static let monday = lines("2026-03-09", 1...9)
    private static let tuesday = lines("2026-03-10", 1...9)
    private static let wednesday = lines("2026-03-11", 1...9)

    private static func lines(_ day: String, _ numbers: ClosedRange<Int>) -> String {
        numbers.map { "\(day) 08:00:0\($0).000 Tea[412:1f0a] applicationDidBecomeActive:\n" }.joined()
    }

    /// A file: its name and what it holds, or held when it was read.
    private typealias File = (name: String, text: String)

    private func changes(
        known: [File], found: [File], incomplete: Set<String> = [], firstTimes: [String: Int64] = [:]
    ) throws -> Manifest.Changes {
        func content(_ text: String) -> SourceFingerprint {
            SourceFingerprint(length: Int64(text.utf8.count), head: UInt64(bitPattern: Int64(text.hashValue)), whole: 0)
        }
        func relation(_ text: String, _ other: String) -> SourceFingerprint.Relation {
            text == other ? .same : other.hasPrefix(text) ? .grown : .replaced
        }
        let texts = Dictionary(uniqueKeysWithValues: found.map { ($0.name, $0.text) })
        let manifest = Manifest(
            known: known.enumerated().map { number, file in
                KnownFile(
                    id: Int32(number + 1), path: file.name, rank: SourceDescription(file: file.name).rank,
                    content: content(file.text), beginning: Beginning(Array(file.text.utf8)),
                    firstTime: firstTimes[file.text], isComplete: !incomplete.contains(file.name))
            })
        return try manifest.changes(
            with: found.map { file in
                FoundFile(
                    path: file.name, rank: SourceDescription(file: file.name).rank,
                    beginning: Beginning(Array(file.text.utf8)), isEmpty: file.text.isEmpty)
            },
            Manifest.Comparison(
                ofKnown: { old, file in relation(known[Int(old.id) - 1].text, texts[file.path] ?? "") },
                ofFound: { file, other in relation(texts[file.path] ?? "", texts[other.path] ?? "") },
                firstTime: { file in firstTimes[texts[file.path] ?? ""] }))
    }

    /// The parts as words: `1 app.log.1 keep`.
    private func words(_ changes: Manifest.Changes) -> [String] {
        changes.parts.map { part in
            let known = part.known.map { "\($0)" } ?? "new"
            return "\(known) \(part.found?.path ?? "gone") \(part.action)"
        }
    }

    @Test("a new log is read from its oldest file on")
    func new() throws {
        let found = try changes(known: [], found: [("app.log.1", Self.monday), ("app.log", Self.tuesday)])
        #expect(found.verdict == .goOn)
        #expect(words(found) == ["new app.log.1 readFromStart", "new app.log readFromStart"])
    }

    @Test("nothing is new of files that have not changed")
    func unchanged() throws {
        let files = [("app.log.1", Self.monday), ("app.log", Self.tuesday)]
        #expect(try changes(known: files, found: files).verdict == .unchanged)
    }

    @Test("what was appended is read on; a file that was read in part, too")
    func appended() throws {
        let grown = try changes(known: [("app.log", Self.monday)], found: [("app.log", Self.monday + Self.tuesday)])
        #expect(grown.verdict == .goOn)
        #expect(words(grown) == ["1 app.log readOn"])
        let rest = try changes(
            known: [("app.log", Self.monday)], found: [("app.log", Self.monday)], incomplete: ["app.log"])
        #expect(words(rest) == ["1 app.log readOn"])
    }

    @Test("a log that was renamed by a rotation is read on under its new name, then the new file")
    func renamed() throws {
        let found = try changes(
            known: [("app.log", Self.monday)],
            found: [("app.log.1", Self.monday + Self.tuesday), ("app.log", Self.wednesday)])
        #expect(found.verdict == .goOn)
        #expect(words(found) == ["1 app.log.1 readOn", "new app.log readFromStart"])
    }

    @Test("all rotations move up by one, and the oldest is gone")
    func rotated() throws {
        let found = try changes(
            known: [("app.log.1", Self.monday), ("app.log", Self.tuesday)],
            found: [("app.log.1", Self.tuesday), ("app.log", Self.wednesday)])
        #expect(found.verdict == .goOn)
        #expect(words(found) == ["1 gone keep", "2 app.log.1 keep", "new app.log readFromStart"])
    }

    @Test("a file that was rotated away is older than the one that has its name now")
    func replaced() throws {
        let found = try changes(known: [("app.log", Self.monday)], found: [("app.log", Self.tuesday)])
        #expect(found.verdict == .goOn)
        #expect(words(found) == ["1 gone keep", "new app.log readFromStart"])
    }

    @Test("an older rotation that turns up late is put in at its place, whether the others are at hand or not")
    func late() throws {
        let known: [File] = [("app.log.2", Self.monday), ("app.log", Self.wednesday)]
        for found in [known + [("app.log.1", Self.tuesday)], [("app.log.1", Self.tuesday)]] {
            let files = found.sorted { SourceDescription(file: $0.name).rank < SourceDescription(file: $1.name).rank }
            let changes = try changes(known: known, found: files)
            #expect(changes.verdict == .deriveAgain)
            #expect(changes.parts.map(\.known) == [1, nil, 2])
            #expect(changes.parts.map(\.action) == [.keep, .readFromStart, .keep])
        }
    }

    @Test("a file that is not the last one and has grown is read from its beginning")
    func lateLines() throws {
        let found = try changes(
            known: [("app.log.1", Self.monday), ("app.log", Self.wednesday)],
            found: [("app.log.1", Self.monday + Self.tuesday), ("app.log", Self.wednesday)])
        #expect(found.verdict == .deriveAgain)
        #expect(words(found) == ["1 app.log.1 readFromStart", "2 app.log keep"])
    }

    @Test("of equal files the known one counts, else the oldest")
    func equal() throws {
        let files = [("app.log.1", Self.monday), ("app.log", Self.monday)]
        let new = try changes(known: [], found: files)
        #expect(words(new) == ["new app.log.1 readFromStart"])
        #expect(new.skipped == [Manifest.Skipped(path: "app.log", other: "app.log.1", isBeginning: false)])
        let known = try changes(known: [("app.log", Self.monday)], found: files)
        #expect(known.verdict == .unchanged)
        #expect(known.skipped.map(\.path) == ["app.log.1"])
    }

    @Test("a file that is the beginning of another one is skipped")
    func beginning() throws {
        let files = [("app.log.1", Self.monday), ("app.log", Self.monday + Self.tuesday)]
        let known = try changes(known: [("app.log", Self.monday + Self.tuesday)], found: files)
        #expect(known.verdict == .unchanged)
        #expect(known.skipped == [Manifest.Skipped(path: "app.log.1", other: "app.log", isBeginning: true)])
        #expect(words(try changes(known: [], found: files)) == ["new app.log readFromStart"])
    }

    @Test("a log that was cut back to its beginning is read again")
    func cutBack() throws {
        let cut = Self.lines("2026-03-09", 1...4)
        for times: [String: Int64] in [[:], [Self.monday: 1, cut: 1]] {
            let found = try changes(known: [("app.log", Self.monday)], found: [("app.log", cut)], firstTimes: times)
            #expect(found.verdict == .readAgain(because: "app.log"))
            #expect(words(found) == ["new app.log readFromStart"])
        }
    }

    @Test("a log that was edited behind its beginning is read again")
    func edited() throws {
        let edited = Self.monday.replacing(":09.000", with: ":08.500")
        let found = try changes(
            known: [("app.log", Self.monday)], found: [("app.log", edited)],
            firstTimes: [Self.monday: 1, edited: 1])
        #expect(found.verdict == .readAgain(because: "app.log"))
    }

    @Test("a rewritten log is left as it is while another of its files is missing")
    func leave() throws {
        let cut = Self.lines("2026-03-10", 1...4)
        let found = try changes(
            known: [("app.log.1", Self.monday), ("app.log", Self.tuesday)], found: [("app.log", cut)])
        #expect(found.verdict == .leave(because: "app.log", missing: "app.log.1"))
    }

    @Test("the banner that all files of a log begin with makes none of them a rewritten one")
    func banner() throws {
        let banner = String(repeating: "*", count: 200) + "\n"
        let found = try changes(
            known: [("app.log", banner + Self.monday)], found: [("app.log", banner)],
            firstTimes: [banner + Self.monday: 1])
        #expect(found.verdict == .goOn)
        #expect(words(found) == ["1 gone keep", "new app.log readFromStart"])
    }

    @Test("an empty file adds nothing to a log, and nothing is lost while its file is empty")
    func empty() throws {
        let known: [File] = [("app.log", Self.monday)]
        #expect(try changes(known: known, found: [("app.log", "")]).verdict == .unchanged)
        let rotated = try changes(known: known, found: [("app.log.1", Self.monday), ("app.log", "")])
        #expect(words(rotated) == ["1 app.log.1 keep"])
        let later = try changes(known: [("app.log", "")], found: [("app.log", Self.monday)])
        #expect(words(later) == ["1 app.log readOn"])
    }
}
