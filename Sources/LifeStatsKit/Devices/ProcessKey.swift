import TraceRecords
import TraceStore

/// A process of a device, by which lines of different logs belong together.
struct ProcessKey: Hashable {
    private let device: String
    /// Folded: a bundle identifier ends in the name in lower case, and without its blanks.
    private let app: String
    private let pid: Int32

    /// `nil` where device, app or process id is not known: nothing then says that two lines belong together.
    init?(device: String?, app: String?, pid: Int32?) {
        guard let device, let app, let pid else { return nil }
        self.device = device
        self.app = RunRecord.foldedName(app)
        self.pid = pid
    }

    init?(_ fact: StoredFact) {
        self.init(device: fact.run.device, app: fact.run.app, pid: fact.run.pid)
    }
}
