import Testing
import TraceRecords

@testable import EventRecognition

@Suite("An event belongs to the process and the instance that its line names")
struct IdentityTests {
    @Test(
        "labels of view controllers",
        arguments: [
            ("-[ViewController2 viewDidLoad]", "ViewController2"),
            ("-----VC2----- viewDidLoad", "VC2"),
            ("Shop.HomeViewController viewDidAppear", "HomeViewController"),
            ("-[Shop.HomeViewController viewDidAppear:]", "HomeViewController"),
            ("-[HomeViewController(Tracking) viewDidAppear:]", "HomeViewController"),
            ("UIHostingController<Home>.viewDidAppear(_:)", "UIHostingController<Home>"),
            ("[HostController<Tea.Home>] viewDidAppear", "HostController<Tea.Home>"),
            ("HostController<Home?>.viewDidAppear()", "HostController<Home?>"),
            ("HostController<Modified<AnyView, Root>>: viewDidAppear", "HostController<Modified<AnyView, Root>>"),
            ("[HomeViewController<] viewDidAppear", "HomeViewController"),
            ("HomeViewController <Other> viewDidAppear", "HomeViewController"),
            ("Shop.HomeViewController.viewDidLoad()", "HomeViewController"),
            ("<Shop.HomeViewController: 0x7fb1c2d0> viewDidLoad", "HomeViewController 0x7fb1c2d0"),
            ("-[HomeViewController viewDidLoad] <HomeViewController: 0x7fb1c2d0>", "HomeViewController 0x7fb1c2d0"),
            ("viewDidLoad: <HomeViewController: 0x7fb1c2d0>", "HomeViewController 0x7fb1c2d0"),
            ("viewWillAppear - HomeViewController", "HomeViewController"),
            ("[HomeViewController.swift:40] viewDidLoad() > ready", "HomeViewController"),
            ("🏠 [HomeViewController] viewDidLoad", "HomeViewController"),
            ("HomeScreen viewDidLoad", "HomeScreen"),
            ("screen=HomeVC event=viewDidLoad", "HomeVC"),
            ("event=viewDidLoad screen=HomeVC", "HomeVC"),
            ("vc=HomeViewController method=viewDidLoad", "HomeViewController"),
            (#"{"vc":"HomeViewController","event":"viewDidLoad"}"#, "HomeViewController"),
            ("homeVC: viewDidLoad", "homeVC"),
            ("/Users/tea/Controllers/HomeVC.swift viewDidLoad() line 42", "HomeVC"),
            ("/Users/tea/Controllers/Shop.swift viewDidLoad() line 42", "Shop"),
            // Class and address are certain, whatever the class is called.
            ("<Cart: 0x104b0c3d0> viewDidAppear", "Cart 0x104b0c3d0"),
            ("<Shop.Cart: 0x104b0c3d0> viewDidAppear", "Cart 0x104b0c3d0"),
            ("<CartScreen: 0x104b0c3d0>: viewDidAppear(_:)", "CartScreen 0x104b0c3d0"),
            ("[<Shop.CartView: 0x104b0c3d0>] - viewDidAppear", "CartView 0x104b0c3d0"),
            ("<UIView: 0x7fb1; layer = <CALayer: 0x7fb2>> viewDidLoad", "UIView 0x7fb1"),
            ("viewDidAppear <Cart: 0x104b0c3d0>", "Cart 0x104b0c3d0"),
            ("viewDidAppear(true): <Shop.Cart: 0x104b0c3d0; title = a>", "Cart 0x104b0c3d0"),
            ("-[Cart viewDidAppear:] <Cart: 0x104b0c3d0>", "Cart 0x104b0c3d0"),
            ("<AppDelegate: 0x104b0c3d0> viewDidAppear", ""),
            ("viewDidAppear presented by <UIWindow: 0x104b0c3d0>", ""),
            ("HomeViewController: 0x104b0a2c0 viewDidLoad", "HomeViewController 0x104b0a2c0"),
            ("HomeVC 0x104b0a2c0 viewDidLoad", "HomeVC 0x104b0a2c0"),
            // A source file is called after its class.
            ("[Cart.swift:40] viewDidLoad() > ", "Cart"), ("[Debug] [Cart+Layout.swift:40] viewDidLoad() > a", "Cart"),
            ("Cart.m:40 viewDidLoad", "Cart"), ("viewDidLoad() Cart.swift:40", "Cart"),
            ("[AppDelegate.swift:40] viewDidLoad()", ""), ("[main.swift:40] viewDidLoad()", ""),
            ("[Base.swift:40] HomeVC viewDidLoad", "HomeVC"), ("[Base.swift:40] viewDidLoad - HomeVC", "HomeVC"),
            // Words and tags of which nothing shows that they are classes.
            ("[Cart] viewDidLoad", ""), ("Cart - viewDidLoad()", ""), ("[UI] viewDidLoad", ""),
            ("INFO viewDidLoad", ""),
            ("https://tea.example/HomeController/list viewDidLoad", ""),
            // People: the first parts of addresses, and the folders of users.
            ("[LudovcaRossi@mail.com] viewDidLoad", ""),
            ("[ludovca.rossi@mail.com] viewDidLoad", ""),
            ("[ludovca+tea@mail.com] viewDidLoad", ""),
            ("--JaneDoe@mail.com-- viewDidLoad", ""),
            ("viewWillAppear - LudovcaRossi@mail.com", ""),
            ("/Users/JaneDoe viewDidLoad", ""),
            ("file:///Users/ludovca.rossi/ viewDidLoad", ""), ("path=/Users/ludovc viewDidLoad", ""),
            ("route=/home/HomeVC viewDidLoad", "HomeVC"),
            ("/Users/UserListViewController viewDidLoad", "UserListViewController"),
            ("HomeVC@MainActor viewDidLoad", "HomeVC"), ("viewDidAppear(HomeVC@main)", "HomeVC"),
            ("HomeVC@2.1 viewDidLoad", "HomeVC"), ("HomeVC@abcdef viewDidLoad", "HomeVC"),
            ("viewWillAppear - /Users/LudovcaRossi", ""),
            ("/home/JaneDoe/Tea/Users/UsersVC.swift viewDidLoad() line 42", "UsersVC"),
            ("Shop/Users/UsersVC viewDidLoad", "UsersVC"),
            ("[HomeVC@7f8a12c0] viewDidLoad", "HomeVC"),
            ("<Shop.HomeViewController@0x7fb1c2d0> viewDidLoad", "HomeViewController"),
            ("viewDidLoad()", ""),
            ("Lifecycle: viewDidLoad", ""),
        ])
    func controllers(message: String, label: String) throws {
        #expect(try Known.label(in: message) == label)
    }

    @Test(
        "labels of scenes",
        arguments: [
            ("[SceneDelegate] sceneDidBecomeActive session=ABC", "ABC"),
            ("sceneDidBecomeActive(_:) persistentIdentifier: 1F-22, role: window", "1F-22"),
            ("sceneDidEnterBackground <UIWindowScene: 0x12ab34>", "0x12ab34"),
            ("-[SceneDelegate scene:willConnectToSession:options:] <UIWindowScene: 0x12ab34>", "0x12ab34"),
            ("-[SceneDelegate scene:willConnectToSession:options:]", ""),
            (
                "sceneWillConnect session=<UISceneSession: 0x28; persistentIdentifier = 9C-01; role = w>", "9C-01"
            ),
            ("-[SceneDelegate sceneDidBecomeActive:]", ""),
            ("scene(_:willConnectTo:options:)", ""),
            ("sceneDidBecomeActive session ABCD-1F22", "ABCD-1F22"),
            ("sceneDidBecomeActive (session ABCD-EF)", "ABCD-EF"),
            ("sceneDidBecomeActive: scene #2", "2"), ("sceneDidBecomeActive 9C41D1F0", "9C41D1F0"),
            ("[SceneDelegate 9C41D1F0] didBecomeActive", "9C41D1F0"), ("scene: didBecomeActive", ""),
            ("sceneDidBecomeActive request=9C41D1F0", ""), ("sceneDidBecomeActive 20260314", ""),
            ("sceneDidBecomeActive, refresh request 5F3A2B1C", ""), ("[5F3A2B1C] sceneDidBecomeActive", ""),
            ("Scene: sceneDidBecomeActive(_:)", ""),
            ("[scene-2] sceneDidBecomeActive", "2"),
            ("scene-create sceneDidBecomeActive", ""),
            ("sceneDidBecomeActive sceneID ABC", "ABC"),
            ("sceneDidBecomeActive sessionID is unknown", ""),
            ("sceneDidBecomeActive session <1F-22>", "1F-22"),
            ("sceneDidBecomeActive(_:) session 'left-1'", "left-1"),
            ("sceneDidBecomeActive sessionID='left'", "left"),
            (
                "sceneDidBecomeActive 5E1B7C2A-1F22-4B6D-9C01-AB34CD56EF78",
                "5E1B7C2A-1F22-4B6D-9C01-AB34CD56EF78"
            ),
            (
                "[5e1b7c2a-1f22-4b6d-9c01-ab34cd56ef78] sceneDidBecomeActive:",
                "5e1b7c2a-1f22-4b6d-9c01-ab34cd56ef78"
            ),
            (
                "sceneDidBecomeActive: 5E1B7C2A-1F22-4B6D-9C01-AB34CD56EF78 <UIWindowScene: 0x12ab34>",
                "5E1B7C2A-1F22-4B6D-9C01-AB34CD56EF78"
            ),
            ("sceneDidBecomeActive request=5E1B7C2A-1F22-4B6D-9C01-AB34CD56EF78", ""),
            ("sceneDidBecomeActive request=5E1B7C2A-1F22-4B6D-9C01-AB34CD56EF78 scene=3", "3"),
            ("sceneDidBecomeActive: scene did become active after session start", ""),
            ("[SCENE] SCENE ACTIVE sceneDidBecomeActive", ""),
            ("sceneDidBecomeActive session 08:15:30 lasted", ""),
            ("sceneDidBecomeActive session 12.5 s", ""),
            ("[Window 1] sceneDidBecomeActive", "1"),
            ("window B: sceneDidBecomeActive", "B"), ("[Scene A] sceneDidBecomeActive", "A"),
            ("Scene B: sceneDidBecomeActive", "B"), ("a scene I sceneDidBecomeActive", ""),
            ("sceneDidBecomeActive window=7, session=1F-22", "1F-22"),
            ("sceneDidBecomeActive window: main", ""),
            ("sceneDidBecomeActive window: <UIWindow: 0x12ab34>", ""),
            ("sceneDidBecomeActive window IS visible", ""),
        ])
    func scenes(message: String, label: String) throws {
        #expect(try Known.label(in: message) == label)
    }

    @Test(
        "labels that a JSON record has beside its message",
        arguments: [
            ("sceneDidBecomeActive", #"{"msg":"sceneDidBecomeActive","scene":"A1","pid":7}"#, "A1"),
            ("sceneDidBecomeActive", #"{"sceneId":"A1","id":"5"}"#, "A1"),
            ("sceneDidBecomeActive", #"{"scene_id": "A1"}"#, "A1"),
            ("sceneDidBecomeActive", #"{"sessionIdentifier":"A1","sceneID":"B2"}"#, "B2"),
            // The session of an analytics service, which is none of a scene.
            ("sceneDidBecomeActive", #"{"session_id":"A1","session":"A1"}"#, ""),
            ("sceneDidBecomeActive", #"{"scene_session_id":"A1"}"#, "A1"),
            ("sceneDidBecomeActive", #"{"sceneIdentifier":"A1"}"#, "A1"),
            ("sceneDidBecomeActive", #"{"window":2}"#, "2"),
            ("sceneDidBecomeActive", #"{"instance":"A1"}"#, "A1"),
            ("sceneDidBecomeActive", #"{"context":{"app":"Tea","sceneID":"A1"}}"#, "A1"),
            ("sceneDidBecomeActive", #"{"context":{"scene":{"id":"A1"}}}"#, "A1"),
            ("sceneDidBecomeActive session=C3", #"{"scene":"A1"}"#, "C3"),
            ("[CarPlaySceneDelegate] sceneDidBecomeActive", #"{}"#, "CarPlaySceneDelegate"),
            ("[CarPlaySceneDelegate] sceneDidBecomeActive session=C3", #"{}"#, "C3"),
            ("SceneDelegate: sceneDidBecomeActive CarPlayManager.shared.refresh()", #"{}"#, ""),
            ("CarPlayDemo.SceneDelegate sceneDidBecomeActive, isCarPlayConnected: false", #"{}"#, ""),
            ("sceneDidBecomeActive session=C3", ##"{"#instance":"A1"}{"scene":"B2"}"##, "A1"),
            ("sceneDidBecomeActive", #"{"id":"A1","class":"SceneDelegate","label":"app","scene":null}"#, ""),
            ("viewDidLoad", #"{"message":"viewDidLoad","class":"Cart"}"#, "Cart"),
            ("viewDidLoad", #"{"viewController":"Shop.HomeViewController"}"#, "HomeViewController"),
            ("viewDidLoad", #"{"vc":"<Shop.Cart: 0x104b0c3d0>"}"#, "Cart 0x104b0c3d0"),
            ("viewDidLoad", #"{"data":{"controller":"Cart"}}"#, "Cart"),
            ("viewDidLoad", #"{"class":"AppDelegate"}"#, ""), ("viewDidLoad", #"{"scene":"A1","level":"info"}"#, ""),
            ("HomeVC viewDidLoad", #"{"class":"Logger"}"#, "HomeVC"),
            ("<Inbox: 1> viewDidAppear", ##"{"#instance":"Inbox: 1"}{}"##, "Inbox: 1"),
            ("applicationDidBecomeActive", ##"{"#instance":"Inbox: 1"}{}"##, ""),
        ])
    func records(message: String, record: String, label: String) throws {
        #expect(try Known.label(in: message, record: record) == label)
    }

    @Test("what a layout names of versions belongs to the process of the line")
    func versionsOfRecords() throws {
        let record = ##"{"#app-version":"2.0","#os-version":"18.3"}{"os":"1"}"##
        let reading = try Reading(Lines([.init(message: "viewDidLoad", record: record, time: 0)]))
        #expect(reading.events.map(\.proof) == [nil, .appVersion, .systemVersion])
        #expect(reading.events.map { reading.text($0.origin) } == ["", "2.0", "18.3"])
    }

    @Test("the app's callbacks have no label")
    func app() throws {
        #expect(try Known.label(in: "-[AppDelegate applicationDidBecomeActive:]") == "")
    }

    @Test("a bare line belongs to the process of the line before it")
    func bareLines() throws {
        let reading = try Reading(
            Lines([
                .init(message: "-> applicationDidFinishLaunching()", process: "", pid: nil),
                .init(message: "loading", process: "Game", pid: 7, device: "Phone", time: 5),
                .init(message: "-> applicationDidBecomeActive()", process: "", pid: nil),
                .init(message: "saving", process: "Other", pid: nil, time: 6),
                .init(message: "applicationDidEnterBackground", process: "", pid: nil),
            ]))
        #expect(reading.events.map { reading.speaker($0).process ?? "" } == ["", "Game", "Other"])
        #expect(reading.events.map { reading.speaker($0).pid } == [nil, 7, nil])
        #expect(reading.events.map { reading.speaker($0).device ?? "" } == ["", "Phone", "Phone"])
        #expect(reading.events.map(\.line) == [1, 3, 5])
    }

    @Test("lines of the same text have one hash, whatever their time; other lines have others")
    func hashes() throws {
        let reading = try Reading(
            Lines([
                .init(message: "applicationDidBecomeActive", time: 5),
                .init(message: "applicationDidBecomeActive", time: 6),
                .init(message: "applicationDidBecomeActive"),
                .init(message: "applicationDidBecomeActive:", time: 5),
                .init(message: "AppState changed to active", time: 5),
                .init(message: "AppState changed to active", time: 7),
            ]))
        let hashes = reading.events.map(\.textHash)
        #expect(hashes[0] == hashes[1] && hashes[1] == hashes[2] && hashes[4] == hashes[5])
        #expect(Set(hashes).count == 3)
    }

    @Test("an entry of several lines states each callback where it stands; indented lines are a dump")
    func continuationLines() throws {
        let reading = try Reading(
            Lines([
                .init(message: "┌──\n│ viewDidLoad\n\tviewWillAppear\nviewDidAppear", time: 5, lineCount: 4),
                .init(message: "viewDidDisappear", time: 6),
            ]))
        #expect(reading.events.map(\.line) == [2, 4, 5])
        #expect(reading.events.map(\.time) == [5, 5, 6])
    }
}
