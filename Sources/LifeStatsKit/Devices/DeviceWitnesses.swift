import LifecycleReplay
import TraceRecords
import TraceStore

/// What the streams of a group tell of each other's processes.
///
/// The evidence of a process goes to the one log that shows its callbacks; where several do, to the one whose callbacks
/// begin first. Signs of life are facts of their own log as well, and are lent.
struct DeviceWitnesses {
    /// What one stream tells of a process.
    private struct Account {
        let device: String?
        let pid: Int32?
        var app: String
        var callbacks = 0
        var first = Int64.max
        var last = Int64.min
        /// With the place among everything that was noted, and the time at which it is told.
        var evidence: [(fact: StoredFact, place: Int, time: Int64)] = []
        /// Evidence without a time, which is told with the next one that has a time.
        var untimed: [(fact: StoredFact, place: Int)] = []
        var life: [LifeRecord] = []
    }

    private let shared: Set<ProcessKey>
    private var noted = 0
    private var accounts: [ProcessKey: [String: Account]] = [:]
    /// The log that shows the callbacks of a process, and how it writes the name.
    private var owners: [ProcessKey: (stream: String, app: String)] = [:]

    /// - Parameter shared: the processes that are told of in both ways.
    init(shared: Set<ProcessKey>) { self.shared = shared }

    /// Notes what a stream tells of the shared processes.
    mutating func note(_ fact: StoredFact, of stream: String) {
        guard let key = ProcessKey(fact), shared.contains(key), let app = fact.run.app else { return }
        noted += 1
        var account = accounts[key]?[stream] ?? Account(device: fact.run.device, pid: fact.run.pid, app: app)
        switch fact.content {
        case .event(_, _, let kind, let time, _) where kind.callback != nil:
            // As in the runs' `has_callbacks`, by which the logs were found.
            guard !kind.naming.contains(.withoutPid) else { break }
            account.app = account.callbacks == 0 ? app : min(account.app, app)
            account.callbacks += 1
            if let time {
                account.first = min(account.first, time)
                account.last = max(account.last, time)
            }
        case .event(_, _, let kind, let time, _):
            guard kind.role == .event || kind.proves?.isVersion == true else { break }
            if let time {
                account.evidence += account.untimed.map { ($0.fact, $0.place, time) } + [(fact, noted, time)]
                account.untimed = []
            } else {
                account.untimed.append((fact, noted))
            }
        case .life(let life):
            account.life.append(life)
            account.life.keepLongestSilences(LogReplayer.earlyLifeKept)
        }
        accounts[key, default: [:]][stream] = account
    }

    /// Decides which log each process belongs to, once everything is noted.
    mutating func assign() {
        for (key, streams) in accounts {
            for (stream, account) in streams {
                guard let last = account.evidence.last?.time else { continue }
                accounts[key]?[stream]?.evidence += account.untimed.map { ($0.fact, $0.place, last) }
            }
            let told = streams.filter { $0.value.callbacks > 0 }
            let owner = told.min { a, b in
                (a.value.first, a.value.last, -a.value.callbacks, a.key)
                    < (b.value.first, b.value.last, -b.value.callbacks, b.key)
            }
            if let owner, told.count < streams.count { owners[key] = (owner.key, owner.value.app) }
        }
    }

    /// Pairs of streams of which one lends to the other.
    var links: [(stream: String, other: String)] {
        owners.flatMap { key, owner in
            (accounts[key] ?? [:]).keys.filter { $0 != owner.stream }.map { (owner.stream, $0) }
        }
    }

    /// Whether any facts of a stream are shown by runs of others.
    func takes(from stream: String) -> Bool {
        owners.contains { key, owner in owner.stream != stream && accounts[key]?[stream]?.callbacks == 0 }
    }

    /// Whether a fact of a stream is shown by the run of another stream.
    func isTaken(_ fact: StoredFact, from stream: String) -> Bool {
        guard case .event(_, _, let kind, _, _) = fact.content, kind.callback == nil, let key = ProcessKey(fact),
            let owner = owners[key], owner.stream != stream, let account = accounts[key]?[stream]
        else { return false }
        return account.callbacks == 0 && !account.evidence.isEmpty
    }

    /// What other streams tell of the processes of a stream, under the name that the stream gives them.
    func lent(to stream: String) -> [ProcessKey: LentFacts] {
        var result: [ProcessKey: LentFacts] = [:]
        for (key, owner) in owners where owner.stream == stream {
            var facts = LentFacts()
            for account in (accounts[key] ?? [:]).values where account.callbacks == 0 {
                let process = RunRecord(
                    id: 0, source: 0, device: account.device, app: owner.app, pid: account.pid, profile: "", key: "")
                for (fact, place, told) in account.evidence {
                    guard case .event(let step, let instance, var kind, let time, let message) = fact.content else {
                        continue
                    }
                    kind.naming = []
                    let content = StoredFact.Content.event(
                        step: step, instance: instance, kind: kind, time: time, message: message)
                    facts.evidence.append(
                        (
                            StoredFact(
                                run: process, name: owner.app, device: account.device, source: fact.source,
                                line: fact.line, content: content),
                            place, told
                        ))
                }
                facts.life += account.life.map { life in
                    var life = life
                    life.naming = []
                    return StoredFact(
                        run: process, name: owner.app, device: account.device, source: life.source,
                        line: life.lastLine, content: .life(life))
                }
            }
            facts.evidence.sort { $0.place < $1.place }
            result[key] = facts
        }
        return result
    }
}
