@testable import StateDiagrams

let second: Int64 = 1_000_000_000

/// Graphs to draw, with invented figures.
enum Samples {
    /// The app layer with a day of use that deviates twice.
    static var app: StateGraph {
        StateGraph(
            title: "App lifecycle", subtitle: "three runs",
            states: [
                .init(id: "not_running", title: "Not running", isInitial: true, isFinal: true),
                .init(
                    id: "inactive", title: "Inactive",
                    visits: .init(count: 121, median: 350_000_000, total: 100 * second, share: 0.02)),
                .init(
                    id: "active", title: "Active",
                    visits: .init(count: 64, median: 42_200_000_000, total: 5_000 * second, share: 0.55),
                    endings: [.init(reason: "crash", count: 1)]),
                .init(
                    id: "background", title: "Background",
                    visits: .init(count: 58, median: 4_980 * second, total: 4_000 * second, share: 0.43)),
                .init(id: "suspended", title: "Suspended"),
            ],
            edges: [
                .init(
                    from: "not_running", to: "inactive",
                    callbacks: ["willFinishLaunchingWithOptions", "didFinishLaunchingWithOptions"], isDocumented: true,
                    seen: .init(count: 3), probability: 1, citations: ["APP-T01"]),
                .init(
                    from: "not_running", to: "background", callbacks: ["didFinishLaunchingWithOptions"],
                    isDocumented: true),
                .init(
                    from: "inactive", to: "active", callbacks: ["applicationDidBecomeActive"], isDocumented: true,
                    seen: .init(count: 64, median: second), probability: 0.529),
                .init(
                    from: "active", to: "inactive", callbacks: ["applicationWillResignActive"], isDocumented: true,
                    seen: .init(count: 60, median: 42 * second), probability: 0.9375),
                .init(
                    from: "inactive", to: "background", callbacks: ["applicationDidEnterBackground"],
                    isDocumented: true, seen: .init(count: 57, median: second), probability: 0.471),
                .init(
                    from: "background", to: "inactive", callbacks: ["applicationWillEnterForeground"],
                    isDocumented: true, seen: .init(count: 54, median: 4_980 * second), probability: 0.96),
                .init(from: "background", to: "suspended", isDocumented: true, isSilent: true),
                .init(from: "suspended", to: "background", isDocumented: true, isSilent: true),
                .init(
                    from: "suspended", to: "inactive", callbacks: ["applicationWillEnterForeground"],
                    isDocumented: true, isSilent: true),
                .init(
                    from: "background", to: "not_running", callbacks: ["applicationWillTerminate"], isDocumented: true,
                    seen: .init(count: 1), probability: 0.018),
                .init(from: "suspended", to: "not_running", isDocumented: true, isSilent: true),
                .init(
                    from: "active", to: "background", callbacks: ["applicationDidEnterBackground"],
                    isDocumented: false, seen: .init(count: 3, median: second), probability: 0.047,
                    examples: ["day.log:214"],
                    findings: [
                        .init(rule: "R-APP-15", severity: "error", count: 3, message: "no resign-active before it")
                    ]),
                .init(
                    from: "active", to: "not_running", isDocumented: false, isInferred: true, seen: .init(count: 1)),
            ],
            runs: 3)
    }

    /// A user's model with too many states for labels on its edges.
    static var large: StateGraph {
        let states = (0..<14).map { StateGraph.State(id: "s\($0)", title: "Stage \($0)", visits: .init(count: $0 + 1)) }
        let pairs = (0..<13).map { ($0, $0 + 1) } + [(5, 9), (9, 2), (7, 5), (8, 5), (3, 13), (13, 0), (6, 6)]
        return StateGraph(
            title: "Large", states: states,
            edges: pairs.map { from, to in
                .init(
                    from: "s\(from)", to: "s\(to)", callbacks: ["didMoveFrom\(from)To\(to)"], isDocumented: from != 7,
                    seen: .init(count: from + 1), probability: 0.5)
            })
    }

    /// Names in a log that could break a picture.
    static let hostileNames = [
        "<script>alert(1)</script>", "a \"quoted\" & 'single' name", "]]>", "%n%s", "שלום עולם", "\u{202E}reversed",
        "👩‍👩‍👧‍👦 family", String(repeating: "x", count: 10_000), "bell\u{7}escape\u{1B}[31m", "",
    ]

    /// A ring of states with hostile names wherever there is text.
    static var hostile: StateGraph {
        let names = hostileNames
        return StateGraph(
            title: names[0], subtitle: names[7],
            states: names.map { name in
                .init(
                    id: name, title: name, visits: .init(count: 2, median: second, share: 0.1),
                    endings: [.init(reason: name, count: 1)], citation: name)
            },
            edges: names.indices.map { place in
                .init(
                    from: names[place], to: names[(place + 1) % names.count], callbacks: [names[place]],
                    isDocumented: place % 2 == 0, seen: .init(count: 1), probability: 0.5, citations: [names[place]],
                    examples: [names[place]],
                    findings: [.init(rule: names[place], severity: "warning", count: 1, message: names[place])])
            })
    }

    /// A user's model with long Chinese names.
    static var chinese: StateGraph {
        StateGraph(
            title: "播放器状态",
            states: [
                .init(id: "idle", title: "空闲并且尚未加载任何媒体资源的初始状态", isInitial: true, visits: .init(count: 5)),
                .init(id: "loading", title: "正在从网络加载媒体资源并等待缓冲区填满", visits: .init(count: 4, median: second)),
                .init(id: "playing", title: "播放中", visits: .init(count: 4, median: 3 * second)),
            ],
            edges: [
                .init(from: "idle", to: "loading", callbacks: ["加载"], isDocumented: true, seen: .init(count: 4)),
                .init(from: "loading", to: "playing", callbacks: ["缓冲完成"], isDocumented: true, seen: .init(count: 4)),
                .init(from: "playing", to: "playing", callbacks: ["跳转"], isDocumented: true, seen: .init(count: 9)),
            ])
    }
}
