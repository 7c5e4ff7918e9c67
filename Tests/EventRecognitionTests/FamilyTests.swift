import LifecycleModel
import Testing
import TraceRecords

@testable import EventRecognition

/// Lines invented after the families that the dialect files describe: variants that state something.
@Suite("Families of lines are recognised")
struct FamilyTests {
    @Test(
        "scene phases of SwiftUI",
        arguments: [
            ("🌗 Scene phase changed: background -> inactive", "swiftui inactive"),
            ("Scene phase changed from: active to: inactive", "swiftui inactive"),
            ("Kettle.App: scenePhase changed = background", "swiftui-app background"),
            ("[ScenePhase] Moving to background", "swiftui background"),
            ("scenePhase → inactive: the kettle cools", "swiftui inactive"),
            ("scenePhase changed: → background", "swiftui background"),
            ("[ScenePhase] phase=inactive", "swiftui inactive"),
            ("ScenePhase became .background", "swiftui background"),
            ("new phase value is active", "swiftui active"), ("onChange(of: scenePhase): inactive", "swiftui inactive"),
            ("phase: .active", "swiftui active"), (">>> Scene is inactive <<<", "swiftui inactive"),
            ("scene is now in the background!", "swiftui background"),
            ("action: scenePhaseChanged(.inactive)", "swiftui inactive"),
            ("Action.scenePhaseChanged(to: .background)", "swiftui background"),
            ("Action.scenePhaseChanged(old: .inactive, new: .active)", "swiftui active"),
            ("didChangeScenePhase(.active)", "swiftui active"),
            ("scene phase changed to background, saved=true", "swiftui background"),
            ("ScenePhase: inactive ➜ background", "swiftui background"), ("newPhase = active", "swiftui active"),
            ("ScenePhase: active » inactive", "swiftui inactive"), ("scenePhase newValue: active", "swiftui active"),
            ("scenePhase changed oldValue: active, newValue: background", "swiftui background"),
            ("phase changed to inactive", "swiftui inactive"), ("Scene → background", "swiftui background"),
            ("[ScenePhase] Did move to background", "swiftui background"),
            ("Scene phase updated from active to inactive", "swiftui inactive"),
            ("ScenePhase transition active->background", "swiftui background"),
            ("phase: background -> active", "swiftui active"),
            ("oldPhase: active, newPhase: inactive", "swiftui inactive"),
            ("old phase: .active new phase: .background", "swiftui background"),
            ("Scene is in the foreground", "swiftui foreground"),
            ("4.1 71 Kettle      scene → inactive", "swiftui inactive"),
            ("scene phase was inactive, now active", "swiftui active"),
            ("oldPhase=active newPhase=inactive", "swiftui inactive"), ("phase: foreground", "swiftui foreground"),
            ("scenePhase: background -> foreground", "swiftui foreground"),
            ("App phase: active", "swiftui-app active"), ("[App] appPhase = .background", "swiftui-app background"),
            ("App phase: active → inactive", "swiftui-app inactive"),
        ])
    func scenePhase(message: String, expected: String) throws {
        #expect(try statement(message) == expected)
    }

    @Test(
        "callbacks of controllers and views, as words or with words behind a short name",
        arguments: [
            ("HomeVC: view did load", "viewDidLoad"), ("[HomeVC] View Will Appear", "viewWillAppear"),
            ("🫖 view did disappear!", "viewDidDisappear"), ("HomeView onAppear called", "onAppear"),
            ("[TeaPage] onAppear - loading", "onAppear"), ("KettleScreen.onAppear: 3 cups", "onAppear"),
            ("should wait until the view did load", ""), ("the webview did load", ""),
            ("HomeViewer onAppearance", ""),
        ])
    func views(message: String, expected: String) throws {
        #expect(try statement(message) == expected)
    }

    @Test(
        "a callback that prints the state is the callback, wherever the state begins with words of its name",
        arguments: [
            ("applicationWillEnterForeground, applicationState: background", "applicationWillEnterForeground"),
            ("applicationWillResignActive applicationState = 0", "applicationWillResignActive"),
            (
                "-[AppDelegate applicationDidEnterBackground:] UIApplicationStateBackground",
                "applicationDidEnterBackground"
            ),
            ("applicationDidBecomeActive: application state is active", "applicationDidBecomeActive"),
            ("applicationState: 2, before applicationDidEnterBackground", "app-state background"),
        ])
    func callbackAndState(message: String, expected: String) throws {
        #expect(try statement(message) == expected)
    }

