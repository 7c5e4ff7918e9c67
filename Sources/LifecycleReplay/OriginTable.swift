/// Who writes evidence: by small number, and whether the system writes it or the process itself.
struct OriginTable: Codable {
    /// Origins of which a line says nothing about whether the process ran code: the system writes about it.
    static let system: Set<String> = [
        "assertiond", "backboard", "crash", "frontboard", "jetsam", "kernel", "metrickit", "runningboard",
        "springboard", "watchdog",
    ]

    /// Frameworks that pass on what the callbacks of the app were told, after them.
    static let frameworks: Set<String> = [
        "cordova", "flutter", "opentelemetry", "react-native", "sentry", "swiftui", "transistor",
    ]

    /// Number of the lines that are not events.
    var life: UInt16 { 1 }
    private(set) var names: [String] = ["", "life"]
    private(set) var isSystem: [Bool] = [false, false]
    private(set) var isFramework: [Bool] = [false, false]
    private var numbers: [UInt32: UInt16] = [:]

    /// The symbols of the names.
    var symbols: Dictionary<UInt32, UInt16>.Keys { numbers.keys }

    /// Takes up new symbols of the same names.
    mutating func renumber(_ symbols: [UInt32]) {
        numbers = Dictionary(uniqueKeysWithValues: numbers.map { (symbols[Int($0.key)], $0.value) })
    }

    /// The number of an origin, from 1, by the symbol of its name.
    mutating func number(_ symbol: UInt32, name: String?) -> UInt16 {
        if let number = numbers[symbol] { return number }
        let number = UInt16(truncatingIfNeeded: names.count)
        names.append(name ?? "evidence")
        isSystem.append(Self.system.contains(name ?? ""))
        isFramework.append(Self.frameworks.contains(name ?? ""))
        numbers[symbol] = number
        return number
    }
}
