import LifecycleModel
import TraceRecords

/// What the replay keeps of a run that can still go on: a flat value without references, so that touching it counts none.
struct RunState: BitwiseCopyable {
    /// Grows with every run that is tracked; distinguishes the runs that used a slot.
    var serial: Int64 = 0
    /// Changes whenever the run may be reached under another name.
    var generation: UInt32 = 0
    /// Row id; 0 while the process has shown signs of life but no event.
    var id: Int64 = 0
    var source: Int32 = 0
    /// Hashes of process, device and the bundle identifier by which a line names it first; 0 when unknown.
    var process: UInt64 = 0
    var device: UInt64 = 0
    var bundle: UInt64 = 0
    /// ``noPid`` when unknown.
    var pid: Int32 = RunState.noPid
    /// Whether the process name was taken from a bundle identifier.
    var namedByBundle = false
    /// Whether an event of the run came when more than a bundle identifier gave its name: a line of the process, the pid
    /// that led from the bundle to it, or another process whose name differs in case, blanks or dashes only.
    var isSpelled = false
    /// Whether any of its lines is a callback and names the process id: then evidence in other logs of the device belongs
    /// to it.
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
    /// How long the process had been silent before its last line; 0 after a step back of the clock.
    var silenceBefore: Int64 = 0
    /// When the last long silence ended.
    var lastSilenceEnd = Time.none
    /// Start of the process, when a line other than a callback gives it.
    var processStart = Time.none

    /// Slot of the app's instance; -1 when there is none yet.
    var app: Int32 = -1

    /// Launch callbacks seen, one bit each, in the order in which they are documented.
    var launchSeen: UInt8 = 0
    /// Whether the log shows the launch, by a callback or in other words.
    var launchIsShown: Bool { launchSeen != 0 || processStart != Time.none }
    /// Whether nothing but launch callbacks has been seen of app and scenes since the launch.
    var launching = false
    /// Whether the system has shown before the first callback that the launch leads into the foreground.
    var launchesIntoForeground = false
    /// Whether an earlier launch callback may lie before the log.
    var launchMayBeCut = false
    /// Whether a launch of an earlier process with the same id is in the log.
    var followsLaunch = false
    /// Whether any callback of the app or of a scene has been seen.
    var begun = false
    var usesScenes = false
    /// Whether a callback of a scene has shown that it is in the foreground or in the background.
    var scenesTell = false
    /// Whether a callback of app or scene has shown a state, and the callbacks of the app that have that are not about the
    /// launch, by their numbers in the model, one bit each: an app often logs some of them only, and words for the rest.
    var toldByCallbacks = false
    var told: UInt64 = 0
    /// The callbacks for which words have stood, likewise.
    var worded: UInt64 = 0
    var everActive = false
    /// Whether any line shows that the app or a scene becomes active, or ceases to be: it logs that.
    var tellsActive = false
    var everBackground = false
    /// Whether the log says that lines of it are lost.
    var hasLost = false
    /// Place of the reason among all reasons; ``noReason`` while no line gives one.
    private var reason = RunState.noReason
    /// Whether the end is accounted for: a callback announced it, or the system refused the launch.
    var endIsExplained = false
    /// Whether a line says of the end that it was that of a launch.
    var endIsOfLaunch = false
    /// The first line that shows the end: its step, source and line; 0 while there is none.
    var exit: (step: Int64, source: Int32, line: Int64) = (0, 0, 0)
    /// Whether a later run of the same app has begun and this one has been silent since.
    var superseded = false
    /// Serial number of its place among the ended runs, 0 while it has none; and how many runs had begun by then.
    var retirement: Int64 = 0
    var begunByRetirement: Int64 = 0
    /// Whether rows have changed since they were handed over last.
    var dirty = true

    /// Hash of the first event, for ``RunRecord/key``.
    var contentHash: UInt64 = 0
    var lastLine: Int64 = 0
    var lastSource: Int32 = 0
    /// The last line that its process wrote, or else the one that it begins with.
    var mentioned = LinePlace()

    /// Neighbours among the live runs of the same app; -1 at the ends.
    var nextOfApp: Int32 = -1
    var previousOfApp: Int32 = -1

    static let noPid = Int32.min
    private static let noReason = UInt8.max

    /// Why the run ended, where a line says it.
    var endReason: EndReason? {
        get { reason == Self.noReason ? nil : EndReason.allCases[Int(reason)] }
        set { reason = newValue.flatMap { EndReason.allCases.firstIndex(of: $0) }.map { UInt8($0) } ?? Self.noReason }
    }

    /// Whether a callback has shown a state that is not about the launch.
    var toldBeyondLaunch: Bool { told != 0 || scenesTell }

    /// Whether it may be of a device, which is 0 where it is not known.
    @inline(__always)
    func mayBe(of other: UInt64) -> Bool { device == other || device == 0 || other == 0 }

    @inline(__always)
    var hasEnded: Bool { reason != Self.noReason }

    /// Whether a line says that the run ended, or a later run of the app followed it.
    @inline(__always)
    var isOver: Bool { superseded || hasEnded }

    /// Whether the clock has gone back since the latest time of the process: times of other lines can't be compared with
    /// its own then. Lines of several threads may be a moment out of order.
    var hasGoneBack: Bool { lastHeard != Time.none && lastSeen - lastHeard > ActivityInterval.resolution }

    /// A time of the beginning; unknown where it has no date and a later line has one.
    fileprivate func dated(_ time: Int64) -> Int64? {
        !Time.isDated(time) && Time.isDated(lastSeen) ? nil : Time.optional(time)
    }