    @Test(
        "frames of stack traces, and what is still to come, are no callbacks",
        arguments: [
            "    #3 -[AppDelegate applicationDidEnterBackground:] AppDelegate.m:41 (Kettle:arm64+0x1000)",
            "    #3 0x102221f58 in -[AppDelegate applicationDidEnterBackground:] AppDelegate.m:41",
            "frame #3: 0x0000000102221f58 Kettle`-[AppDelegate application:didFinishLaunchingWithOptions:](self=0x0) at AppDelegate.m:9",
            "4   Kettle   0x0000000100003f44 AppDelegate.applicationDidBecomeActive(_:) (AppDelegate.swift:44)",
            "Will call applicationDidBecomeActive soon", "applicationDidBecomeActive ignored",
        ])
    func frames(message: String) throws {
        #expect(try statement(message) == "")
    }

    @Test(
        "the state of an app in its own words",
        arguments: [
            ("☕️ app → background: cooling", "app-state background"), ("App is in background", "app-state background"),
            ("App is background", "app-state background"), ("App changed to background", "app-state background"),
            ("App returned to active", "app-state active"), ("App deactivated", "app-state inactive"),
            ("[AppDelegate] became inactive", "app-state inactive"), ("Scene active", "swiftui active"),
            ("[SceneDelegate] Scene deactivated", "swiftui inactive"), ("Scene backgrounded", "swiftui background"),
            ("App is now foreground", "app-state foreground"),
            ("scenePhase is 'background'", "swiftui background"),
            ("[Kettle] App moved to the background.", "app-state background"),
            ("App became active", "app-state active"),
            ("App went to the foreground", "app-state foreground"), ("foreground", "app-state foreground"),
            ("AppState: foreground", "react-native foreground"), ("appState=foreground", "react-native foreground"),
            ("app_state=foreground", "react-native foreground"), ("[AppState] foreground", "react-native foreground"),
            ("App state foreground", "react-native foreground"), ("AppState -> foreground", "react-native foreground"),
            ("AppState changed from background to foreground", "react-native foreground"),
            ("applicationState=foreground", "app-state foreground"),
            ("App is going to foreground", "app-state foreground"),
            ("current state: foreground", "app-state foreground"),
            ("Application moved from background to foreground", "app-state foreground"),
            ("App is back in the foreground", "app-state foreground"),
            ("Entering background", "app-state background"),
            ("app enter background mode ...", "app-state background"), ("App become active", "app-state active"),
            ("App back to foreground", "app-state foreground"),
            ("Application moved from inactive to Active state", "app-state active"),
            ("Application is moving from active to inactive", "app-state inactive"),
            (
                "Application moved from Inactive to Active: applicationDidBecomeActive(_:)",
                "applicationDidBecomeActive"
            ),
            (
                "Application state changed from inactive to active: applicationDidBecomeActive(_:)",
                "applicationDidBecomeActive"
            ),
            (
                "App state: active -> inactive (-[AppDelegate applicationWillResignActive:])",
                "applicationWillResignActive"
            ),
            ("App state: inactive -> background (after applicationWillResignActive)", "react-native background"),
            ("App state changed from inactive to active: applicationDidBecomeActive observers", "react-native active"),
            ("Scene Inactive -> Active", "swiftui active"), ("Scene Foreground -> Background", "swiftui background"),
            ("Scene Background -> Foreground", "swiftui foreground"),
            ("已经进入后台", "app-state background"), ("应用即将进入前台", "app-state foreground"),
            ("☕️ アプリがバックグラウンドに入りました", "app-state background"),
            ("アプリがアクティブになりました。", "app-state active"), ("앱이 활성화되었습니다.", "app-state active"),
            ("앱이 백그라운드로 갔습니다", "app-state background"), ("App ist im Hintergrund", "app-state background"),
            ("app enter into the kettle", ""), ("App moved to the background from the kettle", ""),
            ("App launched", "app-state launched"), ("[INFO] App launched.", "app-state launched"),
            ("🚀 Application started", "app-state launched"), ("App did launch!", "app-state launched"),
            ("[AppDelegate] application launched", "app-state launched"), ("App started 🫖", "app-state launched"),
            ("App terminated", "app-state terminating"), ("WARN: Application terminated", "app-state terminating"),
            ("App is terminating…", "app-state terminating"), ("App will be terminated", "app-state terminating"),
            ("App going to background", "app-state background"),
            ("⚠️ App is going to the background", "app-state background"),
            ("App did move to background", "app-state background"),
            ("[Lifecycle] App will enter background", "app-state background"),
            ("[INFO] Current state: background", "app-state background"),
            ("'Next AppState is: ', 'active'", "react-native active"),
            ("\"Next AppState is:\", \"background\"", "react-native background"),
            ("flutter: app in resumed", "flutter active"), ("flutter: app in inactive", "flutter inactive"),
            ("flutter: app in paused", "flutter background"), ("flutter: app in detached", "flutter unknown"),
            ("[lifecycle] inactive", "app-state inactive"), ("current state: active", "app-state active"),
            ("🟢 applicationState = active", "app-state active"), ("applicationState: 2", "app-state background"),
            ("UIApplicationState(rawValue: 1)", "app-state inactive"),
            ("state UIApplicationStateBackground", "app-state background"),
            ("activationState: foregroundInactive", "app-state inactive"),
            ("App state transition: inactive → background", "react-native background"),
            ("Application Backgrounded", "app-state background"), ("active", "app-state active"),
            ("App is in background mode now", "app-state background"),
            ("The app has entered the background", "app-state background"),
            ("App goes into background", "app-state background"), ("App enters foreground", "app-state foreground"),
            ("Application came back to foreground", "app-state foreground"),
            ("App has become active", "app-state active"), ("[lifecycle] foreground", "app-state foreground"),
            ("applicationState.rawValue = 1", "app-state inactive"),
            ("App state: active ➜ inactive", "react-native inactive"),
            ("app state: UIApplication.State.background", "app-state background"),
            ("🫖 appState = UIApplication.State.active", "app-state active"),
            ("[Kettle] app state is UIApplication.State.inactive", "app-state inactive"),
            ("App active", "app-state active"), ("[Lifecycle] App active", "app-state active"),
            ("Application inactive", "app-state inactive"), ("App is in inactive state", "app-state inactive"),
            ("App went inactive", "app-state inactive"), ("current state is: inactive", "app-state inactive"),
            ("applicationState == 1", "app-state inactive"), ("进入后台", "app-state background"),
            ("应用进入前台", "app-state foreground"), ("App resumed", "app-state foreground"),
            ("App moved to background with 2 kettles on", "app-state background"),
            ("App resumed", "app-state foreground"),
            ("appMovedToBackground()", "app-state background"), ("appCameToForeground()", "app-state foreground"),
            ("onAppBackground", "app-state background"), ("appMovedToBackgroundQueue", ""),
            ("App became inactive while pouring", "app-state inactive"),
            ("App entered background after 7 s.", "app-state background"),
            ("Kettle.swift - App entered background", "app-state background"),
            ("INFO | App became active", "app-state active"),
            ("App entering background", "app-state background"),
            ("App is moving to the foreground", "app-state foreground"),
            ("App now in background", "app-state background"), ("App now active", "app-state active"),
            ("[App] state → background", "app-state background"), ("App is active: true", "app-state active"),
            ("App went to background: 0 cups left", "app-state background"),
        ])
    func ownWords(message: String, expected: String) throws {
        #expect(try statement(message) == expected)
    }

