/// What a user changes about the models without copying them: severities, thresholds, options, spellings.
package struct ModelOverlay: Sendable, Hashable {
    /// A new severity, or none at all.
    package enum Change<Value: Sendable & Hashable>: Sendable, Hashable {
        case off
        case value(Value)
    }

    /// Name of the overlay.
    package var id: String
    /// Profiles that every run follows besides the one that its callbacks show.
    package var profiles: [String]
    /// Values of configuration keys.
    package var options: [String: String]
    /// Severities of rules; ``Change/off`` takes a rule out.
    package var rules: [String: Change<RuleSeverity>]
    /// Thresholds of time limits in seconds; a severity that is not named keeps its threshold.
    package var limits: [String: Change<[TimeLimit.Threshold]>]
    /// Further spellings of callbacks.
    package var spellings: [String: [String]]
    /// Where its parts stand, by their ids.
    package var lines: [String: Int]
    /// File that it was read from.
    package var file: String

    package init(id: String, file: String = "") {
        self.id = id
        self.file = file
        profiles = []
        options = [:]
        rules = [:]
        limits = [:]
        spellings = [:]
        lines = [:]
    }
}
