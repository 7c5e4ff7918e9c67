// swift-tools-version: 6.2
import PackageDescription

// The stages that read what strangers wrote, built again with the coverage counters of libFuzzer. `Sources` links to
// the real ones; a package of its own keeps the counters out of the product. `make fuzz` builds and runs it.
let stage: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .unsafeFlags(["-sanitize=fuzzer", "-enable-testing"]),
]
let fuzzer: [SwiftSetting] = stage + [.unsafeFlags(["-parse-as-library"])]

func fuzz(_ name: String) -> Target {
    .executableTarget(
        name: name, dependencies: ["FuzzDriver", "FuzzProbes"], swiftSettings: fuzzer,
        linkerSettings: [.unsafeFlags(["-sanitize=fuzzer"])])
}

let package = Package(
    name: "fuzz",
    platforms: [.macOS(.v15)],
    dependencies: [.package(url: "https://github.com/jpsim/Yams", from: "6.2.2")],
    targets: [
        .target(name: "TraceRecords", swiftSettings: stage),
        .target(
            name: "UnifiedLog", dependencies: ["TraceRecords"], resources: [.embedInCode("names")],
            swiftSettings: stage + [.enableExperimentalFeature("Lifetimes")]),
        .target(name: "DataFiles", dependencies: [.product(name: "Yams", package: "Yams")], swiftSettings: stage),
        .target(
            name: "LifecycleModel", dependencies: ["DataFiles"], exclude: ["models"],
            resources: [.embedInCode("compiled")], swiftSettings: stage),
        .target(
            name: "LogReading", dependencies: ["TraceRecords", "DataFiles", "UnifiedLog", "CArchive", "CZlib"],
            exclude: ["formats"], resources: [.embedInCode("compiled"), .embedInCode("words")], swiftSettings: stage),
        .target(
            name: "EventRecognition", dependencies: ["TraceRecords", "DataFiles", "LifecycleModel"],
            exclude: ["dialects"], resources: [.embedInCode("compiled")], swiftSettings: stage),
        .target(name: "LifecycleReplay", dependencies: ["TraceRecords", "LifecycleModel"], swiftSettings: stage),
        .target(name: "FuzzDriver", swiftSettings: [.swiftLanguageMode(.v6)]),
        // What is done with an input: `make test` does it with the corpus.
        .target(
            name: "FuzzProbes",
            dependencies: [
                "TraceRecords", "UnifiedLog", "LifecycleModel", "LogReading", "EventRecognition", "LifecycleReplay",
            ],
            path: "Probes", exclude: ["CorpusTests.swift"], swiftSettings: stage),
        .systemLibrary(name: "CArchive", pkgConfig: "libarchive"),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib"),
        fuzz("FuzzLog"), fuzz("FuzzReaders"), fuzz("FuzzJSON"), fuzz("FuzzTimes"), fuzz("FuzzRecognition"),
        fuzz("FuzzReplay"), fuzz("FuzzModel"), fuzz("FuzzLayout"),
        fuzz("FuzzBinaryLog"),
    ]
)
