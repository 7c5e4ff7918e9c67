#if canImport(UIKit)
    import Foundation
    public import UIKit

    /// Observes the notifications of app and scenes.
    enum UIKitObserver {
        private static let app: [(Notification.Name, String)] = [
            (UIApplication.didFinishLaunchingNotification, "applicationDidFinishLaunching"),
            (UIApplication.didBecomeActiveNotification, "applicationDidBecomeActive"),
            (UIApplication.willResignActiveNotification, "applicationWillResignActive"),
            (UIApplication.didEnterBackgroundNotification, "applicationDidEnterBackground"),
            (UIApplication.willEnterForegroundNotification, "applicationWillEnterForeground"),
            (UIApplication.willTerminateNotification, "applicationWillTerminate"),
            (UIApplication.didReceiveMemoryWarningNotification, "applicationDidReceiveMemoryWarning"),
        ]

        private static let scene: [(Notification.Name, String)] = [
            (UIScene.willConnectNotification, "sceneWillConnect"),
            (UIScene.willEnterForegroundNotification, "sceneWillEnterForeground"),
            (UIScene.didActivateNotification, "sceneDidBecomeActive"),
            (UIScene.willDeactivateNotification, "sceneWillResignActive"),
            (UIScene.didEnterBackgroundNotification, "sceneDidEnterBackground"),
            (UIScene.didDisconnectNotification, "sceneDidDisconnect"),
        ]

        /// After these the process may be suspended or ended.
        private static let last: Set<String> = [
            "applicationDidEnterBackground", "applicationWillTerminate", "sceneDidEnterBackground",
        ]

        static func observe(_ log: LifecycleLog) -> [any NSObjectProtocol] {
            (app + scene).map { name, callback in
                NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { [weak log] note in
                    // UIKit posts these on the main thread, and blocks without a queue run on it.
                    nonisolated(unsafe) let object = note.object
                    let instance = MainActor.assumeIsolated { (object as? UIScene)?.session.persistentIdentifier }
                    log?.log(callback, of: instance, via: .notification)
                    if last.contains(callback) { log?.flush() }
                }
            }
        }
    }

    /// A view controller that logs its callbacks in the log that ``LifecycleLog/start(file:)`` began.
    open class LoggedViewController: UIViewController {
        private func log(_ callback: String) {
            let address = UInt(bitPattern: ObjectIdentifier(self).hashValue)
            LifecycleLog.log(callback, of: "\(type(of: self)): 0x\(String(address, radix: 16))")
        }

        open override func viewDidLoad() {
            super.viewDidLoad()
            log("viewDidLoad")
        }

        open override func viewWillAppear(_ animated: Bool) {
            super.viewWillAppear(animated)
            log("viewWillAppear")
        }

        open override func viewDidAppear(_ animated: Bool) {
            super.viewDidAppear(animated)
            log("viewDidAppear")
        }

        open override func viewWillDisappear(_ animated: Bool) {
            super.viewWillDisappear(animated)
            log("viewWillDisappear")
        }

        open override func viewDidDisappear(_ animated: Bool) {
            super.viewDidDisappear(animated)
            log("viewDidDisappear")
        }
    }
#endif

#if canImport(SwiftUI)
    public import SwiftUI

    extension View {
        /// Logs the phases of the scene that the view belongs to.
        ///
        ///     @Environment(\.scenePhase) private var phase
        ///     var body: some View { Home().logsScenePhase(phase) }
        public func logsScenePhase(_ phase: ScenePhase) -> some View {
            onChange(of: phase) { phase in
                LifecycleLog.log("scenePhase: \(phase)", via: .swiftui)
            }
        }
    }
#endif
