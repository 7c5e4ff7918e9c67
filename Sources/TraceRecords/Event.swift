/// One recognised callback or piece of evidence, as one log line states it. A fact: it names what the line says and
/// where the line stands, and nothing that a model would conclude from it.
///
/// A plain value without references; its texts are symbols of the ``FactBatch`` that it comes in.
public struct Event: Sendable, Hashable {
    /// Nanoseconds since 1970 UTC; `nil` when the line carries no time.
    public var time: Int64?
    /// Line of the source, counted from 1.
    public var line: Int64
    /// Index into the vocabulary's callbacks; `nil` for evidence.
    public var callback: UInt16?
    /// Who states the evidence (a symbol: `runningboard`, `flutter` …); ``Symbol/none`` for a callback. Where ``proof``
    /// tells a version, the version itself.
    public var origin: Symbol
    /// What the evidence proves; `nil` for a callback.
    public var proof: Proof?
    /// Process name; a bundle identifier when ``namesBundle`` is set; ``Symbol/none`` when the line names none.
    public var process: Symbol
    /// Whether ``process`` is a bundle identifier and not a process name.
    public var namesBundle: Bool
    /// Whether the line says that the callback's method returns: the end of an execution, and no event of its own
    /// where the log shows the beginning.
    public var saysEnd: Bool
    /// Process id of the subject (not of the daemon that wrote the line); `nil` when unknown.
    public var pid: Int32?
    /// Host or device name.
    public var device: Symbol
    /// Label of the scene or view controller as the line prints it.
    public var instance: Symbol
    /// Hash of the whole line, equal for identical copies; 0 when the line carries no time.
    public var copyKey: UInt64
    /// The message, where messages are kept.
    public var message: Symbol

    public init(
        time: Int64? = nil, line: Int64, callback: UInt16? = nil, origin: Symbol = .none, proof: Proof? = nil,
        process: Symbol = .none, namesBundle: Bool = false, saysEnd: Bool = false, pid: Int32? = nil,
        device: Symbol = .none, instance: Symbol = .none, copyKey: UInt64 = 0, message: Symbol = .none
    ) {
        self.time = time
        self.line = line
        self.callback = callback
        self.origin = origin
        self.proof = proof
        self.process = process
        self.namesBundle = namesBundle
        self.saysEnd = saysEnd
        self.pid = pid
        self.device = device
        self.instance = instance
        self.copyKey = copyKey
        self.message = message
    }
}
