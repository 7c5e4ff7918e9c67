/// Why a simulation could not be written.
package enum SimulationError: Error, Sendable, Hashable {
    /// An option is out of its range: its name, and what it must be.
    case badOption(name: String, reason: String)
    /// The habits name a move that the model does not document.
    case undocumentedMove(from: String, callback: String, to: String, model: String)
    /// A file could not be written: its path, and what the system said.
    case cannotWrite(path: String, reason: String)
}

extension SimulationError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .badOption(let name, let reason):
            "the option '\(name)' \(reason)"
        case .undocumentedMove(let from, let callback, let to, let model):
            "the model '\(model)' documents no move from \(from) to \(to) on \(callback); simulate a model that does"
        case .cannotWrite(let path, let reason):
            "cannot write \(path): \(reason); choose a folder that can be written, with room for the logs"
        }
    }
}
