/// Signs of life of a process that has shown no event yet. It has no run; should an event of it follow, in whatever
/// later ingest, its run begins here.
public struct EarlyLife: Sendable, Hashable {
    /// Process name and id; `nil` when the lines name none.
    public var process: String?
    public var pid: Int32?
    /// Host or device name.
    public var device: String?
    /// Where the lines stand, and when; the run is 0.
    public var life: LifeRecord

    public init(process: String?, pid: Int32?, device: String?, life: LifeRecord) {
        self.process = process
        self.pid = pid
        self.device = device
        self.life = life
    }
}
