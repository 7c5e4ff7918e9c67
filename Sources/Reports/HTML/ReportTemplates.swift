/// The embedded files that make up the page.
enum ReportTemplates {
    /// Templates by the name under which they include each other.
    static var mustache: [(name: String, text: String)] {
        [
            ("report", text(PackageResources.report_mustache)), ("section", text(PackageResources.section_mustache)),
            ("table", text(PackageResources.table_mustache)), ("findings", text(PackageResources.findings_mustache)),
            ("question", text(PackageResources.question_mustache)),
        ]
    }

    static var style: String { text(PackageResources.report_css) }
    static var script: String { text(PackageResources.report_js) }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
