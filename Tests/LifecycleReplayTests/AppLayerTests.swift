import Testing
import TraceRecords

@testable import LifecycleReplay

/// The app layer, by hand: ends, censoring, folding, clocks.
struct AppLayerTests {
    let second: Int64 = 1_000_000_000

    @Test("In a log that begins in the middle of a life the first callback may be a repetition, and completes nothing")
    func leftCensored() throws {
        let played = try play([
            .life(0), .at(3, "applicationWillResignActive"), .at(5, "applicationDidBecomeActive"),
            .at(9, "applicationWillResignActive"),
        ])
        #expect(played.visits[0].state == "active" && played.visits[0].censored == "left")
        #expect(played.visits[0].entered == nil && played.visits[0].left == 3 * second)
        // Alive since the first line at 0 s, so active for at least 3 s.
        #expect(played.visits[0].atLeast == 3 * second && played.visits[0].dwell == nil)
        // Resign-active may have come before 0 s as well: inactive for at least 2 s.
        #expect(played.visits[1].state == "inactive" && played.visits[1].censored == "left")
        #expect(played.visits[1].entered == 3 * second && played.visits[1].atLeast == 2 * second)
        #expect(played.completeVisits.map(\.state) == ["active"])
        #expect(played.transitions()[0].from == "active")
    }

    @Test("After a step back of the clock a stay is as long as the lines since then show, and no silence is made up")
    func clockSetBack() throws {
        let lines: [Line] = [
            .at(100, "didFinishLaunchingWithOptions"), .at(101, "applicationDidBecomeActive"),
            .at(110, "applicationWillResignActive"), .at(60, "applicationDidEnterBackground"), .life(61),
        ]
        let played = try play(lines, until: 110)
        let last = try #require(played.visits.last)
        #expect(last.state == "background" && last.censored == "right")
        #expect(last.atLeast == 1 * second)
        #expect(played.suspensions.isEmpty)
        // Where the clock did not go back, the process has been silent for 49 s.
        let whole = try play(Array(lines[3...]), until: 110)
        #expect(whole.suspensions.map(\.from) == [66 * second])
    }

    @Test("Lines of one time in the wrong order are recognised at the beginning of a log, too")
    func tieAtTheBeginning() throws {
        let lines: [Line] = [
            .at(0, "didFinishLaunchingWithOptions"), .at(1, "applicationDidBecomeActive"),
            .at(2, "applicationWillResignActive"), .at(3, "applicationDidEnterBackground"),
            .at(60, "applicationDidBecomeActive"), .at(60, "applicationWillEnterForeground"),
            .at(70, "applicationWillResignActive"), .at(71, "applicationDidBecomeActive"),
            .at(80, "applicationWillResignActive"),
        ]
        let known = try play(lines).completeVisits.filter { ($0.entered ?? 0) >= 60 * second }
        #expect(known.map(\.state) == ["active", "inactive", "active"])
        // Which of the two came last nobody can tell any more: inactive at 70 s, or since 60 s.
        let cut = try play(Array(lines[4...])).completeVisits
        #expect(cut.map(\.state) == ["active"] && cut[0].entered == 71 * second)
    }

    @Test("Enter-background may have come before, so the first one in a log completes nothing")
    func leftCensoredBackground() throws {
        let played = try play([
            .at(0, "applicationDidEnterBackground"), .at(60, "applicationWillEnterForeground"),
            .at(61, "applicationDidBecomeActive"),
        ])
        #expect(played.completeVisits.map(\.state) == ["inactive"])
        #expect(played.visits[0].state == "background" && played.visits[0].censored == "left")
        #expect(played.suspensions.map(\.from) == [5 * second])
        #expect(played.suspensions.map(\.until) == [60 * second])
        #expect(played.suspensions.map(\.leadsTo) == ["inactive"])
    }

