import TraceRecords

/// How processes are called: by their own lines, or by the identifiers of their bundles.
///
/// A name is known as long as a run of it is at hand. So the names take no memory of their own, and a log that is read
/// on, of which only the last runs are replayed, knows the same ones. Only what a bundle was found to belong to by pid is
/// kept beyond its runs, of so many bundles.
///
/// Lines that are no events tell names as well: the first one of a process since another one's event is handed over at
/// once, the others when the stretch is over, when they tell no name that is not known.
extension LogReplayer {
    /// How many bundle identifiers are kept whose process was found by pid, after its runs too.
    private static let bundlesKept = 8192

    /// The process that a bundle identifier stands for: the one found by pid, else its last component.
    ///
    /// - Parameter pid: the pid that the line names with the bundle.
    mutating func process(ofBundle bundle: UInt32, pid: Int32) -> UInt32 {
        if let known = processOfBundle[bundle] { return known }
        guard let text = symbols.text(bundle) else { return bundle }
        let name = symbols.number(of: RunRecord.process(ofBundle: text))
        let byLife = pid == RunState.noPid
        if isKnown(name, byLife: byLife) { return name }
        // Mostly it is lower case and has no blanks. Two processes that differ in nothing else are two: a bundle
        // identifier is then neither's.
        let alike = (processesOfFold[symbols.foldedName(name)] ?? []).filter { isKnown($0, byLife: byLife) }
        return alike.count == 1 ? alike[0] : name
    }

    /// Notes that a bundle identifier was found to belong to a process.
    mutating func note(_ process: UInt32, ofBundle bundle: UInt32) {
        guard processOfBundle[bundle] != nil || processOfBundle.count < Self.bundlesKept else { return }
        processOfBundle[bundle] = process
    }

    /// An event of a run has come: if more than a bundle has told its name by now, others may be called after it.
    mutating func spell(_ slot: Int32) {
        let run = runs[Int(slot)]
        guard run.process != 0, !run.namedByBundle else { return }
        renameBundled(to: run.process)
        runs[Int(slot)].isSpelled = true
    }

    /// A process is named for the first time: runs that only a bundle identifier has named so far may be its own.
    ///
    /// - Parameter withoutPid: whether only runs without a pid are meant.
    mutating func renameBundled(to process: UInt32, withoutPid: Bool = false) {
        guard let alike = processesOfFold[symbols.foldedName(process)] else { return }
        let others = alike.filter { $0 != process }
        guard !others.isEmpty, !others.contains(where: { isKnown($0, byLife: false) }) else { return }
        for other in others {
            var slot = firstOfApp[other] ?? -1
            while slot >= 0 {
                let following = runs[Int(slot)].nextOfApp
                let hasPid = runs[Int(slot)].pid != RunState.noPid
                // Stretches of life may have named some of these runs: they stay what their own lines call them.
                if runs[Int(slot)].namedByBundle, !hasPid || !withoutPid {
                    // A line with its pid still tells better, whichever of the two comes first.
                    rename(slot, to: process, namedByBundle: hasPid)
                    runs[Int(slot)].isSpelled = true
                }
                slot = following
            }
        }
    }

    /// The last run of a process is gone.
    mutating func forgetName(_ process: UInt32) {
        let fold = symbols.foldedName(process)
        processesOfFold[fold]?.removeAll { $0 == process }
        if processesOfFold[fold]?.isEmpty == true { processesOfFold[fold] = nil }
    }

    /// Whether the name of a process is known from an event (``RunState/isSpelled``) or, if these count, from other lines
    /// that it wrote.
    private func isKnown(_ process: UInt32, byLife: Bool) -> Bool {
        var slot = firstOfApp[process] ?? -1
        while slot >= 0 {
            if runs[Int(slot)].isSpelled || byLife && !runs[Int(slot)].namedByBundle { return true }
            slot = runs[Int(slot)].nextOfApp
        }
        return false
    }
}
