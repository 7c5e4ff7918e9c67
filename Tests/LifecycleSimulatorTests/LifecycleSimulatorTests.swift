import Foundation
import Testing

@testable import LifecycleSimulator

@Suite("A simulation")
struct SimulationTests {
    /// Simulates into a new folder and returns the truth and the bytes of every file.
    private func simulate(_ options: SimulationOptions) throws -> (truth: Truth, logs: [String: Data]) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "simulation-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let truth = try Simulation(options).write(to: folder.path)
        var logs: [String: Data] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            logs[name] = try Data(contentsOf: folder.appending(path: name))
        }
        return (truth, logs)
    }

    private func lines(_ logs: [String: Data]) -> [String] {
        logs.values.flatMap { String(decoding: $0, as: UTF8.self).split(separator: "\n").map(String.init) }
    }

    @Test("depends only on the seed and the options")
    func seed() throws {
        let options = SimulationOptions(seed: 5, callbacks: 2_000, files: 3)
        let first = try simulate(options)
        let second = try simulate(options)
        #expect(first.truth == second.truth)
        #expect(first.logs == second.logs)
        let other = try simulate(SimulationOptions(seed: 6, callbacks: 2_000, files: 3))
        #expect(other.logs != first.logs)
    }

    @Test("writes exactly the requested number of callbacks", arguments: [(12, 3), (13, 3), (100, 1), (4_999, 7)])
    func budget(callbacks: Int, files: Int) throws {
        let (truth, logs) = try simulate(SimulationOptions(callbacks: callbacks, files: files))
        #expect(truth.callbacks == callbacks)
        #expect(truth.files.count == files)
        #expect(Set(truth.files) == Set(logs.keys))
        #expect(lines(logs).count == callbacks)
        #expect(truth.lines == callbacks)
    }

    @Test("writes one callback per given number of lines")
    func sparse() throws {
        let (truth, logs) = try simulate(SimulationOptions(callbacks: 400, files: 2, linesPerCallback: 20))
        let all = lines(logs)
        #expect(truth.lines == all.count)
        // The noise after the last callback of a file is never written, nor that of a mid-life begin.
        #expect(all.count > 400 * 19 && all.count <= 400 * 20)
        let callbacks = all.filter { line in
            ["FinishLaunching", "BecomeActive", "ResignActive", "EnterBackground", "EnterForeground", "WillTerminate"]
                .contains { line.contains($0) }
        }
        #expect(callbacks.count == 400)
    }

    @Test("writes its lines in the order of time, in the requested form")
    func form() throws {
        let old = try simulate(SimulationOptions(callbacks: 500, linesPerCallback: 3, form: .old))
        let times = lines(old.logs).map { String($0.prefix(23)) }
        #expect(times == times.sorted())
        for line in lines(old.logs) {
            #expect(line.contains(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} Harbour\[\d+:[0-9a-f]+\] ./))
        }
        let new = try simulate(SimulationOptions(callbacks: 500, form: .new))
        for line in lines(new.logs) {
            #expect(line.contains(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}[+-]\d{4} Harbour\[\d+:[0-9a-f]+\] ./))
        }
    }

    @Test("counts a truth that adds up")
    func balance() throws {
        let truth = try simulate(SimulationOptions(seed: 3, callbacks: 30_000, files: 8)).truth
        // Every visit but a run's last is left by a transition; every run but one that began unseen has a launch.
        let launches = truth.transitions.filter { $0.from == "not_running" }.reduce(0) { $0 + $1.count }
        let midLife = 2
        #expect(launches == truth.runs - midLife)
        #expect(truth.endReasons.values.reduce(0, +) == truth.runs)
        let intoVisits = truth.transitions.filter { $0.to != "not_running" }.reduce(0) { $0 + $1.count }
        #expect(truth.visits.reduce(0) { $0 + $1.visits } == intoVisits + midLife)
        #expect(truth.visits.allSatisfy { $0.visits == $0.completed + $0.censored })
        let silent = truth.transitions.filter { $0.callback == nil }
        #expect(silent.allSatisfy { $0.evidence == "inferred" && $0.to == "not_running" })
    }

    @Test("rejects impossible options with a reason")
    func refusal() {
        #expect(throws: SimulationError.self) { try Simulation(SimulationOptions(callbacks: 7, files: 2)) }
        #expect(throws: SimulationError.self) { try Simulation(SimulationOptions(files: 0)) }
        let error = SimulationError.badOption(name: "files", reason: "must be at least 1")
        #expect("\(error)" == "the option 'files' must be at least 1")
        #expect(throws: SimulationError.self) { try Simulation(SimulationOptions()).write(to: "/dev/null/logs") }
    }

    @Test("asks whether a mistyped state was meant to be the nearest", arguments: ["bakground", "inactive>bakground"])
    func mistyped(change: String) throws {
        let states = change.split(separator: ">").map(String.init)
        let plan = SimulatedCohorts(
            devices: 1, change: .init(state: states[0], next: states.dropFirst().first, factor: 2))
        let error = try #require(throws: SimulationError.self) {
            try Simulation(SimulationOptions()).write(plan, to: "/dev/null/logs")
        }
        #expect("\(error)".hasSuffix("; did you mean background?"), "\(error)")
    }
}

@Suite("The clock of a log")
struct LogClockTests {
    @Test(
        "prints civil times",
        arguments: [
            (0, Int?.none, "1970-01-01 00:00:00.000"),
            (951_782_399_999_000, nil, "2000-02-28 23:59:59.999"),
            (951_782_400_000_000, nil, "2000-02-29 00:00:00.000"),
            (951_868_800_000_000, nil, "2000-03-01 00:00:00.000"),
            (1_772_438_400_000_001, 120, "2026-03-02 10:00:00.000001+0200"),
            (1_772_438_400_250_000, -210, "2026-03-02 04:30:00.250000-0330"),
        ])
    func civil(time: Int, zone: Int?, text: String) {
        var clock = LogClock(zone: zone)
        clock.set(time)
        #expect(String(decoding: clock.text, as: UTF8.self) == text)
    }
}
