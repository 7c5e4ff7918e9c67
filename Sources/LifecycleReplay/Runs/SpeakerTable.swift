import TraceRecords

/// The speakers of the present batch, resolved once: a fact then needs no hashing.
///
/// Texts are compared by their hashes, which do not depend on the batch, so that runs and instances need no table of
/// symbols and no text is kept longer than what bears it.
struct SpeakerTable {
    /// A speaker by hashes, and where its last line led.
    struct Resolved {
        /// Hash of the process or bundle as printed, of the device, and of the label without regard to case; 0 where the
        /// line names none.
        var process: UInt64
        var device: UInt64
        var label: UInt64
        /// ``RunState/noPid`` when unknown.
        var pid: Int32
        var namesBundle: Bool
        /// Stands for the whole speaker where copies of lines are looked for.
        var identity: UInt64

        /// Slot of its run, which holds as long as the run has this generation; -1 when there is none.
        var run: Int32 = -1
        var generation: UInt32 = 0
        /// Slot and row id of the instance that it spoke for last.
        var instance: Int32 = -1
        var instanceID: Int64 = 0

        /// Whether its run follows from process and pid alone, whatever came between.
        var namesRun: Bool { process != 0 && pid != RunState.noPid && !namesBundle }
    }

    private(set) var printed: [Speaker] = []
    var resolved: [Resolved] = []
    /// Device of the source where the user gives one.
    private var device: String?

    /// Takes the speakers of another batch.
    mutating func load(_ speakers: [Speaker], device: String?) {
        printed = speakers
        self.device = device
        resolved.removeAll(keepingCapacity: true)
        for speaker in speakers {
            var identity = Hashing.mix(Hashing.start, speaker.process)
            identity = Hashing.mix(identity, UInt64(truncatingIfNeeded: speaker.pid ?? RunState.noPid))
            identity = Hashing.mix(Hashing.mix(identity, speaker.device), speaker.label)
            resolved.append(
                Resolved(
                    process: Hashing.of(speaker.process), device: Hashing.of(device ?? speaker.device),
                    label: Hashing.of(speaker.label?.lowercased()), pid: speaker.pid ?? RunState.noPid,
                    namesBundle: speaker.namesBundle, identity: identity))
        }
    }

    func process(_ speaker: Int) -> String? { printed[speaker].process }
    func label(_ speaker: Int) -> String { printed[speaker].label ?? "" }
    func device(_ speaker: Int) -> String? { device ?? printed[speaker].device }
}
