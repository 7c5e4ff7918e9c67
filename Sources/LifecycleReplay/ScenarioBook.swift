import LifecycleModel
import TraceRecords

/// All sequences that a log is searched for: the classes of those that callbacks can't tell apart, and every other
/// scenario.
struct ScenarioBook: Sendable {
    private(set) var patterns: [ScenarioPattern] = []
    /// Patterns that a callback can begin.
    private(set) var beginning: [[Int]]

    init(_ catalog: ModelCatalog, compiled: CompiledCatalog) {
        let vocabulary = Vocabulary(models: catalog.models)
        beginning = Array(repeating: [], count: vocabulary.count)
        let all = catalog.models.flatMap(\.scenarios)
        let inClass = Set(catalog.models.flatMap(\.classes).flatMap(\.members))
        for model in catalog.models {
            for one in model.classes {
                let known = one.members.compactMap { id in all.first { $0.id == id } }
                add(
                    ScenarioPattern(
                        one.signature, scenario: one.members.first ?? one.id, class: one, members: known,
                        platform: .any, absent: [], of: model, in: catalog, compiled: compiled, vocabulary: vocabulary))
            }
            for one in model.scenarios where one.isSearched && !inClass.contains(one.id) {
                add(
                    ScenarioPattern(
                        one.steps, scenario: one.id, class: nil, platform: one.platform, absent: one.absent, of: model,
                        in: catalog, compiled: compiled, vocabulary: vocabulary))
            }
        }
    }

    private mutating func add(_ pattern: ScenarioPattern?) {
        guard let pattern else { return }
        for callback in pattern.first.numbers where Int(callback) < beginning.count {
            beginning[Int(callback)].append(patterns.count)
        }
        patterns.append(pattern)
    }
}

/// A scenario that has begun in a run.
struct ScenarioThread {
    var pattern: Int
    /// Nodes at which it may stand: the next callback must come soon, or may come at any time.
    var soon: UInt64
    var anytime: UInt64
    /// Row ids of the instances that play the actors; 0 while unknown.
    var cast: (Int64, Int64, Int64, Int64) = (0, 0, 0, 0)
    var firstStep: Int64
    var firstTime: Int64
    var lastTime: Int64
    /// Where it was complete last; 0 when it never was.
    var completeStep: Int64 = 0
    var completeTime = Time.none
    var secondTime = Time.none
    /// Whether the silent end of the run belongs to it.
    var reachesEnd = false
}

/// A scenario found, unless a longer one turns out to contain it.
struct ScenarioCandidate {
    var pattern: Int
    var firstStep: Int64
    var lastStep: Int64
    var started: Int64
    var ended: Int64
    var secondTime: Int64
    var reachesEnd: Bool
}
