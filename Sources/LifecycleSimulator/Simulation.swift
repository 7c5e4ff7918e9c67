import Foundation
package import LifecycleModel

/// Plays a documented model out into logs whose truth is known.
///
/// Every file is the stream of one app with several runs; the truth follows the design's semantics: visits cut by the
/// log or by a silent end are censored, a new pid ends the run before it, nothing is ever visited in `not_running`.
package struct Simulation: Sendable {
    private let options: SimulationOptions
    private let script: Script

    /// - Throws: ``SimulationError`` when an option is out of range or the model lacks a move of the habits.
    package init(_ options: SimulationOptions, model: LifecycleModel) throws(SimulationError) {
        try self.init(options, script: Script(app: model))
    }

    /// The same with the built-in model of the app layer.
    ///
    /// - Throws: ``SimulationError`` or ``ModelError``.
    package init(_ options: SimulationOptions) throws {
        guard let model = try ModelCatalog.builtIn().model("app") else {
            throw SimulationError.badOption(name: "model", reason: "must be known, but there is no model 'app'")
        }
        try self.init(options, model: model)
    }

    private init(_ options: SimulationOptions, script: Script) throws(SimulationError) {
        guard options.files > 0 else { throw .badOption(name: "files", reason: "must be at least 1") }
        guard options.linesPerCallback > 0 else { throw .badOption(name: "sparse", reason: "must be at least 1") }
        let fewest = SimulationOptions.minimumCallbacksPerFile
        guard options.callbacks / options.files >= fewest else {
            throw .badOption(
                name: "callbacks", reason: "must be at least \(fewest) a file, so \(fewest * options.files) here")
        }
        guard options.midLifeEvery >= 0 else { throw .badOption(name: "midlife", reason: "must not be negative") }
        self.options = options
        self.script = script
    }

    /// Writes the logs into a folder, which is created if need be, and returns their truth.
    ///
    /// - Throws: ``SimulationError/cannotWrite(path:reason:)``.
    package func write(to folder: String) throws(SimulationError) -> Truth {
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw .cannotWrite(path: folder, reason: error.localizedDescription)
        }
        var total = Tally(script: script, grace: options.suspendGrace)
        var names: [String] = []
        let digits = max(4, String(options.files).count)
        for number in 0..<options.files {
            let cast = Cast(number: number, options: options)
            let name = cast.fileName(number: number, digits: digits)
            let (share, rest) = options.callbacks.quotientAndRemainder(dividingBy: options.files)
            var player = AppPlayer(
                script: script, options: options, cast: cast, budget: share + (number < rest ? 1 : 0),
                file: try LogFile(path: folder + "/" + name))
            total.add(try player.play())
            names.append(name)
        }
        return total.truth(script: script, files: names)
    }
}
