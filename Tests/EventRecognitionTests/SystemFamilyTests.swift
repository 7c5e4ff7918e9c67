import LifecycleModel
import Testing
import TraceRecords

@testable import EventRecognition

/// Lines of the system, invented after the families that the dialect files describe.
@Suite("Families of lines of the system are recognised")
struct SystemFamilyTests {
    @Test(
        "codes of ends, in any spelling",
        arguments: [
            (
                "[app<org.tea.Kettle>:41] Terminating with context: <RBSTerminateContext| domain:10 code:0x12345678 "
                    + "explanation:update reportType:None maxTerminationResistance:Absolute>",
                "runningboard terminating"
            ),
            (
                "[app<org.tea.Kettle>:41] Terminating with context: <RBSTerminateContext| domain:10 code:0x8BADF00D "
                    + "explanation:late reportType:None>", "watchdog exited:watchdog"
            ),
            (
                "[app<org.tea.Kettle>:41] Terminating with context: <RBSTerminateContext| domain:10 code:0x12345678 "
                    + "explanation:late reportType:CrashLog>", "runningboard exited:signal"
            ),
            (
                "[app<org.tea.Kettle>:41] termination reported by launchd (10, 305419896, 9)",
                "runningboard not_running"
            ),
            (
                "[app<org.tea.Kettle>:41] termination reported by launchd (15, 562215634, 9)",
                "runningboard exited:signal"
            ),
            ("Termination Reason: FRONTBOARD 2343432205", "watchdog exited:watchdog"),
            ("Termination Reason: Namespace ASSERTIOND, Code 0x8badf00d", "watchdog exited:watchdog"),
            ("Termination Reason: RUNNINGBOARD 3735883980 (0xdead10cc)", "crash-report exited:signal"),
            ("Termination Reason:  SIGNAL 11 Segmentation fault: 11", "crash-report exited:signal"),
            ("Termination Reason: DYLD 1 Library missing", "crash-report exited:signal"),
            ("Termination Reason: Namespace FRONTBOARD, Code 0xdeadfa11", "crash-report not_running"),
            (#""termination" : {"code":2343432205,"flags":6,"namespace":"FRONTBOARD"}"#, "watchdog exited:watchdog"),
            (#""termination":{"namespace":"SIGNAL","flags":0,"code":6}"#, "crash-report exited:signal"),
            ("<RBSTerminateContext| domain:15 code:0x2182BAD2 explanation:late>", "crash-report exited:signal"),
            ("[app<org.tea.Kettle>:41] termination reported by launchd (1, 7, 7)", "jetsam exited:jetsam"),
            ("[app<org.tea.Kettle>:41] termination reported by launchd (2, 11, 11)", "runningboard exited:signal"),
            ("[app<org.tea.Kettle>:41] termination reported by launchd (2, 15, 15)", "runningboard not_running"),
            (
                "[app<org.tea.Kettle>:41] Process exited: <RBSProcessExitContext| specific, "
                    + "status:<RBSProcessExitStatus| domain:runningboard(15) code:0xdead10cc>>.",
                "frontboard exited:signal"
            ),
            ("Termination Reason: Namespace SPRINGBOARD, Code 0x8BADF00D", "watchdog exited:watchdog"),
            ("Termination Reason: FRONTBOARD, [0x8badf00d]", "watchdog exited:watchdog"),
            ("Termination Reason: WATCHKIT 4", "crash-report exited:signal"),
            (#""termination":{"code":1,"namespace":"SANDBOX"}"#, "crash-report exited:signal"),
            ("[app<org.tea.Kettle>:41] termination reported by launchd (21, 3, 3)", "runningboard exited:signal"),
            (
                "UIKitApplication:org.tea.Kettle[9bea][rb-legacy] [676]: exited with exit reason "
                    + "(namespace: 10 code: 0x8badf00d) - OS_REASON_SPRINGBOARD", "watchdog exited:watchdog"
            ),
            ("Termination Reason: Namespace <0x17>, Code 2305843039278006790", "crash-report exited:signal"),
            ("Termination Reason: Namespace EXC_USER, Code 0x1", "crash-report exited:signal"),
            ("Termination Reason: TCC, This app has crashed because it took tea", "crash-report exited:signal"),
            (
                "Termination Description: SPRINGBOARD, <RBSTerminateContext| domain:10 code:0x8BADF00D explanation:x",
                "watchdog exited:watchdog"
            ),
            ("Exception Codes: 0x8badf00d", "watchdog exited:watchdog"),
            ("Exception Codes:  0x00000000dead10cc", "crash-report exited:signal"),
            ("Exception Code: 0xdeadfa11", "crash-report not_running"),
            ("org.tea.Kettle failed to launch in time", "watchdog exited:watchdog"),
            ("org.tea.Kettle failed to scene-create after 19.78s", "watchdog exited:watchdog"),
            (#"    "code" : 562215635"#, "crash-report exited:signal"),
            (#"    "namespace" : "JETSAM","#, "jetsam exited:jetsam"),
            ("**Termination Reason:** RUNNINGBOARD 0xdead10cc", "crash-report exited:signal"),
            ("Termination Reason: `FRONTBOARD 0x8badf00d`", "watchdog exited:watchdog"),
        ])
    func endings(message: String, expected: String) throws {
        #expect(try statement(message) == expected)
    }

    @Test(
        "lines of reports, and of whoever ends a process",
        arguments: [
            ("Role:                Background", "crash-report background"),
            ("Role: Foreground", "crash-report foreground"),
            ("ProcessVisibility: Foreground", "crash-report foreground"),
            ("Date/Time:           2024-03-09 07:30:00.1234 +0100", "crash-report exited:signal"),
            ("Date/Time:       2012-03-09 07:30:00.123 +0100", "crash-report exited:signal"),
            ("Action taken:     Process killed", "crash-report exited:signal"),
            (#"    "reason" : "vm-pageshortage","#, "jetsam exited:jetsam"),
            ("Message from debugger: Terminated due to signal 9", "debugger exited:kill"),
            ("Message from debugger: killed", "debugger exited:kill"),
            ("App terminated due to signal 9.", "debugger exited:kill"),
            ("App terminated due to signal 11.", "debugger exited:signal"),
            ("App terminated due to signal 9", "debugger exited:kill"),
            ("App terminated due to signal 15.", "debugger not_running"),
            ("App terminated due to signal 2.", "debugger not_running"),
            ("Process 5 exited with status = 9 (0x00000009) killed", "debugger exited:kill"),
            ("Program ended with exit code: 9", "debugger exited:kill"),
            ("Program ended with exit code: 99", "debugger not_running"),
            ("Message from debugger: Terminated due to signal 11", "debugger exited:signal"),
            ("Terminated due to signal 11", "debugger exited:signal"),
            ("Message from debugger: Terminated due to signal 6 ", "debugger exited:signal"),
            ("Message from debugger: Terminated due to signal 15", "debugger not_running"),
            ("Terminated due to signal 15", "debugger not_running"),
            ("Message from debugger: Terminated due to memory issue", "debugger exited:jetsam"),
            ("Terminated due to memory issue", "debugger exited:jetsam"),
            ("Program ended with exit code: 0", "debugger not_running"),
            (
                "*** Terminating app due to uncaught exception 'NSRangeException', reason: 'x'",
                "crash-report exited:signal"
            ),
            ("exited due to SIGABRT | sent by Kettle[676], ran for 2199ms", ""),
            ("Kettle/Pour.swift:21: Fatal error: Index out of range", "crash-report exited:signal"),
            ("Kettle/Pour+Tea.swift:21: Fatal error", "crash-report exited:signal"),
            ("Swift/ContiguousArrayBuffer.swift:600: Fatal error: Index out of range", "crash-report exited:signal"),
            ("/Users/mia/Kettle/Pour.swift:7: Precondition failed: no cup", "crash-report exited:signal"),
            ("Fatal error: no cup: file Kettle/Pour.swift, line 7", "crash-report exited:signal"),
            ("Assertion failed: file Kettle/Pour.swift, line 7", "crash-report exited:signal"),
            (
                "Fatal error: Unexpectedly found nil while unwrapping an Optional value",
                "crash-report exited:signal"
            ),
            ("Fatal access conflict detected.", "crash-report exited:signal"),
            (
                "Could not cast value of type 'Cup' (0x1b6d8e8) to 'Pot' (0x1b6d8e9).", "crash-report exited:signal"
            ),
            (
                "Assertion failed: (cups > 0), function pour, file pour.c, line 12.", "crash-report exited:signal"
            ),
            (
                "libc++abi: terminating due to uncaught exception of type NSException", "crash-report exited:signal"
            ),
            (
                "libc++abi.dylib: terminating with uncaught exception of type NSException",
                "crash-report exited:signal"
            ),
            ("terminating with uncaught exception of type NSException", "crash-report exited:signal"),
            ("Thread 1: EXC_BAD_ACCESS (code=1, address=0x0)", "debugger exited:signal"),
            ("Thread 7: Fatal error: Index out of range", "debugger exited:signal"),
            ("Thread 1: signal SIGABRT", "debugger exited:signal"),
            (
                "* thread #1, queue = 'com.apple.main-thread', stop reason = EXC_BAD_ACCESS (code=1, address=0x0)",
                "debugger exited:signal"
            ),
            ("Fatal error handled", ""), ("Fatal error: the kettle is empty, trying again", ""),
            ("error: Fatal error: Index out of range", ""), ("Precondition failed for request 4", ""),
            ("Precondition failed: no cup", ""), ("Assertion failed: no cup", ""),
            ("The server said Kettle/Pour.swift:21: Fatal error: Index out of range", ""),
            ("Thread 1: breakpoint 1.1", ""), ("Thread 1: signal SIGSTOP", ""),
            ("* thread #1, stop reason = breakpoint 1.1", ""), ("why libc++abi: terminating is printed", ""),
        ])
    func reports(message: String, expected: String) throws {
        #expect(try statement(message) == expected)
    }

    @Test(
        "daemons of old systems name the app in tokens of their own",
        arguments: [
            (
                "Now tracking process <BKProcess: 0x1; kettle; org.tea.Kettle; pid: 41; agency: Application; task: running>",
                "org.tea.Kettle", 41, "runningboard launched"
            ),
            (
                "[kettle:41] Deleted launchd job with label: UIKitApplication:org.tea.Kettle[0xadc3][66]", "kettle", 41,
                "runningboard not_running"
            ),
            (
                "Deleted job with label: UIKitApplication:org.tea.Kettle[0xadc3][66]", "org.tea.Kettle", nil,
                "runningboard not_running"
            ),
            (
                "[Tea Kettle:41] Terminating because the job-submitter has disconnected.", "Tea Kettle", 41,
                "runningboard terminating"
            ),
            (
                "UIKitApplication:org.tea.Kettle[0xc343][41]) : (UIKitApplication:org.tea.Kettle[0xc343]) Exited: Killed",
                "org.tea.Kettle", 41, "launchd exited:kill"
            ),
            (
                "(UIKitApplication:org.tea.Kettle[0x76c5]): Service exited due to signal: Abort trap: 6",
                "org.tea.Kettle", nil, "launchd exited:signal"
            ),
            (
                "(UIKitApplication:org.tea.Kettle[0x76c5]) Exited with code: 1", "org.tea.Kettle", nil,
                "launchd not_running"
            ),
            (
                "(UIKitApplication:org.tea.Kettle[0x76c5]) Job appears to have crashed: Bus error: 10",
                "org.tea.Kettle", nil, "launchd exited:signal"
            ),
            (
                "[user/501/UIKitApplication:org.tea.Kettle[9bea][rb-legacy]:] exited due to SIGTRAP | sent by exc handler",
                "org.tea.Kettle", nil, "launchd exited:signal"
            ),
            (
                "low swap: killing largest compressed process with pid 41 (kettle) and size 300 MB", "kettle", 41,
                "jetsam exited:jetsam"
            ),
            ("memorystatus_thread: idle exiting pid 41 [kettle]", "kettle", 41, "jetsam exited:jetsam"),
            (
                "memorystatus: kettle [41] exceeded mem limit: ActiveHard 1400 MB (fatal)", "kettle", 41,
                "jetsam memory-limit"
            ),
            (
                "memorystatus: process kettle [41] exceeded mem limit: ActiveHard 1400 MB (fatal)", "kettle", 41,
                "jetsam memory-limit"
            ),
            (
                "Application 'Kettle' exited abnormally with signal 9: Killed", "Kettle", nil,
                "springboard exited:kill"
            ),
            (
                "Application 'UIKitApplication:org.tea.Kettle[0x8c]' exited abnormally with signal 9: Killed: 9",
                "org.tea.Kettle", nil, "springboard exited:kill"
            ),
            (
                "Application 'UIKitApplication:org.tea.Kettle' exited with signal 9", "org.tea.Kettle", nil,
                "springboard exited:kill"
            ),
            (
                "Application 'UIKitApplication:org.tea.Kettle[0x8c]' exited abnormally with signal 6: Abort trap: 6",
                "org.tea.Kettle", nil, "springboard exited:signal"
            ),
            (
                "Application 'UIKitApplication:org.tea.Kettle[0x8c]' was killed by jetsam.", "org.tea.Kettle", nil,
                "jetsam exited:jetsam"
            ),
            (
                "Application 'UIKitApplication:org.tea.Kettle[0x8c]' exited voluntarily.", "org.tea.Kettle", nil,
                "springboard not_running"
            ),
            (
                "[org.tea.Kettle] org.tea.Kettle application state changed to Background Running", "org.tea.Kettle",
                nil, "springboard background"
            ),
            (
                "Application process state changed for org.tea.Kettle: (null)", "org.tea.Kettle", nil,
                "springboard not_running"
            ),
            ("Formulating fatal 309 report for corpse[41] Kettle", "Kettle", 41, "crash-report exited:signal"),
            ("Formulating crash report for process Kettle[41]", "Kettle", 41, "crash-report exited:signal"),
            (
                "(UIKitApplication:org.tea.Kettle[0x76c5][41]): Service exited due to signal: Segmentation fault: 11 "
                    + "sent by exc handler[41]", "org.tea.Kettle", 41, "launchd exited:signal"
            ),
            (
                "(UIKitApplication:org.tea.Kettle[0x76c5][41]): Service exited due to signal: Terminated: 15",
                "org.tea.Kettle", 41, "launchd not_running"
            ),
            (
                "(UIKitApplication:org.tea.Kettle[0x76c5][66][41]) <Notice>: Service exited due to signal: Killed: 9",
                "org.tea.Kettle", 41, "launchd not_running"
            ),
            (
                "(UIKitApplication:org.tea.Kettle[9a0b][rb-legacy][41]): Service exited with abnormal code: 200",
                "org.tea.Kettle", 41, "launchd not_running"
            ),
            (
                "Executing termination request for: <RBSProcessPredicate <RBSProcessHandlePredicateImpl| "
                    + "app<org.tea.Kettle(X)>:41>>", "org.tea.Kettle", 41, "runningboard terminating"
            ),
            (
                "Received termination request from [osservice<com.apple.dasd>:76] on <RBSProcessPredicate "
                    + "<RBSProcessHandlePredicateImpl| app<org.tea.Kettle(X)>:41>> with context <RBSTerminateContext| x",
                "org.tea.Kettle", nil, "runningboard terminating"
            ),
            (
                "Executing termination request for: <RBSProcessPredicate <RBSProcessHandlePredicateImpl| "
                    + "application<org.tea.Kettle>:41>>", "org.tea.Kettle", 41, "runningboard terminating"
            ),
            (
                "[application<org.tea.Kettle>:41] Executing termination request: <FBSProcessTerminationRequest: 0x2>",
                "org.tea.Kettle", 41, "runningboard terminating"
            ),
            (
                "Process exited: <BKProcess: 0x1; kettle; org.tea.Kettle; pid: 41; agency: Application; task: none>",
                "org.tea.Kettle", 41, "runningboard not_running"
            ),
            (
                "Kettle[41] has active assertions beyond permitted time: ", "Kettle", 41, "watchdog exited:watchdog"
            ),
            (
                "Forcing crash report with description: Kettle:41 has active assertions beyond permitted time: x",
                "Kettle", 41, "watchdog exited:watchdog"
            ),
            (
                "<BKNewProcess: 0x1; org.tea.Kettle; pid: 41; hostpid: -1> has active assertions beyond permitted time:",
                "org.tea.Kettle", 41, "watchdog exited:watchdog"
            ),
            (
                "Bootstrapping failed for <FBApplicationProcess: 0x7; org.tea.Kettle; pid: -1>", "org.tea.Kettle", nil,
                "frontboard not_running"
            ),
            ("kernel: killing_specific_process pid 41 [kettle] (x)", "kettle", 41, "jetsam exited:jetsam"),
        ] as [(String, String, Int32?, String)])
    func oldSystems(message: String, process: String, pid: Int32?, expected: String) throws {
        #expect(try statement(message) == expected)
        let reading = try Reading(Lines([.init(message: message, process: "assertiond", pid: 66, time: 1)]))
        let speaker = try #require(reading.events.first.map(reading.speaker))
        #expect(speaker.process == process && speaker.pid == pid)
    }

    @Test("an end that is wrapped, or whose job is the subsystem of its entry, counts for the app")
    func split() throws {
        let wrapped =
            "[user/501/UIKitApplication:org.tea.Kettle[9bea][rb-legacy] [676]:]\n  exited due to SIGPIPE | sent by x"
        #expect(try statement(wrapped) == "launchd exited:signal")
        let job = "user/501/UIKitApplication:org.tea.Kettle[9bea][rb-legacy] [676]"
        #expect(
            try statement("exited due to SIGSEGV | sent by exc handler[676]", subsystem: job) == "launchd exited:signal"
        )
        #expect(try statement("exited due to SIGSEGV | sent by x", subsystem: "gui/501/com.tea.helper [676]") == "")
        #expect(try statement("[app<org.tea.Kettle>:41] exited with\nnothing to say") == "")
    }

    @Test("the role of an app that is on its way out proves that it runs, and no more")
    func nonFocal() throws {
        let line = "Calculated state for app<org.tea.Kettle(X)>: running-active (role: UserInteractiveNonFocal)"
        #expect(try statement(line) == "runningboard running")
    }
}
