import LifecycleModel
import Testing
import TraceRecords

@testable import EventRecognition

@Suite("A line states a callback in any spelling that people use")
struct SpellingTests {
    @Test(
        "app callbacks",
        arguments: [
            ("-[AppDelegate application:didFinishLaunchingWithOptions:]", "didFinishLaunchingWithOptions"),
            ("application:didFinishLaunchingWithOptions:", "didFinishLaunchingWithOptions"),
            ("application(_:didFinishLaunchingWithOptions:)", "didFinishLaunchingWithOptions"),
            ("application: willFinishLaunchingWithOptions:", "willFinishLaunchingWithOptions"),
            ("didFinishLaunchingWithOptions", "didFinishLaunchingWithOptions"),
            ("didBecomeActive", "applicationDidBecomeActive"),
            ("-[AppDelegate willResignActive]", "applicationWillResignActive"),
            ("AppDelegate: DIDENTERBACKGROUND", "applicationDidEnterBackground"),
            ("willEnterForeground()", "applicationWillEnterForeground"),
            ("🔵 willTerminate", "applicationWillTerminate"),
            ("application(_:didFinishLaunching:)", "didFinishLaunchingWithOptions"),
            ("Application has finished launching", "didFinishLaunchingWithOptions"),
            ("[AppDelegate] Resigned active", "applicationWillResignActive"),
            ("-> applicationDidFinishLaunching()", "applicationDidFinishLaunching"),
            ("applicationDidBecomeActive:", "applicationDidBecomeActive"),
            ("APPLICATIONDIDBECOMEACTIVE", "applicationDidBecomeActive"),
            ("applicationdidbecomeactive", "applicationDidBecomeActive"),
            ("applictionDidBecomeActive", "applicationDidBecomeActive"),
            ("applicationDidBecomeActive---ready again", "applicationDidBecomeActive"),
            ("applicationDidBecomeActive:进入前台", "applicationDidBecomeActive"),
            ("响应 applicationDidBecomeActive 中", "applicationDidBecomeActive"),
            ("applicationDidBecomeActive wird aufgerufen", "applicationDidBecomeActive"),
            ("[Hook] applicationDidBecomeActive", "applicationDidBecomeActive"),
            ("file:///Tea/AppDelegate.swift:41:applicationDidBecomeActive", "applicationDidBecomeActive"),
            ("app status : applicationWillResignActive", "applicationWillResignActive"),
            ("VERBOSE: fooKitApplicationWillResignActive", "applicationWillResignActive"),
            ("swizzled_applicationWillResignActive:", "applicationWillResignActive"),
            ("func:-[AppDelegate applicationWillEnterForeground:]  status:2", "applicationWillEnterForeground"),
            ("applicationWillEnterForeGround:", "applicationWillEnterForeground"),
            ("applicationDidEnterBackgound:", "applicationDidEnterBackground"),
            ("applicationDidEnterBackgroud", "applicationDidEnterBackground"),
            ("🔵 [AppDelegate] applicationDidEnterBackground(_:)", "applicationDidEnterBackground"),
            ("[AppDelegate.swift:41] applicationDidEnterBackground(_:) > saving", "applicationDidEnterBackground"),
            ("Received UIApplicationDidEnterBackgroundNotification", "applicationDidEnterBackground"),
            ("UIApplication.willTerminateNotification", "applicationWillTerminate"),
            ("-[AppDelegate applicationWillTerminate:] line 88 $ not enough time", "applicationWillTerminate"),
            ("-[AppDelegate application:performFetchWithCompletionHandler:]", "performFetch"),
            (
                "-[AppDelegate application:didReceiveRemoteNotification:fetchCompletionHandler:]",
                "didReceiveRemoteNotification"
            ),
            ("pushRegistry(_:didReceiveIncomingPushWith:for:completion:)", "incomingPush"),
            (
                "-[Calls pushRegistry:didReceiveIncomingPushWithPayload:forType:withCompletionHandler:]", "incomingPush"
            ),
            ("locationManager(_:didUpdateLocations:)", "locationEvent"),
            ("-[Places locationManager:didEnterRegion:]", "locationEvent"),
            ("centralManager(_:willRestoreState:)", "bluetoothRestored"),
            ("\u{1B}[32mapplicationDidBecomeActive\u{1B}[0m", "applicationDidBecomeActive"),
            (#"\M-f\M^H\M^VapplicationDidBecomeActive"#, "applicationDidBecomeActive"),
            ("[Warning] -[AppDelegate applicationDidBecomeActive:] entered", "applicationDidBecomeActive"),
            ("Warning: applicationDidBecomeActive", "applicationDidBecomeActive"),
            ("applicationDidBecomeActive took 3 ms", "applicationDidBecomeActive"),
            (#"{"level":"info","msg":"applicationDidBecomeActive"}"#, "applicationDidBecomeActive"),
            ("aplicación de funciones (_: terminó de iniciar con opciones:)", "didFinishLaunchingWithOptions"),
        ])
    func app(message: String, callback: String) throws {
        #expect(try Known.callback(in: message) == callback)
    }

    @Test(
        "scene callbacks",
        arguments: [
            ("scene(_:willConnectTo:options:)", "sceneWillConnect"),
            ("-[SceneDelegate scene:willConnectToSession:options:]", "sceneWillConnect"),
            ("willConnectToSession", "sceneWillConnect"),
            ("escena (_: se conectará a: opciones:)", "sceneWillConnect"),
            ("[SceneDelegate] sceneDidBecomeActive session=A1", "sceneDidBecomeActive"),
            ("UISceneDidActivateNotification", "sceneDidBecomeActive"),
            ("[SceneDelegate] didBecomeActive", "sceneDidBecomeActive"),
            ("SceneDelegate.willResignActive(_:)", "sceneWillResignActive"),
            ("-[SceneDelegate didEnterBackground:]", "sceneDidEnterBackground"),
            ("SceneDelegate: willEnterForeground", "sceneWillEnterForeground"),
            ("la escena se volvió activa (_ :)", "sceneDidBecomeActive"),
            ("sceneWillResignActive(_:)", "sceneWillResignActive"),
            ("UIScene.willDeactivateNotification", "sceneWillResignActive"),
            ("sceneWillEnterForeground(_ :)", "sceneWillEnterForeground"),
            ("escenaDidEnterBackground(_ :)", "sceneDidEnterBackground"),
            ("SceneDelegate.sceneDidEnterBackground(_:)", "sceneDidEnterBackground"),
            ("escenaDidDisconnect(_ :)", "sceneDidDisconnect"),
            ("application(_:configurationForConnecting:options:)", "configurationForConnectingSceneSession"),
            ("configuraciónParaConectar:opciones:", "configurationForConnectingSceneSession"),
            ("application(_: didDiscardSceneSessions:)", "didDiscardSceneSessions"),
        ])
    func scene(message: String, callback: String) throws {
        #expect(try Known.callback(in: message) == callback)
    }

    @Test(
        "view callbacks",
        arguments: [
            ("-----VC2----- viewDidLoad", "viewDidLoad"),
            ("111-[FirstViewController viewWillAppear:]", "viewWillAppear"),
            ("viewIsAppearing(_:)", "viewIsAppearing"),
            ("HomeViewController.viewDidAppear(_:)", "viewDidAppear"),
            ("-[HomeViewController viewWillLayoutSubviews]", "viewWillLayoutSubviews"),
            ("-[HomeViewController viewDidLayoutSubviews]", "viewDidLayoutSubviews"),
            ("-[HomeViewController viewWillDisappear:]", "viewWillDisappear"),
            ("viewDidDissappear:", "viewDidDisappear"),
            ("-[HomeViewController loadView]", "loadView"),
            ("-----vc2----- dealloc", "dealloc"),
            ("HomeViewController deinit", "dealloc"),
            ("deinit HomeViewController", "dealloc"),
            ("-[HomeViewController dealloc] line 12", "dealloc"),
            ("HomeViewController.deinit: freed", "dealloc"),
            ("[HomeViewController.swift:44] deinit called", "dealloc"),
            ("♻️ HomeViewController was deallocated", "dealloc"),
            ("deallocating HomeViewController", "dealloc"),
            ("-[HomeViewController initWithCoder:]", "init"),
            ("HomeViewController.init(coder:)", "init"),
            ("dismissViewControllerCompleted", "dismissViewControllerCompleted"),
            ("-----VC1----- presentViewCompleted", "presentViewCompleted"),
        ])
    func view(message: String, callback: String) throws {
        #expect(try Known.callback(in: message) == callback)
    }

    @Test(
        "words about what was added or removed do not hide the callback that follows them",
        arguments: [
            ("Splash removed. applicationWillResignActive(_:)", "applicationWillResignActive"),
            ("removed splash, applicationDidBecomeActive", "applicationDidBecomeActive"),
            ("[Profile] child added; viewDidLoad", "viewDidLoad"),
            ("Removed from parent: viewDidDisappear(_:)", "viewDidDisappear"),
            ("Subview added - viewWillAppear(_:)", "viewWillAppear"),
            ("[AppObserver] applicationDidBecomeActive", "applicationDidBecomeActive"),
            ("LifecycleObserver: applicationDidBecomeActive", "applicationDidBecomeActive"),
            ("Observer: applicationDidBecomeActive", "applicationDidBecomeActive"),
        ])
    func afterChanges(message: String, callback: String) throws {
        #expect(try Known.callback(in: message) == callback)
    }

    @Test("every spelling that the models list is found, alone and in brackets")
    func everySpelling() throws {
        let vocabulary = try Known.vocabulary()
        let lexicon = try Known.lexicon()
        let predicates = lexicon.labels.predicates
        for entry in vocabulary.entries {
            let owner = entry.layer == "swiftui-view" ? "DemoView" : "DemoViewController"
            for spelling in entry.callback.spellings {
                let alone = predicates.contains(spelling) ? "\(owner) \(spelling)" : spelling
                for message in [alone, "-[\(owner) \(spelling)]"] {
                    let reading = Reading(Lines(messages: [message]).batches(), lexicon: lexicon)
                    let found = reading.events.first?.callback.map { vocabulary[$0].callback.id }
                    #expect(found == entry.callback.id, "\(message)")
                }
            }
        }
    }

    @Test(
        "what only resembles or mentions a callback states none",
        arguments: [
            "You have implemented -[<UIApplicationDelegate> application:performFetchWithCompletionHandler:], but not",
            "applicationDidEnterBackground not called",
            "-[AppDelegate applicationDidEnterBackground:] was not called",
            "Please implement applicationWillTerminate in your delegate",
            "will reload the list in viewWillAppear",
            "waiting for viewDidAppear",
            "If viewDidLoad is slow, look here",
            "'applicationDidBecomeActive' is deprecated",
            "viewDidLoadCompletely", "previewDidLoad", "webViewDidLoad", "mapViewWillAppear",
            "applicationDidBecomeActiveHandler", "applicationDidBecome",
            "3   Demo   0x0000000104f8 -[HomeViewController viewDidLoad] + 120",
            "3   Demo   0x0000000104f8 HomeViewController.viewDidLoad() + 120 (Home.swift:22)",
            "-[HomeViewController viewDidLoad] (in Demo) (Home.m:22)",
            "__41-[AppDelegate applicationDidBecomeActive:]_block_invoke",
            "[super viewDidLoad]", "super.viewDidLoad()",
            "-[HomeViewController viewDidLoadX:]: unrecognized selector",
            "-[HomeViewController viewDidLoad:]: unrecognized selector sent to instance 0x7f",
            "HomeViewController was not deallocated", "Leak: HomeViewController not deallocated",
            "Image cache deallocated",
            "HomeViewController should have been deallocated", "waiting for HomeViewController to be deallocated",
            "Attempting to load the view of a view controller while it is deallocating is not allowed (<HomeVC: 0x7f8>)",
            "An instance 0x7f81 of class HomeVC was deallocated while key value observers were still registered with it",
            "*** -[HomeVC respondsToSelector:]: message sent to deallocated instance 0x7f81",
            "-[ItemStore dealloc]", "-[ItemView initWithCoder:]", "deinit ItemStore", "scene-create watchdog",
            "Registering didBecomeActive observer", "subscribed to didEnterBackground", "hasDidBecomeActive=1",
            "NSExtensionHostDidEnterBackground", "if didBecomeActive is not called", "willTerminateSoon",
            "See https://developer.apple.com/documentation/uikit/uiapplicationdelegate/applicationDidBecomeActive",
            "Adding observer: UIApplicationWillResignActiveNotification",
            "Added observer: UIApplicationDidEnterBackgroundNotification",
            "Removed observer: UIApplicationDidEnterBackgroundNotification",
            "Unregistered observer: UIApplicationWillTerminateNotification",
            "Unregistered from UIApplicationDidEnterBackgroundNotification",
            "Added observer applicationDidEnterBackground", "Observer removed: applicationDidEnterBackground",
            "method swizzled: applicationDidEnterBackground: -> tea_applicationDidEnterBackground:",
            "[SDK] hooking applicationWillEnterForeground: failed", "应在 applicationDidEnterBackground 中保存数据",
            "如果 applicationDidBecomeActive 返回", "applicationDidBecomeActive 不会被调用",
            "applicationDidBecomeActive wird nie aufgerufen", "wenn applicationDidBecomeActive kommt",
            "Warning: applicationWillResignActive took too long", "sceneDidBecomeActive handler crashed",
            "Calling applicationWillResignActive handlers", "applicationDidEnterBackground took longer than 5 s",
            "Unbalanced calls to begin/end appearance transitions for <HomeViewController: 0x7f8>: viewWillAppear",
            "Unbalanced calls to begin/end appearance transitions for <HomeViewController: 0x7f8> viewWillAppear",
            "Presenting on detached view controllers is discouraged <HomeViewController: 0x7f8> viewDidAppear",
            "", "a", "-[", "-[X ", "[", "view", "::::",
        ])
    func notStated(message: String) throws {
        #expect(try Known.callback(in: message) == nil)
    }

    @Test(
        "a name that begins like those of a delegate and is none of the platform's is a callback that does not exist",
        arguments: [
            ("applicationDidFrobnicate:", "otherApplicationCallback"),
            ("[AppDelegate] applicationDidFrobnicate(_:)", "otherApplicationCallback"),
            ("-[AppDelegate applicationWillFrobnicate:]", "otherApplicationCallback"),
            ("application(_:didFrobnicateWith:)", "otherApplicationCallback"),
            ("-[AppDelegate application:willFrobnicate:]", "otherApplicationCallback"),
            ("sceneDidFrobnicate", "otherSceneCallback"),
            ("sceneDidFrobnicate(_:) session: main", "otherSceneCallback"),
            ("-[SceneDelegate sceneDidFrobnicate:]", "otherSceneCallback"),
            ("SceneDelegate.sceneWillFrobnicate(_:)", "otherSceneCallback"),
            ("🔵 SceneDelegate: sceneWillFrobnicate", "otherSceneCallback"),
            ("scene(_:didFrobnicate:)", "otherSceneCallback"),
            ("-[HomeViewController viewWillShow:]", "otherViewCallback"),
            ("HomeViewController viewDidAppeared", "otherViewCallback"),
            // CarPlay's scene has a delegate of its own, with other names for connecting.
            ("templateApplicationScene(_:didConnect:)", "sceneWillConnect"),
            ("-[CarPlaySceneDelegate templateApplicationScene:didConnectInterfaceController:]", "sceneWillConnect"),
            ("templateApplicationScene(_:didDisconnectInterfaceController:)", "sceneDidDisconnect"),
        ])
    func nonexistent(message: String, callback: String) throws {
        #expect(try Known.callback(in: message) == callback)
    }

    @Test(
        "what the platform has, what an app calls its own methods, what is cut off, and sentences are none",
        arguments: [
            "application(_:didRegisterForRemoteNotificationsWithDeviceToken:)",
            "-[AppDelegate application:didReceiveLocalNotification:]",
            "-[AppDelegate application:willChangeStatusBarOrientation:duration:]",
            "-[GameScene sceneDidLoad]", "sceneDidLoad", "scene(_:didUpdate:)",
            "-[PushManager applicationDidRegisterToken:]", "Analytics.sceneDidOpenShop()",
            "applicationDidBecomeAct", "sceneWillEnt", "applicationDidBecomeActiveHandler:", "applicationDidCrash=1",
            "applicationWillingToHelp",
            "we think that the callback applicationDidFrobnicate is never called by anyone",
            "-[HomeViewController viewDidTapButton:]", "-[HomeViewController viewDidScroll]",
        ])
    func noCallback(message: String) throws {
        #expect(try Known.callback(in: message) == nil)
    }

    @Test(
        "who asks to hear of a callback, counts it, or says which one was the last, is not called back",
        arguments: [
            "addObserver:self selector:@selector(wake) name=UIApplicationWillEnterForegroundNotification",
            "[NSNotificationCenter addObserver:forName:UIApplicationDidBecomeActiveNotification]",
            "NotificationCenter.default.addObserver(forName: UIApplication.didBecomeActiveNotification, object: nil)",
            "removeObserver:self name:UIApplicationDidBecomeActiveNotification",
            "registerForNotification(UIApplicationDidBecomeActiveNotification)",
            ".publisher(for: UIApplication.willResignActiveNotification)",
            #""viewDidLoad" : 12"#, #"{"viewDidLoad":12,"viewDidAppear":11}"#, "viewDidLoad = 12;",
            "viewDidLoad called 12 times", "viewDidLoad: 12 calls", "viewDidLoad count: 12", "viewDidLoad count=12",
            "last event: applicationDidBecomeActive", "lastEvent=applicationDidBecomeActive",
            #""previous_callback": "applicationDidBecomeActive""#, "Next state: applicationDidEnterBackground",
        ])
    func spokenOf(message: String) throws {
        #expect(try Known.callback(in: message) == nil)
    }

    @Test(
        "what only looks like that is a callback",
        arguments: [
            ("received name=UIApplicationWillEnterForegroundNotification", "applicationWillEnterForeground"),
            (
                "NSConcreteNotification {name = UIApplicationWillEnterForegroundNotification; object = <UIApplication>}",
                "applicationWillEnterForeground"
            ),
            ("LastViewController: viewDidLoad", "viewDidLoad"), ("viewDidAppear: 1", "viewDidAppear"),
            ("LifecycleObserver: applicationDidBecomeActive", "applicationDidBecomeActive"),
            (#"{"event":"viewDidLoad","n":12}"#, "viewDidLoad"), ("viewDidLoad took 12 ms", "viewDidLoad"),
            ("viewDidLoad called 12:30:01", "viewDidLoad"), ("event: viewDidLoad = 12", "viewDidLoad"),
        ])
    func calledBack(message: String, callback: String) throws {
        #expect(try Known.callback(in: message) == callback)
    }

    @Test(
        "the class is taken from wherever it is glued to the name or to a tag",
        arguments: [
            ("viewDidLoad MyVC7", "MyVC7"), ("viewDidLoad VC1", "VC1"), ("MyVC15::viewDidLoad", "MyVC15"),
            ("🚀[MyVC1] viewDidLoad", "MyVC1"), ("MyVC16/viewDidLoad", "MyVC16"), ("MyVC17->viewDidLoad", "MyVC17"),
            ("TeaKit.MyVC18::viewDidLoad()", "MyVC18"), ("event:viewDidLoad MyVC19", "MyVC19"),
        ])
    func gluedClass(message: String, label: String) throws {
        #expect(try Known.label(in: message) == label)
    }

    @Test(
        "words that may be about anything state something directly behind a class, where nothing follows them",
        arguments: [
            ("HomeViewController did appear", "viewDidAppear"), ("[HomeViewController] did load", "viewDidLoad"),
            ("<Tea.HomeVC: 0x10150a200> will appear", "viewWillAppear"),
            ("HomeViewController - will disappear", "viewWillDisappear"),
            ("👀 HomeVC did disappear.", "viewDidDisappear"),
            ("♻️ deinit HomeViewController", "dealloc"), ("HomeView appeared", "onAppear"),
            ("[ContentView] disappeared", "onDisappear"),
            ("HomeViewController appeared twice", nil), ("[HomeViewController] keyboard will appear", nil),
            ("AdViewController: ad did load", nil), ("HomeViewController did load 25 items", nil),
            ("[WebViewController] did load: https://example.com", nil),
            ("HomeViewController did appear: keyboard", nil),
            ("[HomeVC] cell 3 did appear", nil), ("Banner will appear in HomeViewController", nil),
            ("toast did disappear - HomeViewController", nil), ("HomeView appeared with 3 items", nil),
            ("alert appeared in HomeView", nil), ("Keyboard did appear", nil), ("did load", nil),
        ] as [(String, String?)])
    func predicates(message: String, callback: String?) throws {
        #expect(try Known.callback(in: message) == callback)
    }
}
