package import DataFiles

/// The layout of one kind of log: data, read from a YAML file.
package struct Layout: Sendable {
    /// Which lines without the layout still belong to the record before them.
    package enum Continuation: String, Sendable, CaseIterable {
        /// All: only whole records are written to such logs.
        case any
        /// Indented ones and closing brackets; others are lines of their own, as `print` writes them.
        case indented
        /// None.
        case none
    }

    /// A line that the layout must read, and what it must find in it.
    package struct Sample: Sendable, Hashable {
        package var line: String
        /// ISO 8601, in UTC; `nil` when the line has no time.
        package var time: String?
        package var process: String?
        package var pid: Int32?
        package var device: String?
        package var subsystem: String?
        package var message: String?
        /// Compared where it is there.
        package var instance: String?
        package var appVersion: String?
        package var systemVersion: String?
        /// Its line in the layout's file.
        package var fileLine: Int
    }

    /// Name for `--format` and the column `format`.
    package var name: String
    /// What writes such logs, in a few words.
    package var title: String
    /// What to know about it.
    package var about: String
    /// How lines that do not match go on.
    package var continuation: Continuation
    /// The subsystem of entries whose lines have none.
    package var label: String?
    /// The zone of its times that state none; `nil` where the user must know.
    package var zone: FixedZone?
    /// Whether the message is the whole line and not only what follows the header.
    package var keepsWholeLine: Bool
    /// The patterns as written, most specific first.
    package var patternTexts: [String]
    /// Lines that every reader of the layout must understand.
    package var samples: [Sample]
    /// Where the layout was read from.
    package var file: String
    /// The line of the file with its name.
    package var fileLine: Int

    var patterns: [LinePattern]
    /// Lines of the format without information: headers, footers, notes of the tool.
    var ignored: [LinePattern]
    /// Whether a line of the layout ends the record, and its message is in the lines before it.
    var followsMessage: Bool
    /// Whether its message may be a whole line of another layout, as in the log of a build server.
    var holdsLines: Bool
    /// Whether its patterns may begin anywhere in a line; see ``LineMatcher/findsTimesAnywhere``.
    var isAnywhere: Bool
    /// The keys of records that are JSON objects; `nil` when the layout has none.
    var json: JSONKeys?
    /// Sets of keys: an object that has all of one set is skipped.
    var ignoredJSON: [[[UInt8]]]
}

/// What is wrong with a layout, without its place.
struct LayoutProblem: Error, Hashable {
    var text: String
    init(_ text: String) { self.text = text }
}

