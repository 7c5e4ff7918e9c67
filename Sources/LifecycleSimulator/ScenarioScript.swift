import LifecycleModel

/// Makes the choices that a scenario leaves open, and writes what is left as a log.
struct ScenarioScript {
    private let catalog: ModelCatalog
    private let variant: PlayedScenario.Variant
    private var clock = LogClock(zone: 60)
    /// Microseconds since 1970 UTC.
    private var now = 1_774_000_800_000_000
    private var pid = 4_000
    private(set) var text = ""
    private(set) var callbacks: [String] = []

    init(catalog: ModelCatalog, variant: PlayedScenario.Variant) {
        self.catalog = catalog
        self.variant = variant
    }

    /// The steps without choices.
    func flatten(_ steps: [StepPattern]) -> [ScenarioStep] {
        steps.flatMap { flatten($0) }
    }

    private func flatten(_ step: StepPattern) -> [ScenarioStep] {
        switch step {
        case .callback(let callback):
            let name = variant == .shortest ? callback.names.first : callback.names.last
            return name.map { [.callback(name: $0, actor: callback.actor)] } ?? []
        case .silent: return [.wait(60_000)]
        case .later: return [.wait(3_000)]
        case .newRun: return [.newRun]
        case .scenario(let id):
            return catalog.models.lazy.compactMap { $0.scenario(id) }.first.map { flatten($0.steps) } ?? []
        case .optional(let steps): return variant == .shortest ? [] : flatten(steps)
        case .repeated(let steps, let atLeast):
            let rounds = variant == .shortest ? atLeast : max(2, atLeast)
            return (0..<rounds).flatMap { _ in flatten(steps) }
        case .unordered(let steps): return flatten(variant == .shortest ? steps : steps.reversed())
        }
    }

    /// Lets time pass, in milliseconds.
    mutating func wait(_ milliseconds: Int) { now += milliseconds * 1_000 }

    /// Writes the steps; callbacks that name no instance go to the default ones.
    mutating func write(_ steps: [ScenarioStep], defaultActors: (scene: String, view: String)) {
        for step in steps {
            switch step {
            case .wait(let milliseconds): wait(milliseconds)
            case .newRun:
                wait(600_000)
                pid += 7
            case .callback(let name, let actor):
                now += 150_250
                clock.set(now)
                text += String(decoding: clock.text, as: UTF8.self)
                text += " Player[\(pid):8001] \(message(name, actor: actor, defaultActors))\n"
                callbacks.append(name)
            }
        }
    }

    /// Lets the process write something that is no callback, long after its last one.
    mutating func liveOn() {
        wait(30_000)
        clock.set(now)
        text += String(decoding: clock.text, as: UTF8.self)
        text += " Player[\(pid):8001] nothing left to fetch\n"
    }

    private func message(_ name: String, actor: String?, _ defaults: (scene: String, view: String)) -> String {
        let model = catalog.models.first { $0.callback(name) != nil }
        switch model?.layer {
        case "view": return "-[\(actor ?? defaults.view) \(name)]"
        case "scene": return "\(name) session: \(actor ?? defaults.scene)"
        default:
            // What changes no state is no method of the delegate alone; its first spelling is the usual one.
            let callback = model?.callback(name)
            let usual = callback?.isSupplementary == true ? callback?.spellings.first : nil
            return usual ?? Spelling.swift.message(name)
        }
    }
}
