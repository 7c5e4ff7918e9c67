extension ModelCatalog {
    /// Changes the models as an overlay says.
    ///
    /// - Throws: ``ModelError`` with file and line for a rule, limit, callback, profile or configuration key that does
    ///   not exist, or a value that a key cannot have. Nothing is changed then.
    package mutating func apply(_ overlay: ModelOverlay) throws(ModelError) {
        var changed = self
        for profile in overlay.profiles.sorted() {
            try changed.follow(profile, overlay)
        }
        for (key, value) in overlay.options.sorted(by: { $0.key < $1.key }) {
            try changed.set(key, to: value, overlay)
        }
        for (id, change) in overlay.rules.sorted(by: { $0.key < $1.key }) {
            try changed.changeRule(id, change, overlay)
        }
        for (id, change) in overlay.limits.sorted(by: { $0.key < $1.key }) {
            try changed.changeLimit(id, change, overlay)
        }
        for (id, spellings) in overlay.spellings.sorted(by: { $0.key < $1.key }) {
            try changed.addSpellings(spellings, to: id, overlay)
        }
        self = changed
    }

    private mutating func follow(_ profile: String, _ overlay: ModelOverlay) throws(ModelError) {
        guard settings.profiles.contains(where: { $0.id == profile }) else {
            let known = settings.profiles.map(\.id).joined(separator: ", ")
            throw overlay.error(profile, "there is no profile '\(profile)'; there are \(known)")
        }
        if !profiles.contains(profile) { profiles.append(profile) }
    }

    private mutating func set(_ key: String, to value: String, _ overlay: ModelOverlay) throws(ModelError) {
        guard let option = settings.option(key) else {
            let known = settings.options.filter { !$0.isFixed && $0.flag == nil }.map(\.id).joined(separator: ", ")
            throw overlay.error(key, "there is no configuration key '\(key)'; there are \(known)")
        }
        if let flag = option.flag {
            throw overlay.error(key, "'\(key)' is no matter of models; use the option \(flag) of the command line")
        }
        guard option.allows(value) else {
            let fixed = option.isFixed ? "; the key is fixed" : ""
            throw overlay.error(key, "'\(key)' cannot be '\(value)', only \(option.valuesInWords)\(fixed)")
        }
        options[key] = value
        if key == "platform-profile", value != "detect" { try follow(value, overlay) }
    }

    private mutating func changeRule(
        _ id: String, _ change: ModelOverlay.Change<RuleSeverity>, _ overlay: ModelOverlay
    ) throws(ModelError) {
        guard let model = models.firstIndex(where: { $0.rule(id) != nil }),
            let rule = models[model].rules.firstIndex(where: { $0.id == id })
        else { throw overlay.error(id, "there is no rule '\(id)' in any model") }
        switch change {
        case .off:
            edit(model) { $0.rules.remove(at: rule) }
            forget(id)
        case .value(let severity):
            edit(model) {
                $0.rules[rule].severity = severity
                $0.rules[rule].severityByProfile = [:]
            }
        }
    }

    private mutating func changeLimit(
        _ id: String, _ change: ModelOverlay.Change<[TimeLimit.Threshold]>, _ overlay: ModelOverlay
    ) throws(ModelError) {
        guard let model = models.firstIndex(where: { $0.limit(id) != nil }),
            let limit = models[model].limits.firstIndex(where: { $0.id == id })
        else { throw overlay.error(id, "there is no time limit '\(id)' in any model") }
        switch change {
        case .off:
            edit(model) { $0.limits.remove(at: limit) }
            forget(id)
        case .value(let thresholds):
            edit(model) {
                var merged = $0.limits[limit].thresholds.filter { old in
                    !thresholds.contains { $0.severity == old.severity }
                }
                merged.append(contentsOf: thresholds)
                $0.limits[limit].thresholds = merged.sorted { $0.severity < $1.severity }
                $0.limits[limit].thresholdsByProfile = [:]
            }
            let all = models[model].limits[limit].thresholds
            for (milder, harder) in zip(all, all.dropFirst()) where milder.seconds > harder.seconds {
                throw overlay.error(
                    id,
                    "\(id) would be \(milder.severity.rawValue) above \(milder.seconds) s, but \(harder.severity.rawValue) "
                        + "above \(harder.seconds) s already; change both")
            }
        }
    }

    /// Takes a rule or limit that is switched off out of what names it.
    private mutating func forget(_ id: String) {
        for model in models.indices {
            edit(model) {
                for row in $0.nextCallbacks.indices { $0.nextCallbacks[row].rules.removeAll { $0 == id } }
                for scenario in $0.scenarios.indices { $0.scenarios[scenario].breaks.removeAll { $0 == id } }
            }
        }
    }

    private mutating func addSpellings(
        _ spellings: [String], to id: String, _ overlay: ModelOverlay
    ) throws(ModelError) {
        guard let model = models.firstIndex(where: { $0.callback(id) != nil }),
            let callback = models[model].callbacks.firstIndex(where: { $0.id == id })
        else { throw overlay.error(id, "there is no callback '\(id)' in any model") }
        edit(model) { $0.callbacks[callback].spellings.append(contentsOf: spellings) }
    }
}

extension ModelOverlay {
    fileprivate func error(_ id: String, _ message: String) -> ModelError {
        ModelError(file: file, line: lines[id] ?? 0, message: message)
    }
}
