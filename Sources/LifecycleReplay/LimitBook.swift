import LifecycleModel
import TraceRecords

/// A time limit, with callbacks and states by number, under the options of one replay.
struct CompiledLimit: Sendable {
    /// A severity from a length of time on, in nanoseconds; a time that is just as long breaks nothing.
    struct Threshold: Sendable {
        var severity: Severity
        var nanoseconds: Int64
    }

    let id: String
    let layer: String
    /// Whether it asks for an answer; otherwise, unless it measures stays, for a length of time.
    let isUnanswered: Bool
    let isStay: Bool
    let message: MessageTemplate
    /// Callbacks that begin and end the measurement.
    let from: CallbackSet
    let to: CallbackSet
    /// Callbacks the return of whose methods ends it: at once where nothing else can, otherwise when the run ends.
    let toReturn: CallbackSet
    let cancelledBy: CallbackSet
    /// Whether the first callback of the run, or the start of its process, begins it.
    let beginsWithRun: Bool
    /// Whether the next event of the run ends it; whether the last sign of life does.
    let endsAtNextEvent: Bool
    let endsAtLastActivity: Bool
    /// Whether that beginning, or that end, only stands in for what the log does not show.
    let beginsApproximately: Bool
    let endsApproximately: Bool
    /// How soon the callback whose return ends it must come, in nanoseconds.
    let promptWithin: Int64
    /// Whether it counts only without silence in between.
    let isContinuous: Bool
    /// Whether a suspension, besides the end of the run, makes an answer too late.
    let answersBeforeSuspension: Bool
    let needsOpenTask: Bool
    let plausibleUntil: Int64
    /// By model, the states that are measured.
    let states: [UInt64]
    let plain: [Threshold]
    let withScenes: [Threshold]
    /// The least time that any threshold allows.
    let least: Int64

    /// The highest threshold that a time exceeds.
    func exceeded(by nanoseconds: Int64, withScenes: Bool) -> Threshold? {
        (withScenes ? self.withScenes : plain).filter { nanoseconds > $0.nanoseconds }
            .max { ($0.severity, $0.nanoseconds) < ($1.severity, $1.nanoseconds) }
    }
}

/// All limits of a catalog, arranged by what they have to look at.
struct LimitBook: Sendable {
    private(set) var limits: [CompiledLimit] = []
    /// Callbacks that some limit looks at.
    private(set) var concerned = CallbackSet()
    /// Limits by the callback that begins them.
    private(set) var beginning: [[Int]] = []
    /// Limits that begin with the run; limits of stays in states.
    private(set) var withRun: [Int] = []
    private(set) var stays: [Int] = []
    /// Limits by the callback whose own time from its line to its return they measure.
    private(set) var ofReturns: [[Int]] = []

    init(_ catalog: ModelCatalog, compiled: CompiledCatalog, settings: ReplaySettings) {
        let vocabulary = Vocabulary(models: catalog.models)
        beginning = Array(repeating: [], count: vocabulary.count)
        ofReturns = beginning
        for model in catalog.models {
            for limit in model.limits where limit.kind != .grace {
                add(Self.compile(limit, of: model, vocabulary, compiled, settings))
            }
        }
    }

    private mutating func add(_ limit: CompiledLimit) {
        let number = limits.count
        limits.append(limit)
        concerned = concerned.union(limit.from).union(limit.to).union(limit.cancelledBy)
        for callback in limit.from.numbers where Int(callback) < beginning.count {
            beginning[Int(callback)].append(number)
        }
        if !limit.isUnanswered, limit.to.isEmpty {
            for callback in limit.toReturn.numbers where limit.from.contains(callback) {
                ofReturns[Int(callback)].append(number)
            }
        }
        if limit.beginsWithRun { withRun.append(number) }
        if limit.isStay { stays.append(number) }
    }

    private static func compile(
        _ limit: TimeLimit, of model: LifecycleModel, _ vocabulary: Vocabulary, _ compiled: CompiledCatalog,
        _ settings: ReplaySettings
    ) -> CompiledLimit {
        func callbacks(_ points: [LimitPoint], _ kind: LimitPoint.Moment) -> CallbackSet {
            CallbackSet(
                points.filter { $0.kind == kind }.flatMap(\.callbacks).compactMap { name in
                    vocabulary.number(of: name, from: model)
                })
        }
        func thresholds(withScenes: Bool) -> [CompiledLimit.Threshold] {
            guard settings.meet(limit.condition, withScenes: withScenes) else { return [] }
            return limit.thresholds(in: settings.profiles(withScenes: withScenes)).map {
                CompiledLimit.Threshold(
                    severity: Severity($0.severity), nanoseconds: Int64(($0.seconds * 1e9).rounded()))
            }
        }
        let measured = limit.models.isEmpty ? [model.id] : limit.models
        let names = Set(limit.from.flatMap(\.states))
        let states = compiled.models.map { machine -> UInt64 in
            guard measured.contains(machine.id) else { return 0 }
            return names.compactMap { machine.state($0) }.reduce(0) { $0 | 1 << UInt64($1) }
        }
        let plain = thresholds(withScenes: false)
        let withScenes = thresholds(withScenes: true)
        let ends = limit.to.filter { $0.kind == .nextEvent || $0.kind == .lastActivity }
        let first: Set<LimitPoint.Moment> = [.processStart, .firstCallback]
        return CompiledLimit(
            id: limit.id, layer: model.layer, isUnanswered: limit.kind == .unanswered,
            isStay: limit.kind == .visit, message: MessageTemplate(limit.message),
            from: callbacks(limit.from, .callback), to: callbacks(limit.to, .callback),
            toReturn: callbacks(limit.to, .callbackExit),
            cancelledBy: CallbackSet(limit.cancelledBy.compactMap { vocabulary.number(of: $0, from: model) }),
            beginsWithRun: limit.from.contains { first.contains($0.kind) },
            endsAtNextEvent: limit.to.contains { $0.kind == .nextEvent },
            endsAtLastActivity: limit.to.contains { $0.kind == .lastActivity },
            beginsApproximately: limit.from.contains { $0.kind == .firstCallback && $0.isApproximate },
            endsApproximately: ends.contains(where: \.isApproximate),
            promptWithin: limit.promptWithin.map { Int64($0 * 1e9) } ?? Int64.max,
            isContinuous: ends.contains(where: \.isContinuous),
            answersBeforeSuspension: limit.before.contains { $0.kind == .suspension },
            needsOpenTask: limit.needsExitOrOpenTask,
            plausibleUntil: limit.plausibleUntil.map { Int64($0 * 1e9) } ?? Int64.max, states: states,
            plain: plain, withScenes: withScenes,
            least: (plain + withScenes).map(\.nanoseconds).min() ?? Int64.max)
    }
}

/// A measurement that is going on in a run.
struct LimitTimer: Codable {
    var limit: Int
    /// Slot of the instance; -1 for the run as a whole.
    var instance: Int32
    var start: Int64
    var line: Int64
    var source: Int32
    /// Step of the instance at that line.
    var step: Int64?
    /// Whether it began only about then.
    var isApproximate = false
    /// When the method whose return can end it returned, and at which line.
    var returned = Time.none
    var returnedAt: Int64 = 0
}
