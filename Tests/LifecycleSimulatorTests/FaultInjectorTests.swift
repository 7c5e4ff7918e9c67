import Testing

@testable import LifecycleSimulator

@Suite("An injected fault")
struct FaultInjectorTests {
    private static let names = [
        "application:didFinishLaunchingWithOptions:", "applicationDidBecomeActive:", "applicationWillResignActive:",
        "applicationDidEnterBackground:", "applicationWillEnterForeground:",
    ]
    /// A launch and ten times leaving and coming back, a line every ten seconds from 08:00:00.
    private static let log: String = {
        let order = [0, 1] + (0..<10).flatMap { _ in [2, 3, 4, 1] }
        return order.enumerated().map { place, name in
            let minute = place / 6
            let clock = "08:\(minute < 10 ? "0" : "")\(minute):\(place % 6)0"
            return "2026-03-02 \(clock).500 App[7:c07] \(names[name])\n"
        }.joined()
    }()

    private func lines(_ log: String) -> [String] { log.split(separator: "\n").map(String.init) }

    @Test("leaves out a resign-active, and points to the enter-background after it")
    func missing() throws {
        var injector = FaultInjector(seed: 1, faults: [.missingCallback])
        let (log, faults) = injector.inject(into: Self.log, every: 1)
        #expect(faults.count > 2)
        #expect(lines(log).count == 42 - faults.count)
        for fault in faults {
            #expect(lines(log)[fault.line - 1].contains("applicationDidEnterBackground"))
            #expect(lines(log)[fault.line - 2].contains("applicationDidBecomeActive"))
        }
    }

    @Test("repeats a become-active a moment later, and points to the copy")
    func duplicate() throws {
        var injector = FaultInjector(seed: 1, faults: [.duplicate])
        let (log, faults) = injector.inject(into: Self.log, every: 1)
        #expect(lines(log).count == 42 + faults.count)
        for fault in faults {
            let copy = lines(log)[fault.line - 1]
            let original = lines(log)[fault.line - 2]
            #expect(copy.contains("0.650 App") && original.contains("0.500 App"))
            #expect(copy.dropFirst(23) == original.dropFirst(23))
        }
    }

    @Test("sets the clock back by half a minute for one line")
    func clock() throws {
        var injector = FaultInjector(seed: 1, faults: [.clockRegression])
        let (log, faults) = injector.inject(into: Self.log, every: 1)
        #expect(lines(log).count == 42)
        for fault in faults { #expect(lines(log)[fault.line - 1] < lines(log)[fault.line - 2]) }
        let changed = zip(lines(log), lines(Self.log)).filter { $0 != $1 }.count
        #expect(changed == faults.count)
    }

    @Test("is the same for the same seed")
    func seed() {
        var one = FaultInjector(seed: 9)
        var other = FaultInjector(seed: 9)
        let first = one.inject(into: Self.log, every: 2)
        let second = other.inject(into: Self.log, every: 2)
        #expect(first.log == second.log)
        #expect(first.faults == second.faults)
    }
}
