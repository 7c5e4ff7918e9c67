import LifecycleModel
import TraceRecords

extension InstanceMachine {
    /// The row of a run.
    func describe(_ slot: Int32) -> RunRecord {
        let run = runs.states[Int(slot)]
        let details = runs.details[Int(slot)]
        let state = run.app >= 0 ? states[Int(run.app)].state : CompiledModel.unknown
        let silent = run.superseded && run.app >= 0 ? reasonOfSilentEnd(slot, state: state) : nil
        let pid = run.pid == RunState.noPid ? nil : run.pid
        var hash = Hashing.mix(run.contentHash, details.device)
        hash = Hashing.mix(hash, details.process)
        hash = Hashing.mix(hash, UInt64(truncatingIfNeeded: pid ?? -1))
        return RunRecord(
            id: run.id, source: run.source, device: details.device, app: details.process, pid: pid,
            profile: options.profile ?? (run.usesScenes ? "ios13+" : "ios12-"), osVersion: details.systemVersion,
            appVersion: details.appVersion, started: Time.optional(run.started), ended: Time.optional(run.ended),
            endReason: run.endReason ?? silent ?? .logEnd, endEvidence: run.hasEnded ? .observed : .inferred,
            firstSeen: Time.optional(run.firstSeen), lastSeen: Time.optional(run.lastSeen),
            nextSeen: Time.optional(runs.nextSeen(slot)), key: Hashing.text(hash), bundle: details.bundle,
            hasCallbacks: run.hasCallbacks, reportedVersion: details.reportedVersion,
            endDetail: details.endDetail, launchCause: details.launchCause)
    }
}
