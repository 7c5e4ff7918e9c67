import LifecycleModel

/// What the rules of a model about exchanges come down to: the callbacks by which one instance leaves the screen while
/// another arrives.
struct ExchangeRules: Sendable {
    let model: UInt8
    /// Numbers of the checks about the order of callbacks, and about what the leaving instance gets afterwards.
    let orders: [Int]
    let responses: [Int]
    let leavingBegins: CallbackSet
    let leavingEnds: CallbackSet
    let arrivingBegins: CallbackSet
    let arrivingEnds: CallbackSet
    /// All callbacks that count.
    let concerned: CallbackSet

    /// - Returns: `nil` for a model without such rules.
    init?(checks: [CompiledCheck], orders pairsOf: [[CompiledCheck.OrderedPair]], model: UInt8) {
        let own = checks.indices.filter { checks[$0].model == model }
        orders = own.filter { checks[$0].template == .exchange }
        responses = own.filter { checks[$0].template == .exchangeResponse }
        guard !orders.isEmpty else { return nil }
        self.model = model
        let pairs = orders.flatMap { pairsOf[$0] }
        let leaving = CallbackSet(pairs.filter { !$0.earlierArrives }.map(\.earlier))
        let arrivingEarly = CallbackSet(pairs.filter(\.earlierArrives).map(\.earlier))
        leavingBegins = leaving
        leavingEnds = CallbackSet(pairs.filter { !$0.laterArrives && !leaving.contains($0.later) }.map(\.later))
        arrivingBegins = CallbackSet(pairs.filter { $0.laterArrives && !$0.earlierArrives }.map(\.later))
        arrivingEnds = CallbackSet(pairs.filter { $0.laterArrives && !arrivingEarly.contains($0.later) }.map(\.later))
        concerned = CallbackSet(pairs.flatMap { [$0.earlier, $0.later] })
    }
}

/// The callbacks of controllers that may belong to an exchange still going on.
struct ExchangeWindow: Codable {
    struct Entry: Codable {
        var instance: Int64
        var slot: Int32
        var callback: UInt16
        /// Whether the instance had not been on the screen before.
        var isNew: Bool
        var time: Int64
        var line: Int64
    }

    struct Awaited: Codable {
        var instance: Int64
        var check: Int
    }

    /// How many callbacks are kept.
    static let reach = 48
    var entries: [Entry] = []
    /// Instances that have left, and the check that waits for what they get now.
    var awaited: [Awaited] = []

    /// An instance has left or arrived: if it was on its way to the other side before, that was called off (a swipe back
    /// that was let go), and belongs to no exchange.
    mutating func dropCalledOff(by instance: Int64, hasLeft: Bool, _ rules: ExchangeRules) {
        let begins = hasLeft ? rules.leavingBegins : rules.arrivingBegins
        let others =
            hasLeft
            ? rules.arrivingBegins.union(rules.arrivingEnds) : rules.leavingBegins.union(rules.leavingEnds)
        guard
            let begin = entries.lastIndex(where: { $0.instance == instance && begins.contains($0.callback) }),
            let last = entries[..<begin].lastIndex(where: {
                $0.instance == instance && others.contains($0.callback)
            })
        else { return }
        let kept = entries[...last].filter { $0.instance != instance }
        entries.replaceSubrange(...last, with: kept)
    }
}
