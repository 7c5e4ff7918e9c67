import TraceRecords

/// A time axis that leaves out long pauses.
struct TimeScale: Sendable {
    /// A stretch of the axis, drawn to scale or as a break that says how long it is.
    struct Piece: Sendable, Hashable {
        var from: Int64, until: Int64
        var left: Double, right: Double
        var isBreak: Bool
        /// Whether nothing tells how long it is.
        var isUnknown = false
        /// Where a break cuts the axis: to the right of what is written beside the bars that end there.
        var cut: Double { left + lead }
        var lead = 0.0

        /// How long it is, if anything tells.
        var length: Int64? { isUnknown ? nil : until - from }
    }

    private(set) var pieces: [Piece] = []

    /// Builds an axis.
    ///
    /// - Parameters:
    ///   - spans: When something is in use; elsewhere the axis may be broken.
    ///   - visits: When something lives.
    ///   - unknown: Visits of which nothing tells how long they are.
    ///   - marks: Further times at which something happens, which no break hides.
    ///   - left: Where the axis begins, in points.
    ///   - width: Its length.
    ///   - breakWidth: The width of a break that leaves out so much time, or an unknown time; `nil`: no breaks. All breaks
    ///     together take at most half of the axis.
    ///   - isShared: Whether several runs share the axis, which then has only few, long breaks.
    ///   - endings: The room for what is written after the runs that end at a time.
    init(
        spans: [(from: Int64, until: Int64)], visits: [(from: Int64, until: Int64)] = [],
        unknown: [(from: Int64, until: Int64)] = [], marks: [Int64] = [],
        left: Double, width: Double, breakWidth: ((Int64?) -> Double)?, isShared: Bool = false,
        endings: [Int64: Double] = [:]
    ) {
        let times = Set((spans + visits).flatMap { [$0.from, $0.until] } + marks).sorted()
        guard let first = times.first, let last = times.last else { return }
        if first == last {
            pieces = [Piece(from: first, until: first + 1, left: left, right: left + width, isBreak: false)]
            return
        }
        let pauses = Self.stretches(times, without: spans)
        let unknown = breakWidth == nil ? [] : pauses.subtracting(Self.stretches(times, without: unknown))
        func room(_ place: Int) -> Double? {
            breakWidth.map { width in
                width(unknown.contains(place) ? nil : times[place + 1] - times[place]) + (endings[times[place]] ?? 0)
            }
        }
        let breaks = Self.breaks(
            in: times, pauses: pauses, lonely: Self.stretches(times, without: visits), unknown: unknown,
            isShared: isShared, width: width, room: room)
        for (place, (from, until)) in zip(times, times.dropFirst()).enumerated() {
            let isBreak = breaks.contains(place)
            if !isBreak, let end = pieces.indices.last, !pieces[end].isBreak {
                pieces[end].until = until
            } else {
                pieces.append(
                    Piece(
                        from: from, until: until, left: left, right: left + (room(place) ?? 0), isBreak: isBreak,
                        isUnknown: unknown.contains(place), lead: isBreak ? endings[from] ?? 0 : 0))
            }
        }
        let taken = pieces.reduce(0) { $0 + ($1.isBreak ? $1.right - $1.left : 0) }
        self = scaled(to: drawn / max(1, width - taken))
    }

    /// The stretches to break: those of unknown length, and pauses of a minute or more in which nothing is in use, the longest
    /// first, as long as they take three quarters of what is left, or last long and longer than all use. What is short beside
    /// them stays short, and a run that is in use for a fifth of its time is drawn whole.
    private static func breaks(
        in times: [Int64], pauses: Set<Int>, lonely: Set<Int>, unknown: Set<Int>, isShared: Bool, width: Double,
        room: (Int) -> Double?
    ) -> Set<Int> {
        let lengths = zip(times, times.dropFirst()).enumerated().map {
            unknown.contains($0.offset) ? 0 : Double($0.element.1 - $0.element.0)
        }
        let all = lengths.reduce(0, +)
        let used = lengths.indices.reduce(0) { $0 + (pauses.contains($1) ? 0 : lengths[$1]) }
        if !isShared, used * 5 >= all { return unknown }
        var (result, left) = (unknown, all)
        var free = unknown.reduce(width / 2) { $0 - (room($1) ?? 0) }
        for stretch in pauses.sorted(by: { (lengths[$1], $0) < (lengths[$0], $1) }) {
            let length = lengths[stretch]
            let isLong = length >= longPause && length > used && length * (isShared ? 6 : 16) > left
            // A thousandth of a life does not become all that is drawn.
            let isVisible = lonely.contains(stretch) ? length < left : (left - length) * 1_000 > all
            guard let own = room(stretch), own <= free, result.count < (isShared ? 5 : 12), isVisible,
                isLong || length * 4 > left * 3 && length >= 60e9
            else { break }
            result.insert(stretch)
            (left, free) = (left - length, free - own)
        }
        return result
    }

    /// Ten minutes.
    private static let longPause = 600e9

