package import LifecycleModel

/// What the user decides about a replay; the same facts under the same options always give the same rows.
package struct ReplayOptions: Sendable {
    /// Silence of a process, in nanoseconds, after which a background stay counts as suspended; `nil` makes no
    /// estimate. No finding depends on it.
    package var suspendGrace: Int64?
    /// Profile of rules to follow; `nil` lets the callbacks decide (`ios13+` once a scene callback occurs, `ios12-`
    /// before).
    package var profile: String?
    /// Values of configuration keys that overrule those of the catalog.
    package var configuration: [String: String]
    /// Major version of the system that the log comes from, when the user gives it.
    package var systemVersion: Int?
    /// Whether messages are handed on to the store.
    package var keepsMessages: Bool

    package init(
        suspendGrace: Int64? = 5_000_000_000, profile: String? = nil, configuration: [String: String] = [:],
        systemVersion: Int? = nil, keepsMessages: Bool = false
    ) {
        self.suspendGrace = suspendGrace
        self.profile = profile
        self.configuration = configuration
        self.systemVersion = systemVersion
        self.keepsMessages = keepsMessages
    }
}

/// The source that facts come from, with what the user says about it.
package struct SourceContext: Sendable {
    package var id: Int32
    /// Device that overrules what the lines print.
    package var device: String?
    /// Version of the app for the runs that begin in the source.
    package var appVersion: String?
    /// Version of the system for the same runs, unless a report gives another.
    package var systemVersion: String?

    package init(id: Int32, device: String? = nil, appVersion: String? = nil, systemVersion: String? = nil) {
        self.id = id
        self.device = device
        self.appVersion = appVersion
        self.systemVersion = systemVersion
    }
}

/// Everything that a replay looks up and nothing changes: the models and what follows from the options.
///
/// A class, so that a function of the hot path counts one reference and reads every table without a further one.
package final class ReplayPlan: Sendable {
    let catalog: CompiledCatalog
    let settings: ReplaySettings
    /// What the codes of ends mean.
    let endCodes: [EndCode]
    /// Those that only abnormal transitions have, of which a healthy app has none.
    let faults: Set<String>
    let rules: RuleBook
    let limits: LimitBook
    let scenarios: ScenarioBook

    /// - Parameters:
    ///   - catalog: the models, the same as recognition used.
    ///   - options: of which profile, configuration and version of the system count.
    package init(_ catalog: ModelCatalog, _ options: ReplayOptions) {
        let compiled = CompiledCatalog(catalog)
        let settings = ReplaySettings(catalog, options)
        self.catalog = compiled
        self.settings = settings
        endCodes = catalog.settings.endCodes
        let abnormal = Set(catalog.models.flatMap(\.transitions).filter(\.isAbnormal).map(\.id))
        faults = Set(
            endCodes.filter { $0.endReason != EndCode.killed && abnormal.isSuperset(of: $0.transitions) }.map(\.code))
        rules = RuleBook(catalog, compiled: compiled, settings: settings)
        limits = LimitBook(catalog, compiled: compiled, settings: settings)
        scenarios = ScenarioBook(catalog, compiled: compiled, settings: settings)
    }
}

/// What a catalog's settings and the options of one replay come to together.
struct ReplaySettings: Sendable {
    /// Profiles that runs without and with scenes follow.
    let plain: Set<String>
    let withScenes: Set<String>
    /// Values of the configuration keys.
    private let values: [String: String]
    let system: Int?
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

/// The documented way from where an instance is to where a callback belongs.
extension CompiledModel {
    /// Stands for the beginning of an instance where a callback that came before is asked for.
    var beginning: UInt16 { UInt16(callbacks.count) }

    /// Where an instance is: its state, and the callback that brought it there.
    private struct Position: Hashable {
        var state: UInt8
        /// ``beginning`` before the first one, ``noCallback`` where it is not known.
        var last: UInt16
    }

    /// The shortest documented way to where a callback belongs: the callbacks that are missing in the log.
    ///
    /// - Parameter previous: the callback before, ``beginning`` when there was none, ``noCallback`` when it tells nothing.
    /// - Returns: `nil` when there is none.
    func missingCallbacks(before callback: UInt16, in state: UInt8, after previous: UInt16) -> [String]? {
        guard state != Self.unknown else { return nil }
        let start = Position(state: state, last: previous)
        var steps: [Position: Position] = [:]
        var queue = [start]
        var head = 0
        while head < queue.count {
            let here = queue[head]
            head += 1
            if here != start, action(of: callback, in: here.state).isLegal, mayFollow(callback, here.last) {
                var way: [String] = []
                var place = here
                while place != start, let step = steps[place] {
                    way.append(callbacks[Int(place.last)])
                    place = step
                }
                return way.reversed()
            }
            for next in searchOrder where !traits[next].contains(.isSupplementary) {
                let action = action(of: UInt16(next), in: here.state)
                guard action.isLegal, mayFollow(UInt16(next), here.last) else { continue }
                var targets = action.alternatives | 1 << UInt64(action.after)
                while targets != 0 {
                    let there = Position(state: UInt8(targets.trailingZeroBitCount), last: UInt16(next))
                    targets &= targets - 1
                    // A process or a controller begins once; a scene connects again.
                    guard there.state != initial || isPerScene, there != start, steps[there] == nil else { continue }
                    steps[there] = here
                    queue.append(there)
                }
            }
        }
        return nil
    }

    private func mayFollow(_ callback: UInt16, _ previous: UInt16) -> Bool {
        guard Int(previous) < followers.count, let followers = followers[Int(previous)] else { return true }
        return followers.contains(callback)
    }
}

extension StepPattern {
    /// The callbacks that it asks for: not those that may be missing.
    var asked: [String] {
        switch self {
        case .callback(let callback): callback.names
        case .unordered(let steps): steps.flatMap(\.asked)
        case .repeated(let steps, let atLeast): atLeast == 0 ? [] : steps.flatMap(\.asked)
        case .silent, .later, .newRun, .scenario, .optional: []
        }
    }
}
