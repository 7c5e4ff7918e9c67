/// The dialect files of evidence, as the build embeds them.
enum DialectResources {
    static let evidence: [(name: String, bytes: [UInt8])] = [
        ("evidence-runningboard.yaml", PackageResources.evidence_runningboard_yaml),
        ("evidence-frontboard.yaml", PackageResources.evidence_frontboard_yaml),
        ("evidence-springboard.yaml", PackageResources.evidence_springboard_yaml),
        ("evidence-uikit.yaml", PackageResources.evidence_uikit_yaml),
        ("evidence-endings.yaml", PackageResources.evidence_endings_yaml),
        ("evidence-crash-report.yaml", PackageResources.evidence_crash_report_yaml),
        ("evidence-flutter.yaml", PackageResources.evidence_flutter_yaml),
        ("evidence-react-native.yaml", PackageResources.evidence_react_native_yaml),
        ("evidence-swiftui.yaml", PackageResources.evidence_swiftui_yaml),
        ("evidence-transistor.yaml", PackageResources.evidence_transistor_yaml),
        ("evidence-cordova.yaml", PackageResources.evidence_cordova_yaml),
        ("evidence-sentry.yaml", PackageResources.evidence_sentry_yaml),
        ("evidence-opentelemetry.yaml", PackageResources.evidence_opentelemetry_yaml),
    ]
}