    /// The time that is drawn to scale, and how much of it a point shows.
    private var drawn: Double { pieces.reduce(0) { $0 + ($1.isBreak ? 0 : Double($1.until - $1.from)) } }
    var timePerPoint: Double {
        drawn / max(1, pieces.reduce(0) { $0 + ($1.isBreak ? 0 : $1.right - $1.left) })
    }

    /// The same axis with so many nanoseconds to a point.
    func scaled(to timePerPoint: Double) -> TimeScale {
        var (scale, x) = (self, pieces.first?.left ?? 0)
        for place in pieces.indices {
            let (piece, left) = (pieces[place], x)
            x += piece.isBreak ? piece.right - piece.left : Double(piece.until - piece.from) / max(timePerPoint, 1e-9)
            (scale.pieces[place].left, scale.pieces[place].right) = (left, x)
        }
        return scale
    }

    /// The same axis with every piece in whole points, one at least, so that in a terminal no break hides what is beside it.
    func inCells() -> TimeScale {
        var widths = pieces.map { $0.isBreak ? $0.right - $0.left : max(1, ($0.right - $0.left).rounded()) }
        let excess = widths.reduce(0, +) - ((pieces.last?.right ?? 0) - (pieces.first?.left ?? 0)).rounded(.up)
        if excess > 0, let widest = pieces.indices.filter({ !pieces[$0].isBreak }).max(by: { widths[$0] < widths[$1] })
        {
            widths[widest] = max(1, widths[widest] - excess)
        }
        var (scale, x) = (self, pieces.first?.left ?? 0)
        for (place, width) in widths.enumerated() {
            (scale.pieces[place].left, scale.pieces[place].right) = (x, x + width)
            x += width
        }
        return scale
    }

    /// The stretches between times that no span covers.
    private static func stretches(_ times: [Int64], without spans: [(from: Int64, until: Int64)]) -> Set<Int> {
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

    /// How long a break is, as it is written on it.
    static func length(_ nanoseconds: Int64?, _ words: Words) -> String { nanoseconds.map(words.duration) ?? "?" }

    /// Whether all axes are one: a point is the same time on all, and none is broken.
    static func isOne(_ scales: some Collection<TimeScale>) -> Bool {
        let rates = scales.map(\.timePerPoint)
        let isBroken = scales.count > 1 && scales.contains { $0.pieces.contains(where: \.isBreak) }
        return !isBroken && (rates.max() ?? 0) <= (rates.min() ?? 0) * 1.001
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
        let date = ClockText.date(time)
        if step >= 86_400_000_000_000, !date.isEmpty { return date }
        let clock = CivilTime.clock(nanoseconds: time, step: step)
        if date == last { return clock }
        let isOfSameYear = date.count == 10 && date.prefix(4) == last.prefix(4)
        return (isOfSameYear ? String(date.dropFirst(5)) : date) + " " + clock
    }

    /// Whether everything is at one time: such an axis is drawn as one of a nanosecond.
    var isPoint: Bool { (pieces.last?.until ?? start) - start <= 1 }

    /// The labels of the two ends of a clock's axis, or of the one.
    ///
    /// - Parameter zero: The label of the launch on an axis that counts from it, which has no other end; `nil` for a clock.
    func ends(room: Double, zero: String?) -> [(time: Int64, date: String, text: String)] {
        if let zero { return [(start, "", zero)] }
        let drawn = pieces.filter { !$0.isBreak }
        var last = ""
        let ends: [(time: Int64?, piece: Piece?)] = [
            (pieces.first?.from, drawn.first), (pieces.last?.until, drawn.last),
        ]
        return ends.prefix(isPoint ? 1 : 2).compactMap { end in
            guard let time = end.time, let piece = end.piece else { return nil }
            // An end is seldom at a round time: where its minutes or seconds can be seen on the axis, they are told.
            let (step, minute) = (Self.step(for: piece, room: room), Int64(60_000_000_000))
            let isSeen = (minute..<60 * minute).contains(step) && !time.isMultiple(of: minute)
            let text = Self.label(clock: time, step: isSeen ? minute / 60 : step, after: last)
            last = ClockText.date(time)
            return (time, last, text)
        }
    }

    /// Labels the round times between the ends.
    ///
    /// - Parameter write: Writes a label where there is room for it, and returns whether there was.
    func labelTicks(room: Double, zero: String?, _ write: (_ text: String, _ x: Double) -> Bool) {
        var day = ends(room: room, zero: zero).first?.date ?? ""
        for piece in pieces.prefix(while: { zero == nil || !$0.isUnknown }) where !piece.isBreak {
            let step = Self.step(for: piece, room: room)
            // The last label in full, to which the finer ones add.
            var whole: Int64?
            for time in Self.ticks(of: piece, step: step, origin: zero == nil ? 0 : start) {
                let text =
                    zero == nil
                    ? Self.label(clock: time, step: step, after: day)
                    : Self.label(time - start, step: step, after: whole)
                guard write(text, x(time)) else { continue }
                day = ClockText.date(time)
                if text.first != "+" { whole = time - start }
            }
        }
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
