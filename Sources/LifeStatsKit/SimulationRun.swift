import Foundation
import LifecycleSimulator
import Reports
import TraceRecords

/// Writes logs with known ground truth.
public enum SimulationRun {
    /// Which logs to write.
    public struct Logs: Sendable {
        public var seed: UInt64 = 1
        /// Number of callbacks over all files.
        public var callbacks = 10_000
        public var files = 1
        /// One of this many lines is a callback.
        public var sparse = 1
        /// Devices in each of two cohorts, in place of files; the logs of each cohort go to a folder of their own,
        /// `a` and `b`.
        public var devices: Int?
        /// Standard deviation, between devices, of the logarithm of how long they stay in a state.
        public var spread = 0.0
        /// What is different in B: `state=factor` or `from>to=factor`.
        public var change: String?

        public init() {}
    }

    /// - Parameters:
    ///   - path: the file for the ground truth, as JSON.
    ///   - database: a database whose sources must not be replaced.
    /// - Returns: what was written, in a sentence.
    /// - Throws: ``LifeStatsError`` when an option is out of range, the folder holds logs, or a file cannot be written.
    public static func write(
        _ logs: Logs, folder: String, truth path: String?, database: String? = nil
    ) throws -> String {
        let truthFile = try path.map { try OutputFile($0, database: database) }
        for place in logs.devices == nil ? [folder] : ["\(folder)/a", "\(folder)/b"] {
            for name in (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? [] where name.hasSuffix(".log")
            {
                _ = try OutputFile("\(place)/\(name)", database: database)
            }
        }
        return try LifeStatsError.translated {
            let options = SimulationOptions(
                seed: logs.seed, callbacks: logs.callbacks, files: logs.devices.map { 2 * $0 } ?? logs.files,
                linesPerCallback: logs.sparse)
            let simulation = try Simulation(options)
            guard let devices = logs.devices else {
                let truth = try simulation.write(to: folder)
                try truthFile?.write(try Truth.json(truth).utf8)
                let callbacks = Plural.text(truth.callbacks, "callback")
                return
                    "wrote \(Plural.text(truth.lines, "line")) with \(callbacks) of \(Plural.text(truth.runs, "run")) "
                    + "to \(folder)"
            }
            let plan = SimulatedCohorts(devices: devices, spread: logs.spread, change: try logs.change.map(change))
            let truth = try simulation.write(plan, to: folder)
            try truthFile?.write(try Truth.json(truth).utf8)
            return
                "wrote the logs of \(2 * devices) devices to \(folder)/a (\(truth.a.runs) runs) and \(folder)/b "
                + "(\(truth.b.runs) runs)"
        }
    }

    /// Writes the logs of documented scenarios, in their longest form, one file each.
    ///
    /// - Parameters:
    ///   - ids: scenarios such as `SC-B01`, or `all`.
    ///   - path: the file for the ground truth, as JSON: the lines of each scenario, and the callbacks of all lines.
    /// - Returns: what was written, in a sentence.
    /// - Throws: ``LifeStatsError`` when there is no such scenario or a file cannot be written.
    public static func write(
        scenarios ids: [String], folder: String, truth path: String?, database: String? = nil
    ) throws -> String {
        try LifeStatsError.translated {
            let player = ScenarioPlayer(catalog: try ModelLoading.catalog(with: []))
            let known = player.scenarios
            let played = try (ids == ["all"] ? known : ids).map { id in
                guard let played = player.play(id) else {
                    throw LifeStatsError(
                        "there is no scenario \(id)",
                        remedy: Suggestion.remedy(
                            id, among: known, or: "`lifestats model show app` lists those of a model"))
                }
                return played
            }
            let files = try played.map { try OutputFile("\(folder)/\($0.scenario).log", database: database) }
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            for (file, one) in zip(files, played) { try file.write(one.text.utf8) }
            let truth = played.map { one in
                JSONValue.members([
                    "file": .string("\(one.scenario).log"), "scenario": .string(one.scenario),
                    "first_line": .integer(Int64(one.lines.lowerBound)),
                    "last_line": .integer(Int64(one.lines.upperBound)),
                    "callbacks": .array(one.callbacks.map { .string($0) }),
                ])
            }
            try path.map { try OutputFile($0, database: database) }?.write(JSONValue.array(truth).indentedText.utf8)
            return "wrote the logs of \(Plural.text(played.count, "scenario")) to \(folder)"
        }
    }

    private static func change(_ text: String) throws -> SimulatedCohorts.Change {
        let parts = text.split(separator: "=", omittingEmptySubsequences: false)
        let states = parts[0].split(separator: ">", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let factor = Double(parts[1]), (1...2).contains(states.count) else {
            throw LifeStatsError(
                "--change \(text): not a change",
                remedy: "write STATE=FACTOR, such as background=4, or FROM>TO=FACTOR, such as inactive>background=0.5")
        }
        return .init(state: states[0], next: states.count == 2 ? states[1] : nil, factor: factor)
    }
}