    @Test("A terminate callback ends the run; there is no visit in not_running")
    func terminated() throws {
        let played = try play([
            .at(0, "didFinishLaunchingWithOptions"), .at(1, "applicationDidBecomeActive"),
            .at(2, "applicationWillResignActive"), .at(3, "applicationDidEnterBackground"),
            .at(4, "applicationWillTerminate"),
        ])
        #expect(played.path() == ["not_running", "inactive", "active", "inactive", "background", "not_running"])
        #expect(played.completeVisits.count == 4 && played.visits.count == 4)
        let run = try #require(played.runsInOrder.first)
        #expect(run.endReason == .terminated && run.endEvidence == .observed && run.ended == 4 * second)
    }

    @Test(
        "Another process id of the app after which the old one is silent ends the old run, also in a log without names",
        arguments: ["App", ""])
    func silentEnd(app: String) throws {
        let played = try play([
            .at(0, "didFinishLaunchingWithOptions", app: app, pid: 11),
            .at(1, "applicationDidBecomeActive", app: app, pid: 11),
            .at(2, "applicationWillResignActive", app: app, pid: 11),
            .at(3, "applicationDidEnterBackground", app: app, pid: 11),
            .at(100, "didFinishLaunchingWithOptions", app: app, pid: 12),
            .at(101, "applicationDidBecomeActive", app: app, pid: 12),
            .at(200, "didFinishLaunchingWithOptions", app: app, pid: 13),
        ])
        let runs = played.runsInOrder
        #expect(runs.map(\.endReason) == [.killedInBackground, .abnormalInForeground, .logEnd])
        #expect(runs[0].ended == nil && runs[0].lastSeen == 3 * second && runs[0].nextSeen == 100 * second)
        #expect(runs[0].endEvidence == .inferred)
        let silent = played.transitions().filter { $0.callback == nil }
        #expect(silent.map(\.from) == ["background", "active"])
        #expect(silent.allSatisfy { $0.to == "not_running" && $0.verdict == .documented })
        // Silent for 97 s until the next process: suspended from 8 s on, nobody knows until when.
        #expect(played.suspensions.map(\.from) == [8 * second])
        #expect(played.suspensions.map(\.until) == [nil])
    }

    @Test("A crash that a line shows is an error wherever the app is; a plain kill is no crash")
    func shownEnds() throws {
        func end(_ proof: Proof, _ detail: String? = nil, after lines: [Line]) throws -> String {
            let text = detail.map { [Line(time: nanoseconds(20), proof: .endDetail, origin: $0)] } ?? []
            let played = try play(lines + [.evidence(20, proof)] + text)
            let found = played.findings.map { "\($0.rule) \($0.severity.rawValue)" }
            return "\(played.runsInOrder[0].endReason.rawValue): \(found.joined(separator: ", "))"
        }
        let (active, away) = (RuleTests.launch, RuleTests.launch + RuleTests.home)
        #expect(try end(.exitedBySignal, after: away) == "crash: R-APP-16 error")
        #expect(try end(.exitedByWatchdog, after: away) == "watchdog: R-APP-16 error")
        // The system takes memory from healthy apps as well.
        #expect(try end(.exitedByJetsam, after: away) == "jetsam: R-APP-16 info")
        #expect(try end(.notRunning, after: away) == "killed_in_background: R-APP-16 info")
        #expect(try end(.exitedByKill, after: away) == "killed_in_background: R-APP-16 info")
        // The method that was to end the app crashed; a plain kill is how such an app ends.
        let ending = away + [.at(19.5, "applicationWillTerminate")]
        #expect(try end(.exitedBySignal, after: ending) == "crash: R-APP-16 error")
        #expect(try end(.exitedByKill, after: ending) == "terminated: ")
        #expect(try end(.exitedByKill, after: active) == "abnormal_in_foreground: R-APP-17 warning")
        #expect(try end(.exitedBySignal, after: active) == "crash: R-APP-17 error")
        let (lock, disk) = ("0xdead10cc file or database lock held at suspension", "0xbaddd15c disk space reclaimed")
        #expect(try end(.exitedBySignal, lock, after: away) == "killed_in_background: R-APP-16 error")
        #expect(try end(.exitedBySignal, disk, after: away) == "killed_in_background: R-APP-16 info")
        let played = try play(
            away + [.evidence(20, .exitedBySignal), Line(time: nanoseconds(20), proof: .endDetail, origin: lock)])
        #expect(played.findings[0].message.hasSuffix(": 0xdead10cc, file or database lock held at suspension"))
        // The first line that shows the end is the one that is named, at its time.
        let further = try play(away + [.evidence(20, .exitedByJetsam), .evidence(21, .notRunning, "frontboard")])
        #expect(further.findings.map(\.line) == [Int64(away.count + 1)])
        #expect(further.findings.map(\.time) == [nanoseconds(20)])
        // The crash report that the system writes of it afterwards says less.
        let reported = try play(
            away + [
                .evidence(20, .exitedBySignal), Line(time: nanoseconds(20), proof: .endDetail, origin: lock),
                .evidence(20.5, .exitedBySignal, "crash-report"),
            ])
        #expect(reported.runsInOrder[0].endReason == .killedInBackground)
    }

