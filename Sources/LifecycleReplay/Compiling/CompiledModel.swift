import LifecycleModel

/// A documented model as integer tables: what a callback does in a state is one look-up.
///
/// A class, so that handing it around in the hot path counts one reference and copies nothing.
final class CompiledModel: Sendable {
    /// The state before the first callback that tells it.
    static let unknown = UInt8.max
    /// Stands for evidence where a callback's number is kept.
    static let noCallback = UInt16.max

    /// What a callback does to an instance.
    struct Action: Sendable {
        /// State before, as far as the model knows it, and state after.
        var before: UInt8
        var after: UInt8
        /// Whether the model documents it.
        var isLegal: Bool
        /// Other states that it may lead to instead, one bit each.
        var alternatives: UInt64 = 0
    }

    let number: UInt8
    let id: String
    let layer: String
    /// Whether a run has one instance of it, or one per scene session; otherwise it has one per labelled object.
    let isPerRun: Bool
    let isPerScene: Bool
    let states: [String]
    /// Ids of the callbacks, and what is to be known of each.
    let callbacks: [String]
    let traits: [CallbackTraits]
    let initial: UInt8
    /// The state without visits; ``unknown`` when the model has none.
    let notRunning: UInt8
    let final: UInt64
    /// Final states that nothing leads out of, one bit each.
    let terminal: UInt64
    /// States in which an object, such as a background task, keeps the process running, one bit each.
    let working: UInt64
    /// States in which a long silence means that the process was suspended, one bit each.
    let suspendable: UInt64
    /// The state that suspension leads to; ``unknown`` when the model has none.
    let suspended: UInt8
    /// The state of a suspended process that runs again; `nil` when the model has no suspension.
    var awake: UInt8? { suspendable == 0 ? nil : UInt8(suspendable.trailingZeroBitCount) }
    /// State that each state is taken to when the process ends without a word; ``unknown`` where the model names none.
    let silentEnd: [UInt8]
    /// Launch callbacks in their documented order, one bit each by number.
    let launchOrder: [UInt16]
    /// Callbacks that tell of a state some time after it began.
    let late: CallbackSet
    /// Transitions that the model knows, whatever marks them: `from * states + to`.
    private let connected: [Bool]
    private let actions: [Action]
    /// State that a callback proves; ``unknown`` when it proves none.
    private let proven: [UInt8]
    /// By callback, those that the table of next callbacks lets follow it, and at ``beginning`` those that may come first;
    /// `nil` where the table says nothing.
    let followers: [CallbackSet?]
    /// The callbacks in the order in which a way is searched: those that some transition asks for come first.
    let searchOrder: [Int]

    /// Compiles a model.
    ///
    /// - Parameter borrowed: callbacks of other models that its transitions name; they are numbered after its own.
    /// - Returns: `nil` when it has more than 63 states, which no table of bits can hold.
    init?(_ model: LifecycleModel, number: UInt8, borrowed: [ModelCallback] = []) {
        var model = model
        model.callbacks += borrowed
        guard model.states.count <= 63 else { return nil }
        let numbers = Dictionary(model.states.enumerated().map { ($1.id, UInt8($0)) }) { first, _ in first }
        let edges = model.edges
        self.number = number
        id = model.id
        layer = model.layer
        isPerRun = model.scope == .run
        isPerScene = model.scope == .scene
        states = model.states.map(\.id)
        callbacks = model.callbacks.map(\.id)
        traits = model.callbacks.map { CallbackTraits($0) }
        initial = numbers[model.initial] ?? 0
        notRunning = numbers["not_running"] ?? Self.unknown
        final = model.final.compactMap { numbers[$0] }.reduce(0) { $0 | 1 << UInt64($1) }

        working = model.states.indices.filter { model.scope == .object && model.states[$0].runsCode == true }
            .reduce(0) { $0 | 1 << UInt64($1) }

        var suspendable: UInt64 = 0
        var suspended = Self.unknown
        var silentEnd = Array(repeating: Self.unknown, count: states.count)
        var connected = Array(repeating: false, count: states.count * states.count)
        for move in model.silentMoves {
            guard let from = numbers[move.from], let to = numbers[move.to] else { continue }
            connected[Int(from) * states.count + Int(to)] = true
            let target = model.states[Int(to)]
            if target.runsCode == false, to != initial {
                suspendable |= 1 << UInt64(from)
                suspended = to
            }
            if target.isDrawn, final & 1 << UInt64(to) != 0 { silentEnd[Int(from)] = to }
        }
        for edge in edges {
            guard let from = numbers[edge.from], let to = numbers[edge.to] else { continue }
            connected[Int(from) * states.count + Int(to)] = true
        }
        self.suspendable = suspendable
        self.suspended = suspended
        self.silentEnd = silentEnd
        self.connected = connected

        let callbackNumbers = Dictionary(model.callbacks.enumerated().map { ($1.id, $0) }) { first, _ in first }
        let proven = model.callbacks.map { $0.proves.flatMap { numbers[$0] } ?? Self.unknown }
        self.proven = proven
        launchOrder = model.callbacks.indices.filter { model.callbacks[$0].beginsRun }.map { UInt16($0) }
        late = CallbackSet(model.callbacks.indices.filter { model.callbacks[$0].comesLate }.map { UInt16($0) })

        let targets = Self.targets(edges, numbers, callbackNumbers, states: states.count)
        var leaving: UInt64 = 0
        for edge in edges where edge.changesState { leaving |= numbers[edge.from].map { 1 << UInt64($0) } ?? 0 }
        terminal = final & ~leaving
        actions = Self.actions(model, numbers, targets: targets, proven: proven)
        followers = Self.followers(model, callbackNumbers)
        let asked = Set(model.transitions.flatMap(\.steps).flatMap(\.asked).compactMap { callbackNumbers[$0] })
        searchOrder =
            model.callbacks.indices.filter(asked.contains) + model.callbacks.indices.filter { !asked.contains($0) }
    }