    @Test(
        "words of frameworks",
        arguments: [
            ("Next AppState is: background", "react-native background"),
            ("handleAppStateChange: active => background", "react-native background"),
            ("[AppState] changed from active to inactive", "react-native inactive"),
            (#"appStateChange {"isActive":false}"#, "capacitor background"),
            ("App state changed. isActive: true", "capacitor active"),
            ("Unity: OnApplicationPause paused=True", "unity background"),
            ("flutter: [lifecycle] paused", "flutter background"), ("flutter: onResume called", "flutter active"),
            ("'AppState changed to', 'inactive'", "react-native inactive"),
            ("[AppState] background → active", "react-native active"),
            (#"{"appState":"background","n":3}"#, "react-native background"),
            ("flutter: state = paused", "flutter background"), ("flutter: inactive", "flutter inactive"),
            ("flutter: onHide", "flutter background"), ("AppLifecycleListener: onResume", "flutter active"),
            ("lifecycle state changed to hidden", "flutter background"),
            ("didChangeAppLifecycleState(AppLifecycleState.paused)", "flutter background"),
            ("OnApplicationPause(pauseStatus: True)", "unity background"),
            ("OnApplicationPause = False", "unity foreground"),
            ("OnApplicationFocus False", "unity inactive"), ("Window Stopped", "maui background"),
            ("OnSleep", "maui background"), ("ON_STOP", "kotlin background"),
            ("lifecycle event: ON_RESUME", "kotlin active"), ("Info: (Lifecycle) ON_PAUSE", "kotlin inactive"),
            ("[Lifecycle] ON_STOP", "kotlin background"), ("(Lifecycle) ON_RESUME", "kotlin active"),
            ("[IOSApplication] paused", "libgdx inactive"),
            ("⚡️  [log] - App state changed. Is active? true", "capacitor active"),
            ("params: auto, app_background (_ab), {", "firebase background"),
            ("CDVBackgroundGeolocation appTerminate", "cordova terminating"),
            ("'Current AppState:', 'active'", "react-native active"),
            ("appState from 'active' to 'background'", "react-native background"),
            ("flutter: App lifecycle: hidden", "flutter background"),
            ("[Kettle] OnApplicationPause pause = true", "unity background"),
            ("OnApplicationPause status=False", "unity foreground"),
            (#"appStateChange {"isActive": true}"#, "capacitor active"),
            ("received action:\n  KettleApp.Action.scenePhaseChanged(.background)", "swiftui background"),
            ("App Hide", "uni-app background"), ("[App] onShow", "uni-app foreground"),
            ("OnActivated", "maui active"), ("OnActivated()", "maui active"),
            ("AppDelegate.OnActivated", "maui active"), ("Window.OnActivated", "maui active"),
            ("App.OnResume", "maui foreground"), ("OnApplicationPause() -> False", "unity foreground"),
            ("App state changed. Is active: false", "capacitor background"),
            ("flutter: App resumed at: 2024-03-09 07:30:00", "flutter active"),
            ("flutter: App paused - the tea gets cold", "flutter background"),
            ("flutter: Application hidden", "flutter background"),
            ("flutter: App resumed from background", "flutter active"),
        ])
    func frameworks(message: String, expected: String) throws {
        #expect(try statement(message) == expected)
    }

    @Test(
        "callbacks written as words, in snake case, as notifications alone, and with an app's own prefix",
        arguments: [
            ("Application will resign active", "applicationWillResignActive"),
            ("[INFO] Application did enter in background", "applicationDidEnterBackground"),
            ("App did enter the background", "applicationDidEnterBackground"),
            ("AppDelegate - did become active", "applicationDidBecomeActive"),
            ("🔵 did become active", "applicationDidBecomeActive"),
            ("application did finish launching", "didFinishLaunchingWithOptions"),
            ("did_enter_background", "applicationDidEnterBackground"),
            ("app_will_enter_foreground", "applicationWillEnterForeground"),
            ("app will finish launching", "willFinishLaunchingWithOptions"),
            ("[AppDelegate] willFinishLaunching", "willFinishLaunchingWithOptions"),
            ("handleDidBecomeActive", "applicationDidBecomeActive"),
            ("onWillResignActive()", "applicationWillResignActive"),
            ("appDidEnterBackground", "applicationDidEnterBackground"),
            ("received didEnterBackgroundNotification", "applicationDidEnterBackground"),
            ("UIApplicationWillTerminate", "applicationWillTerminate"),
            ("appDelegate(.didFinishLaunching)", "didFinishLaunchingWithOptions"),
            ("FinishedLaunching", "didFinishLaunchingWithOptions"),
            ("AppDelegate.OnResignActivation", "applicationWillResignActive"),
            ("SceneOnActivated", "sceneDidBecomeActive"), ("SceneOnResignActivation", "sceneWillResignActive"),
            ("Scene did enter the background", "sceneDidEnterBackground"),
            ("scene did disconnect", "sceneDidDisconnect"), ("scene will connect to session", "sceneWillConnect"),
            ("Application did finish launching with options", "didFinishLaunchingWithOptions"),
            ("🚀 App finished launching", "didFinishLaunchingWithOptions"),
            ("app-did-enter-background", "applicationDidEnterBackground"),
            ("did finish launching with options: nil", "didFinishLaunchingWithOptions"),
            ("Scene Activated", "sceneDidBecomeActive"), ("Scene Will Deactivate", "sceneWillResignActive"),
            ("Scene did activate - kettle: 2", "sceneDidBecomeActive"),
            ("App will resign active → pouring", "applicationWillResignActive"),
            ("[SceneDelegate] Entered background", "sceneDidEnterBackground"),
            ("SceneDelegate: entered the foreground", "sceneWillEnterForeground"),
            ("[SceneDelegate] Disconnected", "sceneDidDisconnect"),
            ("[SceneDelegate] Will connect", "sceneWillConnect"),
            ("[SceneDelegate] Did become active", "sceneDidBecomeActive"),
            ("SceneDelegate: became active", "sceneDidBecomeActive"),
            ("[SceneDelegate] will resign active", "sceneWillResignActive"),
            ("SceneDelegate - did enter background", "sceneDidEnterBackground"),
            ("SceneDelegate will enter foreground", "sceneWillEnterForeground"),
            ("[Scene] didBecomeActive", "sceneDidBecomeActive"), ("Scene: willResignActive", "sceneWillResignActive"),
            ("[WindowScene] didEnterBackground", "sceneDidEnterBackground"),
            ("[com.tea.kettle:SceneDelegate] didBecomeActive", "sceneDidBecomeActive"),
            ("SceneDelegate.swift:40 willEnterForeground", "sceneWillEnterForeground"),
            ("SceneDelegate.m:40 willEnterForeground", "sceneWillEnterForeground"),
            ("SceneDelegate.mm:40 willEnterForeground", "sceneWillEnterForeground"),
            ("SceneDelegate m: willEnterForeground", "applicationWillEnterForeground"),
            ("SceneDelegate | didBecomeActive", "sceneDidBecomeActive"),
            ("[SceneDelegate] willConnect", "sceneWillConnect"), ("[Scene] didDisconnect", "sceneDidDisconnect"),
            ("[MainScene] willConnect", "sceneWillConnect"),
            ("scene willConnect session=main", "sceneWillConnect"), ("scene.didDisconnect", "sceneDidDisconnect"),
            ("scene | willConnect", "sceneWillConnect"), ("[scene] didDisconnect", "sceneDidDisconnect"),
            ("<Tea.SceneDelegate: 0x104e0a1c0> didBecomeActive", "sceneDidBecomeActive"),
            ("[SceneDelegate 9C41D1F0] willResignActive", "sceneWillResignActive"),
            ("SceneDelegate 🟢 willEnterForeground", "sceneWillEnterForeground"),
            ("SceneDelegate.log():31 - didEnterBackground", "sceneDidEnterBackground"),
            ("didBecomeActive (SceneDelegate)", "sceneDidBecomeActive"),
            ("willResignActive [org.tea][SceneDelegate]", "sceneWillResignActive"),
            ("GameScene willConnect to host", ""), ("GameScene.didDisconnect peer", ""), ("socket didDisconnect", ""),
            ("CarPlaySceneDelegate: didConnect", "sceneWillConnect"),
            // A class of SpriteKit.
            ("GameScene didBecomeActive", "applicationDidBecomeActive"),
            ("[AppDelegate] did enter background", "applicationDidEnterBackground"),
            ("Will terminate", "applicationWillTerminate"),
            ("[AppDelegate] will terminate", "applicationWillTerminate"),
            ("will_terminate", "applicationWillTerminate"), ("the app: will terminate", "applicationWillTerminate"),
            ("application did finish lunching with options", "didFinishLaunchingWithOptions"),
            ("App resigned active: 2 cups", "applicationWillResignActive"),
            ("Application resigning active", "applicationWillResignActive"),
            ("App is about to enter the foreground", "applicationWillEnterForeground"),
            ("程序将要进入非活动状态", "applicationWillResignActive"),
            (
                "Kettle moved from Not Running to Inactive: application(_:didFinishLaunchingWithOptions:)",
                "didFinishLaunchingWithOptions"
            ),
            (
                "Kettle moved from \"Not running\" to \"Inactive\":application(_:didFinishLaunchingWithOptions:)",
                "didFinishLaunchingWithOptions"
            ),
            ("Kettle is not running the applicationDidBecomeActive: method", ""),
            ("Application did enter background with 2 cups left", "applicationDidEnterBackground"),
        ])
    func callbackWords(message: String, expected: String) throws {
        #expect(try statement(message) == expected)
    }
}
