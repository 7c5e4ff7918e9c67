import LifecycleModel
import TraceRecords

/// A time limit, with callbacks by number, under the options of one replay: plain words without references.
struct CompiledLimit: Sendable {
    /// Whether it asks for an answer; otherwise, unless it measures visits, for a length of time.
    let isUnanswered: Bool
    let isVisit: Bool
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
    /// A process that the system would have ended goes on: the next event after so long does not show the end.
    let endsWithin: Int64
    /// Whether such an end counts only without silence in between.
    let isContinuous: Bool
    /// Whether a suspension, besides the end of the run, makes an answer too late.
    let answersBeforeSuspension: Bool
    let needsExit: Bool
    let plausibleUntil: Int64
    /// The least time that any threshold allows.
    let least: Int64
}

/// The texts and thresholds of a limit.
struct LimitDetails: Sendable {
    /// A severity from a length of time on, in nanoseconds; a time that is just as long breaks nothing.
    struct Threshold: Sendable {
        var severity: Severity
        var nanoseconds: Int64
    }

    let id: String
    let layer: String
    let message: MessageTemplate
    /// By model, the states that are measured.
    let states: [UInt64]
    let plain: [Threshold]
    let withScenes: [Threshold]

    /// The highest threshold that a time exceeds.
    func exceeded(by nanoseconds: Int64, withScenes: Bool) -> Threshold? {
        (withScenes ? self.withScenes : plain).filter { nanoseconds > $0.nanoseconds }
            .max { ($0.severity, $0.nanoseconds) < ($1.severity, $1.nanoseconds) }
    }
}

/// All limits of a catalog, arranged by what they have to look at.
struct LimitBook: Sendable {
    /// A process that is silent for longer is not working, in nanoseconds. No option changes it, so that no finding
    /// depends on how suspensions are estimated.
    static let silence = 5 * Time.second

    private(set) var limits: [CompiledLimit] = []
    private(set) var details: [LimitDetails] = []
    /// Limits by the callback that begins them.
    private(set) var beginning = NumberLists([])
    /// Limits that begin with the run; limits of visits.
    private(set) var withRun: [Int] = []
    private(set) var visits: [Int] = []
    /// The shortest visit that any limit is about.
    private(set) var leastVisit = Int64.max
    /// Limits by the callback whose own time from its line to its return they measure.
    private(set) var ofReturns = NumberLists([])

    init(_ catalog: ModelCatalog, compiled: CompiledCatalog, settings: ReplaySettings) {
        let vocabulary = Vocabulary(models: catalog.models)
        var beginning = Array(repeating: [Int](), count: vocabulary.count)
        var ofReturns = beginning
        for model in catalog.models {
            for limit in model.limits where limit.kind != .grace {
                let number = limits.count
                let details = Self.details(limit, of: model, compiled, settings)
                let one = Self.compile(limit, of: model, vocabulary, details)
                limits.append(one)
                self.details.append(details)
                for callback in one.from.numbers where Int(callback) < beginning.count {
                    beginning[Int(callback)].append(number)
                }
                if !one.isUnanswered, one.to.isEmpty {
                    for callback in one.toReturn.numbers where one.from.contains(callback) {
                        ofReturns[Int(callback)].append(number)
                    }
                }
                if one.beginsWithRun { withRun.append(number) }
                if one.isVisit {
                    visits.append(number)
                    leastVisit = min(leastVisit, one.least)
                }
            }
        }
        (self.beginning, self.ofReturns) = (NumberLists(beginning), NumberLists(ofReturns))
    }

    /// How long a process in the background may work on a task at most, in nanoseconds; `nil` where nothing limits it.
    func longestTask(withScenes: Bool) -> Int64? {
        limits.indices.filter { limits[$0].endsAtLastActivity && limits[$0].isContinuous && !limits[$0].to.isEmpty }
            .flatMap { withScenes ? details[$0].withScenes : details[$0].plain }.map(\.nanoseconds).max()
    }

    private static func details(
        _ limit: TimeLimit, of model: LifecycleModel, _ compiled: CompiledCatalog, _ settings: ReplaySettings
    ) -> LimitDetails {
        func thresholds(withScenes: Bool) -> [LimitDetails.Threshold] {
            guard settings.meet(limit.condition, withScenes: withScenes) else { return [] }
            return limit.thresholds(in: settings.profiles(withScenes: withScenes)).map {
                LimitDetails.Threshold(
                    severity: Severity($0.severity), nanoseconds: Int64(($0.seconds * 1e9).rounded()))
            }
        }
        let measured = limit.models.isEmpty ? [model.id] : limit.models
        let names = Set(limit.from.flatMap(\.states))
        let states = compiled.models.map { machine -> UInt64 in
            guard measured.contains(machine.id) else { return 0 }
            return names.compactMap { machine.state($0) }.reduce(0) { $0 | 1 << UInt64($1) }
        }
        return LimitDetails(
            id: limit.id, layer: model.layer, message: MessageTemplate(limit.message), states: states,
            plain: thresholds(withScenes: false), withScenes: thresholds(withScenes: true))
    }

    private static func compile(
        _ limit: TimeLimit, of model: LifecycleModel, _ vocabulary: Vocabulary, _ details: LimitDetails
    ) -> CompiledLimit {
        func callbacks(_ points: [LimitPoint], _ kind: LimitPoint.Moment) -> CallbackSet {
            CallbackSet(
                points.filter { $0.kind == kind }.flatMap(\.callbacks).compactMap { name in
                    vocabulary.number(of: name, from: model)
                })
        }
        let ends = limit.to.filter { $0.kind == .nextEvent || $0.kind == .lastActivity }
        let first: Set<LimitPoint.Moment> = [.processStart, .firstCallback]
        return CompiledLimit(
            isUnanswered: limit.kind == .unanswered, isVisit: limit.kind == .visit,
            from: callbacks(limit.from, .callback), to: callbacks(limit.to, .callback),
            toReturn: callbacks(limit.to, .callbackExit),
            cancelledBy: CallbackSet(limit.cancelledBy.compactMap { vocabulary.number(of: $0, from: model) }),
            beginsWithRun: limit.from.contains { first.contains($0.kind) },
            endsAtNextEvent: limit.to.contains { $0.kind == .nextEvent },
            endsAtLastActivity: limit.to.contains { $0.kind == .lastActivity },
            beginsApproximately: limit.from.contains { $0.kind == .firstCallback && $0.isApproximate },
            endsApproximately: ends.contains(where: \.isApproximate),
            promptWithin: limit.promptWithin.map { Int64($0 * 1e9) } ?? Int64.max,
            endsWithin: (details.plain + details.withScenes).filter { $0.severity == .error }.map(\.nanoseconds).max()
                ?? Int64.max,
            isContinuous: ends.contains(where: \.isContinuous),
            answersBeforeSuspension: limit.before.contains { $0.kind == .suspension },
            needsExit: limit.needsExit,
            plausibleUntil: limit.plausibleUntil.map { Int64($0 * 1e9) } ?? Int64.max,
            least: (details.plain + details.withScenes).map(\.nanoseconds).min() ?? Int64.max)
    }
}
