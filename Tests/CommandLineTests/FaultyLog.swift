@testable import LifecycleSimulator

/// A log of an app with or without a scene that conforms to the documentation except for faults at known lines.
///
/// It consists of rounds of leaving the app and coming back. A fault stays inside its round, so that the app is in a
/// documented state again before the next one and each fault is detected by itself.
struct FaultyLog: Sendable {
    /// The log, each line ended by a line break.
    private(set) var text = ""
    /// The injected faults, in line order. A fault of two lines is listed twice.
    private(set) var faults: [InjectedFault] = []

    private static let launch = "didFinishLaunchingWithOptions"
    private static let connect = "sceneWillConnect"
    private static let terminate = "applicationWillTerminate"

    /// Callbacks of the app, or of its scene.
    private var active: String { "\(owner)DidBecomeActive" }
    private var resign: String { "\(owner)WillResignActive" }
    private var background: String { "\(owner)DidEnterBackground" }
    private var foreground: String { "\(owner)WillEnterForeground" }
    private var nonexistent: [String] {
        ["DidEnterForeground", "WillBecomeActive", "DidResignActive", "WillEnterBackground"].map { owner + $0 }
    }

    private var random: RandomSource
    private var clock: LogClock
    private let spelling: Spelling
    private let faultsToChoose: [Fault]
    private let hasScene: Bool
    private var owner: String { hasScene ? "scene" : "application" }
    /// Microseconds since 1970 UTC.
    private var now = 1_774_000_800_000_000
    private var pid: Int
    private var lines = 0

    /// Generates a log.
    ///
    /// - Parameters:
    ///   - seed: the same seed gives the same log.
    ///   - rounds: how often the app is left; about every second round has a fault.
    ///   - faults: faults to choose from; none gives a log without faults.
    ///   - hasScene: whether the app has a scene.
    init(seed: UInt64, rounds: Int = 12, faults: [Fault] = Fault.allCases, hasScene: Bool = false) {
        self.hasScene = hasScene
        random = RandomSource(seed: seed)
        let zones: [Int?] = [nil, 0, 120, -210]
        clock = LogClock(zone: zones[random.below(zones.count)])
        spelling = Spelling.allCases[random.below(Spelling.allCases.count)]
        pid = 300 + random.below(9_000)
        faultsToChoose = faults
        play(rounds: rounds)
    }

    private mutating func play(rounds: Int) {
        if faultsToChoose.contains(.truncation), random.below(3) == 0 {
            write(resign, is: .truncation)
            write(active, after: 300...4_000)
        } else {
            begin()
        }
        for round in 1...max(1, rounds) {
            if random.below(2) == 0, let fault = faultsToChoose.isEmpty ? nil : pick(faultsToChoose) {
                play(fault)
            } else if random.below(3) == 0 {
                write(resign, after: 2_000...60_000)
                write(active, after: 300...5_000)
            } else {
                leave()
                comeBack()
            }
            guard round.isMultiple(of: 5), round < rounds else { continue }
            leave()
            write(Self.terminate, after: 300...3_000)
            begin()
        }
    }

    // MARK: - Normal use

    private mutating func begin(activeAfter: ClosedRange<Int> = 100...1_500, is fault: Fault? = nil) {
        pid += 1 + random.below(30)
        now += 60_000_000
        if random.below(2) == 0 { write("willFinishLaunchingWithOptions", after: 0...900) }
        write(Self.launch, after: 110...900)
        if hasScene {
            write(Self.connect, after: 10...90)
            write(foreground, after: 10...90)
        }
        write(active, after: activeAfter, is: fault)
    }

    private mutating func leave() {
        write(resign, after: 2_000...60_000)
        write(background, after: 300...2_000)
        if random.below(3) == 0 { write("upload of 3 photos done", after: 200...900) }
    }

    private mutating func comeBack() {
        write(foreground, after: 8_000...600_000)
        write(active, after: 200...2_000)
    }

    // MARK: - Faults

    private mutating func play(_ fault: Fault) {
        switch fault {
        case .illegalTransition: makeIllegal()
        case .missingCallback: leaveOut()
        case .duplicate: repeatLine()
        case .reorderedTie: exchange()
        case .clockRegression: setBack()
        case .truncation: break
        case .unknownCallback:
            let name = pick(nonexistent)
            write(name, after: 2_000...20_000, is: .unknownCallback)
        case .limitOverrun: overrun()
        case .ruleViolation: breakRule()
        }
    }

    private mutating func makeIllegal() {
        if random.below(2) == 0 {
            write(foreground, after: 2_000...60_000, is: .illegalTransition)
            write(active, after: 200...2_000)
        } else {
            leave()
            write(resign, after: 8_000...60_000, is: .illegalTransition)
            write(background, after: 300...2_000)
            comeBack()
        }
    }

