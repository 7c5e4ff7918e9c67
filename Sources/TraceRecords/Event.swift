/// What a line prints about who wrote it or whom it is about, interned as printed.
///
/// Which run and which instance a fact belongs to follows from all lines of the log; only the replay decides it.
public struct Speaker: Sendable, Hashable {
    /// Process name, or bundle identifier where ``namesBundle`` is set; `nil` when the line names none.
    public var process: String?
    /// Whether ``process`` is a bundle identifier.
    public var namesBundle: Bool
    /// Process id; `nil` when the line has none.
    public var pid: Int32?
    /// Host or device name; `nil` when the line has none.
    public var device: String?
    /// Label of the scene or view controller, as printed; `nil` when the line has none.
    public var label: String?

    public init(
        process: String? = nil, namesBundle: Bool = false, pid: Int32? = nil, device: String? = nil,
        label: String? = nil
    ) {
        self.process = process
        self.namesBundle = namesBundle
        self.pid = pid
        self.device = device
        self.label = label
    }
}

/// One recognised callback or piece of evidence, as one log line states it. A fact: it holds what the line says and
/// where the line is, and nothing that a model would conclude from it.
///
/// A plain value without references; its texts are in the ``FactBatch`` that it belongs to.
public struct Event: Sendable, Hashable, BitwiseCopyable {
    /// Nanoseconds since 1970 UTC; `nil` when the line carries no time.
    public var time: Int64?
    /// Line of the source, counted from 1.
    public var line: Int64
    /// Index into the vocabulary's callbacks; `nil` for evidence.
    public var callback: UInt16?
    /// What the evidence proves; `nil` for a callback.
    public var proof: Proof?
    /// Origin of the evidence (`runningboard`, `flutter` …); ``Symbol/none`` for a callback, or its name as printed where the
    /// platform has none of this name. Where ``proof`` is a version, the version itself.
    public var origin: Symbol
    /// Index into ``FactBatch/speakers``: the subject of the line, not the daemon that wrote it.
    public var speaker: UInt32
    /// Whether the line reports that the callback's method returns: the end of an execution, and not an event of its
    /// own where the log shows the beginning.
    public var isReturn: Bool
    /// Whether the line names the notification of the callback, and not the method; of evidence, whether it names another
    /// state before the one that it proves, which then begins with it.
    public var isNotification: Bool
    /// Hash of the line's text without its time: equal for copies of a line.
    public var textHash: UInt16
    /// The message, where messages are kept.
    public var message: Symbol

    public init(
        time: Int64? = nil, line: Int64, callback: UInt16? = nil, proof: Proof? = nil, origin: Symbol = .none,
        speaker: UInt32 = 0, isReturn: Bool = false, isNotification: Bool = false, textHash: UInt16 = 0,
        message: Symbol = .none
    ) {
        self.time = time
        self.line = line
        self.callback = callback
        self.proof = proof
        self.origin = origin
        self.speaker = speaker
        self.isReturn = isReturn
        self.isNotification = isNotification
        self.textHash = textHash
        self.message = message
    }
}

/// A span in which a process wrote lines that are not events. Inside it no silence is longer than ``resolution``.
///
/// The other kind of fact: it shows that the process ran. An event of the process ends the span, so that spans and
/// events have one order.
public struct ActivityInterval: Sendable, Hashable, BitwiseCopyable {
    /// The longest silence inside an interval, in nanoseconds: 1 s. A grace time cannot be shorter.
    public static let resolution: Int64 = 1_000_000_000

    /// Index into ``FactBatch/speakers``; the speaker has no label.
    public var speaker: UInt32
    /// Time of the first line and the latest time of any, in nanoseconds since 1970 UTC; `nil` when the lines carry no
    /// time.
    public var from: Int64?
    public var until: Int64?
    /// First and last line of the source.
    public var firstLine: Int64
    public var lastLine: Int64

    public init(speaker: UInt32, from: Int64?, until: Int64?, firstLine: Int64, lastLine: Int64) {
        self.speaker = speaker
        self.from = from
        self.until = until
        self.firstLine = firstLine
        self.lastLine = lastLine
    }
}

/// A text that occurs again and again (process, device, instance label), as a small number.
///
/// It is the place of the text in its batch of facts, counted from 1. Symbol 0 is the absent text.
public struct Symbol: Sendable, Hashable, BitwiseCopyable {
    public var id: UInt32

    public init(id: UInt32) { self.id = id }

    /// The absent text.
    public static let none = Symbol(id: 0)

    public var isNone: Bool { id == 0 }
}

/// One figure of a MetricKit payload: what the system itself reports about an app's day.
public struct DailyTotal: Sendable, Hashable, Codable {
    /// Line of the source.
    public var line: Int64
    /// The app: the last part of the bundle identifier in the payload, otherwise the process that wrote its line.
    public var app: String?
    /// Version of the app, as in the payload.
    public var appVersion: String?
    /// Begin and end of the span, in nanoseconds since 1970 UTC.
    public var from: Int64?
    public var until: Int64?
    /// Name of the figure, as in the payload (`cumulativeForegroundTime` …); counts of exits with the object
    /// that contains them (`foregroundExitData.cumulativeNormalAppExitCount` …).
    public var metric: String
    /// The value: seconds for times, a plain number for counts.
    public var value: Double
    /// `s` or `count`.
    public var unit: String

    public init(
        line: Int64, app: String? = nil, appVersion: String?, from: Int64?, until: Int64?, metric: String,
        value: Double, unit: String
    ) {
        self.line = line
        self.app = app
        self.appVersion = appVersion
        self.from = from
        self.until = until
        self.metric = metric
        self.value = value
        self.unit = unit
    }
}
