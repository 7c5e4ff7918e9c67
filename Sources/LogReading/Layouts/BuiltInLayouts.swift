/// The layout files that are part of the program, in the order in which a line is tried against them.
enum BuiltInLayouts {
    static var files: [(name: String, bytes: [UInt8])] {
        [
            ("log-show.yaml", PackageResources.log_show_yaml),
            ("log-syslog.yaml", PackageResources.log_syslog_yaml),
            ("log-compact.yaml", PackageResources.log_compact_yaml),
            ("pymobiledevice3.yaml", PackageResources.pymobiledevice3_yaml),
            ("nslog.yaml", PackageResources.nslog_yaml),
            ("syslog.yaml", PackageResources.syslog_yaml),
            ("console-app.yaml", PackageResources.console_app_yaml),
            ("xcode-metadata.yaml", PackageResources.xcode_metadata_yaml),
            ("swift-log.yaml", PackageResources.swift_log_yaml),
            ("cocoalumberjack.yaml", PackageResources.cocoalumberjack_yaml),
            ("xcglogger.yaml", PackageResources.xcglogger_yaml),
            ("swiftybeaver.yaml", PackageResources.swiftybeaver_yaml),
            ("transistor.yaml", PackageResources.transistor_yaml),
            ("flutter-run.yaml", PackageResources.flutter_run_yaml),
            ("react-native.yaml", PackageResources.react_native_yaml),
            ("pipe-table.yaml", PackageResources.pipe_table_yaml),
            ("android-threadtime.yaml", PackageResources.android_threadtime_yaml),
            ("jetsam-report.yaml", PackageResources.jetsam_report_yaml),
            ("crash-report.yaml", PackageResources.crash_report_yaml),
            ("metrickit.yaml", PackageResources.metrickit_yaml),
            ("log-json.yaml", PackageResources.log_json_yaml),
            ("pymobiledevice3-json.yaml", PackageResources.pymobiledevice3_json_yaml),
            ("go-ios.yaml", PackageResources.go_ios_yaml),
            ("sentry.yaml", PackageResources.sentry_yaml),
            ("opentelemetry.yaml", PackageResources.opentelemetry_yaml),
            ("nslog-untimed.yaml", PackageResources.nslog_untimed_yaml),
            ("json-lines.yaml", PackageResources.json_lines_yaml),
            ("plain-time.yaml", PackageResources.plain_time_yaml),
        ]
    }

    static var decorations: [UInt8] { PackageResources.decorations_yaml }
}
