import Testing

/// Lines invented to resemble the families that the dialect files describe.
@Suite("What only resembles a family of lines states nothing")
struct NearMissTests {
    @Test(
        "near misses state nothing",
        arguments: [
            "applicationDidEnterBackground n'a pas été appelé", "applicationDidEnterBackground を呼び出しませんでした",
            "[Analytics] queued event applicationDidEnterBackground", "tracked event: applicationWillTerminate",
            #"POST /v1/track {"event":"applicationDidEnterBackground"}"#,
            "testApplicationDidEnterBackground passed (0.01 s)", "Tests: testViewDidLoad passed",
            "kein applicationDidEnterBackground erhalten", "respondsToSelector:applicationDidEnterBackground: NO",
            "-[Swizzler hookSelector:applicationDidEnterBackground:] installed",
            "deprecation: applicationDidBecomeActive is replaced by sceneDidBecomeActive",
            "phase changed to background color", "Scene → background image loaded", "newPhase = active listeners",
            "[AppState] active subscriptions: 3", "onAppStateChange active listeners: 3",
            "App switched to background thread", "app enters background queue", "App goes to background?",
            "If the app has entered the background then stop", "the app has not entered the background",
            "scene will connect to server", "scene did disconnect from server", "app finished launching tasks",
            "moon phase changed to active", "phase changed to active noise cancelling",
            "scenePhase changed from active", "- scenePhase: .inactive,", "+   scenePhase: .active,",
            "Since 4.2 the music stops. In sceneDidBecomeActive I call play().",
            "[lifecycle] foreground service started", "App State changed from background",
            "wait until AppState is active", "previousAppState: active", "AppState active listeners: 3",
            "lastScenePhase: active",
            "if scenePhase is active then reload", "scenePhase == .active ? start() : stop()", "scenePhase changed",
            "is the app active?", "App is active?", "App will become active soon", "App is going to background soon",
            "App is background capable", "App background: fetch 3 done",
            "Scene active duration 3 s", "App activated with licence key 12",
            "App going to background - the socket stays", "[Analytics] app_launched", "Braze: App launched, session 3",
            "[Analytics] App launched", "Braze: App started", "App launched from push", "App launched with options",
            "[Worker] terminated", "[Worker] App terminated by the server", "App started downloading",
            "Start: App launched?",
            "[VideoPlayer] Current state: background", "[Onboarding] phase: background",
            "[Workout] Current state: active", "MoonView: phase changed to active",
            "[Onboarding] phase: active -> inactive",
            "App will enter background mode when idle", "[Upload] App going to background",
            "app launched = false", "[Worker] will terminate", "Timer: will terminate",
            "will terminate: 5 connections", "Skip sync - app is no longer active",
            "[SceneDelegate] Connected: websocket open", "[SceneDelegate] Disconnected: websocket closed",
            "app is not active", "App is inactive/background",
            "background fetch started", "active users: 3", "App active users: 3", "App Store is active",
            "the application is in background mode when this happens", "lifecycle: active subscriptions 3",
            "state: active",
            "download state: paused", "player state = paused", "flutter: paused at 3:12", "flutter: download paused",
            "Socket disconnected in background - reconnecting", "Active", "Background", "ON_STOPPED",
            "Is active? false",
            "\"did become active\" was never called", "did not become active", "OnApplicationPause handler registered",
            "we think the app did become active too late", "Application did enter background handler removed",
            "Window Stopped responding", "handleDidBecomeActiveObserver",
            "Worker 3 will terminate", "The session will terminate", "Will terminate the upload after 3 s",
            "WebPageProxy::applicationWillEnterForegroundForMedia",
            "org.tea.Kettle(41) invalidateConnection (appDidSuspend)", "Prewarming for launch of org.tea.Kettle",
            "App transitioned to background, suspending HangTracing.",
            "App with bundleID:org.tea.Kettle is no longer foreground",
            "exited due to SIGKILL | sent by launchd", "user/501/com.apple.SpringBoard[41] exited due to SIGTERM",
            "Termination Reason: none", "\"code\" : 12", "\"reason\" : \"too old\"", "WatchdogVisibility: Background",
            "Role:                Unspecified", "ProcessVisibility: Unknown", "Action taken:     none",
            "Date/Time:        2021-02-27 18:50:16.430 -0500", "Date/Time:        2021-02-27 18:50:16 -0500",
            "Date/Time:       2017-02-27 18:50:16.430121 -0500",
            "\"<Kettle> ownsHomeGesture: YES; activationState: ForegroundActive; suppression: Default;\",",
            "reason: per-process-limit of 5 connections",
            "Message from debugger: The LLDB RPC server has exited unexpectedly",
            "Worker 3: Terminated due to signal 9 after 3 s", "Terminated due to a memory issue in the parser",
            "(com.example.helper[41]): Service exited due to signal: Segmentation fault: 11",
            "Executing termination request for: <RBSProcessPredicate <RBSProcessBundleIdentifierPredicate| org.tea.Kettle>>",
            "Formulating crash report for the support team", "Termination Reason: TEAPOT 4",
            "Exception Codes: 0x0000000000000000, 0x0000000000000000", "Exception Codes: KERN_INVALID_ADDRESS at 0x10",
            "kettle failed to launch in time", "org.tea.Kettle failed to load in time", #""code" : 404,"#,
            "[sceneID:org.tea.Kettle-default] Setting deactivation reasons to: '(none)' for reason: tea",
            "memorystatus: kettle [41] exceeded mem limit: ActiveSoft 1400 MB (non-fatal)",
            "Launch Time: 2.3 s", "Launch Time: 3 s in all",
            // A state that is asked for and denied, or that was.
            "App is active: false", "App is active = 0", "App in background: NO", "AppState is active: NO",
            "scenePhase active: false", #"{"app active":false}"#, "previous app state: active",
            "last scene phase: background",
            "flutter: previous AppLifecycleState.paused", "AppState inactive|background",
            "onHide", "App Hide button tapped", "App entering background queue", "App is moving to background soon",
            "Scene activated by the user", "Unknown scene phase background.", "App resumed playing", "App paused",
            "App active sessions", "App is in active development", "flutter: App paused the video",
            "App entered background when it should not", "The test failed again - App entered background",
            "进入后台任务", "进入后台时间", "没有进入后台", "App became active after never doing so",
            "Process exited: <Kettle: 0x1; pid: 41>", "the kettle has active assertions beyond permitted time",
            "see applicationDidEnterBackground docs", "TODO: applicationDidEnterBackground",
            "func applicationDidEnterBackground(_ application: UIApplication) {", "App resumed from the recipe",
            "- `applicationDidEnterBackground:`, `applicationDidBecomeActive:` were not called",
            "applicationDidEnterBackground documentation", "FIXME applicationWillTerminate",
            // Callbacks that were, or from one of which somebody measures to another.
            "Last applicationDidEnterBackground was 35 s ago", "Previous applicationDidEnterBackground at 10:01:01",
            "last applicationDidEnterBackground = 2026-05-12 10:01:01", "Last sceneDidEnterBackground: 35 s ago",
            "lastApplicationDidEnterBackground: 10:01:01",
            "Last -[AppDelegate applicationDidEnterBackground:] 35 s ago",
            "applicationDidEnterBackground was 35 s ago",
            "applicationDidEnterBackground to applicationDidBecomeActive took 35 s",
            "applicationDidEnterBackground -> applicationWillEnterForeground: 35 s",
            "[HomeVC viewDidLoad] → [HomeVC viewDidAppear:] 350 ms", "between viewDidLoad and viewDidAppear: 3 s",
            // Tests that have the names of callbacks.
            "◇ Test sceneDidBecomeActive() started.",
            "✔ Test sceneDidBecomeActive() passed after 0.001 seconds.",
            "✘ Test sceneDidEnterBackground() failed after 0.001 seconds with 1 issue.",
            "􀟈  Test applicationDidBecomeActive() started.", "◇ Test \"sceneDidBecomeActive is counted\" started.",
            "✘ Test sceneDidEnterBackground() recorded an issue at KettleTests.swift:9:5: Expectation failed",
            "foreground service started", "AppState foreground listeners: 3", "[Worker] App going to foreground",
            "lifecycle changed from resumed", "Foreground", "app phase active noise cancelling",
            "BGAppRefreshTask com.example.refresh completed when idle",
            // The words that docs/formats.md lists as not recognised.
            "ios.app.state=background", "currentState: background", "state: UIApplication.State.background",
            "UIApplication.State.background", "app_backgrounded", "app_foregrounded", "app_foreground",
            "app_background",
            #"{"event":"app_backgrounded","app":"kettle"}"#, "pause", "resume", "suspend", "[NativeScript] suspend",
            "ApplicationListener.pause()", "ON_START", "ON_CREATE", "ON_DESTROY", "OnStart", "OnResume", "OnResume()",
            "OnStopped", "KettlePage.OnActivated", "ListView OnActivated", "OnActivated handler registered",
            "Calculated state for xpcservice<org.tea.Kettle.w([osservice<com.apple.chronod>:1])>{vt hash: 2}: running-suspended",
        ])
    func nearMisses(message: String) throws {
        #expect(try statement(message) == "")
    }

