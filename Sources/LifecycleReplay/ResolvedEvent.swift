import TraceRecords

/// Where facts come from: a source, with what the user says about it.
package struct SourceContext: Sendable, Hashable {
    /// Number of the source.
    package var id: Int32
    /// The device it belongs to, where the user says so; it overrules what the lines print.
    package var device: String?
    /// Version of the app whose runs begin in it, where the user says so.
    package var appVersion: String?

    package init(id: Int32, device: String? = nil, appVersion: String? = nil) {
        self.id = id
        self.device = device
        self.appVersion = appVersion
    }
}

/// A speaker of a batch, as numbers of the replay.
struct ResolvedSpeaker {
    var process: UInt32 = 0
    var namesBundle = false
    var pid = RunState.noPid
    var device: UInt32 = 0
    var label: UInt32 = 0
    /// Hash of what is printed; the same in every batch.
    var hash: UInt64 = 0
}

/// An event with its speaker, as numbers of the replay: what the parts of the replay look at.
struct ResolvedEvent {
    /// ``Time/none`` when the line carries no time.
    var time: Int64
    var line: Int64
    /// ``CompiledModel/noCallback`` for evidence.
    var callback: UInt16
    var proof: Proof?
    /// Symbol of the origin of evidence; of a version its text.
    var origin: UInt32
    var isReturn: Bool
    /// The text of the line, where messages are kept.
    var message: String?
    var speaker: ResolvedSpeaker
    /// Equal for copies of a line, whatever batch they are in.
    var key: UInt64
}
