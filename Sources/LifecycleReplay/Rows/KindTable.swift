/// A ``StepKind`` packed into one integer, never 0.
struct KindKey: BitwiseCopyable {
    /// A verdict in two bits.
    enum Judgement: UInt8, BitwiseCopyable { case none, documented, undocumented }

    var isDerived: Bool
    var model: UInt8
    /// Number of the evidence's origin, counted from 1; 0 for a callback.
    var origin: UInt16 = 0
    /// Local number of the callback, or place of the proof among all proofs.
    var subject: UInt16
    var before: UInt8
    var after: UInt8
    var verdict: Judgement = .none
    var inferred = false
    var closedInferred = false
    var closedLeft = false

    @inline(__always)
    var packed: UInt64 {
        var key: UInt64 = isDerived ? 3 : 1
        key = key << 8 | UInt64(model)
        key = key << 12 | UInt64(origin & 0xFFF)
        key = key << 16 | UInt64(subject)
        key = key << 8 | UInt64(before)
        key = key << 8 | UInt64(after)
        key = key << 2 | UInt64(verdict.rawValue)
        key = key << 1 | (inferred ? 1 : 0)
        key = key << 1 | (closedInferred ? 1 : 0)
        return key << 1 | (closedLeft ? 1 : 0)
    }
}

extension KindKey {
    /// The key that a number was packed from.
    init(packed: UInt64) {
        isDerived = packed >> 57 & 3 == 3
        model = UInt8(truncatingIfNeeded: packed >> 49)
        origin = UInt16(packed >> 37 & 0xFFF)
        subject = UInt16(truncatingIfNeeded: packed >> 21)
        before = UInt8(truncatingIfNeeded: packed >> 13)
        after = UInt8(truncatingIfNeeded: packed >> 5)
        verdict = Judgement(rawValue: UInt8(packed >> 3 & 3)) ?? .none
        inferred = packed >> 2 & 1 == 1
        closedInferred = packed >> 1 & 1 == 1
        closedLeft = packed & 1 == 1
    }
}

/// Numbers for step kinds: a hash table from a packed key to the kind's number.
///
/// One probe per step; the texts of a kind are put together only when its key occurs for the first time.
struct KindTable {
    private var keys: [UInt64] = Array(repeating: 0, count: 1024)
    private var numbers: [Int32] = Array(repeating: 0, count: 1024)
    /// The packed keys by number.
    private(set) var known: [UInt64] = []

    /// The number of a key, if it has one, otherwise the place where ``insert(_:at:)`` puts it.
    @inline(__always)
    func find(_ key: UInt64) -> (number: Int32?, place: Int) {
        let mask = keys.count - 1
        var place = Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> 32) & mask
        while true {
            let present = keys[place]
            if present == key { return (numbers[place], place) }
            if present == 0 { return (nil, place) }
            place = (place + 1) & mask
        }
    }

    /// Gives a new key the next number.
    mutating func insert(_ key: UInt64, at place: Int) -> Int32 {
        let number = Int32(known.count)
        known.append(key)
        keys[place] = key
        numbers[place] = number
        if known.count * 2 > keys.count { grow() }
        return number
    }

    private mutating func grow() {
        keys = Array(repeating: 0, count: keys.count * 2)
        numbers = Array(repeating: 0, count: keys.count)
        for (number, key) in known.enumerated() {
            let place = find(key).place
            keys[place] = key
            numbers[place] = Int32(number)
        }
    }
}

/// Who writes evidence: by small number, and whether the system writes it or the process itself.
struct OriginTable {
    /// Origins of which a line says nothing about whether the process ran code: the system writes about it.
    static let system: Set<String> = [
        "assertiond", "backboard", "crash", "frontboard", "jetsam", "kernel", "metrickit", "open-url",
        "runningboard", "springboard", "watchdog",
    ]

    /// Origins that tell more than what callbacks were told. All others are frameworks and words of the app, a user's own
    /// too: they pass on what its callbacks were told, after them.
    static let witnesses: Set<String> = [
        "", "life", "evidence", "crash-report", "debugger", "launch-options", "launchd", "scene-adoption",
        "scene-adoption-warning", "uikit-deactivation", "window-before-scene",
    ]

    /// The word of SwiftUI for the state of a scene, and for that of all scenes together.
    static let phases: Set<String> = ["swiftui", "swiftui-app"]

    /// Number of the lines that are not events.
    let life: UInt16 = 1
    private(set) var names: [String] = []
    private(set) var isSystem: [Bool] = []
    private(set) var isFramework: [Bool] = []
    private(set) var isPhase: [Bool] = []
    private var numbers: [String: UInt16] = [:]

    init(names: [String] = ["", "life"]) { for name in names { _ = add(name) } }

    /// The number of an origin, from 1.
    mutating func number(_ name: String) -> UInt16 { numbers[name] ?? add(name) }

    private mutating func add(_ name: String) -> UInt16 {
        // The number has twelve bits in a key; nobody writes evidence of so many kinds.
        guard names.count < 4095 else { return 1 }
        let number = UInt16(names.count)
        names.append(name)
        isSystem.append(Self.system.contains(name))
        isFramework.append(
            !Self.system.contains(name) && !Self.witnesses.contains(name) && !name.hasPrefix("background-task"))
        isPhase.append(Self.phases.contains(name))
        numbers[name] = number
        return number
    }
}
