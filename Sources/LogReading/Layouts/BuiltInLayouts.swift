/// The layout files that are part of the program, in the order in which a line is tried against them.
enum BuiltInLayouts {
    static var files: [(name: String, bytes: [UInt8])] {
        [
            ("nslog.yaml", PackageResources.nslog_yaml),
            ("nslog-untimed.yaml", PackageResources.nslog_untimed_yaml),
        ]
    }

    static var decorations: [UInt8] { PackageResources.decorations_yaml }
}
