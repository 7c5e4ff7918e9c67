import TraceRecords

/// How processes are called: by their own lines, or by the identifiers of their bundles.
///
/// A name is known as long as a run of it is at hand. So the names take no memory of their own, and a log that is read
/// on, of which only the last runs are replayed, knows the same ones.
extension LogReplayer {
    /// How many bundle identifiers are kept whose process was found by pid, after its runs too.
    private static let bundlesKept = 8192

    /// The process that a bundle identifier stands for: the one found by pid, else its last component.
    mutating func process(ofBundle bundle: UInt32) -> UInt32 {
        if let known = processOfBundle[bundle] { return known }
        guard let text = symbols.text(bundle) else { return bundle }
        if let known = options.processesOfBundles[text] {
            let process = symbols.number(of: known)
            note(process, ofBundle: bundle)
            return process
        }
        let name = symbols.number(of: RunRecord.process(ofBundle: text))
        if firstOfApp[name] != nil { return name }
        // Mostly it is lower case and has no blanks. Two processes that differ in nothing else are two: a bundle
        // identifier is then neither's.
        let alike = (processesOfFold[symbols.foldedName(name)] ?? []).filter { isSpelled($0) }
        return alike.count == 1 ? alike[0] : name
    }

    /// Notes that a bundle identifier was found to belong to a process.
    mutating func note(_ process: UInt32, ofBundle bundle: UInt32) {
        guard processOfBundle[bundle] != nil || processOfBundle.count < Self.bundlesKept else { return }
        processOfBundle[bundle] = process
    }

    /// A process is named for the first time: runs that only a bundle identifier has named so far may be its own.
    mutating func renameBundled(to process: UInt32) {
        guard let alike = processesOfFold[symbols.foldedName(process)] else { return }
        let others = alike.filter { $0 != process }
        guard !others.isEmpty, !others.contains(where: { isSpelled($0) }) else { return }
        for other in others {
            var slot = firstOfApp[other] ?? -1
            while slot >= 0 {
                let following = runs[Int(slot)].nextOfApp
                // A line with its pid still tells better, whichever of the two comes first: stretches of life come late.
                rename(slot, to: process, namedByBundle: runs[Int(slot)].pid != RunState.noPid)
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

    /// Whether a line of a process itself has told how its name is spelled.
    private func isSpelled(_ process: UInt32) -> Bool {
        var slot = firstOfApp[process] ?? -1
        while slot >= 0 {
            if runs[Int(slot)].isSpelled { return true }
            slot = runs[Int(slot)].nextOfApp
        }
        return false
    }
}
