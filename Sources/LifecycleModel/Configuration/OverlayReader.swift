/// Reads overlays:
///
///     overlay: release checks
///     profiles: [seed-strict]
///     options: {exits-on-suspend: yes}
///     rules: {R-APP-10: error, R-APP-17: off}
///     limits: {TL-01: {warning: 3, error: 10}, TL-09: off}
///     spellings: {applicationDidEnterBackground: [程序进入后台]}
package enum OverlayReader {
    /// The overlay that a YAML text describes.
    ///
    /// - Throws: ``ModelError`` with file and line at the first thing that can't be read. Whether the ids exist is
    ///   found out when the overlay is applied.
    package static func read(_ text: String, file: String) throws(ModelError) -> ModelOverlay {
        var keys = try YAMLKeys(YAMLField.document(text, file: file))
        var overlay = ModelOverlay(id: try keys.require("overlay").text(), file: file)
        if let field = keys.take("profiles") {
            for profile in try field.list() {
                overlay.profiles.append(try profile.text())
                overlay.lines[try profile.text()] = profile.line
            }
        }
        for (key, value) in try keys.take("options")?.pairs() ?? [] {
            overlay.options[key] = try value.text()
            overlay.lines[key] = value.line
        }
        for (rule, value) in try keys.take("rules")?.pairs() ?? [] {
            overlay.lines[rule] = value.line
            overlay.rules[rule] =
                try isOff(value) ? .off : .value(try value.word(RuleSeverity.self))
        }
        for (limit, value) in try keys.take("limits")?.pairs() ?? [] {
            overlay.lines[limit] = value.line
            overlay.limits[limit] = try isOff(value) ? .off : .value(try ModelReader.thresholds(value))
        }
        for (callback, value) in try keys.take("spellings")?.pairs() ?? [] {
            overlay.lines[callback] = value.line
            overlay.spellings[callback] = try value.texts()
        }
        try keys.finish()
        return overlay
    }

    private static func isOff(_ field: YAMLField) throws(ModelError) -> Bool {
        field.node.scalar?.string == "off"
    }
}
