/// The major versions of the system in which something is as a model says.
package struct SystemRange: Sendable, Hashable {
    /// The first and the last one; `nil` where there is none.
    package var since: Int?
    package var until: Int?

    package init(since: Int? = nil, until: Int? = nil) {
        self.since = since
        self.until = until
    }

    /// Whether a version is among them. Of an unknown one is taken what holds for the latest.
    package func contains(_ system: Int?) -> Bool {
        guard let system else { return until == nil }
        return since ?? system <= system && system <= until ?? system
    }

    /// The versions in words; empty for all.
    package var text: String {
        switch (since, until) {
        case (nil, nil): ""
        case (let since?, nil): "iOS \(since) and later"
        case (nil, let until?): "up to iOS \(until)"
        case (let since?, let until?): "iOS \(since) to \(until)"
        }
    }

    /// The major version in a text such as `17.4`, `iPhone OS 17.4 (21E219)` or `iOS 17`.
    package static func major(of text: String) -> Int? {
        Int(text.drop { !$0.isASCII || !$0.isNumber }.prefix { $0.isASCII && $0.isNumber })
    }

    mutating func bind(_ fields: inout Fields) throws(ModelError) {
        try fields.bind("since", &since)
        try fields.bind("until", &until)
    }
}

extension LifecycleModel {
    /// The part of the model that holds in a version of the system.
    package func inSystem(_ system: Int) -> LifecycleModel {
        var model = self
        model.states.removeAll { !$0.systems.contains(system) }
        model.callbacks.removeAll { !$0.systems.contains(system) }
        let states = Set(model.states.map(\.id))
        for index in model.transitions.indices {
            model.transitions[index].from.removeAll { !states.contains($0) }
            model.transitions[index].to.removeAll { !states.contains($0) }
        }
        model.transitions.removeAll { !$0.systems.contains(system) || $0.from.isEmpty || $0.to.isEmpty }
        model.rules.removeAll { !$0.condition.holds(in: system) }
        model.limits.removeAll { !$0.condition.holds(in: system) }
        return model
    }
}
