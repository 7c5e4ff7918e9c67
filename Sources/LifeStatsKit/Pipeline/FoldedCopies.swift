import TraceRecords
import TraceStore

/// Lines that were folded into an earlier one of the same execution.
enum FoldedCopies {
    /// What a line says, of whom, and when.
    private struct Said: Hashable {
        var app: String?
        var pid: Int32?
        var model: String
        var kind: String
        var callback: String?
        var proves: Proof?
        var label: String?
        var time: Int64
    }

    /// Makes lines events again that are no copies of a line that is left; the replay finds those that are near enough
    /// to another one to be of one execution with it.
    ///
    /// - Parameter facts: what is left of a log, in its order.
    static func unfoldOrphans(in facts: inout [StoredFact]) {
        var known: Set<Said> = []
        for place in facts.indices {
            let fact = facts[place]
            guard case .event(let step, let instance, var kind, let time?, let message) = fact.content,
                kind.kind != StepKind.end, kind.kind != StepKind.saidEnd, kind.proves?.isVersion != true
            else { continue }
            let said = Said(
                app: fact.run.app, pid: fact.run.pid, model: kind.model, kind: kind.kind, callback: kind.callback,
                proves: kind.proves, label: fact.label, time: time)
            guard known.insert(said).inserted, kind.role == .folded else { continue }
            kind.role = .event
            kind.evidence = .observed
            facts[place].content = .event(step: step, instance: instance, kind: kind, time: time, message: message)
        }
    }
}
