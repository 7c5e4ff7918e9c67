/// Plays the runs of one app into one log, and counts what it writes.
struct AppPlayer: ~Copyable {
    private let script: Script
    private var file: LogFile
    private var clock: LogClock
    private var random: RandomSource
    private(set) var tally: Tally
    private let messages: [[UInt8]]
    private let noise: [[UInt8]]
    private let app: String
    private let threadPrefix: String
    private let linesPerCallback: Int

    /// Callbacks still to be written.
    private var budget: Int
    /// Noise lines still to be written, at the next opportunity.
    private var noiseDue = 0
    private var situation: Int
    /// Time of the last line, in microseconds since 1970 UTC.
    private var now: Int
    /// When the present state was entered; `nil` when the log does not show it.
    private var entered: Int?
    /// Whether the present state may be older than the log: only a launch tells a new one by itself.
    private var mayBeOlder = true
    /// Last sign of life of the process.
    private var lastSign: Int
    private var pid: Int
    private var prefix: [UInt8] = []

    /// One line in so many noise lines would be a sign of life at any time of a background stay; a process that waits
    /// to be suspended falls silent within this many microseconds instead.
    private static let longestBackgroundWork = 20_000_000

    init(script: Script, options: SimulationOptions, cast: Cast, budget: Int, file: consuming LogFile) {
        self.script = script
        self.file = file
        self.budget = budget
        clock = LogClock(zone: cast.zone)
        random = cast.random
        tally = Tally(script: script, grace: options.suspendGrace)
        messages = script.callbacks.map { Array(cast.spelling.message($0).utf8) }
        noise = Noise.messages.map { Array($0.utf8) }
        app = cast.app
        threadPrefix = cast.zone == nil ? "c" : "8"
        linesPerCallback = options.linesPerCallback
        now = cast.start * 1_000_000
        lastSign = now
        pid = cast.firstPid
        situation = script.notRunning
        if cast.beginsMidLife {
            situation = script.midLife[random.below(script.midLife.count)]
            beginProcess()
        }
    }

    /// Plays until the budget is spent, and says what was written.
    mutating func play() throws(SimulationError) -> Tally {
        var isFirst = situation != script.notRunning
        while budget > 0 {
            let move = isFirst ? script.situations[situation].moves[0] : pick()
            isFirst = false
            try perform(move)
        }
        if situation != script.notRunning {
            tally.visited(script.situations[situation].state, dwell: nil)
            tally.ended("log_end")
        }
        try file.flush()
        tally.lines = file.lines
        return tally
    }

    /// The next move by weight; one that ends the run only if the budget allows for another run, or is spent.
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
        let target = now + max(clock.precision, move.after.draw(from: &random) / clock.precision * clock.precision)
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
            tally.callbacks += 1
            if move.changesState {
                tally.moved(move.number)
                if situation != script.notRunning {
                    tally.visited(state, dwell: mayBeOlder ? nil : entered.map { now - $0 })
                }
                mayBeOlder = entered == nil && situation != script.notRunning
                entered = now
            }
            if move.endsRun { tally.ended("terminated") }
        } else {
            tally.moved(move.number)
            tally.visited(state, dwell: nil)
            tally.ended(state == script.background ? "killed_in_background" : "abnormal_in_foreground")
            now = target
        }
        situation = move.next
    }

    private mutating func beginProcess() {
        pid += 1 + random.below(40)
        if pid > 99_998 { pid = 300 + random.below(40) }
        let thread = threadPrefix + String(random.below(0xfff), radix: 16)
        prefix = Array(" \(app)[\(pid):\(thread)] ".utf8)
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
        if script.situations[situation].state == script.background, entered != nil { tally.silent(now - lastSign) }
        lastSign = now
        clock.set(now)
        try file.write(clock.text, prefix, message)
    }
}