/// All layouts that a line may have: those of the program, and the user's.
package struct LayoutCatalog: Sendable {
    /// The layouts, in the order in which a line is tried against them; the user's come first.
    package let layouts: [Layout]

    /// What may be around a record.
    let decorations: Decorations

    /// What finds the layout of a line and of a JSON record, as every source begins with them.
    let matcher: LineMatcher
    let json: JSONLayouts

    private init(layouts: [Layout], decorations: Decorations) {
        self.layouts = layouts
        self.decorations = decorations
        matcher = LineMatcher(layouts: layouts, decorations: decorations)
        json = JSONLayouts(layouts)
    }

    /// The layouts of the program. They are read once per process.
    ///
    /// - Throws: ``DataFileError`` when one of them is broken, which the tests rule out.
    package static func builtIn() throws(DataFileError) -> LayoutCatalog { try embedded.get() }

    private static let embedded = Result(catching: readEmbedded)

    private static func readEmbedded() throws(DataFileError) -> LayoutCatalog {
        let files = try CompiledFiles(PackageResources.formats_bin, name: "formats.bin")
        var layouts: [Layout] = []
        for name in BuiltInLayouts.files { layouts += try LayoutParser.layouts(in: files.file(name)) }
        return LayoutCatalog(layouts: layouts, decorations: try Decorations(files.file(BuiltInLayouts.decorations)))
    }

    /// A catalog that knows the layouts of a user's file as well. Each sample is read with the new catalog, and must
    /// be read by its own layout and with the fields that it lists.
    ///
    /// - Throws: ``DataFileError`` with the file and the line that is to blame.
    package func adding(yaml: String, file: String) throws(DataFileError) -> LayoutCatalog {
        let added = try LayoutParser.layouts(in: .document(yaml, file: file))
        for layout in added where layout.name == Self.binary.name || self.layout(named: layout.name) != nil {
            throw DataFileError(
                file: file, line: layout.fileLine,
                message: "there is already a layout '\(layout.name)'; choose another name")
        }
        let catalog = LayoutCatalog(layouts: added + layouts, decorations: decorations)
        for layout in added { try catalog.check(layout) }
        return catalog
    }

    /// The layout of a name.
    package func layout(named name: String) -> Layout? { layouts.first { $0.name == name } }

    /// The catalog with one layout only, for `--format`; `nil` when there is none of that name.
    package func only(_ name: String) -> LayoutCatalog? {
        layout(named: name).map { LayoutCatalog(layouts: [$0], decorations: decorations) }
    }

    /// The format without a layout: Apple's binary unified log.
    package static let binary = (
        name: UnifiedLogStream.format, title: "Apple's binary unified log: .logarchive, .tracev3"
    )

    /// The catalog for a binary unified log, whose text has one layout only: a line inside a message is no record.
    var ofUnifiedLog: LayoutCatalog {
        var layouts = layouts.filter { $0.name == "log-show" }
        for place in layouts.indices {
            (layouts[place].name, layouts[place].title) = Self.binary
        }
        return LayoutCatalog(layouts: layouts, decorations: Decorations(wrappers: [], prefixes: []))
    }

    /// Reads the samples of a layout.
    ///
    /// - Throws: ``DataFileError`` for the first sample that is read with other fields than it lists.
    package func check(_ layout: Layout) throws(DataFileError) {
        for sample in layout.samples {
            if let complaint = complaint(about: sample, of: layout) {
                throw DataFileError(
                    file: layout.file, line: sample.fileLine, message: "sample '\(sample.line)': \(complaint)")
            }
        }
    }

    private func complaint(about sample: Layout.Sample, of layout: Layout) -> String? {
        // Only of several lines a time is taken that may be anywhere.
        let lines = layout.isAnywhere ? "\(sample.line)\n\(sample.line)" : sample.line
        let reading = LineReading.read(lines, catalog: self)
        guard let reading else { return "no layout matches it" }
        guard reading.layout == layout.name else { return "it is read as '\(reading.layout)'" }
        func differs(_ field: String, _ expected: String?, _ found: String?) -> String? {
            guard expected != found else { return nil }
            return "\(field) is \(found.map { "'\($0)'" } ?? "missing"), not \(expected.map { "'\($0)'" } ?? "missing")"
        }
        return differs("time", sample.time, reading.time) ?? differs("process", sample.process, reading.process)
            ?? differs("pid", sample.pid.map(String.init), reading.pid.map(String.init))
            ?? differs("device", sample.device, reading.device)
            ?? differs("subsystem", sample.subsystem, reading.subsystem)
            ?? sample.message.flatMap { differs("message", $0, reading.message) }
            ?? sample.instance.flatMap { differs("instance", $0, reading.instance) }
            ?? sample.appVersion.flatMap { differs("app-version", $0, reading.appVersion) }
            ?? sample.systemVersion.flatMap { differs("os-version", $0, reading.systemVersion) }
    }
}

/// What may be around a record that was copied, quoted or wrapped.
struct Decorations: Sendable {
    /// What comes before a whole line of another log, and is left out before layouts are tried.
    var wrappers: [LinePattern]
    /// What is left out when no layout matches the line as it is.
    var prefixes: [LinePattern]
}

extension Decorations {
    /// - Throws: ``DataFileError`` when the file is broken, which the tests rule out.
    init(_ file: Field) throws(DataFileError) {
        wrappers = try LayoutParser.patterns(LayoutParser.list(file, "wrappers"))
        prefixes = try LayoutParser.patterns(LayoutParser.list(file, "prefixes"))
    }
}

/// The layout files that are part of the program, in the order in which a line is tried against them.
enum BuiltInLayouts {
    static let files = [
        "log-show.yaml",
        "log-syslog.yaml",
        "log-compact.yaml",
        "pymobiledevice3.yaml",
        "nslog.yaml",
        "syslog.yaml",
        "console-app.yaml",
        "xcode-metadata.yaml",
        "swift-log.yaml",
        "cocoalumberjack.yaml",
        "xcglogger.yaml",
        "swiftybeaver.yaml",
        "transistor.yaml",
        "flutter-run.yaml",
        "react-native.yaml",
        "pipe-table.yaml",
        "android-threadtime.yaml",
        "jetsam-report.yaml",
        "crash-report.yaml",
        "log-head.yaml",
        "metrickit.yaml",
        "lifecycle-log.yaml",
        "log-json.yaml",
        "pymobiledevice3-json.yaml",
        "go-ios.yaml",
        "sentry.yaml",
        "opentelemetry.yaml",
        "nslog-untimed.yaml",
        "xctest.yaml",
        "json-lines.yaml",
        "plain-time.yaml",
        "time-anywhere.yaml",
    ]

    static let decorations = "decorations.yaml"
}