    /// The process existed, whoever says so.
    @inline(__always)
    mutating func see(at time: Int64) {
        guard time != Time.none else { return }
        if firstSeen == Time.none { firstSeen = time }
        if time > lastSeen { lastSeen = time }
        lastHeard = Self.later(time, than: lastHeard)
    }

    /// The time of a line, or that of the one before where threads have written the two in the wrong order: a stretch of
    /// activity then goes on as well, and it may be cut anywhere.
    @inline(__always)
    static func later(_ time: Int64, than last: Int64) -> Int64 {
        guard last != Time.none, time < last else { return time }
        let (gap, overflow) = last.subtractingReportingOverflow(time)
        return overflow || gap > ActivityInterval.resolution ? time : last
    }
}

/// A line of the log: how many sources had come until then, and the line in its source.
struct LinePlace: BitwiseCopyable, Comparable {
    var source: Int32 = 0
    var line: Int64 = 0

    @inline(__always)
    static func < (a: LinePlace, b: LinePlace) -> Bool {
        a.source != b.source ? a.source < b.source : a.line < b.line
    }
}

/// What is remembered of an instance that gets no more events, to recognise a repetition of its last callback.
struct RetiredInstance: BitwiseCopyable {
    /// How many are kept, the latest ones: controllers of one screen may be deallocated in one tick of a coarse clock.
    static let kept = 8

    var model: UInt8
    var label: UInt64
    var callback: UInt16
    var time: Int64
}

/// How a run began, as the earlier runs of the same app see it.
struct Beginning: BitwiseCopyable {
    var process: UInt64
    /// 0 when unknown.
    var device: UInt64
    /// Row id of the run.
    var run: Int64
    /// Source and line of its first event.
    var source: Int32
    var line: Int64
    /// Times of its first sign of life and of its first event.
    var seen: Int64
    var time: Int64

    /// Whether it may be the next run of the app on a device: a log may be of several.
    func mayFollow(_ run: RunState) -> Bool {
        process == run.process && run.mayBe(of: device)
    }
}

/// What a run keeps that has no fixed size: its texts and lists, side by side with its ``RunState``.
struct RunDetails {
    var process: String?
    var device: String?
    var bundle: String?
    /// Versions of app and system that a report gives, and that of the app that the user gives.
    var reportedVersion: String?
    var systemVersion: String?
    var appVersion: String?
    /// Code and explanation of the end, and why the system launched the process.
    var endDetail: String?
    var launchCause: String?
    /// Major version of the system, if known.
    var system: Int? { systemVersion.flatMap { SystemRange.major(of: $0) } }
    /// Slots of the instances other than the app, in order of appearance.
    var others: [Int32] = []
    /// Slots of those with labels, where there are so many that they are looked up; else empty.
    var slotsOfLabels: [UInt64: Int32] = [:]
    /// How many instances have borne a label, by model and label: a run may have millions.
    var labels: [UInt64: Int32] = [:]
    /// The run that follows, as far as the log shows.
    var successor: Beginning?
    /// The instances that were closed last, in order.
    var retired: [RetiredInstance] = []

    /// Forgets everything and keeps the storage of the lists.
    mutating func reset() {
        (process, device, bundle, reportedVersion, systemVersion, appVersion) = (nil, nil, nil, nil, nil, nil)
        (endDetail, launchCause) = (nil, nil)
        others.removeAll(keepingCapacity: true)
        if !slotsOfLabels.isEmpty { slotsOfLabels = [:] }
        if !labels.isEmpty { labels.removeAll(keepingCapacity: labels.count < 64) }
        successor = nil
        if !retired.isEmpty { retired.removeAll(keepingCapacity: true) }
    }
}

extension InstanceMachine {
    /// The row of a run.
    func describe(_ slot: Int32) -> RunRecord {
        let run = runs.states[Int(slot)]
        let details = runs.details[Int(slot)]
        let state = run.app >= 0 ? states[Int(run.app)].state : CompiledModel.unknown
        let silent = reasonOfSilentEnd(slot, state: state)
        // That a process was ended by a signal, say, is no reason.
        let isUnexplained = run.endReason == .terminated && !run.endIsExplained
        let pid = run.pid == RunState.noPid ? nil : run.pid
        var hash = Hashing.mix(run.contentHash, details.device)
        hash = Hashing.mix(hash, details.process)
        hash = Hashing.mix(hash, UInt64(truncatingIfNeeded: pid ?? -1))
        return RunRecord(
            id: run.id, source: run.source, device: details.device, app: details.process, pid: pid,
            profile: options.profile ?? (run.usesScenes ? "ios13+" : "ios12-"), osVersion: details.systemVersion,
            appVersion: details.appVersion, started: run.dated(run.started), ended: Time.optional(run.ended),
            endReason: run.endReason ?? (run.superseded ? silent : nil) ?? .logEnd,
            endEvidence: run.hasEnded ? .observed : .inferred,
            firstSeen: run.dated(run.firstSeen), lastSeen: Time.optional(run.lastSeen),
            nextSeen: Time.optional(runs.nextSeen(slot)), key: Hashing.text(hash), bundle: details.bundle,
            hasCallbacks: run.hasCallbacks, reportedVersion: details.reportedVersion,
            endDetail: details.endDetail,
            silentReason: !run.hasEnded ? silent : isUnexplained ? .terminated : nil,
            launchCause: details.launchCause)
    }
}
