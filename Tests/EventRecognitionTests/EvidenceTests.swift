import Testing
import TraceRecords

@testable import EventRecognition

@Suite("System daemons and frameworks state what is true of an app")
struct EvidenceTests {
    private static let uuid = "0A1B2C3D-0000-4000-8000-00000000000F"
    private static let exited =
        "[app<org.tea.Kettle>:41] Process exited: <RBSProcessExitContext| specific, status:<RBSProcessExitStatus| "

    @Test(
        "daemons name the app by its bundle identifier",
        arguments: [
            ("Now tracking process: [app<org.tea.Kettle(\(uuid))>:41]", "runningboard", Proof.launched, 41),
            (
                "Calculated state for app<org.tea.Kettle(\(uuid))>: running-suspended (role: None)", "runningboard",
                .suspended, nil
            ),
            ("Calculated state for application<org.tea.Kettle>: none (role: None)", "runningboard", .notRunning, nil),
            (
                "Calculated state for app<org.tea.Kettle(\(uuid))>: running-active (role: UserInteractiveFocal) (x)",
                "runningboard", .foreground, nil
            ),
            (
                "Calculated state for app<org.tea.Kettle(\(uuid))>: running-active (role: Background) (x)",
                "runningboard", .background, nil
            ),
            ("[app<org.tea.Kettle(\(uuid))>:41] reported to RB as running", "runningboard", .running, 41),
            ("[app<org.tea.Kettle(\(uuid))>:41] Resuming task.", "runningboard", .running, 41),
            (
                "[app<org.tea.Kettle(\(uuid))>:41] termination reported by launchd (2, 9, 9)", "runningboard",
                .notRunning, 41
            ),
            ("[application<org.tea.Kettle>:41] Suspending task.", "runningboard", .suspended, 41),
            (
                "Received state update for 41 (app<org.tea.Kettle(\(uuid))>, running-active-Visible", "runningboard",
                .foreground, 41
            ),
            (
                "Received state update for 41 (app<org.tea.Kettle(\(uuid))>, running-active-NotVisible", "runningboard",
                .background, 41
            ),
            ("[app<org.tea.Kettle>:41] Bootstrap success!", "frontboard", .launched, 41),
            ("[app<org.tea.Kettle>:41] Setting process task state to: Running", "frontboard", .running, 41),
            ("[app<org.tea.Kettle>:41] Setting process task state to: Not Running", "frontboard", .notRunning, 41),
            ("[app<org.tea.Kettle>:41] Setting process visibility to: Foreground", "frontboard", .foreground, 41),
            ("[app<org.tea.Kettle>:41] Setting process visibility to: Background", "frontboard", .background, 41),
            (
                "Asked to bootstrap a new process with identity: app<org.tea.Kettle(\(uuid))>", "frontboard",
                .launching, nil
            ),
            ("Bootstrapping app<org.tea.Kettle> with intent foreground-interactive", "frontboard", .launching, nil),
            (
                "[0x1:(FBSceneManager):sceneID:org.tea.Kettle-default] Scene lifecycle state did change: Background",
                "frontboard", .background, nil
            ),
            (
                "[sceneID:org.tea.Kettle-default] Setting deactivation reasons to: 'a' for reason: b",
                "uikit-deactivation", .inactive, nil
            ),
            (
                "Application process state changed for org.tea.Kettle: <SBApplicationProcessState: 0x1; pid: 41; "
                    + "taskState: Running; visibility: Background>", "springboard", .background, 41
            ),
            (
                "[org.tea.Kettle] Sending scene action [Logical Activate] through W: 0x1", "springboard", .activating,
                nil
            ),
            (
                "[app<org.tea.Kettle>:41] Process exited: <FBProcessExitContext; watchdog (\"late\")>.", "watchdog",
                .exitedByWatchdog, 41
            ),
            ("\(exited)domain:signal(2) code:SIGSEGV(11)>>.", "frontboard", .exitedBySignal, 41),
            ("\(exited)domain:signal(2) code:SIGKILL(9)>>.", "frontboard", .notRunning, 41),
            ("\(exited)domain:jetsam(1) code:2>>.", "jetsam", .exitedByJetsam, 41),
            ("\(exited)domain:frontboard(10) code:2343432205>>.", "watchdog", .exitedByWatchdog, 41),
            (
                "[app<org.tea.Kettle>:41] Process exited: <RBSProcessExitContext| voluntary>.", "frontboard",
                .notRunning, 41
            ),
            (
                "[app<org.tea.Kettle>:41] exited with context <RBSProcessExitContext| status:<RBSProcessExitStatus| "
                    + "domain:signal(2) code:SIGABRT(6)>>", "frontboard", .exitedBySignal, 41
            ),
            ("[org.tea.Kettle] Setting process visibility to: Foreground", "frontboard", .foreground, nil),
            ("[org.tea.Kettle:41] Setting process visibility to: Background", "frontboard", .background, 41),
            (
                "scene-update watchdog transgression: org.tea.Kettle exhausted real (wall clock) time", "watchdog",
                .exitedByWatchdog, nil
            ),
            (
                "scene-update watchdog transgression: app<org.tea.Kettle(\(uuid))>:41 exhausted real (wall clock) time",
                "watchdog", .exitedByWatchdog, 41
            ),
        ] as [(String, String, Proof, Int32?)])
    func daemons(message: String, origin: String, proof: Proof, pid: Int32?) throws {
        let reading = try Reading(Lines([.init(message: message, process: "runningboardd", pid: 31, time: 1)]))
        let event = try #require(reading.events.first)
        #expect(reading.text(event.origin) == origin)
        #expect(event.proof == proof)
        #expect(event.callback == nil)
        #expect(reading.speaker(event).process == "org.tea.Kettle")
        #expect(reading.speaker(event).namesBundle)
        #expect(reading.speaker(event).pid == pid)
    }

