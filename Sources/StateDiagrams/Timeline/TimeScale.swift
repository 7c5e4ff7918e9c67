import TraceRecords

/// A time axis that leaves out long stretches in which nothing changes.
struct TimeScale: Sendable {
    /// A stretch of the axis, drawn to scale or as a break of fixed width.
    struct Piece: Sendable, Hashable {
        var from: Int64, until: Int64
        var left: Double, right: Double
        var isBreak: Bool
    }

    private(set) var pieces: [Piece] = []

    /// Builds an axis.
    ///
    /// - Parameters:
    ///   - spans: When something runs code; elsewhere the axis may be broken.
    ///   - foreground: When something is in front of the user; a break leaves out only the middle of it.
    ///   - marks: Further times at which something happens.
    ///   - left: Where the axis begins, in points.
    ///   - width: Its length.
    ///   - breakWidth: The width of a break; infinite: no breaks.
    ///   - isShared: Whether several runs share the axis, which then has only few, long breaks in which none of them runs
    ///     code.
    init(
        spans: [(from: Int64, until: Int64)], foreground: [(from: Int64, until: Int64)] = [], marks: [Int64] = [],
        left: Double, width: Double, breakWidth: Double, isShared: Bool = false
    ) {
        let times = Set(spans.flatMap { [$0.from, $0.until] } + marks).sorted()
        guard let first = times.first, let last = times.last else { return }
        if first == last {
            pieces = [Piece(from: first, until: first + 1, left: left, right: left + width, isBreak: false)]
            return
        }
        let most = max(0, min(isShared ? 5 : 12, Int(width / breakWidth / 3)))
        let idle = Self.idleStretches(times, spans: spans)
        let breaks = Self.breaks(in: times, idle: idle, most: most, isShared: isShared)
        let unseen = Self.idleStretches(times, spans: foreground)
        let stretches = Self.stretches(of: times, breaks: breaks, shortened: breaks.subtracting(unseen))
        let drawn = stretches.reduce(0.0) { $0 + ($1.isBreak ? 0 : Double($1.until - $1.from)) }
        let room = breaks.isEmpty ? width : width - Double(breaks.count) * breakWidth
        var x = left
        for span in stretches {
            let length = span.isBreak ? breakWidth : room * Double(span.until - span.from) / max(drawn, 1)
            pieces.append(
                Piece(from: span.from, until: span.until, left: x, right: x + length, isBreak: span.isBreak))
            x += length
        }
    }

    /// The stretches to break: the longest ones if they take most of the axis and all others are much shorter, then
    /// pauses in which nothing runs, if they still take much room.
    private static func breaks(
        in times: [Int64], idle: Set<Int>, most: Int, isShared: Bool
    ) -> Set<Int> {
        let lengths = zip(times, times.dropFirst()).map { Double($1 - $0) }
        let longest = lengths.indices.sorted { (lengths[$1], $0) < (lengths[$0], $1) }
        var left = lengths.reduce(0, +)
        var taken = 0.0
        let cut = longest.indices.dropLast(2).prefix(isShared ? 0 : most).first { place in
            taken += lengths[longest[place]]
            return taken * 2 > left && lengths[longest[place]] > lengths[longest[place + 1]] * 3
        }
        var result = Set(longest.prefix(cut.map { $0 + 1 } ?? 0))
        left -= cut == nil ? 0 : taken
        for stretch in longest where idle.contains(stretch) && !result.contains(stretch) {
            guard result.count < most, lengths[stretch] > left / (isShared ? 6 : 16), lengths[stretch] < left else {
                break
            }
            result.insert(stretch)
            left -= lengths[stretch]
        }
        return result
    }

    /// The axis as stretches to draw or to break; neighbouring ones that are drawn are one.
    ///
    /// Of those that are only shortened both ends are drawn: what lasts longest keeps a width and a name.
    private static func stretches(
        of times: [Int64], breaks: Set<Int>, shortened: Set<Int>
    ) -> [(from: Int64, until: Int64, isBreak: Bool)] {
        var stretches: [(from: Int64, until: Int64, isBreak: Bool)] = []
        func add(_ from: Int64, _ until: Int64, isBreak: Bool) {
            if !isBreak, let end = stretches.indices.last, !stretches[end].isBreak {
                stretches[end].until = until
            } else {
                stretches.append((from, until, isBreak))
            }
        }
        let spans = zip(times, times.dropFirst()).enumerated()
        let drawn = spans.reduce(0.0) { $0 + (breaks.contains($1.offset) ? 0 : Double($1.element.1 - $1.element.0)) }
        // All those ends together take a third of what is drawn.
        let end = Int64(drawn / 4 / Double(max(1, shortened.count)))
        for (place, (from, until)) in spans {
            if shortened.contains(place), until - from > 3 * end {
                add(from, from + end, isBreak: false)
                add(from + end, until - end, isBreak: true)
                add(until - end, until, isBreak: false)
            } else {
                add(from, until, isBreak: breaks.contains(place))
            }
        }
        return stretches
    }

