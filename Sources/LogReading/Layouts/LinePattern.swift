/// A line's layout, compiled from a text such as
/// `{time:yyyy-MM-dd HH:mm:ss.S[Z]} {process}[{pid}:{thread}] {message}`.
struct LinePattern: Sendable {
    /// What is matched, in order.
    let steps: [MatchStep]
    /// The bytes of all literals.
    let pool: [UInt8]
    /// The words of all choices.
    let words: [[UInt8]]
    /// How the time is written; `nil` when the line has none.
    let time: TimePattern?
    /// Steps `1..<headerEnd` between the time and the message depend on nothing behind them: a line that repeats
    /// their bytes repeats their meaning. 0 when there are no such steps.
    let headerEnd: Int
    /// Whether nothing but the message follows those steps.
    let endsWithMessage: Bool
    /// What a line of the pattern can begin with.
    let firstBytes: ByteSet

    init(_ text: String) throws(LayoutProblem) {
        var compiler = PatternCompiler()
        try compiler.compile(text)
        steps = compiler.steps
        pool = compiler.pool
        words = compiler.words
        time = compiler.time
        firstBytes = Self.firstBytes(
            of: compiler.steps, pool: compiler.pool, words: compiler.words, time: compiler.time)
        headerEnd = Self.headerEnd(of: compiler.steps)
        endsWithMessage = headerEnd > 0 && headerEnd == steps.count - 1 && Self.isMessage(steps.last)
    }

    private static func isMessage(_ step: MatchStep?) -> Bool {
        if case .rest(.message)? = step { true } else { false }
    }

    private static func headerEnd(of steps: [MatchStep]) -> Int {
        guard case .time? = steps.first else { return 0 }
        var end = 0
        for (index, step) in steps.enumerated().dropFirst() {
            switch step {
            case .group, .rest, .time, .milliseconds, .noInterval: return end
            case .literal: end = index + 1
            default: continue
            }
        }
        return end
    }
}
