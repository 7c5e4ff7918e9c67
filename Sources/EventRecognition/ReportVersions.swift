import TraceRecords

/// The versions that a report tells, until a line tells the end of a process: only then is it known which run the report
/// is about.
package struct ReportVersions: Sendable, Hashable, Codable {
    /// What the lines so far say.
    var findings: [VersionRules.Finding] = []
    /// Whether it holds for every process that the report names.
    var isOfMany = false
    /// Whether the end of the process was told already, and when.
    var isEndTold = false
    var toldTime: Int64?

    var isActive: Bool { isEndTold || !findings.isEmpty }
}

extension Recognizer {
    /// Reads the versions that a line of a report tells.
    mutating func readVersions(_ entry: Entry, _ bytes: RawSpan, _ start: Int, _ end: Int) {
        let isOfMany = lexicon.versions.isOfMany(entry, bytes)
        guard isOfMany || lexicon.versions.isOfOne(entry, bytes) else { return }
        let findings = lexicon.versions.findings(bytes, start, end)
        guard !findings.isEmpty else { return }
        // A report about many has its versions in its first line.
        if isOfMany || report.isOfMany { report = ReportVersions() }
        report.isOfMany = isOfMany
        report.findings += findings.map { finding in
            VersionRules.Finding(proof: finding.proof, version: disguise.version(finding.version))
        }
    }

    /// A line that names its process begins another report, unless the report is about many.
    mutating func endReport(at entry: Entry, _ bytes: RawSpan) {
        if !report.isOfMany || !lexicon.versions.isOfMany(entry, bytes) { report = ReportVersions() }
    }

    /// Adds the versions that were told of a process whose end a report tells.
    mutating func tellVersions(
        behind event: Event, of entry: Entry, _ bytes: RawSpan, _ facts: inout [FactBatch.Fact]
    ) {
        switch event.proof {
        case .exitedBySignal, .exitedByWatchdog, .exitedByJetsam: break
        default: return
        }
        if report.isOfMany {
            guard lexicon.versions.isOfMany(entry, bytes) else { return }
            for finding in report.findings {
                tell(
                    finding, line: event.line, time: event.time, process: event.process, pid: event.pid,
                    namesBundle: event.namesBundle, &facts)
            }
        } else if lexicon.versions.isOfOne(entry, bytes) {
            report.isEndTold = true
            report.toldTime = event.time
            tellVersions(line: event.line, &facts)
        }
    }

    /// Adds the versions that a report tells behind the end of its process.
    mutating func tellVersions(line: Int64, _ facts: inout [FactBatch.Fact]) {
        for finding in report.findings {
            tell(
                finding, line: line, time: report.toldTime, process: process.symbol, pid: Int32(exactly: pid),
                namesBundle: false, &facts)
        }
        report.findings = []
    }

    private mutating func tell(
        _ finding: VersionRules.Finding, line: Int64, time: Int64?, process: Symbol, pid: Int32?, namesBundle: Bool,
        _ facts: inout [FactBatch.Fact]
    ) {
        facts.append(
            .event(
                Event(
                    time: time, line: line, origin: symbols.symbol(finding.version), proof: finding.proof,
                    process: process, namesBundle: namesBundle, pid: pid, device: device.symbol)))
    }
}
