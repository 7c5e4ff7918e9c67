#if os(Linux)
    import Foundation
    import LifecycleLog
    import UIKit

    // In a file of its own: a file that imports Testing and a module called UIKit would ask for their common overlay.

    private final class Menu: LoggedViewController {}

    /// Posts what UIKit posts when an app launches, becomes active, shows a controller and is terminated.
    @MainActor func playShortLife() {
        let center = NotificationCenter.default
        center.post(name: UIApplication.didFinishLaunchingNotification, object: nil)
        let scene = UIScene(session: UISceneSession(persistentIdentifier: "7F1C"))
        center.post(name: UIScene.didActivateNotification, object: scene)
        Menu().viewDidAppear(false)
        center.post(name: UIApplication.willTerminateNotification, object: nil)
    }
#endif
