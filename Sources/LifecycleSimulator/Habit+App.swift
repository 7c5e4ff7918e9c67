extension Habit {
    private static let launching = Stay(2, 12, 30, 80, 300, 900, 1_400)
    private static let activating = Stay(1, 30, 120, 400, 1_000, 2_000, 3_000)
    private static let using = Stay(200, 6_000, 25_000, 90_000, 300_000, 1_800_000, 14_400_000)
    private static let interruption = Stay(40, 300, 900, 4_000, 15_000, 90_000, 600_000)
    private static let leaving = Stay(5, 250, 600, 800, 1_500, 8_000, 60_000)
    private static let away = Stay(300, 8_000, 60_000, 600_000, 1_800_000, 10_800_000, 43_200_000)
    /// Longer than a launch: an app that comes to the foreground sooner was not launched into the background.
    private static let waiting = Stay(21_000, 40_000, 120_000, 600_000, 1_800_000, 10_800_000, 43_200_000)
    private static let closed = Stay(1_500, 60_000, 600_000, 1_800_000, 7_200_000, 28_800_000, 86_400_000)

    /// Situation of an app that does not run.
    static let notRunning = "not running"

    /// Situations in which a log may begin: any next callback says which state the app was in.
    static let midLife = ["in use", "coming back"]

    /// How an app without scenes is used. About forty callbacks to a run.
    static let app: [Habit] = [
        Habit(
            situation: notRunning, state: "not_running",
            moves: [
                Move(callback: "willFinishLaunchingWithOptions", next: "starting", weight: 800, after: closed),
                Move(callback: "didFinishLaunchingWithOptions", next: "started", weight: 140, after: closed),
                Move(callback: "willFinishLaunchingWithOptions", next: "waking", weight: 30, after: closed),
                Move(callback: "didFinishLaunchingWithOptions", next: "woken", weight: 30, after: closed),
            ]),
        Habit(
            situation: "starting", state: "inactive",
            moves: [Move(callback: "didFinishLaunchingWithOptions", next: "started", weight: 1, after: launching)]),
        Habit(
            situation: "started", state: "inactive",
            moves: [Move(callback: "applicationDidBecomeActive", next: "in use", weight: 1, after: activating)]),
        Habit(
            situation: "waking", state: "background",
            moves: [Move(callback: "didFinishLaunchingWithOptions", next: "woken", weight: 1, after: launching)]),
        Habit(
            situation: "woken", state: "background",
            moves: [
                Move(callback: "applicationDidEnterBackground", next: "away", weight: 60, after: activating),
                Move(callback: "applicationWillEnterForeground", next: "coming back", weight: 40, after: waiting),
            ]),
        Habit(
            situation: "in use", state: "active",
            moves: [
                Move(callback: "applicationWillResignActive", next: "interrupted", weight: 996, after: using),
                Move(callback: nil, next: notRunning, weight: 4, after: using),
            ]),
        Habit(
            situation: "interrupted", state: "inactive",
            moves: [
                Move(callback: "applicationDidEnterBackground", next: "away", weight: 640, after: leaving),
                Move(callback: "applicationDidBecomeActive", next: "in use", weight: 358, after: interruption),
                Move(callback: nil, next: notRunning, weight: 2, after: leaving),
            ]),
        Habit(
            situation: "away", state: "background",
            moves: [
                Move(callback: "applicationWillEnterForeground", next: "coming back", weight: 860, after: away),
                Move(callback: "applicationWillTerminate", next: notRunning, weight: 50, after: leaving),
                Move(callback: nil, next: notRunning, weight: 90, after: away),
            ]),
        Habit(
            situation: "coming back", state: "inactive",
            moves: [
                Move(callback: "applicationDidBecomeActive", next: "in use", weight: 1, after: activating)
            ]),
    ]
}