    private static func idleStretches(_ times: [Int64], spans: [(from: Int64, until: Int64)]) -> Set<Int> {
        var changes: [Int64: Int] = [:]
        for span in spans {
            changes[span.from, default: 0] += 1
            changes[span.until, default: 0] -= 1
        }
        var alive = 0
        var result: Set<Int> = []
        for (place, time) in times.enumerated().dropLast() {
            alive += changes[time] ?? 0
            if alive == 0 { result.insert(place) }
        }
        return result
    }

    /// Where the axis begins.
    var start: Int64 { pieces.first?.from ?? 0 }

    /// Time that the breaks leave out.
    var leftOut: Int64 { pieces.filter(\.isBreak).reduce(0) { $0 + ($1.until - $1.from) } }

    /// Time that the breaks of the axes of a timeline leave out: of each, or of the one that all lanes share.
    static func leftOut(_ scales: some Collection<TimeScale>, isAligned: Bool) -> Int64 {
        let sum = scales.prefix(isAligned ? scales.count : 1).reduce(0.0) { $0 + Double($1.leftOut) }
        return Int64(exactly: sum.rounded()) ?? .max
    }

    /// The place of a time on the axis.
    func x(_ time: Int64) -> Double {
        guard let first = pieces.first, let last = pieces.last else { return 0 }
        if time <= first.from { return first.left }
        for piece in pieces where time <= piece.until {
            let share = Double(time - piece.from) / Double(max(piece.until - piece.from, 1))
            return piece.left + share * (piece.right - piece.left)
        }
        return last.right
    }

    /// A round distance between two ticks that leaves at least `room` points between them on a piece.
    static func step(for piece: Piece, room: Double) -> Int64 {
        let perPoint = Double(piece.until - piece.from) / max(piece.right - piece.left, 0.001)
        let needed = perPoint * room
        let second = 1_000_000_000.0
        let steps =
            [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30].map { $0 * second }
            + [1, 2, 5, 10, 15, 30].map { $0 * 60 * second }
            + [1, 2, 3, 6, 12, 24, 48, 168, 720, 8_760].map { $0 * 3_600 * second }
        return Int64(steps.first { $0 >= needed } ?? 87_600 * 3_600 * second)
    }

    /// The label of a tick that counts from a launch. Words for a duration leave out what is small beside it, so where the
    /// ticks are closer together a label says all of it, and the next ones how much later they are: `1 h 45 min 5 s`,
    /// `+5 s`.
    static func label(_ length: Int64, step: Int64, after whole: Int64?) -> String {
        let second: Int64 = 1_000_000_000
        let units = [86_400 * second, 3_600 * second, 60 * second, second]
        guard let place = units.firstIndex(where: { length >= $0 }), place + 1 < units.count,
            step < units[place + 1]
        else { return DurationText.of(length) }
        if let whole, length > whole, length - whole < units[place + 1] { return "+\(DurationText.of(length - whole))" }
        let rest = length % units[place + 1]
        return DurationText.of(length - rest) + (rest > 0 ? " \(DurationText.of(rest))" : "")
    }

    /// The label of a tick of a clock: with its day, and its year, where that is another one than that of the last label.
    static func label(clock time: Int64, step: Int64, after last: String) -> String {
        let date = CivilTime.date(nanoseconds: time)
        if step >= 86_400_000_000_000 { return date }
        let clock = CivilTime.clock(nanoseconds: time, step: step)
        if date == last { return clock }
        return (date.prefix(4) == last.prefix(4) ? String(date.dropFirst(5)) : date) + " " + clock
    }

    /// Whether everything is at one time: such an axis is drawn as one of a nanosecond.
    var isPoint: Bool { (pieces.last?.until ?? start) - start <= 1 }

    /// The labels of the two ends of a clock's axis, or of the one.
    func ends(room: Double) -> [(time: Int64, date: String, text: String)] {
        let drawn = pieces.filter { !$0.isBreak }
        var last = ""
        let ends: [(time: Int64?, piece: Piece?)] = [
            (pieces.first?.from, drawn.first), (pieces.last?.until, drawn.last),
        ]
        return ends.prefix(isPoint ? 1 : 2).compactMap { end in
            guard let time = end.time, let piece = end.piece else { return nil }
            let text = Self.label(clock: time, step: Self.step(for: piece, room: room), after: last)
            last = CivilTime.date(nanoseconds: time)
            return (time, last, text)
        }
    }

    /// The labels of the two ends of an axis that counts from a launch.
    func ends(after words: Words) -> [(time: Int64, date: String, text: String)] {
        (isPoint ? [start] : [start, pieces.last?.until ?? start]).map { ($0, "", words.duration($0 - start)) }
    }

    /// The ticks of a piece.
    ///
    /// - Parameter origin: The time that ticks count from.
    static func ticks(of piece: Piece, step: Int64, origin: Int64 = 0) -> [Int64] {
        guard !piece.isBreak, step > 0 else { return [] }
        let distance = piece.from - origin
        let rest = distance % step
        let first = rest == 0 ? piece.from : piece.from - rest + (distance >= 0 ? step : 0)
        return stride(from: first, through: piece.until, by: Int(step)).prefix(400).map { $0 }
    }
}
