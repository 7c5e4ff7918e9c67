import LifecycleModel
import LifecycleReplay
import TraceRecords
import TraceStore

/// Gathers the traces of every model and what they show of it, step by step.
struct MeasureScan {
    /// What is to be known of a kind of steps.
    private struct Kind {
        var model: String
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
    }

    /// Where a line stands that belongs before the one before it.
    private struct Place: Hashable {
        var source: Int64
        var line: Int64
    }

    /// Kinds of the steps at both ends of a stay.
    private struct Ends: Hashable {
        var opener: Int64
        var closer: Int64
    }

    /// Traces by id of the model.
    private(set) var logs: [String: TraceLog] = [:]
    /// What was seen of each model, by id.
    private(set) var seen: [String: ModelCoverage.Seen] = [:]

    private var kinds: [Int64: Kind] = [:]
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
    private var used: Set<Int64> = []
    /// Kind of the step that began the present stay, by instance.
    private var opener: [Int64: Int64] = [:]
    private var stays: Set<Ends> = []

    init(_ reader: TraceReader, filter: Filter?, models: ModelCatalog) throws {
        since = filter?.since
        until = filter?.until
        facts = try reader.kinds()
        appModel = models.models.first { $0.layer == "app" && $0.scope == .run }?.id
        for (id, kind) in facts {
            guard let model = models.models.first(where: { $0.id == kind.model }) else { continue }
            var number: Int32?
            if kind.role == .event, let callback = kind.callback {
                number = logs[model.id, default: TraceLog()].number(of: callback)
            }
            let callback = kind.callback.flatMap(model.callback)
            kinds[id] = Kind(
                model: model.id, callback: number,
                isNotification: model.scope == .run && callback.map { !$0.beginsRun && !$0.endsRun } ?? false,
                begins: kind.stateBefore == model.initial,
                moves: kind.role != .folded && kind.stateBefore != kind.stateAfter)
            if kind.role == .event, kind.stateAfter == nil, model.scope == .scene, callback?.isUnknown == true,
                let appModel
            {
                kinds[id]?.callbackOfApp = logs[appModel, default: TraceLog()].number(of: kind.callback ?? "")
            }
        }
        if kinds.values.contains(where: { $0.callbackOfApp != nil }) {
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

    mutating func add(_ step: ScannedStep) {
        guard let kind = kinds[step.kind], chosen?.contains(step.instance) ?? true else { return }
        if since != nil || until != nil {
            guard let time = step.time, time >= since ?? .min, time < until ?? .max else { return }
        }
        if used.insert(step.kind).inserted { note(step.kind) }
        if kind.moves, !step.isTail, let begun = opener.updateValue(step.kind, forKey: step.instance) {
            if stays.insert(Ends(opener: begun, closer: step.kind)).inserted { noteStay(begun, step.kind) }
        }
        guard let callback = kind.callback, !step.isTail,
            !(kind.isNotification && withScenes.contains(step.instance))
        else { return }
        let comesBefore =
            !exchanged.isEmpty
            && exchanged.contains(Place(source: step.source ?? 0, line: step.line ?? 0))
        if let appModel, let callback = kind.callbackOfApp, withStrangers.contains(step.instance) {
            logs[appModel]?.add(callback, of: step.instance, at: step.time, beginsInLog: false, comesBefore: false)
            return
        }
        logs[kind.model]?.add(
            callback, of: step.instance, at: step.time, beginsInLog: kind.begins, comesBefore: comesBefore)
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
        seen[last.model, default: ModelCoverage.Seen()].stays
            .insert(.init(state: state, enteredBy: entered, leftBy: left))
    }
}
