import LifecycleModel

/// What a catalog's settings and the options of one replay come to together.
struct ReplaySettings: Sendable {
    /// Profiles that runs without and with scenes follow.
    let plain: Set<String>
    let withScenes: Set<String>
    /// Values of the configuration keys.
    private let values: [String: String]
    private let system: Int?
    /// Whether signs of life alone speak for a launch into the background, and for how long after it they must come,
    /// in nanoseconds.
    let infersBackgroundLaunch: Bool
    let backgroundLaunchAfter: Int64
    /// How long before the first callback a process may have started for the launch to begin there.
    let prewarmAfter: Int64
    /// The longest time between two callbacks of a scenario that follow each other directly.
    let maxGap: Int64

    init(_ catalog: ModelCatalog, _ options: ReplayOptions) {
        let values = catalog.options.merging(options.configuration) { $1 }
        let system = options.systemVersion ?? values["os-version"].flatMap { Int($0.prefix { $0 != "." }) }
        func profiles(_ shown: String) -> Set<String> {
            guard let named = options.profile, named != "detect" else {
                return catalog.followed(profile: shown, system: system)
            }
            let replaces = named == "ios12-" || named == "ios13+"
            return catalog.followed(profile: replaces ? named : shown, system: system).union([named])
        }
        func nanoseconds(_ key: String, _ standard: Double) -> Int64 {
            Int64((values[key].flatMap { Double($0) } ?? standard) * 1e9)
        }
        plain = profiles("ios12-")
        withScenes = profiles("ios13+")
        self.values = values
        self.system = system
        infersBackgroundLaunch = values["bg-launch-infer"] != "off"
        backgroundLaunchAfter = nanoseconds("bg-launch-infer-after", 20)
        prewarmAfter = nanoseconds("prewarm-after", 60)
        maxGap = nanoseconds("max-gap", 2)
    }

    /// The profiles that a run follows, in a fixed order.
    func profiles(withScenes scenes: Bool) -> [String] { (scenes ? withScenes : plain).sorted() }

    /// The value of a configuration key.
    func value(_ key: String) -> String? { values[key] }

    /// Whether a rule or limit applies, in runs without or with scenes.
    func meet(_ condition: RuleCondition, withScenes scenes: Bool) -> Bool {
        condition.holds(profiles: scenes ? withScenes : plain, options: values, system: system)
    }
}
