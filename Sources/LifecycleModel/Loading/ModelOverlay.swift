import DataFiles

/// Applies overlays: a user's changes to the models without copying them.
///
///     overlay: release checks
///     profiles: [seed-strict]
///     options: {exits-on-suspend: yes}
///     rules: {R-APP-10: error, R-APP-17: off}
///     limits: {TL-01: {warning: 3, error: 10}, TL-09: off}
///     spellings: {applicationDidEnterBackground: [程序进入后台]}
extension ModelCatalog {
    /// Changes the models as an overlay describes.
    ///
    /// - Throws: ``DataFileError`` with file and line for a rule, limit, callback, profile or configuration key that does
    ///   not exist, or a value that a key cannot have. Nothing is changed then.
    mutating func apply(overlay document: Field) throws(DataFileError) {
        var changed = self
        for entry in try document.entries() {
            switch entry.key {
            case "overlay": _ = try String(entry)
            case "profiles": for profile in try entry.elements() { try changed.follow(try String(profile), profile) }
            case "options": for option in try entry.entries() { try changed.set(option) }
            case "rules": for rule in try entry.entries() { try changed.changeRule(rule) }
            case "limits": for limit in try entry.entries() { try changed.changeLimit(limit) }
            case "spellings": for callback in try entry.entries() { try changed.addSpellings(callback) }
            default: throw entry.error("the file has an unknown key '\(entry.key)'")
            }
        }
        self = changed
    }

    private mutating func follow(_ profile: String, _ field: Field) throws(DataFileError) {
        guard settings.profiles.contains(where: { $0.id == profile }) else {
            let known = settings.profiles.map(\.id).joined(separator: ", ")
            throw field.error("there is no profile '\(profile)'; use one of \(known)")
        }
        if !profiles.contains(profile) { profiles.append(profile) }
    }

    private mutating func set(_ field: Field) throws(DataFileError) {
        let key = field.key
        let value = try String(field)
        guard let option = settings.option(key) else {
            let known = settings.options.filter { !$0.isFixed && $0.flag == nil }.map(\.id).joined(separator: ", ")
            throw field.error("there is no configuration key '\(key)'; use one of \(known)")
        }
        if let flag = option.flag {
            throw field.error("'\(key)' cannot be set in a file; use the command line option \(flag)")
        }
        guard option.allows(value) else {
            let fixed = option.isFixed ? "; the key is fixed" : ""
            throw field.error("'\(key)' cannot be '\(value)', only \(option.valuesInWords)\(fixed)")
        }
        options[key] = value
        if key == "platform-profile", value != "detect" { try follow(value, field) }
    }

    private mutating func changeRule(_ field: Field) throws(DataFileError) {
        guard let model = models.firstIndex(where: { $0.rule(field.key) != nil }),
            let rule = models[model].rules.firstIndex(where: { $0.id == field.key })
        else { throw field.error("there is no rule '\(field.key)' in any model") }
        if field.isOff {
            models[model].rules.remove(at: rule)
            removeMentions(of: field.key)
        } else {
            models[model].rules[rule].severity = try RuleSeverity(field)
            models[model].rules[rule].severityByProfile = [:]
        }
    }

    /// A severity that is not named keeps its threshold.
    private mutating func changeLimit(_ field: Field) throws(DataFileError) {
        guard let model = models.firstIndex(where: { $0.limit(field.key) != nil }),
            let limit = models[model].limits.firstIndex(where: { $0.id == field.key })
        else { throw field.error("there is no time limit '\(field.key)' in any model") }
        if field.isOff {
            models[model].limits.remove(at: limit)
            removeMentions(of: field.key)
            return
        }
        let changes = try [TimeLimit.Threshold](field)
        let kept = models[model].limits[limit].thresholds.filter { old in
            !changes.contains { $0.severity == old.severity }
        }
        let thresholds = (kept + changes).sorted { $0.severity < $1.severity }
        for (milder, harder) in zip(thresholds, thresholds.dropFirst()) where milder.seconds > harder.seconds {
            throw field.error(
                "\(field.key) would be \(milder.severity.rawValue) above \(milder.seconds) s, but it is already "
                    + "\(harder.severity.rawValue) above \(harder.seconds) s; change both")
        }
        models[model].limits[limit].thresholds = thresholds
        models[model].limits[limit].thresholdsByProfile = [:]
    }

    /// Removes a disabled rule or limit from everything that mentions it.
    private mutating func removeMentions(of id: String) {
        for model in models.indices {
            for row in models[model].nextCallbacks.indices {
                models[model].nextCallbacks[row].rules.removeAll { $0 == id }
            }
            for scenario in models[model].scenarios.indices {
                models[model].scenarios[scenario].breaks.removeAll { $0 == id }
            }
        }
    }

    private mutating func addSpellings(_ field: Field) throws(DataFileError) {
        guard let model = models.firstIndex(where: { $0.callback(field.key) != nil }),
            let callback = models[model].callbacks.firstIndex(where: { $0.id == field.key })
        else { throw field.error("there is no callback '\(field.key)' in any model") }
        models[model].callbacks[callback].spellings += try [String](field)
    }
}

extension Field {
    fileprivate var isOff: Bool { tree.text == "off" }
}
