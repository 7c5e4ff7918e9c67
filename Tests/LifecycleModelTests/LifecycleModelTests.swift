import Testing

@testable import LifecycleModel

@Suite("The documented models as data")
struct LifecycleModelTests {
    /// The part of the specification's tables that names transitions, as ids.
    static let transitions = [
        "app":
            "APP-T01 APP-T02a APP-T02b APP-T02c APP-T03 APP-T04 APP-T05 APP-T06 APP-T07 APP-T08 APP-T09 APP-T10 APP-T11 APP-T12 APP-T13 APP-T14 APP-T15 APP-T16 APP-T17 APP-T18",
        "process": "PRC-T01 PRC-T02 PRC-T03 PRC-T04 PRC-T05",
        "scene":
            "SCN-T01 SCN-T02 SCN-T03 SCN-T04 SCN-T05 SCN-T06 SCN-T07 SCN-T08 SCN-T09 SCN-T10 SCN-T11 SCN-T12 SCN-T13 SCN-T14",
        "view": "VC-T01 VC-T02 VC-T03 VC-T04 VC-T05 VC-T06 VC-T07 VC-T08 VC-T09 VC-T10 VC-T11 VC-T12",
    ]

    @Test("have every transition of the specification", arguments: ["app", "process", "scene", "view"])
    func transitionIds(model: String) throws {
        let catalog = try ModelCatalog.builtIn()
        let ids = try #require(catalog.model(model)).transitions.map(\.id)
        #expect(ids.joined(separator: " ") == Self.transitions[model])
    }

    @Test("define where a callback leads and where it is ambiguous")
    func edges() throws {
        let app = try #require(try ModelCatalog.builtIn().model("app"))
        func targets(_ state: String, _ callback: String) -> [String] {
            app.edges.filter { $0.from == state && $0.callback == callback }.map(\.to)
        }
        #expect(targets("active", "applicationWillResignActive") == ["inactive"])
        #expect(targets("active", "applicationDidEnterBackground") == [])
        #expect(targets("not_running", "didFinishLaunchingWithOptions") == ["inactive", "background"])
        #expect(targets("inactive", "didFinishLaunchingWithOptions") == ["inactive"])
        #expect(targets("background", "applicationDidEnterBackground") == ["background"])
        #expect(targets("suspended", "applicationWillEnterForeground") == ["inactive"])
    }

    @Test("pass through several states where the steps name them")
    func steppedEdges() throws {
        let scene = try #require(try ModelCatalog.builtIn().model("scene"))
        func targets(_ state: String, _ callback: String) -> [String] {
            scene.edges.filter { $0.from == state && $0.callback == callback }.map(\.to)
        }
        #expect(targets("unattached", "sceneWillConnect") == ["unattached"])
        #expect(targets("unattached", "sceneWillEnterForeground") == ["fg_inactive"])
        #expect(targets("unattached", "sceneDidEnterBackground") == ["background"])
        #expect(targets("fg_inactive", "sceneDidDisconnect") == ["unattached"])
        #expect(targets("unattached", "sceneDidBecomeActive") == [])
    }
}
