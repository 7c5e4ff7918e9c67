/// Texts are dropped when nothing refers to them any more, so that memory does not grow with the labels of a log.
extension LogReplayer {
    /// Drops texts once there are many: only those that runs and instances still need are kept, under new numbers.
    mutating func dropUnusedSymbols() {
        guard symbols.count > symbolsAllowed else { return }
        var used = Array(repeating: false, count: symbols.count)
        used[0] = true
        func use(_ number: UInt32) { used[Int(number)] = true }
        for run in runs {
            use(run.process)
            use(run.device)
            use(run.bundle)
            use(run.givenVersion)
            use(run.appVersion)
            use(run.systemVersion)
            if let retired = run.retired { use(retired.label) }
        }
        for instance in instances {
            use(instance.label)
            use(instance.foldedLabel)
        }
        for key in slots.keys { use(key.process) }
        for process in firstOfApp.keys { use(process) }
        for (bundle, process) in processOfBundle {
            use(bundle)
            use(process)
        }
        for fold in processesOfFold.keys { use(fold) }
        for session in overSessions {
            use(UInt32(session >> 32))
            use(UInt32(truncatingIfNeeded: session))
        }
        for name in origins.symbols { use(name) }
        renumberSymbols(symbols.keep(used))
        symbolsAllowed = max(Self.symbolsKept, symbols.count * 2)
    }

    private mutating func renumberSymbols(_ numbers: [UInt32]) {
        for slot in runs.indices {
            runs[slot].process = numbers[Int(runs[slot].process)]
            runs[slot].device = numbers[Int(runs[slot].device)]
            runs[slot].bundle = numbers[Int(runs[slot].bundle)]
            runs[slot].givenVersion = numbers[Int(runs[slot].givenVersion)]
            runs[slot].appVersion = numbers[Int(runs[slot].appVersion)]
            runs[slot].systemVersion = numbers[Int(runs[slot].systemVersion)]
            runs[slot].slotsOfLabels = [:]
            if let retired = runs[slot].retired { runs[slot].retired?.label = numbers[Int(retired.label)] }
        }
        for slot in instances.indices {
            instances[slot].label = numbers[Int(instances[slot].label)]
            instances[slot].foldedLabel = numbers[Int(instances[slot].foldedLabel)]
        }
        slots = Dictionary(
            uniqueKeysWithValues: slots.map { key, slot in
                (RunKey(process: numbers[Int(key.process)], pid: key.pid), slot)
            })
        firstOfApp = Dictionary(uniqueKeysWithValues: firstOfApp.map { (numbers[Int($0.key)], $0.value) })
        processOfBundle = Dictionary(
            uniqueKeysWithValues: processOfBundle.map { (numbers[Int($0.key)], numbers[Int($0.value)]) })
        processesOfFold = Dictionary(
            uniqueKeysWithValues: processesOfFold.map { fold, processes in
                (numbers[Int(fold)], processes.map { numbers[Int($0)] })
            })
        overSessions = Set(
            overSessions.map { session in
                UInt64(numbers[Int(session >> 32)]) << 32
                    | UInt64(numbers[Int(UInt32(truncatingIfNeeded: session))])
            })
        origins.renumber(numbers)
        recent = RecentRun()
    }
}
