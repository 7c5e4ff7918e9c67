import LifecycleModel
import TraceRecords

/// Pushes, pops, presentations: one controller leaves while another arrives.
extension LogReplayer {
    /// Adds an event to those of an exchange, and judges the exchange once it is complete.
    mutating func watchExchange(_ judged: Judged, _ plan: ReplayPlan) {
        let run = Int(judged.run)
        guard let rules = plan.rules.exchanges[Int(instances[Int(judged.instance)].model)] else { return }
        let id = instances[Int(judged.instance)].id
        if !runMemories[run].exchange.awaited.isEmpty {
            runMemories[run].exchange.awaited.removeAll { one in
                one.instance == id
                    && (plan.rules.checks[one.check].then.contains(judged.callback)
                        || rules.arrivingBegins.contains(judged.callback))
            }
        }
        guard rules.concerned.contains(judged.callback) else { return }
        let seen = memories[Int(judged.instance)].seen
        let isNew = !seen.intersects(rules.arrivingEnds) && !seen.intersects(rules.leavingBegins)
        if runMemories[run].exchange.entries.count == ExchangeWindow.reach {
            runMemories[run].exchange.entries.removeFirst()
        }
        runMemories[run].exchange.entries.append(
            ExchangeWindow.Entry(
                instance: id, slot: judged.instance, callback: judged.callback, isNew: isNew, time: judged.time,
                line: judged.line))
        let hasLeft = rules.leavingEnds.contains(judged.callback)
        if hasLeft || rules.arrivingEnds.contains(judged.callback) {
            runMemories[run].exchange.dropCalledOff(by: id, hasLeft: hasLeft, rules)
        }
        let entries = runMemories[run].exchange.entries
        if hasLeft {
            guard let partner = entries.last(where: { $0.instance != id && rules.arrivingEnds.contains($0.callback) })
            else { return }
            judgeExchange(judged.run, leaving: id, arriving: partner.instance, rules)
        } else if rules.arrivingEnds.contains(judged.callback) {
            guard let partner = entries.last(where: { $0.instance != id && rules.leavingEnds.contains($0.callback) })
            else { return }
            judgeExchange(judged.run, leaving: partner.instance, arriving: id, rules)
        }
    }

    private mutating func judgeExchange(_ run: Int32, leaving: Int64, arriving: Int64, _ rules: ExchangeRules) {
        let entries = runMemories[Int(run)].exchange.entries
        let place: (Int64, CallbackSet) -> Int? = { instance, callbacks in
            entries.firstIndex { $0.instance == instance && callbacks.contains($0.callback) }
        }
        guard let leavingBegin = place(leaving, rules.leavingBegins),
            let leavingEnd = place(leaving, rules.leavingEnds),
            let arrivingBegin = place(arriving, rules.arrivingBegins),
            let arrivingEnd = place(arriving, rules.arrivingEnds),
            leavingBegin < arrivingEnd, arrivingBegin < leavingEnd
        else { return }
        let isNew = entries[arrivingBegin].isNew
        for number in rules.orders {
            let check = plan.rules.checks[number]
            guard check.arriving == nil || (check.arriving == .new) == isNew, applies(check, to: run) else { continue }
            for pair in plan.rules.orders[number] {
                guard
                    let earlier = place(pair.earlierArrives ? arriving : leaving, CallbackSet([pair.earlier])),
                    let later = place(pair.laterArrives ? arriving : leaving, CallbackSet([pair.later])),
                    later < earlier
                else { continue }
                let entry = entries[later]
                blame(
                    check,
                    Judged(
                        run: run, instance: entry.slot, callback: entry.callback, before: CompiledModel.unknown,
                        time: entry.time, line: entry.line, isSupplementary: false))
            }
        }
        for number in rules.responses {
            let check = plan.rules.checks[number]
            guard check.arriving == nil || (check.arriving == .new) == isNew else { continue }
            if runMemories[Int(run)].exchange.awaited.count < Self.openInstancesKept {
                runMemories[Int(run)].exchange.awaited.append(ExchangeWindow.Awaited(instance: leaving, check: number))
            }
        }
        runMemories[Int(run)].exchange.entries.removeAll { $0.instance == leaving || $0.instance == arriving }
    }

    /// Instances that have left and never got what they should have got.
    mutating func judgeAwaited(_ slot: Int32) {
        let run = runs[Int(slot)]
        guard run.superseded || run.endReason != nil else { return }
        for one in runMemories[Int(slot)].exchange.awaited {
            let check = plan.rules.checks[one.check]
            guard let place = place(of: one.instance, among: run.others), applies(check, to: slot) else { continue }
            let instance = run.others[place]
            let state = instances[Int(instance)]
            blame(
                check,
                Judged(
                    run: slot, instance: instance, callback: memories[Int(instance)].previous, before: state.state,
                    time: state.lastTime, line: state.lastLine, isSupplementary: false))
        }
    }
}