    @Test(
        "the kernel names the process",
        arguments: [
            ("EXC_RESOURCE -> Kettle[41] exceeded mem limit: ActiveHard 2098 MB (fatal)", Proof.memoryLimit),
            ("77.5 memorystatus: killing_specific_process pid 41 [Kettle] (per-process-limit 10) - x", .exitedByJetsam),
            ("memorystatus: killing_top_process_due_to_pressure pid 41 [Kettle] (vm-pageshortage)", .exitedByJetsam),
        ])
    func kernel(message: String, proof: Proof) throws {
        let reading = try Reading(Lines([.init(message: message, process: "kernel", pid: 0, time: 1)]))
        let event = try #require(reading.events.first)
        #expect(event.proof == proof)
        #expect(reading.text(event.origin) == "jetsam")
        #expect(reading.speaker(event).process == "Kettle")
        #expect(!reading.speaker(event).namesBundle)
        #expect(reading.speaker(event).pid == 41)
    }

    @Test(
        "frameworks speak for the process that writes",
        arguments: [
            (
                "Deactivation reason added: 5; deactivation reasons: 0 -> 32; animating", "uikit-deactivation",
                Proof.inactive
            ),
            ("Deactivation reason removed: 5; deactivation reasons: 32 -> 0; animating", "uikit-deactivation", .active),
            ("Deactivation reason removed: 12; deactivation reasons: 4096 -> 0", "uikit-deactivation", .active),
            // A swipe to the home screen, and a launch.
            (
                "Deactivation reason added: 12; deactivation reasons: 1 -> 4097; animating", "uikit-deactivation",
                .inactive
            ),
            ("Deactivation reason added: 11; deactivation reasons: 4128 -> 6176; a", "uikit-deactivation", .inactive),
            (
                "Deactivation reason removed: 5; deactivation reasons: 6176 -> 6144; a", "uikit-deactivation",
                .background
            ),
            ("Deactivation reason added: 5; deactivation reasons: 6144 -> 6176; a", "uikit-deactivation", .inactive),
            ("Deactivation reason removed: 11; deactivation reasons: 6176 -> 4128; a", "uikit-deactivation", .inactive),
            ("Deactivation reason added: 11; deactivation reasons: 1056 -> 3104; a", "uikit-deactivation", .inactive),
            ("Deactivation reason removed: 10; deactivation reasons: 3104 -> 2080; a", "uikit-deactivation", .inactive),
            ("Deactivation reason added: 12; deactivation reasons: 2080 -> 6176; a", "uikit-deactivation", .inactive),
            ("flutter: AppLifecycleState.resumed", "flutter", .active),
            ("flutter: AppLifecycleState.hidden", "flutter", .background),
            ("flutter: didChangeAppLifecycleState inactive", "flutter", .inactive),
            ("state is AppLifecycleState.paused", "flutter", .background),
            ("AppState changed to background", "react-native", .background),
            ("nextAppState: inactive", "react-native", .inactive),
            ("AppState active", "react-native", .active),
            ("AppState.currentState: background", "react-native", .background),
            ("AppState: active -> background", "react-native", .background),
            ("AppState changed from inactive to active", "react-native", .active),
            ("scenePhase: inactive -> active", "swiftui", .active),
            ("ScenePhase changed: active -> .inactive", "swiftui", .inactive),
            ("scenePhase changed from inactive to background", "swiftui", .background),
            ("scenePhase changed to .inactive", "swiftui", .inactive),
            ("flutter: AppLifecycleState.inactive -> AppLifecycleState.resumed", "flutter", .active),
            ("AppLifecycleState.resumed to inactive", "flutter", .inactive),
            ("-[TSLocationManager onAppTerminate:]", "transistor", .terminating),
            ("INACTIVE", "react-native", .inactive),
            ("scenePhase: active", "swiftui", .active),
            ("ScenePhase changed to background", "swiftui", .background),
            ("🔵-[TSLocationManager onSuspend:] enabled? 1", "transistor", .background),
            ("-[TSLocationManager init]", "transistor", .launched),
            ("Apache Cordova native platform version 9.1.1 is starting.", "cordova", .launched),
            ("active", "app-state", .active),
            (#"{"category":"app.lifecycle","data":{"state":"background"},"type":"navigation"}"#, "sentry", .background),
            (
                #"{"type": "navigation", "data": {"state": "foreground"}, "category": "app.lifecycle"}"#, "sentry",
                .foreground
            ),
            (
                #"{"eventName":"device.app.lifecycle","attributes":[{"key":"ios.app.state","value":{"stringValue":"terminate"}}]}"#,
                "opentelemetry", .terminating
            ),
            ("Termination Reason: Namespace SPRINGBOARD, Code 0x8badf00d", "watchdog", .exitedByWatchdog),
            ("Launch Time:         2024-03-09 07:30:00.1234 +0100", "crash-report", .launched),
            (#"  "procRole" : "Foreground","#, "crash-report", .foreground),
        ] as [(String, String, Proof)])
    func frameworks(message: String, origin: String, proof: Proof) throws {
        let reading = try Reading(Lines(messages: [message]))
        let event = try #require(reading.events.first)
        #expect(reading.text(event.origin) == origin)
        #expect(event.proof == proof)
        #expect(reading.speaker(event).process == "Demo")
        #expect(!reading.speaker(event).namesBundle)
        #expect(reading.speaker(event).pid == 100)
    }

    @Test(
        "a phase and the one before it are a change, unless they are the same",
        arguments: [
            ("scenePhase: inactive -> active", true), ("Scene phase changed from active to inactive", true),
            ("[DemoApp] scenePhase changed from inactive to background", true), ("scenePhase: active", false),
            ("scenePhase: active -> active", false), ("[DemoApp] scenePhase: background", false),
        ])
    func phaseBefore(message: String, isChange: Bool) throws {
        let reading = try Reading(Lines(messages: [message]))
        #expect(reading.events.map(\.isNotification) == [isChange])
    }

    @Test(
        "a part of the system writes of other processes, never of itself, and of whom it does not name of none",
        arguments: [
            "ProcessVisibility: Foreground", "Role: Foreground", "Termination Reason: Namespace SPRINGBOARD, Code 0x1",
            "AppState: background",
        ])
    func daemons(message: String) throws {
        for process in ["runningboardd", "/usr/libexec/runningboardd", "ReportCrash", "launchd_sim"] {
            let line = Lines.Line(message: message, process: process, pid: 90, time: 1)
            #expect(try Reading(Lines([line, line])).events.isEmpty)
        }
        // What a report says of a part of the system is about that.
        let report = Lines.Line(message: message, process: "SpringBoard", pid: 58, subsystem: "crash-report", time: 1)
        #expect(try Reading(Lines([report])).events.count { $0.proof?.isDetail != true } == 1)
    }

    @Test("a screen that appeared is named")
    func screens() throws {
        let reading = try Reading(
            Lines(messages: [#"{"category": "ui.lifecycle", "data": {"screen": "TeaViewController"}, "type": "n"}"#]))
        #expect(reading.events.map(\.proof) == [.appeared])
        #expect(reading.events.map { reading.speaker($0).label ?? "" } == ["TeaViewController"])
    }

    @Test(
        "what only looks like evidence states nothing",
        arguments: [
            "[xpcservice<com.apple.WebKit.WebContent([application<org.tea.Kettle>:716])>:721:721] Suspending task.",
            "Calculated state for xpcservice<com.apple.WebKit.WebContent([application<org.tea.Kettle>:716])>:717: none (role: None)",
            "Calculated state for daemon<com.apple.mediaserverd>: none (role: None)",
            "Assertion 33 (target:[app<org.tea.Kettle(X)>:41]) will be created as active",
            "[app<org.tea.Kettle>:41] Workspace interruption policy did change: terminate",
            "[app<org.tea.Kettle>:41] Setting process visibility to: Unknown",
            "EXC_RESOURCE -> Kettle[41] exceeded mem limit: ActiveSoft 900 MB (non-fatal)",
            "AppState active listeners: 3", "please wait until AppState is active",
            "we ignore AppLifecycleState.paused here",
            "inactive:1", "activate", "Active", "the timer is active",
            "<SBApplicationProcessState: 0x1; pid: 41; taskState: Running; visibility: Background>",
            #"{"category":"device.event","data":{"state":"background"}}"#,
            "Scene assertion state did change: ForegroundFocal.",
        ])
    func notStated(message: String) throws {
        #expect(try Reading(Lines(messages: [message])).events.isEmpty)
    }

    @Test("evidence about a process ends its span of life, and is no sign of life of the daemon")
    func life() throws {
        let reading = try Reading(
            Lines([
                .init(message: "steeping", process: "Kettle", pid: 41, time: 1),
                .init(message: "[app<org.tea.Kettle>:41] Suspending task.", process: "runningboardd", pid: 31, time: 2),
            ]))
        guard reading.facts.count == 2, case .activity(let span) = reading.facts[0], case .event = reading.facts[1]
        else {
            Issue.record("one span, then one event")
            return
        }
        #expect(reading.speaker(span).process == "Kettle")
    }
}

@Suite("MetricKit payloads state totals of a day")
struct DailyTotalTests {
    @Test("figures get the day and the version of their payload, in whichever order the keys come")
    func payloads() throws {
        let reading = try Reading(
            Lines(messages: [
                #""applicationTimeMetrics" : {"#, #"  "cumulativeForegroundTime" : "1,456秒","#,
                #"  "cumulativeBackgroundAudioTime" : "0 sec""#, #"},"#,
                #""timeStampEnd" : "2024-03-10 00:00:00 +0100","#, #""appVersion" : "2.1","#,
                #""timeStampBegin" : "2024-03-09 00:00:00 +0100""#,
                #"{"timeStampBegin":"1970-01-01 00:00:10","timeStampEnd":"1970-01-02 00:00:00","applicationExitMetrics":"#
                    + #"{"backgroundExitData":{"cumulativeMemoryPressureExitCount":12}}}"#,
            ]))
        #expect(
            reading.totals.map(\.metric) == [
                "cumulativeForegroundTime", "cumulativeBackgroundAudioTime",
                "backgroundExitData.cumulativeMemoryPressureExitCount",
            ])
        #expect(reading.totals.map(\.value) == [1456, 0, 12])
        #expect(reading.totals.map(\.unit) == ["s", "s", "count"])
        #expect(reading.totals.map(\.line) == [2, 3, 8])
        #expect(reading.totals.map(\.appVersion) == ["2.1", "2.1", nil])
        // 2024-03-08 23:00 UTC is 19,790 days and 23 hours after 1970.
        let midnight: Int64 = (19_790 * 86_400 + 23 * 3600) * 1_000_000_000
        #expect(reading.totals.first?.from == midnight)
        #expect(reading.totals.last?.from == 10_000_000_000)
        #expect(reading.totals.last?.until == 86_400_000_000_000)
        #expect(reading.events.isEmpty)
    }

    @Test("exits in the foreground and in the background have names of their own, and the day of their payload")
    func exits() throws {
        let payload = [
            #""timeStampBegin" : "1970-01-01 00:00:10","#, #""timeStampEnd" : "1970-01-02 00:00:00","#,
            #""appVersion" : "2.1","#, #""foregroundExitData" : {"#, #"  "cumulativeNormalAppExitCount" : 1,"#, "},",
            #""backgroundExitData" : {"#, #"  "cumulativeNormalAppExitCount" : 7"#, "}",
            #""applicationTimeMetrics" : { "cumulativeForegroundTime" : "5 sec" }"#,
        ]
        // In a second payload the same names come first.
        let second = Array(payload[3...] + payload[..<3])
        let reading = try Reading(Lines(messages: payload + second))
        let names = [
            "foregroundExitData.cumulativeNormalAppExitCount", "backgroundExitData.cumulativeNormalAppExitCount",
            "cumulativeForegroundTime",
        ]
        #expect(reading.totals.map(\.metric) == names + names)
        #expect(reading.totals.map(\.value) == [1, 7, 5, 1, 7, 5])
        #expect(reading.totals.allSatisfy { $0.appVersion == "2.1" && $0.from == 10_000_000_000 })
    }

    @Test(
        "figures are read in the language of the device",
        arguments: [
            ("1,456秒", 1456), ("700 sec", 700), ("1.456 Sek.", 1456), ("1 234,5 s", 1234.5), ("0,5 s", 0.5),
            ("2,500 ms", 2.5), ("1,234,567 s", 1_234_567), ("3 min", 180), ("12", 12), ("1.5 sec", 1.5),
            ("1.456,5 sek", 1456.5), ("1,456.5 sec", 1456.5), ("1.234.567,25 Sek.", 1_234_567.25), ("١٬٤٥٦ ث", 1456),
            ("\u{200F}١٬٤٥٦٫٥ ث", 1456.5), ("१,२३,४५६ से", 123_456), ("1’456.5 s", 1456.5), ("0,125 s", 0.125),
            ("1 234,567 s", 1234.567), ("2\u{202F}500 ms", 2.5),
        ])
    func figures(text: String, seconds: Double) throws {
        #expect(LocalisedFigure(text)?.seconds(try BuiltInDialects.read().units).0 == seconds)
    }

    @Test(
        "units are read in the language of the device, several in one figure",
        arguments: [
            ("2 Std.", 7200), ("1 hr 30 min", 5400), ("1 Std. 30 Min. 5 Sek.", 5405), ("1時間30分", 5400),
            ("1 h", 3600), ("3 мин", 180), ("250 ms", 0.25), ("1 ч 5 мин", 3900), ("2 HRS", 7200),
        ])
    func units(text: String, seconds: Double) throws {
        let read = try #require(LocalisedFigure(text)).seconds(BuiltInDialects.read().units)
        #expect(read.0 == seconds && read.unknown == nil)
    }

    @Test("figures that cannot be read, and units that are not known, are told")
    func unread() throws {
        var recognizer = Recognizer(lexicon: try Known.lexicon())
        let messages = [
            #""cumulativeForegroundTime" : "n/a","#, #""cumulativeBackgroundTime" : "7 blinks","#,
            #""cumulativeNormalAppExitCount" : "2 min 3""#,
        ]
        for batch in Lines(messages: messages).batches() { recognizer.recognize(batch) }
        #expect(recognizer.remainingDailyTotals.map(\.value) == [7])
        #expect(
            recognizer.assumptions == [
                "figures of MetricKit: cumulativeForegroundTime of line 1 left out, 'n/a' is not a time, "
                    + "cumulativeBackgroundTime of line 2 read as seconds: 'blinks' is not a known unit, "
                    + "cumulativeNormalAppExitCount of line 3 left out, '2 min 3' is not a count"
            ])
    }

    @Test("a figure is read as tools write it that escape what is no ASCII")
    func escapedFigure() throws {
        let line = #"{"cumulativeForegroundTime":"\u0661\u066c\u0664\u0665\u0666 \u062b","appVersion":"1\/2\"3"}"#
        let total = try #require(try Reading(Lines(messages: [line])).totals.first)
        #expect(total.value == 1456 && total.appVersion == "1/2\"3")
    }

    @Test("what is no figure is none", arguments: ["", "sec", "-", "秒", "1.2.3 s", "1,2,345.6 s"])
    func noFigures(text: String) {
        #expect(LocalisedFigure(text) == nil)
    }
}
