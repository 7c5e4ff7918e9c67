import Foundation
import Testing

/// Histories of a log's files after which the database is that of one ingest of what there is in the end.
@Suite("Histories of files")
struct HistoryTests {
    /// A shell script that leaves databases `x.db`, with a history, and `y.db`, without one.
    struct History: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var script: String

        init(_ testDescription: String, _ script: String) {
            self.testDescription = testDescription
            self.script = script
        }
    }

    private static let prelude = """
        I() { $LIFESTATS ingest "$@" > report.txt 2>&1 || { cat report.txt >&2; exit 3; }; }
        at() { echo "2026-03-09 18:$1:20.000 $2 $3"; }
        scene() { at $1 'Tea[7:1]' "$2(_:)${3:+ <UIScene: $3>}"; }
        on() { echo "{\\"timestamp\\": \\"2026-03-09T18:$1:00Z\\", \\"device\\": \\"$2\\", \\"process\\": \\"$3\\", \\"pid\\": \\"$4\\", \\"message\\": \\"applicationDidBecomeActive\\"}"; }
        figure() { $LIFESTATS query "select $1 from sources" --db x.db --format csv 2> /dev/null | tr -d '\\r'; }
        long() { seq -f '2026-03-09 18:48:20.%03g Tea[7:1] drawing' 100 400 | sed "150s/Tea.*/$1[7:1] applicationDidBecomeActive/"; }
        lines() { figure 'sum(lines)' | grep -qx $1 || { cat report.txt >&2; exit 4; }; }
        echo 'applicationDidBecomeActive: [woke up]' > a.yaml
        echo 'applicationDidEnterBackground: [went away]' > b.yaml
        mkdir logs away b

        """

    static let histories = [
        History(
            "spellings are given when an older rotation turns up, and were not before",
            """
            at 48 'Tea[7:1]' applicationDidBecomeActive > away/app.log.1
            printf '18:49:00.000 applicationWillResignActive\\n18:50:00.000 hello\\n' > logs/app.log
            I logs --db x.db; mv away/app.log.1 logs
            I logs --aliases a.yaml --db x.db; I logs --aliases a.yaml --db y.db
            """),
        History(
            "other spellings are given when an older rotation turns up",
            """
            at 48 'Tea[7:1]' applicationDidFinishLaunching > away/app.log.1
            printf -- '-> woke up\\n-> hello\\n' > logs/app.log
            I logs --aliases a.yaml --db x.db; mv away/app.log.1 logs; I logs/app.log.1 --aliases b.yaml --db x.db
            I logs --aliases a.yaml --db x.db; I logs --aliases a.yaml --db y.db
            """),
        History(
            "a source is read on with a device, and a rotation is forgotten that told nothing of it",
            """
            on 40 Phone Milk 6 > logs/app.log.2; on 41 Mac Tea 7 > logs/app.log.1
            echo '-> applicationWillResignActive' > logs/app.log
            I logs --db x.db; I logs/app.log.1 logs/app.log --db y.db
            printf '18:45:00.000 Tea[8:1] applicationDidEnterBackground\\n18:46:00.000 applicationWillEnterForeground\\n' \\
                >> logs/app.log
            for d in x y; do I logs/app.log --device Pad --db $d.db; done
            $LIFESTATS forget logs/app.log.2 --db x.db 2> /dev/null
            """),
        History(
            "an older rotation turns up while a file is away, which comes back under another name",
            """
            on 40 Phone Tea 7 > away/app.log.4; echo '18:48:20.000 applicationWillResignActive' > logs/app.log.2
            I logs/app.log.2 --db x.db; mv logs/app.log.2 logs/app.log.3; mv away/app.log.4 logs
            I logs/app.log.4 --db x.db; I logs/app.log.3 --db x.db; I logs --db y.db
            """),
        History(
            "two rotations change places while the newest file grows",
            """
            at 48 'Tea[7:1]' applicationDidBecomeActive > logs/app.log.1
            at 40 'Milk[6:1]' applicationDidBecomeActive > logs/app.log.2
            printf -- '-> woke up\\n-> hello\\n' > logs/app.log
            I logs/app.log.1 logs/app.log.2 --db x.db; I logs --aliases a.yaml --db x.db
            mv logs/app.log.2 t; mv logs/app.log.1 logs/app.log.2; mv t logs/app.log.1
            echo '-> hello again' >> logs/app.log
            I logs --aliases a.yaml --db x.db; I logs --aliases a.yaml --db y.db
            """),
        History(
            "a model is not given when an older rotation turns up",
            """
            head -10 player.log > away/app.log.1; (echo hello; tail -n +11 player.log) > logs/app.log
            I logs --model player.yaml --db x.db; mv away/app.log.1 logs; $LIFESTATS ingest logs/app.log.1 --db x.db 2>&1
            I logs --model player.yaml --db x.db; I logs --model player.yaml --db y.db
            """),
        History(
            "a file moves to another folder: what was read of it stays where it was",
            """
            at 48 'Tea[7:1]' applicationDidBecomeActive > logs/app.log.1
            echo '18:50:00.000 applicationWillResignActive' > logs/app.log
            I logs --db x.db; cp x.db y.db; mv logs/app.log b; I logs b --db x.db
            grep -q 'b/app.log has the content that was read as logs/app.log: skipped' report.txt || exit 4
            """),
        History(
            "a rotation that is the beginning of the next one is renumbered with it",
            """
            at 14 'Milk[5:1]' applicationDidBecomeActive > logs/app.log.4; cp logs/app.log.4 logs/app.log.3
            echo '18:15:45.000 Milk[5:1] applicationWillResignActive' >> logs/app.log.3; I logs --db x.db
            mv logs/app.log.4 logs/app.log.5; mv logs/app.log.3 logs/app.log.4; I logs/app.log.4 --db x.db
            I logs --db x.db; I logs --db y.db
            lines 2; grep -q 'app.log.5 is the beginning of logs/app.log.4: skipped' report.txt || exit 5
            """),
        History(
            "a file is short for a moment, and whole again",
            """
            at 48 'Tea[7:1]' applicationDidBecomeActive > away/app.log
            at 49 'Tea[7:1]' applicationWillResignActive >> away/app.log
            at 50 'Tea[7:1]' applicationDidEnterBackground >> away/app.log
            cp away/app.log logs; I logs --db x.db; head -1 away/app.log > logs/app.log; I logs --db x.db
            cp away/app.log logs; I logs --db x.db; I logs --db y.db
            """),
        History(
            "a log moves to the place of another one that is empty, and a new one stands in its own",
            """
            at 48 'Tea[7:1]' applicationDidBecomeActive > logs/current.log; : > logs/previous.log; I logs --db x.db
            mv logs/current.log logs/previous.log; at 50 'Milk[8:1]' applicationDidBecomeActive > logs/current.log
            I logs --db x.db; I logs --db y.db
            figure 'sum(lines)' | grep -qx 2 || exit 4
            """),
        History(
            "a log grows and moves to the place of another one that begins as it does",
            """
            at 40 'Tea[7:1]' hello | tee logs/previous.log > logs/current.log
            at 48 'Tea[7:1]' applicationDidBecomeActive >> logs/current.log; I logs --db x.db
            at 49 'Tea[7:1]' applicationWillResignActive >> logs/current.log; mv logs/current.log logs/previous.log
            at 50 'Milk[8:1]' applicationDidBecomeActive > logs/current.log
            I logs --db x.db; I logs --db y.db
            figure 'sum(events)' | grep -qx 3 || exit 4
            """),
        History(
            "another log stood at the path, and the first one is there again: the lines of both stay",
            """
            at 48 'Tea[7:1]' applicationDidBecomeActive > away/app.log
            cp away/app.log logs; I logs --db x.db
            at 50 'Milk[6:1]' applicationDidBecomeActive > logs/app.log; I logs --db x.db
            cp x.db y.db; cp away/app.log logs; I logs --db x.db; figure 'count(*)' | grep -qx 2 || exit 4
            """),
        History(
            "a copy of a rotation stands in another folder: it is skipped, and the others are read",
            """
            at 48 'Tea[7:1]' applicationDidBecomeActive > logs/app.log.1
            echo '18:50:00.000 applicationWillResignActive' > logs/app.log
            I logs --db x.db; cp x.db y.db; rm logs/app.log; mkdir 0; cp logs/app.log.1 0/app.log
            at 50 'Milk[6:1]' applicationDidBecomeActive > logs/milk.log
            I 0 logs --db x.db; grep -q '0/app.log has the content that was read as logs/app.log.1: skipped' report.txt || exit 4
            I logs/milk.log --db y.db; figure 'count(*)' | grep -qx 3 || exit 5
            """),
        History(
            "logs of one length differ only in the middle, and are read together",
            """
            long Tea > logs/a.log; long Tee > logs/b.log
            I logs --db x.db; lines 602; I logs/b.log --db y.db; I logs/a.log --db y.db; I logs --db y.db
            """),
        History(
            "logs of one length differ only in the middle, one of them has a packed copy, and one turns up later",
            """
            long Tea > logs/a.log; long Tee > logs/b.log; gzip -c logs/b.log > logs/c.log.gz; mv logs/b.log away
            I logs --db x.db; lines 602; mv away/b.log logs; I logs --db x.db; lines 602
            grep -q 'b.log has the content that was read as logs/c.log.gz: skipped' report.txt || exit 5
            I logs --db y.db; grep -q 'c.log.gz has the content that was read as logs/b.log: skipped' report.txt || exit 6
            """),
        History(
            "what the user said of a log when it was read first holds when it grows",
            """
            at 48 'Tea[7:1]' applicationDidBecomeActive > logs/app.log
            I logs --timezone +02:00 --db x.db; I logs --timezone +02:00 --db y.db
            at 49 'Tea[7:1]' applicationWillResignActive >> logs/app.log
            I logs --db x.db; I logs --timezone +02:00 --db y.db
            """),
        History(
            "a copy of a log turns up when the log has gone on",
            """
            long Tea > logs/app.log; cp logs/app.log away/copy.log; I logs --db x.db; cp x.db y.db
            at 49 'Tea[7:1]' applicationWillResignActive >> logs/app.log; I away --db x.db; lines 301
            """),
        History(
            "a log grows, moves to a name that is no rotation of it, and grows there",
            """
            at 48 'Tea[7:1]' applicationDidBecomeActive > logs/app.log; I logs --db x.db
            at 49 'Tea[7:1]' applicationWillResignActive >> logs/app.log; mv logs/app.log logs/app.1.log
            I logs --db x.db; lines 2; at 50 'Tea[7:1]' applicationDidEnterBackground >> logs/app.1.log
            I logs --db x.db; lines 3; I logs --db y.db
            """),
        History(
            "a log with a rotation grows, is packed under another name, and a new one stands in its place",
            """
            at 40 'Tea[7:1]' applicationDidFinishLaunching > logs/app.log.1
            long Tea > logs/app.log; I logs --db x.db
            at 49 'Tea[7:1]' applicationWillResignActive >> logs/app.log; gzip -c logs/app.log > logs/old.log.gz
            at 50 'Tea[7:1]' applicationDidEnterBackground > logs/app.log; I logs --db x.db; lines 304; I logs --db x.db; lines 304
            mv logs/old.log.gz logs/app.log.1.gz; mv logs/app.log.1 logs/app.log.2; I logs --db y.db
            """),
        History(
            "a log begins as another one that is still there: the lines of both count",
            """
            at 48 'Tea[7:1]' applicationDidBecomeActive > logs/a.log; I logs --db x.db; cp logs/a.log logs/b.log
            at 49 'Tea[7:1]' applicationWillResignActive >> logs/b.log; I logs --db x.db; lines 3; I logs --db y.db
            """),
        History(
            "a log grows while another ingest waits that has looked at it before",
            """
            at 48 'Tea[7:1]' applicationDidBecomeActive > logs/app.log
            has() { until figure 'sum(lines)' | grep -qx $1; do :; done; }
            $LIFESTATS ingest logs --follow --db x.db > /dev/null 2>&1 & A=$!; has 1
            $LIFESTATS ingest logs --db x.db > second.txt 2>&1 & B=$!
            until grep -q waiting second.txt; do :; done
            at 49 'Tea[7:1]' applicationWillResignActive >> logs/app.log; has 2
            kill -TERM $A; wait $A; wait $B || exit 4; I logs --db y.db
            figure 'count(*)' | grep -qx 1 || exit 5
            """),
    ]

    /// Which scene a line is about follows from other lines; what it calls the scene does not.
    static let labels = [
        History(
            "a scene whose first line does not name it is derived again",
            """
            scene 48 configurationForConnecting > logs/app.log; scene 49 sceneWillEnterForeground 0x10a >> logs/app.log
            I logs --db x.db; I logs --db y.db; $LIFESTATS replay --db x.db 2> /dev/null
            """),
        History(
            "a log goes on in which the first line of a scene does not name it",
            """
            scene 48 configurationForConnecting > logs/app.log; scene 49 sceneWillEnterForeground 0x10a >> logs/app.log
            I logs --db x.db; scene 50 sceneDidBecomeActive 0x10a >> logs/app.log; I logs --db x.db; I logs --db y.db
            """),
        History(
            "the rotation is forgotten that named the scene of a line which does not",
            """
            scene 48 sceneWillEnterForeground 0x10a > logs/app.log.1; scene 49 sceneDidBecomeActive > logs/app.log
            I logs --db x.db; $LIFESTATS forget logs/app.log.1 --db x.db 2> /dev/null; I logs/app.log --db y.db
            """),
        History(
            "the rotation is forgotten that wrote the name of a scene in another way",
            """
            scene 48 sceneWillEnterForeground 0x10a > logs/app.log.1; scene 49 sceneDidBecomeActive 0x10A > logs/app.log
            I logs --db x.db; $LIFESTATS forget logs/app.log.1 --db x.db 2> /dev/null; I logs/app.log --db y.db
            """),
        History(
            "a log is named in another way each time, from its own folder, too",
            """
            for i in 1 2 3; do at 1$i 'Tea[7:1]' drawing; echo "-> hello $i"; done > logs/app.log
            I logs --db x.db; at 20 'Tea[7:1]' sceneDidBecomeActive >> logs/app.log; I ./logs --db x.db
            mv logs/app.log logs/app.log.1; at 21 'Tea[7:1]' drawing >> logs/app.log.1
            echo '-> applicationWillResignActive' > logs/app.log; I "$PWD/logs" --db x.db; lines 9
            gzip logs/app.log.1; I "$PWD/logs/app.log.1.gz" --db x.db; lines 9; I logs --db y.db
            """),
        History(
            "a compressed log that was damaged in the middle has come again, whole, and the person does as is said",
            """
            { long Tea; long Tea | tr 4 5; } > all.log
            { head -400 all.log | gzip; tail -n +401 all.log | gzip; } > app.log.gz; cp app.log.gz logs
            size=$(head -400 all.log | gzip | wc -c)
            printf '\\377\\377\\377\\377' | dd of=logs/app.log.gz bs=1 seek=$((size - 40)) conv=notrunc 2> /dev/null
            $LIFESTATS ingest logs --db x.db > report.txt 2>&1 && exit 5
            [ $(figure lines | tail -n 1) -gt 200 ] || exit 6
            cp app.log.gz logs; I logs --db x.db
            $LIFESTATS $(grep -o 'forget [0-9]*' report.txt) --db x.db 2> /dev/null; lines 602; I logs --db y.db
            """),
        History(
            "a callback that does not exist, of a scene that nothing else tells of, is derived again",
            """
            scene 47 sceneDidEnterForeground 0x10a > logs/app.log; scene 48 sceneWillEnterForeground 0x10b >> logs/app.log
            scene 49 sceneDidResignActive 0x10c >> logs/app.log
            I logs --db x.db; I logs --db y.db; $LIFESTATS replay --db x.db 2> /dev/null
            """),
    ]

    @Test("the database is that of one ingest", arguments: histories + labels)
    func digest(history: History) throws {
        let program = try Program()
        for name in ["player.yaml", "player.log"] {
            try program.write(
                try Data(contentsOf: Program.project.appendingPathComponent("samples/models/\(name)")), to: name)
        }
        let outcome = try program.shell(Self.prelude + history.script)
        #expect(outcome.status == 0, "\(outcome.text)\(outcome.errors)")
        let digests = try ["x.db", "y.db"].map { try program.run("verify", "--db", $0) }
        #expect(digests.map(\.status) == [0, 0])
        #expect(digests[0].text == digests[1].text)
    }

    @Test(
        "what is not the name of a file is refused as a database", arguments: ["", ":memory:", "file:x.db?mode=memory"])
    func noFile(path: String) throws {
        let program = try Program()
        try program.write("2026-03-09 18:48:20.000 Tea[7:1] applicationDidBecomeActive\n", to: "app.log")
        let outcome = try program.run("ingest", "app.log", "--db", path)
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("this is not the name of a file"), "\(outcome.errors)")
    }
}
