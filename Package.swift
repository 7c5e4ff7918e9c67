// swift-tools-version: 6.2
import PackageDescription

/// Every target of ours is compiled alike: Swift 6, explicit existentials, imports internal unless said otherwise.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

func stage(
    _ name: String,
    _ dependencies: [Target.Dependency] = [],
    exclude: [String] = [],
    resources: [Resource]? = nil
) -> Target {
    .target(
        name: name, dependencies: dependencies, exclude: exclude, resources: resources, swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []) -> Target {
    .testTarget(
        name: "\(name)Tests",
        dependencies: [.target(name: name)] + dependencies,
        exclude: exclude,
        swiftSettings: settings
    )
}

/// LifecycleLog is compiled and tested against a stand-in for UIKit where there is none. On Linux, libraries that few
/// commands need are not linked but loaded when they are first used.
#if os(Linux)
    let archive: String? = nil
    let graphviz: String? = nil
    let uiKit: [Target.Dependency] = ["UIKit"]
    let standIns: [Target] = [.target(name: "UIKit", path: "Tests/standins/UIKit", swiftSettings: settings)]
#else
    let archive: String? = "libarchive"
    let graphviz: String? = "libgvc"
    let uiKit: [Target.Dependency] = []
    let standIns: [Target] = []
#endif

let package = Package(
    name: "lifestats",
    platforms: [.macOS(.v15), .iOS(.v15)],
    products: [
        .executable(name: "lifestats", targets: ["lifestats"]),
        .library(name: "LifeStatsKit", targets: ["LifeStatsKit"]),
        .library(name: "LifecycleLog", targets: ["LifecycleLog"]),
    ],
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
    ],
    targets: [
        // The records that pass between the stages; everything else depends on them.
        stage("TraceRecords"),
        // Models, layouts and dialects are data: YAML, and its compiled form.
        stage("DataFiles", [.product(name: "Yams", package: "Yams")]),

        // The stages, in the order in which a log flows through them.
        stage(
            "LifecycleModel", ["DataFiles"], exclude: ["models"], resources: [.embedInCode("compiled")]),
        stage(
            "LogReading", ["TraceRecords", "DataFiles", "UnifiedLog", "CArchive", "CZlib", "LateLibraries"],
            exclude: ["formats"],
            resources: [.embedInCode("compiled"), .embedInCode("words")]),
        // Lifetimes: its reader cannot outlive the bytes that it reads, and copies none of them.
        .target(
            name: "UnifiedLog", dependencies: ["TraceRecords"], resources: [.embedInCode("names")],
            swiftSettings: settings + [.enableExperimentalFeature("Lifetimes")]),
        stage(
            "EventRecognition", ["TraceRecords", "DataFiles", "LifecycleModel"], exclude: ["dialects"],
            resources: [.embedInCode("compiled")]),
        stage("LifecycleReplay", ["TraceRecords", "LifecycleModel"]),
        stage(
            "TraceStore",
            [
                "TraceRecords", .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            resources: [.embedInCode("schema")]),
        stage("NamedQueries", resources: [.embedInCode("queries")]),
        stage("StateDiagrams", ["TraceRecords", "CGraphviz", "LateLibraries"], resources: [.embedInCode("words")]),
        stage(
            "Reports", ["TraceRecords", .product(name: "Mustache", package: "swift-mustache")],
            resources: [.embedInCode("templates")]),
        stage(
            "LifecycleSimulator", ["TraceRecords", "DataFiles", "LifecycleModel"], resources: [.embedInCode("data")]),
        stage("CohortComparison"),

        // The pipeline, and the command line on top of it.
        stage(
            "LifeStatsKit",
            [
                "TraceRecords", "DataFiles", "LifecycleModel", "LogReading", "EventRecognition", "LifecycleReplay",
                "TraceStore", "NamedQueries", "StateDiagrams", "Reports", "LifecycleSimulator", "CohortComparison",
                "CLineEditing", "CMemory",
            ]),
        .executableTarget(
            name: "lifestats",
            dependencies: [
                "LifeStatsKit", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings),
        // Measures how often a comparison is wrong (`make calibrate`).
        .executableTarget(
            name: "calibration", dependencies: ["CohortComparison"], path: "Tests/calibration", swiftSettings: settings),

        // The logger for apps. Depends on nothing.
        .target(name: "LifecycleLog", dependencies: uiKit, swiftSettings: settings),

        // C libraries: each is imported by exactly one target.
        .target(
            name: "LateLibraries", dependencies: ["CArchive", "CGraphviz"],
            linkerSettings: ["archive", "gvc", "cgraph"].map { .linkedLibrary($0, .when(platforms: [.macOS])) }),
        .systemLibrary(
            name: "CArchive", pkgConfig: archive,
            providers: [.apt(["libarchive-dev"]), .brew(["libarchive"])]),
        .systemLibrary(
            name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
        .systemLibrary(name: "CMemory"),
        // macOS has libedit in its SDK, without a pkg-config file.
        .systemLibrary(name: "CLineEditing", providers: [.apt(["libedit-dev"])]),
        .systemLibrary(
            name: "CGraphviz", pkgConfig: graphviz,
            providers: [.apt(["libgraphviz-dev"]), .brew(["graphviz"])]),

        tests("TraceRecords"),
        tests("DataFiles", ["LifecycleModel", "LogReading", "EventRecognition"]),
        tests("LifecycleLog", uiKit + ["LogReading", "TraceRecords"]),
        tests("LifecycleModel", ["DataFiles"]),
        tests("UnifiedLog"),
        tests("LogReading", ["TraceRecords", "DataFiles", "UnifiedLog"]),
        tests("EventRecognition", ["TraceRecords", "DataFiles", "LifecycleModel"]),
        tests("LifecycleReplay", ["TraceRecords", "LifecycleModel"]),
        tests("TraceStore", ["TraceRecords", "NamedQueries"]),
        tests("StateDiagrams"),
        tests("Reports", ["TraceRecords"]),
        tests("LifecycleSimulator", ["LifecycleModel"]),
        tests("CohortComparison"),
        tests(
            "LifeStatsKit",
            ["TraceRecords", "LifecycleModel", "LifecycleSimulator", "NamedQueries", "TraceStore", "UnifiedLog"],
            exclude: ["rules"]),
        // The example of the library sees nothing but its public surface.
        .testTarget(name: "LibraryExampleTests", dependencies: ["LifeStatsKit"], swiftSettings: settings),
        .testTarget(
            name: "CommandLineTests",
            dependencies: [
                "lifestats", "LifecycleSimulator", "LifecycleModel", .product(name: "Yams", package: "Yams"),
            ],
            exclude: ["golden"], swiftSettings: settings),
        .testTarget(
            name: "FuzzCorpusTests",
            dependencies: [
                "TraceRecords", "UnifiedLog", "LifecycleModel", "LogReading", "EventRecognition", "LifecycleReplay",
            ],
            path: "Tests/fuzz/Probes", swiftSettings: settings),
    ] + standIns
)
