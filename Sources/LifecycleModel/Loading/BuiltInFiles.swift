/// The files of the folder `models`, as the build embeds them.
enum BuiltInFiles {
    /// The built-in models, in the order in which they are listed.
    static let models: [(name: String, bytes: [UInt8])] = [
        ("app.yaml", PackageResources.app_yaml),
        ("process.yaml", PackageResources.process_yaml),
        ("scene.yaml", PackageResources.scene_yaml),
        ("view.yaml", PackageResources.view_yaml),
    ]
}
