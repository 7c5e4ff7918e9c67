package import TraceRecords

/// A fact as the store keeps it: an event with its line, or a stretch of other lines of a run.
package struct StoredFact: Sendable, Hashable {
    /// What the fact is.
    package enum Content: Sendable, Hashable {
        /// An event. `step` is its row id, `kind` what it says and how it was judged when it was stored.
        case event(step: Int64, instance: InstanceRecord, kind: StepKind, time: Int64?, message: String?)
        /// Lines of the run that are no events.
        case life(LifeRecord)
    }

    /// The run that the fact belonged to when it was stored; that with the id 0 where a process has no run yet.
    package var run: RunRecord
    /// Number of the source, and the line in it (of a stretch: its last).
    package var source: Int32
    package var line: Int64
    package var content: Content
    /// What the line itself calls the process, or its bundle; `nil` when it names neither.
    package var name: String?
    /// The device that the line is of, which it or a line before it names; `nil` when none does.
    package var device: String?
    /// What the line itself calls the scene or the view controller; `nil` when it names none.
    package var label: String?

    /// How the line names its process and device.
    package var naming: Naming {
        switch content {
        case .event(_, _, let kind, _, _): kind.naming
        case .life(let life): life.naming
        }
    }

    package init(
        run: RunRecord, name: String?, device: String?, label: String? = nil, source: Int32, line: Int64,
        content: Content
    ) {
        self.run = run
        self.name = name
        self.device = device
        self.label = label
        self.source = source
        self.line = line
        self.content = content
    }
}