    /// Every state that a callback may lead to from a state, one bit each: `targets[state * callbacks + callback]`.
    private static func targets(
        _ edges: [ModelEdge], _ states: [String: UInt8], _ callbacks: [String: Int], states count: Int
    ) -> [UInt64] {
        var targets = Array(repeating: UInt64(0), count: count * callbacks.count)
        for edge in edges {
            guard let from = states[edge.from], let to = states[edge.to], let callback = callbacks[edge.callback]
            else { continue }
            targets[Int(from) * callbacks.count + callback] |= 1 << UInt64(to)
        }
        return targets
    }

    /// What every callback does in every state, then what it does where the state is not known.
    private static func actions(
        _ model: LifecycleModel, _ numbers: [String: UInt8], targets: [UInt64], proven: [UInt8]
    ) -> [Action] {
        let width = model.callbacks.count
        var actions: [Action] = []
        actions.reserveCapacity((model.states.count + 1) * width)
        for state in model.states.indices {
            for (place, callback) in model.callbacks.enumerated() {
                let all = targets[state * width + place]
                actions.append(action(callback, in: UInt8(state), targets: all, proven: proven[place]))
            }
        }
        let first = Int(numbers[model.initial] ?? 0)
        let evidenceOnly = Set(model.states.indices.filter { model.states[$0].runsCode == false && $0 != first })
        for (place, callback) in model.callbacks.enumerated() {
            let sources = model.states.indices.filter {
                targets[$0 * width + place] != 0 && model.states[$0].isDrawn && !evidenceOnly.contains($0)
            }
            let named = callback.before.flatMap { numbers[$0] }.map { Int($0) }
            let only = named ?? (sources.count == 1 ? sources[0] : nil)
            if callback.isSupplementary {
                actions.append(Action(before: unknown, after: unknown, isLegal: true))
            } else if let only, actions[only * width + place].isLegal {
                actions.append(actions[only * width + place])
            } else {
                actions.append(Action(before: unknown, after: proven[place], isLegal: true))
            }
        }
        return actions
    }

    private static func followers(_ model: LifecycleModel, _ numbers: [String: Int]) -> [CallbackSet?] {
        let beginning = model.callbacks.count
        var followers = [CallbackSet?](repeating: nil, count: beginning + 1)
        guard beginning <= Int(CallbackSet.capacity) else { return followers }
        for row in model.nextCallbacks {
            guard let place = row.after.map({ numbers[$0] }) ?? beginning else { continue }
            followers[place] = CallbackSet(row.legal.compactMap { numbers[$0].map { UInt16($0) } })
        }
        return followers
    }

    private static func action(
        _ callback: ModelCallback, in state: UInt8, targets: UInt64, proven: UInt8
    ) -> Action {
        if targets != 0 {
            let preferred = proven != unknown && targets & 1 << UInt64(proven) != 0
            let after = preferred ? proven : UInt8(targets.trailingZeroBitCount)
            return Action(
                before: state, after: after, isLegal: true, alternatives: targets & ~(1 << UInt64(after)))
        }
        if callback.isSupplementary { return Action(before: state, after: state, isLegal: true) }
        return Action(before: state, after: proven == unknown ? state : proven, isLegal: false)
    }

