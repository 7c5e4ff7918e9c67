import LifecycleSimulator

/// Writes logs whose truth is known.
public enum SimulationRun {
    /// - Parameters:
    ///   - callbacks: number of callbacks over all files.
    ///   - sparse: one line in so many is a callback.
    ///   - truth: where the truth goes, as JSON; `nil` for nowhere.
    /// - Returns: what was written, in a sentence.
    /// - Throws: ``LifeStatsError`` when an option is out of range or a file cannot be written.
    public static func write(
        seed: UInt64, callbacks: Int, files: Int, sparse: Int, folder: String, truth path: String?
    ) throws -> String {
        try LifeStatsError.translated {
            let options = SimulationOptions(seed: seed, callbacks: callbacks, files: files, linesPerCallback: sparse)
            let truth = try Simulation(options).write(to: folder)
            if let path { try TextFile.write(try truth.json().utf8, to: path) }
            return "wrote \(truth.lines) lines with \(truth.callbacks) callbacks of \(truth.runs) runs to \(folder)"
        }
    }
}