    private mutating func leaveOut() {
        switch random.below(4) {
        case 0:
            write(background, after: 2_000...60_000, is: .missingCallback)
            comeBack()
        case 1:
            leave()
            write(active, after: 8_000...60_000, is: .missingCallback)
        case 2:
            write(resign, after: 2_000...60_000)
            write(foreground, after: 300...4_000, is: .missingCallback)
            write(active, after: 200...2_000)
        default:
            leave()
            write(foreground, after: 8_000...60_000)
            write(resign, after: 300...4_000, is: .missingCallback)
            write(background, after: 300...2_000)
            comeBack()
        }
    }

    private mutating func repeatLine() {
        switch random.below(3) {
        case 0: write(active, after: 150...9_000, is: .duplicate)
        case 1:
            write(resign, after: 2_000...60_000)
            write(resign, after: 150...900, is: .duplicate)
            write(active, after: 200...2_000)
        default:
            leave()
            write(foreground, after: 8_000...60_000)
            write(foreground, after: 150...900, is: .duplicate)
            write(active, after: 200...2_000)
        }
    }

    private mutating func exchange() {
        if random.below(2) == 0 {
            write(background, after: 2_000...60_000, is: .reorderedTie)
            write(resign, after: 0...0, is: .reorderedTie)
            comeBack()
        } else {
            leave()
            write(active, after: 8_000...60_000, is: .reorderedTie)
            write(foreground, after: 0...0, is: .reorderedTie)
        }
    }

    private mutating func setBack() {
        let name = pick([resign, background, active])
        func fault(_ callback: String) -> Fault? { callback == name ? .clockRegression : nil }
        write(resign, after: 2_000...60_000, is: fault(resign))
        write(background, after: 300...2_000, is: fault(background))
        write(foreground, after: 60_000...600_000)
        write(active, after: 200...2_000, is: fault(active))
    }

    private mutating func overrun() {
        switch random.below(3) {
        case 0:
            leave()
            write(Self.terminate, after: 300...3_000)
            begin(activeAfter: 6_000...9_000, is: .limitOverrun)
        case 1:
            write(resign, after: 2_000...60_000)
            write(active, after: 11_000...50_000, is: .limitOverrun)
        default:
            leave()
            write(foreground, after: 8_000...60_000)
            write(active, after: 11_000...19_000, is: .limitOverrun)
        }
    }

    private mutating func breakRule() {
        switch random.below(4) {
        case 0:
            leave()
            write(foreground, after: 8_000...60_000)
            write(background, after: 300...2_000, is: .ruleViolation)
            comeBack()
        case 1:
            write("protectedDataWillBecomeUnavailable", after: 2_000...20_000, is: .ruleViolation)
        case 2:
            // A round may end with a line that is not a callback, but this process must have been seen last at a callback.
            write(resign, after: 2_000...60_000)
            write(active, after: 300...4_000, is: .ruleViolation)
            begin()
        default:
            write(resign, after: 2_000...60_000)
            write(background, after: 300...2_000, is: .ruleViolation)
            begin()
        }
    }

    // MARK: - Lines

    private mutating func pick<Element>(_ choices: [Element]) -> Element { choices[random.below(choices.count)] }

    /// Writes a line a random number of milliseconds after the last one.
    private mutating func write(_ message: String, after: ClosedRange<Int> = 0...0, is fault: Fault? = nil) {
        let milliseconds = after.lowerBound + random.below(after.count)
        // After a step back, the clock stays behind.
        now += (fault == .clockRegression ? -1_100 - random.below(40_000) : milliseconds) * 1_000
        clock.set(now)
        let isCallback = !message.contains(" ")
        text += String(decoding: clock.text, as: UTF8.self)
        text += " Faulty[\(pid):1f] \(isCallback ? spelling.message(message) : message)\n"
        lines += 1
        if let fault { faults.append(InjectedFault(fault: fault, line: lines)) }
    }
}

/// A fault that can be injected into a log, named after the deviation it causes.
enum Fault: String, Sendable, Hashable, CaseIterable, Codable {
    /// A callback comes in a state where it is not documented and that no single missing callback explains.
    case illegalTransition = "illegal-transition"
    /// A callback is not logged.
    case missingCallback = "missing-callback"
    /// A callback is logged a second time, a moment later.
    case duplicate
    /// Two lines of one time are in the wrong order.
    case reorderedTie = "reordered-tie"
    /// The clock is set back for one line.
    case clockRegression = "clock-regression"
    /// The beginning of the log is cut off.
    case truncation
    /// A line names a callback that does not exist.
    case unknownCallback = "unknown-callback"
    /// Something takes longer than a documented limit.
    case limitOverrun = "limit-overrun"
    /// Every move is documented, but their order or the end of the run breaks a rule.
    case ruleViolation = "rule-violation"
}

/// An injected fault and its line.
struct InjectedFault: Sendable, Hashable, Codable {
    var fault: Fault
    /// Line at which the fault is detectable, counted from 1.
    var line: Int
}