    @Test("How long a process lived after its launch tells where its end found it, whatever line shows that")
    func endAfterLaunch() throws {
        func end(_ second: Double, _ proof: Proof) throws -> [String] {
            let played = try play([.at(0, "didFinishLaunchingWithOptions"), .evidence(second, proof)])
            return [played.runsInOrder[0].endReason.rawValue] + played.visits.map(\.state) + played.findings.map(\.rule)
        }
        #expect(try end(5, .exitedBySignal) == ["crash", "inactive", "R-APP-18"])
        #expect(try end(25, .exitedBySignal) == ["crash", "background", "R-APP-16"])
        #expect(try end(25, .exitedByKill) == ["killed_in_background", "background", "R-APP-16"])
        // The watchdog ends what takes too long to launch.
        #expect(try end(25, .exitedByWatchdog).starts(with: ["watchdog", "inactive"]))
    }

    @Test("An end that the app is to blame for is found where words or the system tell its states, too")
    func endsToldByWords() throws {
        func found(_ lines: [Line]) throws -> [String] {
            try play(lines).findings.map { "\($0.rule) \($0.severity.rawValue)" }
        }
        for origin in ["app-state", "flutter", "swiftui", "springboard"] {
            let active: [Line] = [.evidence(1, .active, origin)]
            let away = active + [.evidence(5, .inactive, origin), .evidence(6, .background, origin)]
            #expect(try found(active + [.evidence(20, .exitedBySignal)]) == ["R-APP-17 error"])
            #expect(try found(active + [.evidence(20, .exitedByJetsam)]) == ["R-APP-17 warning"])
            let inactive = active + [.evidence(5, .inactive, origin)]
            #expect(try found(inactive + [.evidence(8, .exitedByWatchdog)]) == ["R-APP-17 error"])
            #expect(try found(away + [.evidence(20, .exitedBySignal)]) == ["R-APP-16 error"])
            // How apps end is nothing to remark on where they log no callback.
            #expect(try found(away + [.evidence(20, .exitedByJetsam)]).isEmpty)
        }
        for (origin, rules) in [("app-state", ["R-APP-17"]), ("springboard", [])] {
            let played = try play([
                .evidence(1, .active, origin, app: "App", pid: 11), .evidence(90, .active, origin, app: "App", pid: 12),
            ])
            #expect(played.runsInOrder[0].endReason == .abnormalInForeground)
            #expect(played.findings.map(\.rule) == rules, "\(origin)")
        }
        let heat = Line(time: nanoseconds(20), proof: .endDetail, origin: "0xc00010ff device too hot")
        let played = try play(RuleTests.launch + [.evidence(20, .exitedByKill), heat])
        #expect(played.runsInOrder[0].endReason == .abnormalInForeground)
        #expect(played.findings.map(\.severity) == [.warning])
        #expect(played.findings[0].message.hasSuffix(": 0xc00010ff, device too hot"))
    }

