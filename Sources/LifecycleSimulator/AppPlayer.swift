import DataFiles

/// Simulates the runs of one app in one log and counts what it writes.
struct AppPlayer {
    private let script: Script
    private var file: LogFile
    private var clock: LogClock
    private var random: RandomSource
    private(set) var truth: TruthCounter
    private let messages: [[UInt8]]
    private let noise: [[UInt8]]
    private let name: String
    private let threadPrefix: String
    /// A device of a cohort, whose log is one of JSON lines that name it.
    private let device: SimulatedDevice?
    private let linesPerCallback: Int

    /// Callbacks still to be written.
    private var budget: Int
    /// Noise lines still to be written, at the next opportunity.
    private var noiseDue = 0
    private var situation: Int
    /// Time of the last line, in microseconds since 1970 UTC.
    private var now: Int
    /// When the current state was entered; `nil` when the log does not show it.
    private var entered: Int?
    /// Whether the current state may have begun before the log: only a whole launch proves a new one.
    private var mayBeOlder = true
    /// When the log begins, in microseconds since 1970 UTC; `nil` before its first line.
    private var logBegin: Int?
    private var lastActivity: Int
    private var pid: Int
    private var prefix: [UInt8] = []

    /// A log that begins this many microseconds before a launch callback, or less, may lack the one before it.
    private static let cutLaunch = 120_000_000

    /// Microseconds that a process in the background writes noise before it falls silent, at most.
    private static let longestBackgroundWork = 20_000_000

    init(script: Script, options: SimulationOptions, app: SimulatedApp, budget: Int, file: LogFile) {
        self.script = script
        self.file = file
        self.budget = budget
        clock = LogClock(zone: app.zone)
        random = app.random
        truth = TruthCounter(script: script, grace: options.suspendGrace)
        device = app.device
        let end = app.device == nil ? Self.plain : Self.quoted
        messages = script.callbacks.map { end(app.spelling.message($0)) }
        noise = Self.noise.map(end)
        name = app.name
        threadPrefix = app.zone == nil ? "c" : "8"
        linesPerCallback = options.linesPerCallback
        now = app.start * 1_000_000
        lastActivity = now
        pid = app.firstPid
        situation = script.notRunning
        if app.beginsMidLife {
            situation = script.midLife[random.below(script.midLife.count)]
            beginProcess()
        }
    }

    /// What an app logs besides its lifecycle.
    private static let noise = SimulatorData.read { file throws(DataFileError) in try file["noise"]?.texts() } ?? []

    private static func plain(_ message: String) -> [UInt8] { Array(message.utf8) }