    /// What a callback does in a state, or in ``unknown``.
    @inline(__always)
    func action(of callback: UInt16, in state: UInt8) -> Action {
        let row = state == Self.unknown ? states.count : Int(state)
        return actions[row * callbacks.count + Int(callback)]
    }

    /// The callbacks that lead from a state to another, one bit each; where none does, those that show the other one.
    func callbacks(to state: UInt8, from present: UInt8) -> UInt64 {
        var (leading, showing): (UInt64, UInt64) = (0, 0)
        for callback in 0..<UInt16(min(callbacks.count, 64)) where !beginsLife(callback) {
            let action = action(of: callback, in: present)
            if action.isLegal, action.after == state { leading |= 1 << UInt64(callback) }
            if proof(of: callback) == state { showing |= 1 << UInt64(callback) }
        }
        return leading != 0 ? leading : showing
    }

    /// Whether a callback is the beginning of a life: the launch of a process, the loading of a view, the task that the
    /// system launched the process for.
    @inline(__always)
    func beginsLife(_ callback: UInt16) -> Bool {
        let traits = traits[Int(callback)]
        return isPerRun ? traits.contains(.beginsRun) : !traits.isDisjoint(with: [.beginsInstance, .tellsCause])
    }

    /// Whether the instances are objects that come and go under their labels.
    @inline(__always)
    var isPerObject: Bool { !isPerRun && !isPerScene }

    /// Whether the model has a transition between two states, whatever marks it.
    @inline(__always)
    func isConnected(_ from: UInt8, _ to: UInt8) -> Bool { connected[Int(from) * states.count + Int(to)] }

    /// State that a callback proves; ``unknown`` when it proves none.
    func proof(of callback: UInt16) -> UInt8 { proven[Int(callback)] }

    /// Number of a state by its id.
    func state(_ id: String) -> UInt8? { states.firstIndex(of: id).map { UInt8($0) } }

    /// Whether a stay in the state is a visit: `not_running` has none.
    @inline(__always)
    func hasVisits(_ state: UInt8) -> Bool { state != Self.unknown && state != notRunning }
}

/// A set of callbacks by their numbers in the vocabulary, as two machine words.
///
/// Callbacks beyond the first ``capacity`` are in no set: rules that name them are not checked.
struct CallbackSet: Sendable, Equatable, BitwiseCopyable {
    static let capacity: UInt16 = 128

    private var low: UInt64 = 0
    private var high: UInt64 = 0

    init() {}

    init(_ numbers: some Sequence<UInt16>) { for number in numbers { insert(number) } }

    var isEmpty: Bool { low | high == 0 }

    @inline(__always)
    mutating func insert(_ number: UInt16) {
        if number < 64 {
            low |= 1 << UInt64(number)
        } else if number < Self.capacity {
            high |= 1 << UInt64(number - 64)
        }
    }

    @inline(__always)
    func contains(_ number: UInt16) -> Bool {
        if number < 64 { return low & 1 << UInt64(number) != 0 }
        return number < Self.capacity && high & 1 << UInt64(number - 64) != 0
    }

    @inline(__always)
    func intersects(_ other: CallbackSet) -> Bool { low & other.low | high & other.high != 0 }

    func union(_ other: CallbackSet) -> CallbackSet {
        var union = self
        union.low |= other.low
        union.high |= other.high
        return union
    }

    /// The number, when there is just one.
    var only: UInt16? {
        guard low.nonzeroBitCount + high.nonzeroBitCount == 1 else { return nil }
        return UInt16(low != 0 ? low.trailingZeroBitCount : 64 + high.trailingZeroBitCount)
    }

    /// The numbers, least first.
    var numbers: [UInt16] { (0..<Self.capacity).filter { contains($0) } }
}

/// Lists of numbers, one for each callback or model, side by side in one array.
///
/// Walking one counts no reference; an array of arrays would count two for every event.
struct NumberLists: Sendable {
    private let first: [Int32]
    private let items: [Int32]

    init(_ lists: [[Int]]) {
        var first: [Int32] = [0]
        var items: [Int32] = []
        for list in lists {
            items += list.map(Int32.init)
            first.append(Int32(items.count))
        }
        self.first = first
        self.items = items
    }

    /// Where the numbers of a list stand.
    @inline(__always)
    func places(of list: Int) -> Range<Int> { Int(first[list])..<Int(first[list + 1]) }

    /// The number at a place.
    @inline(__always)
    subscript(place: Int) -> Int { Int(items[place]) }
}
