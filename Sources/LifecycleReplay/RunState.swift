import TraceRecords

/// What the replay keeps of a run that can still go on.
struct RunState: Codable {
    /// Grows with every run that is tracked; tells a re-used slot.
    var serial: Int64
    /// Row id; 0 while the process has written lines but none of them is an event.
    var id: Int64 = 0
    var source: Int32
    /// Symbols of the process and the device; 0 when unknown.
    var process: UInt32
    var device: UInt32
    /// ``RunState/noPid`` when unknown.
    var pid: Int32
    /// Whether the process name was taken from a bundle identifier.
    var namedByBundle = false
    /// Whether an event of the run came when more than a bundle identifier told its name: a line of the process, the pid
    /// that led from the bundle to it, or another process whose name differs in case, blanks or dashes only.
    var isSpelled = false
    /// Symbol of the bundle identifier by which a line names it first; 0 when none does.
    var bundle: UInt32 = 0
    /// Version of the app that the user says for the source in which the run begins.
    var givenVersion: UInt32 = 0
    /// Symbols of the versions of app and system that a report tells; 0 when none does.
    var appVersion: UInt32 = 0
    var systemVersion: UInt32 = 0
    /// Whether any of its lines is a callback, and names the process id: then evidence in other logs of the device
    /// belongs to it.
    var hasCallbacks = false

    var started = Time.none
    var ended = Time.none
    var firstSeen = Time.none
    var lastSeen = Time.none
    /// Time of the last line about the process, in the order of the log: after a step back of the clock what lies before
    /// it says nothing about how long something has lasted.
    var lastHeard = Time.none
    /// The last time at which the process itself wrote something, in the order of the log.
    var lastSign = Time.none
    /// Silences beyond the grace time while the state was not known: `(last sign, next sign)`.
    var silences: [Silence] = []

    /// Slot of the app's instance; -1 when there is none yet.
    var app: Int32 = -1
    /// Slots of the other instances, in order of appearance.
    var others: [Int32] = []
    /// Slots of those with labels, where there are so many that they are looked up; else empty.
    var slotsOfLabels: [InstanceKey: Int32] = [:]
    /// How many instances have borne a label, by a hash of model and label: a run may have millions.
    var labels: [UInt64: Int32] = [:]

    /// The instance that was closed last.
    var retired: RetiredInstance?

    /// Launch callbacks seen, one bit each, in the order in which they are documented.
    var launchSeen: UInt8 = 0
    /// Whether nothing but launch callbacks has been seen of app and scenes since the launch.
    var launching = false
    /// Whether any callback of the app or of a scene has been seen.
    var begun = false
    var usesScenes = false
    /// Whether any state was ever told by a callback of app or scene, and whether by one that is not about the launch: an
    /// app of a framework often has the callback of its launch only, and words for the rest.
    var toldByCallbacks = false
    var toldBeyondLaunch = false
    var everActive = false
    var everBackground = false
    var endReason: EndReason?
    /// Whether a callback announced the end.
    var saidGoodbye = false
    /// State of the app before a line told of the end.
    var stateBeforeExit = CompiledModel.unknown
    /// Rules of which one finding per run is enough, told already.
    var rulesTold: Set<Int> = []
    /// Whether the limits that begin with the run have begun.
    var isMeasured = false
    /// Start of the process, when a line of the system tells it.
    var processStart = Time.none
    /// When the last silence beyond the grace time ended.
    var lastSilenceEnd = Time.none
    /// How long the process had been silent before its last line; 0 after a step back of the clock.
    var silenceBefore: Int64 = 0
    /// Whether a later run of the same app has begun and this one has been silent since.
    var superseded = false
    /// The later runs, in the order of the log.
    var successors: [Successor] = []
    /// Serial number of its place among the ended runs, 0 while it has none; and how many runs had begun by then.
    var retirement: Int64 = 0
    var begunByRetirement: Int64 = 0
    /// Whether rows have changed since they were handed over last.
    var dirty = true

    /// Hash of the first event, for ``RunRecord/key``.
    var contentHash: UInt64 = 0
    var lastLine: Int64 = 0
    var lastSource: Int32 = 0
    /// The last line of the log itself that its process wrote, or else the one that it begins with: how many sources
    /// had come until then, and the line.
    var mentioned = LogPlace()

    /// Neighbours among the live runs of the same app; -1 at the ends.
    var nextOfApp: Int32 = -1
    var previousOfApp: Int32 = -1

    static let noPid = Int32.min

    init(serial: Int64, source: Int32, process: UInt32, device: UInt32, pid: Int32) {
        self.serial = serial
        self.source = source
        self.process = process
        self.device = device
        self.pid = pid
    }
}

/// A time in which a process wrote nothing, longer than the grace time.
struct Silence: Codable {
    var from: Int64
    var until: Int64
}

/// A line by its place in the log: how many sources had come until then, and the line.
struct LogPlace: Codable, Comparable {
    var source: Int32 = 0
    var line: Int64 = 0

    static func < (a: LogPlace, b: LogPlace) -> Bool { (a.source, a.line) < (b.source, b.line) }
}

/// A later run of the same app, as the run before it sees it.
struct Successor: Codable {
    /// Where its first event stands.
    var source: Int32
    var line: Int64
    /// Times of its first sign of life and of its first event.
    var seen: Int64
    var time: Int64
}

extension RunState {
    /// Whether the clock has gone back since the latest time of the process: times of other lines can't be compared with
    /// its own then. Lines of several threads may stand a moment out of order.
    var hasGoneBack: Bool { lastHeard != Time.none && lastSeen - lastHeard > ActivityInterval.resolution }

    /// When the run that follows was first seen; ``Time/none`` while this one goes on.
    var nextSeen: Int64 {
        guard let next = successors.first else { return Time.none }
        let isAfter = next.seen != Time.none && (lastSeen == Time.none || next.seen >= lastSeen)
        return isAfter ? next.seen : next.time
    }
}

/// What is remembered of an instance that gets no more events, to recognise a repetition of its last callback.
struct RetiredInstance: Codable {
    var id: Int64
    var model: UInt8
    var label: UInt32
    var callback: UInt16
    var time: Int64
}
