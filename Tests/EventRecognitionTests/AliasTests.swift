import DataFiles
import LifecycleModel
import Testing
import TraceRecords

@testable import EventRecognition

@Suite("Users add spellings and messages of their own")
struct AliasTests {
    @Test("a callback is found by an alias in any language, long or short, and nothing else is")
    func aliases() throws {
        let vocabulary = try Known.vocabulary()
        let aliases = try AliasTable(
            yaml: "applicationDidEnterBackground: [程序进入后台, went away]\napplicationDidBecomeActive: [回来]\n",
            file: "aliases.yaml", vocabulary: vocabulary)
        let lexicon = try Lexicon(vocabulary: vocabulary, aliases: aliases)
        let messages = ["程序进入后台", "app went away", "[life] went away", "nothing went awayward", "回来"]
        let reading = Reading(Lines(messages: messages).batches(), lexicon: lexicon)
        #expect(reading.events.map(\.line) == [1, 2, 3, 5])
        let ids = Set(reading.events.prefix(3).compactMap(\.callback).map { vocabulary[$0].callback.id })
        #expect(ids == ["applicationDidEnterBackground"])
    }

    @Test("evidence of a user's own is found, long or short, names a process where it says so, and comes first")
    func evidence() throws {
        let vocabulary = try Known.vocabulary()
        let aliases = try AliasTable(
            yaml: """
                applicationWillTerminate: [kettle off]
                evidence:
                  origin: tea
                  background: ["kettle -> {any}cold", 茶凉了]
                  active: [AppState active in tea, boils]
                  suspended: "the kettle {name}[{pid}] sleeps"
                """, file: "aliases.yaml", vocabulary: vocabulary)
        let lexicon = try Lexicon(vocabulary: vocabulary, aliases: aliases)
        let messages = [
            "now kettle -> nearly cold and so on", "茶凉了", "it boils", "AppState active in tea", "kettle off",
            "the kettle Tea Pot[41] sleeps", "overboils", "kettle -> hot", "AppState changed to active",
        ]
        let reading = Reading(Lines(messages: messages).batches(), lexicon: lexicon)
        #expect(reading.events.map(\.line) == [1, 2, 3, 4, 5, 6, 9])
        #expect(
            reading.events.map(\.proof) == [.background, .background, .active, .active, nil, .suspended, .active])
        #expect(
            reading.events.map { reading.text($0.origin) } == ["tea", "tea", "tea", "tea", "", "tea", "react-native"])
        #expect(reading.speaker(reading.events[5]).process == "Tea Pot")
        #expect(reading.speaker(reading.events[5]).pid == 41)
    }

    @Test("an alias is found as the system's log escapes it, and names are stored without the escapes")
    func escaped() throws {
        let vocabulary = try Known.vocabulary()
        let aliases = try AliasTable(
            yaml: "applicationDidEnterBackground: [café closed, 戥回]\napplicationWillTerminate: à\u{A0}bientôt\n",
            file: "a.yaml", vocabulary: vocabulary)
        let lexicon = try Lexicon(vocabulary: vocabulary, aliases: aliases)
        let messages = [
            #"caf\M-C\M-) closed"#, #"x \M-f\M^H\M-%\M-e\M^[\M^^ y"#, #"\M-C\240\M-B\240bient\M-C\M-4t"#,
            #"caf\M-C\M-( closed"#,
        ]
        var lines = messages.map { Lines.Line(message: $0, process: #"T\M-C\M-)a"#) }
        lines.append(Lines.Line(message: "applicationDidBecomeActive", process: #"T\M-C\134\d"#))
        let reading = Reading(Lines(lines).batches(), lexicon: lexicon)
        #expect(reading.events.map(\.line) == [1, 2, 3, 5])
        #expect(reading.events.map { reading.speaker($0).process ?? "" } == ["Téa", "Téa", "Téa", #"T\M-C\134\d"#])
    }

    @Test("what a user's model says in other letters is found as the system's log escapes it")
    func escapedModel() throws {
        let model = player([
            ModelCallback(id: "started", spellings: ["démarré enfin"], citation: "own"),
            ModelCallback(id: "paused", patterns: ["lecteur <instance>: arrêté*"], citation: "own"),
        ])
        let vocabulary = Vocabulary(models: [model])
        let messages = [
            #"d\M-C\M-)marr\M-C\M-) enfin"#, "démarré enfin",
            #"lecteur g\M-C\M-*n\M-C\M-): arr\M-C\M-*t\M-C\M-) ici"#,
        ]
        let reading = Reading(Lines(messages: messages).batches(), lexicon: try Lexicon(vocabulary: vocabulary))
        #expect(
            reading.events.compactMap(\.callback).map { vocabulary[$0].callback.id } == [
                "started", "started", "paused",
            ])
        #expect(reading.events.map { reading.speaker($0).label ?? "" } == ["", "", "gêné"])
    }

    @Test("a table of many spellings is compiled, and one of too many or too long ones is refused")
    func many() throws {
        let vocabulary = try Known.vocabulary()
        func table(_ spellings: [String]) throws -> AliasTable {
            try AliasTable(
                yaml: "applicationDidEnterBackground: [\(spellings.joined(separator: ", "))]\n", file: "a.yaml",
                vocabulary: vocabulary)
        }
        let spellings = (0..<AliasTable.most).map { number -> String in
            let scalars = (0..<6).compactMap { Unicode.Scalar(0x4E00 + (number * 37 + $0 * 911) % 20_000) }
            return String(String.UnicodeScalarView(scalars))
        }
        let lexicon = try Lexicon(vocabulary: vocabulary, aliases: try table(spellings))
        let reading = Reading(Lines(messages: [spellings[0], "x", spellings[1999]]).batches(), lexicon: lexicon)
        #expect(reading.events.map(\.line) == [1, 3])
        #expect(throws: DataFileError.self) { try table(spellings + ["one more"]) }
        #expect(throws: DataFileError.self) { try table([String(repeating: "long", count: 126)]) }
    }

    @Test("an alias counts in a sentence, too, whether it has blanks or not; names of callbacks do not")
    func sentences() throws {
        let vocabulary = try Known.vocabulary()
        let aliases = try AliasTable(
            yaml: "applicationDidEnterBackground: [wentAway, went away, 程序进入后台]\n", file: "a.yaml",
            vocabulary: vocabulary)
        let lexicon = try Lexicon(vocabulary: vocabulary, aliases: aliases)
        let messages = [
            "the user says the app wentAway and nobody knows why", "the user says the app went away and nobody knows",
            "如果 程序进入后台 就保存", "the user says the app wentAwayAgain", "we save before applicationDidEnterBackground",
        ]
        let reading = Reading(Lines(messages: messages).batches(), lexicon: lexicon)
        #expect(reading.events.map(\.line) == [1, 2, 3])
    }

    @Test(
        "a damaged table is refused with file and line",
        arguments: [
            ("viewDidLoad: [screen]\nviewDidExplode: [bang]", "aliases.yaml:2: no model has a callback"),
            ("viewDidLoad: [ab]", "aliases.yaml:1: 'ab' is too short"),
            ("viewDidLoad: {a: b}", "aliases.yaml:1: 'viewDidLoad' of the file must be a list"),
            ("evidence: {asleep: [it sleeps]}", "aliases.yaml:1: 'asleep' is not a proof"),
            ("evidence: {os-version: [it sleeps]}", "aliases.yaml:1: a text cannot prove"),
            ("evidence: {active: ['{who} sleeps']}", "aliases.yaml:1: '{who} sleeps' has an unknown placeholder"),
            ("evidence: it sleeps", "aliases.yaml:1: 'evidence' of the file must be a mapping"),
            ("- viewDidLoad", "aliases.yaml:1: the file must be a mapping"), ("a: [", "aliases.yaml:2: not YAML"),
        ])
    func damaged(yaml: String, message: String) throws {
        let error = #expect(throws: DataFileError.self) {
            try AliasTable(yaml: yaml, file: "aliases.yaml", vocabulary: try Known.vocabulary())
        }
        #expect(error?.description.hasPrefix(message) == true)
    }

    private func player(_ callbacks: [ModelCallback]) -> LifecycleModel {
        LifecycleModel(
            id: "player", layer: "player", title: "Player", scope: .object, initial: "idle",
            states: [ModelState(id: "idle", title: "Idle", citation: "own")], callbacks: callbacks)
    }

    @Test("messages of a user's model are found by their pattern and name their instance")
    func patterns() throws {
        let model = player([
            ModelCallback(id: "started", patterns: ["player <instance>: started*"], citation: "own"),
            ModelCallback(id: "paused", patterns: ["player <instance>: playback is paused"], citation: "own"),
        ])
        let vocabulary = Vocabulary(models: [model])
        let messages = [
            "player left: started", "player right 2: started at 4 s", "player left: playback is paused",
            "the player left: started", "player left: playback is paused now",
        ]
        let reading = Reading(
            Lines(messages: messages).batches(), lexicon: try Lexicon(vocabulary: vocabulary))
        #expect(
            reading.events.compactMap(\.callback).map { vocabulary[$0].callback.id } == [
                "started", "started", "paused",
            ])
        #expect(reading.events.map { reading.speaker($0).label ?? "" } == ["left", "right 2", "left"])
        #expect(reading.events.map(\.line) == [1, 2, 3])
    }

    @Test("a pattern with many places for any text is as quick on a long line as on a short one")
    func manyPlaces() throws {
        let model = player([
            ModelCallback(
                id: "ended", patterns: ["\(String(repeating: "*a", count: 30))*b<instance>ended"], citation: "own")
        ])
        let vocabulary = Vocabulary(models: [model])
        let long = String(repeating: "a", count: 5000)
        // Tried in every way, the first line alone would outlast the machine.
        let messages = [long, "\(long)b left ended", "\(long)bended", "\(long)bendedended", "\(long)b x ended ended"]
        let reading = Reading(
            Lines(messages: messages).batches(), lexicon: try Lexicon(vocabulary: vocabulary))
        #expect(reading.events.filter { $0.callback != nil }.map(\.line) == [2, 4, 5])
        #expect(reading.events.map { reading.speaker($0).label ?? "" } == [" left ", "ended", " x ended "])
    }
}
