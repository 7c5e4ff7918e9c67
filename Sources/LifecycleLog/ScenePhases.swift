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