    @Test("What proves that the process runs ends a suspension that a line shows; each one is told, none is work")
    func observedSuspension() throws {
        let played = try play(
            RuleTests.launch + RuleTests.home + [
                .evidence(10, .suspended), .evidence(60, .suspended), .evidence(100, .running),
                .evidence(400, .suspended), .at(900, "applicationWillEnterForeground"),
                .at(900.5, "applicationDidBecomeActive"), .at(901, "applicationWillResignActive"),
                .at(901.5, "applicationDidEnterBackground"), .evidence(910, .suspended),
            ])
        #expect(
            played.path() == [
                "not_running", "inactive", "active", "inactive", "background", "suspended", "background", "suspended",
                "inactive", "active", "inactive", "background", "suspended",
            ])
        #expect(played.suspensions.map(\.from) == [10 * second, 400 * second, 910 * second])
        #expect(played.suspensions.map(\.until) == [100 * second, 900 * second, nil])
        #expect(played.suspensions.allSatisfy { $0.evidence == .observed })
        #expect(played.findings.map(\.rule) == [])
    }

    @Test("A process that goes on after another one of its name appeared has not ended", arguments: ["App", ""])
    func revived(app: String) throws {
        let played = try play([
            .at(0, "didFinishLaunchingWithOptions", app: app, pid: 11),
            .at(1, "applicationDidBecomeActive", app: app, pid: 11),
            .at(100, "didFinishLaunchingWithOptions", app: app, pid: 12),
            .at(101, "applicationDidBecomeActive", app: app, pid: 12),
            .at(102, "applicationWillResignActive", app: app, pid: 11),
            .at(103, "applicationDidEnterBackground", app: app, pid: 11),
        ])
        #expect(played.runsInOrder.map(\.endReason) == [.logEnd, .logEnd])
        #expect(played.transitions().allSatisfy { $0.callback != nil })
    }

    @Test("Processes that only lines of the system show, by their ids, are not one app")
    func unnamedEvidence() throws {
        let played = try play([
            .evidence(0, .background, app: "", pid: 11), .evidence(50, .background, app: "", pid: 12),
            .at(100, "didFinishLaunchingWithOptions", app: "", pid: 13),
        ])
        #expect(played.runsInOrder.map(\.endReason) == [.logEnd, .logEnd, .logEnd])
    }

    @Test("Words tell the states that no callback has shown, wherever the log begins")
    func wordsBesideCallbacks() throws {
        let words: [Line] = [
            .evidence(1, .active, "flutter"), .evidence(11, .inactive, "flutter"),
            .evidence(12, .background, "flutter"), .evidence(72, .inactive, "flutter"),
            .evidence(73, .active, "flutter"),
        ]
        let all = ["not_running", "inactive", "active", "inactive", "background", "inactive", "active"]
        let whole = try play([.at(0, "didFinishLaunchingWithOptions")] + words)
        #expect(whole.path() == all)
        #expect(whole.completeVisits.count == 5 && whole.findings.isEmpty)
        for first in words.indices {
            let cut = try play(Array(words[first...]))
            #expect(Set(cut.completeVisits).isSubset(of: whole.completeVisits))
        }
        // After a callback that only shows the state of the beginning.
        let both = try play(
            [.at(0, "didFinishLaunchingWithOptions"), .at(0.5, "applicationDidBecomeActive")] + words)
        #expect(both.path() == all)
        // Callbacks of all states: their times count, once they have come.
        let callbacks: [Line] = [
            .at(0, "didFinishLaunchingWithOptions"), .at(0.9, "applicationDidBecomeActive"),
            .at(10.9, "applicationWillResignActive"), .at(11.9, "applicationDidEnterBackground"),
            .at(71.9, "applicationWillEnterForeground"), .at(72.9, "applicationDidBecomeActive"),
        ]
        let full = try play((callbacks + words).sorted { ($0.time ?? 0) < ($1.time ?? 0) })
        #expect(full.path() == all && full.findings.isEmpty)
        #expect(full.completeVisits == (try play(callbacks)).completeVisits)
        // What the system says comes before the callbacks that it announces.
        let announced = try play([
            .at(0, "didFinishLaunchingWithOptions"), .evidence(0.4, .active, "springboard"),
            .at(0.5, "applicationDidBecomeActive"),
        ])
        #expect(announced.path() == ["not_running", "inactive", "active"] && announced.findings.isEmpty)
    }

    /// An app whose lines say "will resign active" and "will enter foreground", but "became active" and "entered background".
    @Test("Words and callbacks in turn give one path, and nothing that words stand for is missing")
    func wordsInTurn() throws {
        let lines: [Line] = [
            .at(0, "didFinishLaunchingWithOptions"), .evidence(0.5, .active, "app-state"),
            .at(10, "applicationWillResignActive"), .evidence(11, .background, "app-state"),
            .at(71, "applicationWillEnterForeground"), .evidence(72, .active, "app-state"),
            .at(80, "applicationWillResignActive"), .evidence(80.5, .active, "app-state"),
            .at(90, "applicationWillResignActive"), .evidence(91, .background, "app-state"),
            .at(99, "applicationWillTerminate"),
        ]
        let whole = try play(lines)
        #expect(
            whole.path() == [
                "not_running", "inactive", "active", "inactive", "background", "inactive", "active", "inactive",
                "active", "inactive", "background", "not_running",
            ])
        #expect(whole.findings.allSatisfy { $0.rule == "not-logged" }, "\(whole.findings.map(\.message))")
        for first in lines.indices {
            let cut = try play(Array(lines[first...]))
            #expect(Set(cut.completeVisits).isSubset(of: whole.completeVisits), "from \(first)")
        }
    }

    @Test("With an open background task a process counts as suspended only beyond the longest time of the task")
    func suspensionsBesidesTasks() throws {
        let lines: [Line] = [
            .at(0, "didFinishLaunchingWithOptions"), .at(1, "applicationDidBecomeActive"),
            .at(10, "applicationWillResignActive"), .at(10, "beginBackgroundTask"),
            .at(11, "applicationDidEnterBackground"), .life(21), .life(31),
        ]
        let back: [Line] = [.at(600, "applicationWillEnterForeground"), .at(601, "applicationDidBecomeActive")]
        for snapshots: Set<Int> in [[], Set(0...9)] {
            let ended = try play(lines + [.at(41, "endBackgroundTask")] + back, snapshots: snapshots)
            #expect(ended.suspensions.map(\.from) == [46 * second])
            #expect(ended.suspensions.map(\.until) == [600 * second])
            // Three minutes from entering the background on, and then it is ended or suspended.
            let open = try play(lines + back, snapshots: snapshots)
            #expect(open.suspensions.map(\.from) == [191 * second])
            #expect(try play(lines + [.at(180, "endBackgroundTask")], snapshots: snapshots).suspensions.isEmpty)
        }
    }

    @Test("Any line of the process interrupts an estimated suspension; without a grace there is no estimate")
    func suspensions() throws {
        let lines: [Line] = [
            .at(0, "didFinishLaunchingWithOptions"), .at(1, "applicationDidBecomeActive"),
            .at(2, "applicationWillResignActive"), .at(3, "applicationDidEnterBackground"), .life(7), .life(20),
            .life(25), .at(40, "applicationWillEnterForeground"), .at(41, "applicationDidBecomeActive"), .life(100),
        ]
        let played = try play(lines)
        // 3-7 is 4 s, within the grace; 7-20 gives 12-20; 20-25 is just the grace; 25-40 gives 30-40.
        #expect(played.suspensions.map(\.from) == [12 * second, 30 * second])
        #expect(played.suspensions.map(\.until) == [20 * second, 40 * second])
        #expect(played.suspensions.map(\.leadsTo) == ["background", "inactive"])
        #expect(played.suspensions.allSatisfy { $0.evidence == .inferred && $0.opener == 4 })
        #expect(try play(lines, options: ReplayOptions(suspendGrace: nil)).suspensions.isEmpty)
        #expect(try play(lines, options: ReplayOptions(suspendGrace: 20 * second)).suspensions.isEmpty)
    }

    @Test("Lines of one execution are one event; layouts and later repetitions are not folded")
    func folding() throws {
        let played = try play([
            .at(0, "didFinishLaunchingWithOptions"), .at(0.1, "didFinishLaunchingWithOptions"),
            .at(1, "applicationDidBecomeActive"), .at(1.05, "applicationDidBecomeActive"),
            .at(1.2, "applicationDidBecomeActive"), .at(2, "viewWillLayoutSubviews", "VC"),
            .at(2, "viewWillLayoutSubviews", "VC"),
        ])
        #expect(played.runs.count == 1)
        #expect(played.orderedSteps.map(\.line) == [1, 3, 5, 6, 7])
    }

    @Test("A pasted copy of a part of the log adds no events, whatever lies between")
    func copies() throws {
        var lines: [Line] = [
            .at(0, "didFinishLaunchingWithOptions"), .at(1, "applicationDidBecomeActive"),
            .at(2, "applicationWillResignActive"), .at(3, "applicationDidEnterBackground"),
        ]
        for place in lines.indices { lines[place].textHash = UInt16(place + 1) }
        let once = try play(lines)
        let twice = try play(lines + lines)
        #expect(twice.visits == once.visits)
        #expect(twice.runs.count == 1 && twice.findings.isEmpty)
        #expect(twice.orderedSteps.map(\.line) == [1, 2, 3, 4])
    }

    @Test("A step back of the clock is a finding, and the stay across it has no length")
    func clock() throws {
        let played = try play([
            .at(10, "didFinishLaunchingWithOptions"), .at(11, "applicationDidBecomeActive"),
            .at(10.5, "applicationWillResignActive"), .at(12, "applicationDidEnterBackground"),
            .at(2, "applicationWillEnterForeground"), .at(3, "applicationDidBecomeActive"),
        ])
        let steps = played.findings.filter { $0.rule == "clock-regression" }
        #expect(steps.map(\.severity) == [.info, .warning])
        #expect(steps.map(\.line) == [3, 5])
        #expect(
            steps.map(\.message) == [
                "the clock goes back by 500 ms from the event before: the two lines may be in the wrong order",
                "the clock goes back by 10 s from the event before",
            ])
        #expect(played.completeVisits.map(\.dwell) == [second, nil, 1_500_000_000, nil, second])
        // Two rotated files without a year: in the second one it is January again.
        let year = try play([
            .at(31_622_400, "applicationDidBecomeActive"), .at(7_200, "applicationWillResignActive"),
        ])
        let message = try #require(year.findings.first { $0.rule == "clock-regression" }?.message)
        #expect(message.hasPrefix("the clock goes back by 365 d 22 h") && message.hasSuffix("each with its own --year"))
    }

    @Test("A callback that is not documented in a state is one transition with its repair")
    func undocumented() throws {
        let lines: [Line] = [
            .at(0, "didFinishLaunchingWithOptions"), .at(1, "applicationDidBecomeActive"),
            .at(2, "applicationDidEnterBackground"), .at(3, "applicationWillEnterForeground"),
            .at(4, "applicationDidBecomeActive"), .at(9, "applicationDidBecomeActive"),
        ]
        let played = try play(lines)
        #expect(played.path() == ["not_running", "inactive", "active", "background", "inactive", "active"])
        let jump = try #require(played.transitions().first { $0.verdict == .undocumented })
        #expect(jump.from == "active" && jump.to == "background")
        #expect(played.completeVisits.allSatisfy { $0.dwell == second })
        let wordy = try play(lines, preface: wordyLife)
        let finding = try #require(wordy.findings.first { $0.line == 3 })
        #expect(finding.repair == "with applicationWillResignActive before this line")
        let last = try #require(played.orderedSteps.last)
        #expect(played.kind(of: last).verdict == .undocumented)
        #expect(played.kind(of: last).stateBefore == "active" && played.kind(of: last).stateAfter == "active")
        #expect(wordy.findings.contains { $0.line == 6 })
    }
}