    @Test(
        "negations of Chinese, Japanese and Korean, before the callback or after it, say that it did not run",
        arguments: [
            "没有调用 applicationDidEnterBackground", "没有调用applicationDidEnterBackground",
            "此时不调用applicationDidBecomeActive:",
            "applicationDidEnterBackground 無呼叫", "sceneDidDisconnect 没反应", "applicationWillTerminate 미호출",
            "applicationDidBecomeActive 未実行", "这里沒有呼叫 sceneDidBecomeActive", "从未触发 applicationWillTerminate",
            "（注意，`applicationDidEnterBackground` 没有调用的）", "applicationDidEnterBackground 沒有被呼叫",
            "applicationWillTerminate 不会触发", "sceneDidDisconnect 未被调用", "不要 applicationDidBecomeActive",
            "applicationDidEnterBackground が呼ばれない", "applicationDidBecomeActive は呼ばれませんでした",
            "applicationWillTerminate 호출되지 않음", "applicationWillTerminate가 호출되지 않습니다",
            "scenePhase: active 没有触发",
            "applicationDidEnterBackground 不走", "没走 applicationDidBecomeActive", "applicationWillTerminate 不一定会调用",
            "applicationDidBecomeActive 未能触发", "applicationWillTerminate 不會被呼叫",
            "applicationDidEnterBackground が呼び出されていません", "applicationWillTerminate が走らない",
            "applicationWillTerminate が発火しない", "sceneDidDisconnect は通らない", "applicationWillTerminate が動きません",
            "applicationDidEnterBackground 호출 안됨", "applicationDidEnterBackground가 호출이 안 돼요",
            "applicationDidEnterBackground 호출하지 못했다", "applicationWillTerminate 안 불림", "sceneDidDisconnect 호출되지않음",
        ])
    func negations(message: String) throws {
        #expect(try statement(message) == "")
    }

    @Test(
        "what the same languages say of a callback that ran is no negation",
        arguments: [
            "applicationDidEnterBackground 被调用了", "调用 applicationDidEnterBackground",
            "进入 applicationDidEnterBackground",
            "applicationDidEnterBackground が呼ばれました", "applicationDidEnterBackground 호출됨",
        ])
    func affirmations(message: String) throws {
        #expect(try statement(message) == "applicationDidEnterBackground")
    }
}
