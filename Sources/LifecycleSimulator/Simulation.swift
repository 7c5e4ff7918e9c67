import DataFiles
import Foundation
package import LifecycleModel

/// Simulates logs with known ground truth from a documented model.
///
/// Every file is the stream of one app with several runs. Visits cut by the log or by a silent end are censored, a new pid
/// ends the run before it, and there are no visits of `not_running`.
package struct Simulation: Sendable {
    let options: SimulationOptions
    let script: Script

    /// - Throws: ``SimulationError`` when an option is out of range or the model lacks a move of the habits.
    package init(_ options: SimulationOptions, model: LifecycleModel) throws(SimulationError) {
        try self.init(options, script: Script(app: model))
    }

    /// The same with the built-in model of the app layer.
    ///
    /// - Throws: ``SimulationError`` or ``DataFileError``.
    package init(_ options: SimulationOptions) throws {
        guard let model = try ModelCatalog.builtIn().model("app") else {
            throw SimulationError.badOption(name: "model", reason: "must exist, but there is no model 'app'")
        }
        try self.init(options, model: model)
    }

    private init(_ options: SimulationOptions, script: Script) throws(SimulationError) {
        guard options.files > 0 else { throw .badOption(name: "files", reason: "must be at least 1") }
        guard options.linesPerCallback > 0 else { throw .badOption(name: "sparse", reason: "must be at least 1") }
        let fewest = SimulationOptions.minimumCallbacksPerFile
        guard options.callbacks / options.files >= fewest else {
            throw .badOption(
                name: "callbacks", reason: "must be at least \(fewest) per file, here \(fewest * options.files)")
        }
        guard options.midLifeEvery >= 0 else { throw .badOption(name: "midlife", reason: "must not be negative") }
        self.options = options
        self.script = script
    }

    /// Writes the logs into a folder, creating it if necessary, and returns their truth.
    ///
    /// - Throws: ``SimulationError/cannotWrite(path:reason:)``.
    package func write(to folder: String) throws(SimulationError) -> Truth {
        let digits = max(4, String(options.files).count)
        let apps = (0..<options.files).map { number in
            let app = SimulatedApp(number: number, options: options)
            return (name: app.fileName(number: number, digits: digits), app: app)
        }
        return try play(apps, callbacks: options.callbacks, script: script, in: folder)
    }

    /// Writes one log for each app.
    func play(
        _ apps: [(name: String, app: SimulatedApp)], callbacks: Int, script: Script, in folder: String
    ) throws(SimulationError) -> Truth {
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw .cannotWrite(path: folder, reason: error.localizedDescription)
        }
        var total = TruthCounter(script: script, grace: options.suspendGrace)
        let (share, rest) = callbacks.quotientAndRemainder(dividingBy: apps.count)
        for (number, (name, app)) in apps.enumerated() {
            var player = AppPlayer(
                script: script, options: options, app: app, budget: share + (number < rest ? 1 : 0),
                file: try LogFile(path: folder + "/" + name))
            total.add(try player.play())
        }
        return total.truth(script: script, files: apps.map(\.name))
    }
}

/// Options of a simulation.
package struct SimulationOptions: Sendable, Hashable {
    /// Seed of every random choice: the same options give the same bytes on every platform.
    package var seed: UInt64
    /// Number of callbacks over all files, at least ``minimumCallbacksPerFile`` per file.
    package var callbacks: Int
    /// Number of log files. Each is the stream of one app, with several runs.
    package var files: Int
    /// One of this many lines is a callback; the others are noise of the same process. 1 writes callbacks only.
    package var linesPerCallback: Int
    /// How times are printed.
    package var form: NSLogForm
    /// One of this many files begins in the middle of a run; 0 for none.
    package var midLifeEvery: Int
    /// Silence of a process in the background, in nanoseconds, after which the truth counts it as suspended.
    package var suspendGrace: Int64
    /// First second of the first file, in seconds since 1970 UTC.
    package var start: Int64

    /// The minimum number of callbacks in a file: a complete launch and one more.
    package static let minimumCallbacksPerFile = 4

    package init(
        seed: UInt64 = 1, callbacks: Int = 10_000, files: Int = 1, linesPerCallback: Int = 1,
        form: NSLogForm = .alternating, midLifeEvery: Int = 4, suspendGrace: Int64 = 5_000_000_000,
        start: Int64 = 1_772_438_400
    ) {
        self.seed = seed
        self.callbacks = callbacks
        self.files = files
        self.linesPerCallback = linesPerCallback
        self.form = form
        self.midLifeEvery = midLifeEvery
        self.suspendGrace = suspendGrace
        self.start = start
    }
}

/// How an NSLog line prints its time.
package enum NSLogForm: String, Sendable, Hashable, CaseIterable {
    /// Milliseconds, no zone, as before Xcode 8. The simulated machine runs on UTC.
    case old
    /// Microseconds and a zone.
    case new
    /// Files alternate, the old form first.
    case alternating
}

/// Why a simulation could not be written.
package enum SimulationError: Error, Sendable, Hashable {
    /// An option is out of range: its name, and what it must be.
    case badOption(name: String, reason: String)
    /// The habits contain a move that the model does not document.
    case undocumentedMove(from: String, callback: String, to: String, model: String)
    /// A file could not be written: its path and the system error.
    case cannotWrite(path: String, reason: String)
}

extension SimulationError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .badOption(let name, let reason):
            "the option '\(name)' \(reason)"
        case .undocumentedMove(let from, let callback, let to, let model):
            "the model '\(model)' documents no move from \(from) to \(to) on \(callback); use a model that does"
        case .cannotWrite(let path, let reason):
            "cannot write \(path): \(reason); choose a writable folder with enough space"
        }
    }
}
