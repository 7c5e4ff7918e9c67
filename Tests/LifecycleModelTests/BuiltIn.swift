import DataFiles

@testable import LifecycleModel

/// The built-in catalog, read once for all tests.
enum BuiltIn {
    static let catalog = Result(catching: ModelCatalog.builtIn)

    static func model(_ id: String) throws -> LifecycleModel {
        guard let model = try catalog.get().model(id) else {
            throw DataFileError(file: id, line: 0, message: "there is no such model")
        }
        return model
    }
}

extension ModelCatalog {
    /// The rules of a model that apply to a run, with the severity that they have for it. See
    /// ``followed(profile:system:)`` for the parameters.
    func rules(of model: String, profile: String, system: Int? = nil) -> [ModelRule] {
        let followed = followed(profile: profile, system: system)
        return self.model(model)?.rules.filter {
            $0.condition.holds(profiles: followed, options: options, system: system)
        }.map { rule in
            var rule = rule
            rule.severity = rule.severity(in: followed)
            return rule
        } ?? []
    }

    /// The time limits of a model that apply to a run, with the thresholds that they have for it. See
    /// ``followed(profile:system:)`` for the parameters.
    func limits(of model: String, profile: String, system: Int? = nil) -> [TimeLimit] {
        let followed = followed(profile: profile, system: system)
        return self.model(model)?.limits.filter {
            $0.condition.holds(profiles: followed, options: options, system: system)
        }.map { limit in
            var limit = limit
            limit.thresholds = limit.thresholds(in: followed.sorted())
            return limit
        } ?? []
    }
}

extension DerivedState {
    /// The state that follows from these states.
    func state(from states: some Sequence<String>) -> String {
        let present = Set(states)
        return ranking.first { present.contains($0.of) }?.gives ?? otherwise
    }
}