    /// The end of a JSON line, after its time.
    private static func quoted(_ message: String) -> [UInt8] {
        Array("\",\"message\":\"\(message.replacing("\"", with: "\\\""))\"}".utf8)
    }

    /// Plays until the budget is spent and returns what was written.
    mutating func play() throws(SimulationError) -> TruthCounter {
        var isFirst = situation != script.notRunning
        while budget > 0 {
            let move = isFirst ? script.situations[situation].moves[0] : pick()
            isFirst = false
            try perform(move)
        }
        if situation != script.notRunning {
            truth.visited(script.situations[situation].state, dwell: nil)
            truth.ended("log_end")
        }
        try file.flush()
        truth.lines = file.lines
        return truth
    }

    /// The next move, chosen by weight. A move that ends the run is chosen only if the budget is spent or allows another run.
    private mutating func pick() -> Script.Move {
        let moves = script.situations[situation].moves
        let drawn = random.below(script.situations[situation].totalWeight)
        var index = 0
        while moves[index].threshold <= drawn { index += 1 }
        if moves[index].endsRun {
            let left = budget - (moves[index].callback == nil ? 0 : 1)
            if left > 0, left < SimulationOptions.minimumCallbacksPerFile { index = 0 }
        }
        return moves[index]
    }

    private mutating func perform(_ move: Script.Move) throws(SimulationError) {
        let state = script.situations[situation].state
        var length = move.after.draw(from: &random)
        if let device {
            length = max(move.after.shortest, length * device.paces[state] / SimulatedDevice.unit)
        }
        let target = now + max(clock.precision, length / clock.precision * clock.precision)
        if let callback = move.callback {
            if situation == script.notRunning {
                beginProcess()
            } else {
                try writeNoise(until: target)
            }
            now = target
            try write(messages[callback])
            noiseDue += linesPerCallback - 1
            budget -= 1
            truth.callbacks += 1
            if move.changesState {
                truth.moved(move.number)
                if situation != script.notRunning {
                    truth.visited(state, dwell: mayBeOlder ? nil : entered.map { now - $0 })
                }
                mayBeOlder = situation == script.notRunning ? mayLackLaunch(before: callback) : entered == nil
                entered = now
            }
            if move.endsRun { truth.ended("terminated") }
        } else {
            truth.moved(move.number)
            truth.visited(state, dwell: nil)
            truth.ended(state == script.background ? "killed_in_background" : "abnormal_in_foreground")
            now = target
        }
        situation = move.next
    }

    /// Whether the log may begin between the launch callbacks: after the first of them, which it then does not show.
    private func mayLackLaunch(before callback: Int) -> Bool {
        callback != script.situations[script.notRunning].moves[0].callback && now - (logBegin ?? now) <= Self.cutLaunch
    }

    private mutating func beginProcess() {
        pid += 1 + random.below(40)
        if pid > 99_998 { pid = 300 + random.below(40) }
        let thread = threadPrefix + String(random.below(0xfff), radix: 16)
        let json = device.map {
            "{\"device\":\"\($0.name)\",\"process\":\"\(name)\",\"pid\":\"\(pid)\",\"timestamp\":\""
        }
        prefix = Array((json ?? " \(name)[\(pid):\(thread)] ").utf8)
    }

    /// Writes the noise that is due, between the last line and the next callback.
    private mutating func writeNoise(until target: Int) throws(SimulationError) {
        guard noiseDue > 0, entered != nil else { return }
        let begin = now
        let isAway = script.situations[situation].state == script.background
        let span = isAway ? min(target - begin, random.below(Self.longestBackgroundWork)) : target - begin
        let step = span / (noiseDue + 1)
        for line in 1...noiseDue {
            let jitter = step > 0 ? random.below(min(step, 1 << 31)) : 0
            let time = begin + step * line - jitter
            now = time / clock.precision * clock.precision
            try write(noise[random.below(noise.count)])
        }
        noiseDue = 0
    }

    private mutating func write(_ message: [UInt8]) throws(SimulationError) {
        if script.situations[situation].state == script.background, entered != nil { truth.silent(now - lastActivity) }
        lastActivity = now
        logBegin = logBegin ?? now
        clock.set(now)
        if device == nil {
            try file.write(clock.text, prefix, message)
        } else {
            try file.write(prefix, clock.text, message)
        }
    }
}

/// The app and the circumstances of one log.
struct SimulatedApp: Sendable {
    var name: String
    var spelling: Spelling
    /// Minutes east of UTC; `nil` for the form without a zone.
    var zone: Int?
    /// First second, since 1970 UTC.
    var start: Int
    var firstPid: Int
    var beginsMidLife: Bool
    var random: RandomSource
    var device: SimulatedDevice?

    private static let names = ["Harbour", "Tidebook", "Postbox", "State Lab", "Pocket2", "Quince"]
    private static let zones = [0, 120, -420, 330, 540, -210]

    /// The app of the log with a number; all devices of a fleet have the same one.
    init(number: Int, options: SimulationOptions, device: SimulatedDevice? = nil) {
        self.device = device
        random = RandomSource(seed: options.seed, part: number)
        name = Self.names[device == nil ? number % Self.names.count : 0]
        spelling = Spelling.allCases[random.below(Spelling.allCases.count)]
        let isOld =
            switch options.form {
            case .old: true
            case .new: false
            case .alternating: number.isMultiple(of: 2)
            }
        zone = device != nil ? 0 : isOld ? nil : Self.zones[random.below(Self.zones.count)]
        start = Int(options.start) + number * 3_600 + random.below(3_600)
        firstPid = 300 + random.below(40_000)
        beginsMidLife = options.midLifeEvery > 0 && number % options.midLifeEvery == options.midLifeEvery - 1
    }

    /// Name of the file. Its stem is unique, so that no two logs look like rotations of each other.
    func fileName(number: Int, digits: Int) -> String {
        let word = name.lowercased().filter { $0 != " " }
        let figure = String(number + 1)
        return "\(word)-\(String(repeating: "0", count: max(0, digits - figure.count)))\(figure).log"
    }
}
