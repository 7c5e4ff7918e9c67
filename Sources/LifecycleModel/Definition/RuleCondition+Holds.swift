extension RuleCondition {
    /// Whether it holds for a run.
    ///
    /// - Parameters:
    ///   - profiles: profiles that the run follows.
    ///   - options: values of the configuration keys.
    ///   - system: major version of the system, where it is known.
    package func holds(profiles: Set<String>, options: [String: String], system: Int?) -> Bool {
        if !self.profiles.isEmpty, profiles.isDisjoint(with: self.profiles) { return false }
        if let systemBelow {
            guard let system, system < systemBelow else { return false }
        }
        return self.options.allSatisfy { options[$0.key] == $0.value }
    }
}
