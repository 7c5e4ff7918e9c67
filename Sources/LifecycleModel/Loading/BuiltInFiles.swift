/// The files of the folder `models`, as the build embeds them.
enum BuiltInFiles {
    /// One file: its name and its bytes.
    typealias File = (name: String, bytes: [UInt8])

    /// Profiles, configuration keys, codes and decisions.
    static let settings: File = ("settings.yaml", PackageResources.settings_yaml)

    /// Where the documents disagree, and what was chosen.
    static let choices: File = ("choices.yaml", PackageResources.choices_yaml)

    /// The documents that citations name.
    static let documents: File = ("documents.yaml", PackageResources.documents_yaml)

    /// The built-in models, in the order in which they are listed: the file of each, and the files that are part of it.
    static let models: [(main: File, parts: [File])] = [
        (
            ("app.yaml", PackageResources.app_yaml),
            [
                ("app-rules.yaml", PackageResources.app_rules_yaml),
                ("app-limits.yaml", PackageResources.app_limits_yaml),
                ("app-scenarios.yaml", PackageResources.app_scenarios_yaml),
            ]
        ),
        (("process.yaml", PackageResources.process_yaml), []),
        (
            ("scene.yaml", PackageResources.scene_yaml),
            [
                ("scene-rules.yaml", PackageResources.scene_rules_yaml),
                ("scene-scenarios.yaml", PackageResources.scene_scenarios_yaml),
            ]
        ),
        (
            ("view.yaml", PackageResources.view_yaml),
            [
                ("view-rules.yaml", PackageResources.view_rules_yaml),
                ("view-scenarios.yaml", PackageResources.view_scenarios_yaml),
            ]
        ),
    ]
}
