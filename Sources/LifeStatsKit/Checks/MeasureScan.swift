import LifecycleModel
import LifecycleReplay
import TraceRecords
import TraceStore

/// Gathers the traces of every model and what they show of it, step by step.
struct MeasureScan {
    /// What is to be known of a kind of steps.
    private struct Kind {
        var id: Int64
        /// Place of the model's log.
        var log: Int
        /// Number of the callback in the model's log; `nil` where the step is no callback of a trace.
        var callback: Int32?
        /// Whether a run with scenes shows it as a notification only.
        var isNotification: Bool
        /// Whether an instance whose first callback it is begins with it.
        var begins: Bool
        /// Whether it ends a stay and begins another.
        var moves: Bool
        /// Number of the callback in the log of the app's model, where an app may have it although it is none of its own.
        var callbackOfApp: Int32?
        /// Whether a step of the kind was seen.
        var isUsed = false
        /// Places of the kinds whose steps ended a stay that one of this kind began.
        var closers: [Int] = []
    }

    /// Where a line stands that belongs before the one before it.
    private struct Place: Hashable {
        var source: Int64
        var line: Int64
    }

    /// The traces of each model, and their places by the model's id.
    private var logs: [TraceLog] = []
    private var placesOfLogs: [String: Int] = [:]
    /// What was seen of each model, by id.
    private(set) var seen: [String: ModelCoverage.Seen] = [:]

    /// Every kind that is of a model, and their places by row id.
    private var kinds: [Kind] = []
    private var placesOfKinds: [Int64: Int] = [:]
    private let facts: [Int64: StepKind]
    private let since: Int64?
    private let until: Int64?
    /// Instances of the runs that the filter names; `nil` where it names none.
    private var chosen: Set<Int64>?
    /// App instances of runs with scenes.
    private var withScenes: Set<Int64> = []
    /// Instances of apps that have callbacks of other models, and the model of them all.
    private var withStrangers: Set<Int64> = []
    private let appModel: String?
    private var exchanged: Set<Place> = []

    init(_ reader: TraceReader, filter: Filter?, models: ModelCatalog) throws {
        since = filter?.since
        until = filter?.until
        facts = try reader.kinds()
        appModel = models.models.first { $0.layer == "app" && $0.scope == .run }?.id
        for (id, kind) in facts {
            guard let model = models.models.first(where: { $0.id == kind.model }) else { continue }
            let log = placeOfLog(model.id)
            let callback = kind.callback.flatMap(model.callback)
            var known = Kind(
                id: id, log: log,
                isNotification: model.scope == .run && callback.map { !$0.beginsRun && !$0.endsRun } ?? false,
                begins: kind.stateBefore == model.initial,
                moves: kind.role != .folded && kind.stateBefore != kind.stateAfter)
            if kind.role == .event, let name = kind.callback {
                known.callback = logs[log].number(of: name)
                if kind.stateAfter == nil, model.scope == .scene, callback?.isUnknown == true, let appModel {
                    known.callbackOfApp = logs[placeOfLog(appModel)].number(of: name)
                }
            }
            placesOfKinds[id] = kinds.count
            kinds.append(known)
        }
        if kinds.contains(where: { $0.callbackOfApp != nil }) {
            withStrangers = Set(try Rows.all(reader, CheckQueries.apps).compactMap { $0.integer("instance_id") })
        }
        if let filter, filter.app != nil || filter.appVersion != nil || filter.device != nil || filter.run != nil {
            var values = filter.values
            values["since"] = nil
            values["until"] = nil
            chosen = Set(try Rows.all(reader, CheckQueries.instances, values).compactMap { $0.integer("instance_id") })
        }
        withScenes = Set(
            try Rows.all(reader, CheckQueries.appsWithScenes).compactMap { $0.integer("instance_id") })
        for row in try Rows.all(reader, CheckQueries.exchangedLines) {
            if let source = row.integer("source"), let line = row.integer("line") {
                exchanged.insert(Place(source: source, line: line))
            }
        }
    }

    /// The traces of a model; `nil` when there are none.
    func log(of model: String) -> TraceLog? { placesOfLogs[model].map { logs[$0] } }

    private mutating func placeOfLog(_ model: String) -> Int {
        if let known = placesOfLogs[model] { return known }
        placesOfLogs[model] = logs.count
        logs.append(TraceLog())
        return logs.count - 1
    }

    mutating func add(_ step: ScannedStep) {
        guard let place = placesOfKinds[step.kind], chosen?.contains(step.instance) ?? true else { return }
        if since != nil || until != nil {
            guard let time = step.time, time >= since ?? .min, time < until ?? .max else { return }
        }
        if !kinds[place].isUsed {
            kinds[place].isUsed = true
            note(step.kind)
        }
        guard !step.isTail else { return }
        if kinds[place].moves { endStay(of: step.instance, with: place) }
        guard let callback = kinds[place].callback,
            !(kinds[place].isNotification && withScenes.contains(step.instance))
        else { return }
        if let appModel, let callback = kinds[place].callbackOfApp, withStrangers.contains(step.instance) {
            logs[placeOfLog(appModel)].add(
                callback, of: step.instance, at: step.time, beginsInLog: false, comesBefore: false)
            return
        }
        let comesBefore =
            !exchanged.isEmpty
            && exchanged.contains(Place(source: step.source ?? 0, line: step.line ?? 0))
        logs[kinds[place].log].add(
            callback, of: step.instance, at: step.time, beginsInLog: kinds[place].begins, comesBefore: comesBefore)
    }

    /// A step ends the present stay of its instance and begins another.
    private mutating func endStay(of instance: Int64, with closer: Int) {
        guard let opener = logs[kinds[closer].log].endStay(of: instance, with: Int32(closer)).map(Int.init),
            !kinds[opener].closers.contains(closer)
        else { return }
        kinds[opener].closers.append(closer)
        noteStay(kinds[opener].id, kinds[closer].id)
    }

    /// What a kind of steps shows of its model.
    private mutating func note(_ id: Int64) {
        guard let kind = facts[id], kind.role != .folded else { return }
        var known = seen[kind.model] ?? ModelCoverage.Seen()
        if let callback = kind.callback { known.callbacks.insert(callback) }
        for state in [kind.stateBefore, kind.stateAfter] { if let state { known.states.insert(state) } }
        if let from = kind.stateBefore, let to = kind.stateAfter, from != to {
            known.moves.insert(.init(from: from, callback: kind.callback, to: to))
        }
        seen[kind.model] = known
    }

    /// What a stay shows of its model, by the kinds of the steps at its ends.
    private mutating func noteStay(_ opener: Int64, _ closer: Int64) {
        guard let first = facts[opener], let last = facts[closer], let state = last.stateBefore,
            let entered = first.callback, let left = last.callback, first.stateAfter == state
        else { return }
        seen[last.model, default: ModelCoverage.Seen()].visits
            .insert(.init(state: state, enteredBy: entered, leftBy: left))
    }
}
