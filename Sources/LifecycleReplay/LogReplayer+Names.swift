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
        if let known = options.processesOfBundles[text] {
            let process = symbols.number(of: known)
            note(process, ofBundle: bundle)
            return process
        }
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

    /// Notes how a line calls the process of a run.
    ///
    /// - Returns: the name where the first line that names the process in this way has another one: the store keeps that
    ///   of the first line for all of them. Else 0.
    @inline(__always)
    mutating func noteName(_ name: UInt32, of slot: Int32, isBundle: Bool) -> UInt32 {
        guard name != 0 else { return 0 }
        let first = isBundle ? runs[Int(slot)].bundle : runs[Int(slot)].firstName
        if first == 0 {
            if isBundle { runs[Int(slot)].bundle = name } else { runs[Int(slot)].firstName = name }
        }
        return first == 0 || first == name ? 0 : name
    }

    /// The device of a line, where the store keeps another one for its run: that of the first line which names any.
    /// Else 0.
    @inline(__always)
    func otherDevice(than slot: Int32, _ device: UInt32) -> UInt32 { device == runs[Int(slot)].device ? 0 : device }

    /// Keeps what the present line says otherwise than its run and its instance.
    ///
    /// - Parameter label: what the instance is kept under; `nil` where that is not known any more.
    @inline(__always)
    mutating func keepOtherNames(step: Int64, label: UInt32?) {
        let otherLabel = ownLabel == label ? 0 : ownLabel
        guard otherName != 0 || otherDevice != 0 || otherLabel != 0 else { return }
        out.otherNames.append(
            OtherNames(
                step: step, name: symbols.text(otherName), device: symbols.text(otherDevice),
                label: symbols.text(otherLabel)))
    }

    /// What the instance of a line is kept under that a copy of it has come of; `nil` where it is over.
    func label(of original: CopyWindow.Original) -> UInt32? {
        let others = runs[Int(original.run)].others
        return place(of: original.instance, among: others).map { instances[Int(others[$0])].label }
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
