import LifecycleSimulator

/// Writes logs with known ground truth.
public enum SimulationRun {
    /// - Parameters:
    ///   - callbacks: number of callbacks over all files.
    ///   - sparse: one of this many lines is a callback.
    ///   - truth: the file for the ground truth, as JSON.
    ///   - database: a database whose sources the ground truth must not replace.
    /// - Returns: what was written, in a sentence.
    /// - Throws: ``LifeStatsError`` when an option is out of range or a file cannot be written.
    public static func write(
        seed: UInt64, callbacks: Int, files: Int, sparse: Int, folder: String, truth path: String?,
        database: String? = nil
    ) throws -> String {
        let truthFile = try path.map { try OutputFile($0, database: database) }
        return try LifeStatsError.translated {
            let options = SimulationOptions(seed: seed, callbacks: callbacks, files: files, linesPerCallback: sparse)
            let truth = try Simulation(options).write(to: folder)
            try truthFile?.write(try truth.json().utf8)
            return "wrote \(truth.lines) lines with \(truth.callbacks) callbacks of \(truth.runs) runs to \(folder)"
        }
    }
}
